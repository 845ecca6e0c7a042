// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Tofu family: Puts from node to node.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/study/reproduction.h"

namespace fabrictwin::study {
namespace {

constexpr uint64_t kSmall = 8;
constexpr uint64_t kLarge = uint64_t{4} << 20;

/// The published figures of a generation.
struct Generation {
  const char* name;  ///< The name in topology.tofu.generation.
  const char* about;
  double latency;           ///< The latency of an 8-byte Put in us.
  const char* slower;       ///< A field of host.tofu and its value that make Puts slower.
  const char* slower_what;  ///< The description of `slower` for people.
  double slower_latency;    ///< The latency of an 8-byte Put with `slower` in us.
  double rate;              ///< The rate of a link in bytes per second.
  double efficiency;        ///< The rate of large Puts in percent of `rate`.
};

constexpr Generation kGenerations[] = {
    {"TOFU", "the K computer", 0.91, "direct_descriptor=false", "descriptor in memory", 1.15, 5.0e9, 95},
    {"TOFU2", "PRIMEHPC FX100", 0.71, "cache_injection=false", "no cache injection", 0.87, 12.5e9, 92},
    {"TOFUD", "Fugaku", 0.49, "far_cmg=true", "from a far CMG", 0.54, 6.8e9, 93},
};

double of_size(const v1::Report& report, uint64_t bytes, double (v1::PutsResult::*value)() const) {
  for (const v1::PutsResult& result : report.puts().results()) {
    if (result.bytes() == bytes) return (result.*value)();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double microseconds(const v1::Report& report, const Predictions&) {
  return of_size(report, kSmall, &v1::PutsResult::mean_latency_seconds) * 1e6;
}

Reproduction reproduction(const Generation& generation) {
  Reproduction machine;
  machine.name = to_lower(generation.name);
  machine.about = fmt::format("Puts on {}", generation.about);
  const std::string set = fmt::format("topology.tofu.generation={}", generation.name);
  const double rate = generation.rate;
  ReproductionRun fast{.file = "tofu-put.textproto", .sets = {set}};
  fast.figures = {{.id = machine.name + ".put_8B",
                   .what = "one-way latency of an 8-byte Put",
                   .unit = "us",
                   .paper = generation.latency,
                   .calibrated = true,
                   .predicted = microseconds},
                  {.id = machine.name + ".put_efficiency",
                   .what = fmt::format("throughput of 4 MiB Puts over the link's {:g} GB/s", rate / 1e9),
                   .unit = "%",
                   .paper = generation.efficiency,
                   .predicted = [rate](const v1::Report& report, const Predictions&) {
                     return 100 * of_size(report, kLarge, &v1::PutsResult::bytes_per_second) / rate;
                   }}};
  ReproductionRun slow{.file = fast.file, .sets = {set, fmt::format("host.tofu.{}", generation.slower)}};
  slow.figures = {{.id = machine.name + ".put_8B_slower",
                   .what = fmt::format("the same, {}", generation.slower_what),
                   .unit = "us",
                   .paper = generation.slower_latency,
                   .calibrated = true,
                   .predicted = microseconds}};
  machine.runs = {std::move(fast), std::move(slow)};
  return machine;
}

}  // namespace

std::vector<Reproduction> tofu_reproductions() {
  std::vector<Reproduction> all;
  for (const Generation& generation : kGenerations) all.push_back(reproduction(generation));
  all.back().missing = {
      {"TofuD barrier (BCH + start BG 0.48 us, relay BG 0.13 us)", "TNIs have no barrier interface yet"},
      {"TofuD dynamic packet slicing", "links of the packet network have one lane and lose nothing"}};
  return all;
}

}  // namespace fabrictwin::study
