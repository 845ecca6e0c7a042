// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts in an experiment: docs/models/puts.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"
#include "models/host/workload_kind.h"
#include "workloads/puts/spec.h"
#include "workloads/puts/workload.h"

namespace fabrictwin::puts {
namespace {

using experiment::kMaxMessageBytes;
using experiment::MessageReader;

constexpr int kMaxStreams = 4096;
constexpr int kMaxSizes = 256;
constexpr int32_t kMaxCount = 1'000'000;
constexpr int32_t kMaxWindow = 1024;

v1::Puts::Operation check_operation(const experiment::Experiment& experiment, const MessageReader& reader) {
  const v1::Puts::Operation operation = experiment.message.workload().puts().operation();
  if (!v1::Puts::Operation_IsValid(operation)) {
    reader.complain("operation", "unknown operation; write PUT or GET");
  } else if (operation == v1::Puts::GET) {
    const experiment::NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
    if (nic.gets) return operation;
    reader.complain("operation",
                    fmt::format("network interfaces that are {} cannot read from others; write host {{ nic: {} }}, "
                                "or operation: PUT",
                                v1::Host::Nic_Name(nic.nic),
                                experiment.capabilities.nics_with(&experiment::NicCapabilities::gets)));
  }
  return v1::Puts::PUT;
}

std::vector<int32_t> check_destinations(const v1::Puts& puts, const MessageReader& reader) {
  if (puts.destinations_size() > kMaxStreams) {
    reader.complain("destinations", fmt::format("{} streams are more than the {} that are allowed",
                                                puts.destinations_size(), kMaxStreams));
  }
  std::vector<int32_t> destinations(puts.destinations().begin(), puts.destinations().end());
  if (destinations.empty()) destinations.push_back(reader.default_number("destinations"));
  for (size_t i = 0; i < destinations.size(); ++i) {
    if (destinations[i] >= 0 && destinations[i] != puts.source()) continue;
    const std::string name = fmt::format("destinations[{}]", i);
    reader.complain(reader.has(name) ? name : "destinations",
                    fmt::format("destination {}: a network interface reaches other hosts; write a host that is not "
                                "the source, {}",
                                destinations[i], puts.source()));
  }
  return destinations;
}

std::vector<Bytes> check_sizes(const v1::Puts& puts, const MessageReader& reader) {
  std::vector<Bytes> sizes;
  if (puts.sizes_size() > kMaxSizes)
    reader.complain("sizes",
                    fmt::format("{} sizes are more than the {} that are allowed", puts.sizes_size(), kMaxSizes));
  for (int i = 0; i < puts.sizes_size(); ++i) {
    std::string name = fmt::format("sizes[{}]", i);
    if (!reader.has(name)) name = "sizes";
    const auto size = reader.fields().quantity<Bytes>(reader.path_of(name), puts.sizes(i), "", parse_bytes);
    if (!size.has_value()) continue;
    if (size->count < 1 || size->count > kMaxMessageBytes) {
      reader.complain(name,
                      fmt::format("a Put of {}: write 1B to {}", to_string(*size), to_string(Bytes{kMaxMessageBytes})));
    }
    sizes.push_back(*size);
  }
  if (sizes.empty()) sizes.push_back(parse_bytes(reader.default_of("sizes")).value_or(Bytes{}));
  return sizes;
}

void add_table(const v1::PutsReport& puts, std::string& text) {
  if (puts.results().empty()) return;
  text += fmt::format("\n{}s of host[{}], {} at once\n", puts.operation(), puts.source(), puts.streams());
  report::TextTable table({"bytes", "count", "mean latency", "least", "most", "rate"});
  for (const v1::PutsResult& result : puts.results()) {
    table.add({fmt::format("{}", result.bytes()), fmt::format("{}", result.count()),
               report::seconds_text(result.mean_latency_seconds()), report::seconds_text(result.min_latency_seconds()),
               report::seconds_text(result.max_latency_seconds()),
               fmt::format("{:.4g} GB/s", result.bytes_per_second() / 1e9)});
  }
  text += table.text();
}

class Puts final : public host::WorkloadKindOf<v1::Workload::kPuts, v1::Puts, PutsSpec> {
  PutsSpec check(v1::Puts& puts, experiment::Experiment& experiment, const experiment::FileChecker& /*files*/,
                 const MessageReader& reader) const override {
    PutsSpec spec;
    if (experiment.topology_traits.nodes) {
      reader.complain(
          {}, fmt::format("puts measure what host {{ nic: }} names, and the nodes of {} bring their own network "
                          "interfaces; write another topology, or another workload",
                          experiment::topology_text(experiment.topology)));
    }
    spec.operation = check_operation(experiment, reader);
    spec.source = puts.source();
    if (spec.source < 0) reader.complain("source", fmt::format("source {}: hosts are numbered from 0", spec.source));
    spec.destinations = check_destinations(puts, reader);
    spec.sizes = check_sizes(puts, reader);
    spec.count = reader.number("count", 1, kMaxCount);
    spec.window = reader.number("window", 1, kMaxWindow);
    return spec;
  }
  void add_results(const v1::Report& report, std::string& text) const override {
    if (report.has_puts()) add_table(report.puts(), text);
  }
  std::string text(const PutsSpec& spec, const experiment::Experiment& /*experiment*/) const override {
    std::vector<std::string> sizes;
    for (const Bytes size : spec.sizes) sizes.push_back(to_string(size));
    return fmt::format("{} of {}, {} of each to each of {} hosts from host[{}]",
                       spec.operation == v1::Puts::GET ? "gets" : "puts", fmt::join(sizes, ", "), spec.count,
                       spec.destinations.size(), spec.source);
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const PutsSpec& spec, const experiment::Experiment& experiment,
                                                       const system::SystemGraph& graph) const override {
    absl::StatusOr<std::unique_ptr<host::Workload>> made = Workload::create(spec, graph.host_count());
    if (!made.ok()) return at_workload(experiment, made.status());
    return made;
  }
};

}  // namespace

const host::WorkloadKind& puts() {
  static const Puts kind;
  return kind;
}

}  // namespace fabrictwin::puts
