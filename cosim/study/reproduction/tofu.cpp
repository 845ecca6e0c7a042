// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Tofu family: Puts from node to node.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/study/reproduction/readings.h"
#include "cosim/study/reproduction/reproduction.h"

namespace fabrictwin::study::reproduction {
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

double small_put_microseconds(const v1::Report& report, const Predictions&) {
  return of_size(report, kSmall, &v1::PutsResult::mean_latency_seconds) * 1e6;
}

Reproduction reproduction(const Generation& generation) {
  Reproduction machine;
  machine.name = to_lower(generation.name);
  machine.about = fmt::format("Puts on {}", generation.about);
  const std::string set = fmt::format("topology.tofu.generation={}", generation.name);
  const double rate = generation.rate;
  Run fast{.file = "tofu-put.textproto", .sets = {set}};
  fast.figures = {{.id = machine.name + ".put_8B",
                   .what = "one-way latency of an 8-byte Put",
                   .unit = "us",
                   .paper = generation.latency,
                   .calibrated = true,
                   .predicted = small_put_microseconds},
                  {.id = machine.name + ".put_efficiency",
                   .what = fmt::format("throughput of 4 MiB Puts over the link's {:g} GB/s", rate / 1e9),
                   .unit = "%",
                   .paper = generation.efficiency,
                   .predicted = [rate](const v1::Report& report, const Predictions&) {
                     return 100 * of_size(report, kLarge, &v1::PutsResult::bytes_per_second) / rate;
                   }}};
  Run slow{.file = fast.file, .sets = {set, fmt::format("host.tofu.{}", generation.slower)}};
  slow.figures = {{.id = machine.name + ".put_8B_slower",
                   .what = fmt::format("the same, {}", generation.slower_what),
                   .unit = "us",
                   .paper = generation.slower_latency,
                   .calibrated = true,
                   .predicted = small_put_microseconds}};
  machine.runs = {std::move(fast), std::move(slow)};
  return machine;
}

/// Barriers of the ranks of one node, each with a TNI of its own: of two there is one relay gate, of four there are
/// two.
void add_barriers(Reproduction& machine) {
  const std::string file = "tofu-barrier.textproto";
  Run two{.file = file, .sets = {}};
  two.figures = {
      {.id = "tofud.barrier_2", .what = "barrier of two ranks", .predicted = first_osu_result, .shown = false}};
  Run four{.file = file, .sets = {"workload.placement.ranks_per_host=4"}};
  four.figures = {{.id = "tofud.barrier_relay",
                   .what = "barrier, each relay gate",
                   .unit = "us",
                   .paper = 0.13,
                   .calibrated = true,
                   .predicted =
                       [](const v1::Report& report, const Predictions& before) {
                         return first_osu_result(report, before) - predicted(before, "tofud.barrier_2");
                       }},
                  {.id = "tofud.barrier_start",
                   .what = "barrier, barrier channel and start gate",
                   .unit = "us",
                   .paper = 0.48,
                   .calibrated = true,
                   .predicted = [](const v1::Report& report, const Predictions& before) {
                     return 2 * predicted(before, "tofud.barrier_2") - first_osu_result(report, before);
                   }}};
  Run shared{.file = file, .sets = {"topology.tofu.tnis=1"}};
  shared.figures = {{.id = "tofud.barrier_shared",
                     .what = "what of it a second rank on the same TNI adds",
                     .unit = "us",
                     .paper = 0.29,
                     .calibrated = true,
                     .predicted = [](const v1::Report& report, const Predictions& before) {
                       return first_osu_result(report, before) - predicted(before, "tofud.barrier_2");
                     }}};
  for (Run* run : {&two, &four, &shared}) machine.runs.push_back(std::move(*run));
}

/// A lane fails while the first of two Puts is on its link, and returns.
void add_slicing(Reproduction& machine) {
  Run run{.file = "tofu-slicing.textproto", .sets = {}};
  run.figures = {{.id = "tofud.slicing_delivered",
                  .what = "packet slicing, what arrives while a lane fails and returns (paper: no packet is lost)",
                  .unit = "%",
                  .paper = 100,
                  .predicted =
                      [](const v1::Report& report, const Predictions&) {
                        double packets = 0;
                        for (const v1::PutsResult& result : report.puts().results())
                          packets += static_cast<double>(result.count());
                        return 100 * packets / 2;
                      }},
                 {.id = "tofud.slicing_recovered",
                  .what = "throughput of 4 MiB Puts when the lane has recovered, over 6.8 GB/s",
                  .unit = "%",
                  .paper = 93,
                  .predicted = [](const v1::Report& report, const Predictions&) {
                    constexpr double kRate = 6.8e9;
                    if (report.puts().results_size() < 2) return std::numeric_limits<double>::quiet_NaN();
                    return 100 * report.puts().results(1).bytes_per_second() / kRate;
                  }}};
  machine.runs.push_back(std::move(run));
}

}  // namespace

std::vector<Reproduction> tofu_reproductions() {
  std::vector<Reproduction> all;
  for (const Generation& generation : kGenerations) all.push_back(reproduction(generation));
  add_barriers(all.back());
  add_slicing(all.back());
  return all;
}

}  // namespace fabrictwin::study::reproduction
