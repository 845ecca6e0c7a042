// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic in an experiment: docs/experiment-file.md.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "models/host/workload_kind.h"
#include "models/network/input_queued_config.h"
#include "workloads/traffic/check.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/job.h"
#include "workloads/traffic/results_text.h"
#include "workloads/traffic/workload.h"

namespace fabrictwin::traffic {
namespace {

/// The group of each host, from 0 on: of a dragonfly, or the hosts of a lowest router of a tree; nothing elsewhere.
std::vector<int32_t> host_groups(const system::SystemGraph& graph) {
  std::vector<int32_t> groups;
  std::map<int32_t, int32_t> numbers;  // Of groups, by what the topology calls them.
  for (int32_t host = 0; host < graph.host_count(); ++host) {
    const system::ElementId router = graph.host_router(host);
    int32_t group = router;
    if (graph.family == system::TopologyFamily::kDragonfly) {
      group = graph.elements[router].coordinates.back();
    } else if (graph.family != system::TopologyFamily::kTree) {
      return {};
    }
    groups.push_back(numbers.try_emplace(group, static_cast<int32_t>(numbers.size())).first->second);
  }
  return groups;
}

/// An error of a pattern, where it is written. Errors of a permutation are diagnostics in its own file.
absl::Status located(const absl::Status& error, const ClassSpec& spec) {
  if (absl::IsOutOfRange(error)) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(spec.hosts_location, message_of(error)));
  }
  if (spec.pattern == v1::PERMUTATION) return error;
  return absl::Status(error.code(), experiment::format_diagnostic(spec.pattern_location, message_of(error)));
}

template <typename Message>
void find_permutation(Message& message, ClassSpec& spec, const experiment::FileChecker& files,
                      const experiment::MessageReader& reader) {
  if (spec.permutation_file.empty()) return;
  spec.permutation_file = files.find(reader.path_of("permutation_file"), spec.permutation_file,
                                     "a text file with the destination of each host", "write it, or name another");
  message.set_permutation_file(spec.permutation_file);
}

/// The permutations of the traffic or of its classes.
void find_permutations(v1::Traffic& message, TrafficSpec& spec, const experiment::FileChecker& files,
                       const experiment::MessageReader& reader) {
  if (spec.classes.empty()) return find_permutation(message, spec, files, reader);
  for (int i = 0; i < static_cast<int>(spec.classes.size()); ++i) {
    v1::TrafficClass& of_class = *message.mutable_class_(i);
    find_permutation(of_class, spec.classes[static_cast<size_t>(i)], files,
                     reader.of(of_class, fmt::format("class[{}]", i)));
  }
}

/// The pattern of each class.
absl::StatusOr<std::vector<DestinationPattern>> make_patterns(const TrafficSpec& spec, const std::vector<int32_t>& dims,
                                                              int32_t hosts, const std::vector<int32_t>& groups) {
  std::vector<DestinationPattern> patterns;
  for (const ClassSpec& of_class : spec.all_classes()) {
    absl::StatusOr<DestinationPattern> pattern = DestinationPattern::create(of_class, dims, hosts, groups);
    if (!pattern.ok()) return located(pattern.status(), of_class);
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

}  // namespace

std::string text_of(const TrafficSpec& spec) {
  const std::string time = spec.sampled ? fmt::format("in up to {} samples of {} cycles, {} of them warm-up",
                                                      spec.max_samples, spec.sample_cycles, spec.warmup_samples)
                                        : fmt::format("for {}", to_string(spec.duration));
  std::string classes;
  for (const ClassSpec& of_class : spec.all_classes()) {
    if (!classes.empty()) classes += "; ";
    if (!of_class.name.empty()) classes += of_class.name + ": ";
    classes += fmt::format("{}, load {}, payload {}", to_lower(v1::TrafficPattern_Name(of_class.pattern)),
                           of_class.load, to_string(of_class.payload));
  }
  return fmt::format("traffic {}, {}", classes, time);
}

TrafficSpec check_job(v1::Traffic& message, const experiment::FileChecker& files,
                      const experiment::MessageReader& reader) {
  TrafficSpec spec = check_traffic(message, v1::ROUTER_MODEL_UNSPECIFIED, reader);
  if (spec.sampled || message.duration().empty()) {
    reader.complain(
        "duration",
        "traffic beside other jobs is generated for a fixed time; write duration: \"1ms\", and no fields of "
        "samples");
    spec.sampled = false;
  }
  find_permutations(message, spec, files, reader);
  return spec;
}

absl::StatusOr<std::unique_ptr<Workload>> make_job(const TrafficSpec& spec, const experiment::Experiment& experiment,
                                                   const system::SystemGraph& graph, const TrafficHosts& hosts,
                                                   uint64_t seed) {
  auto patterns = make_patterns(spec, {}, hosts.count(), {});
  if (!patterns.ok()) return patterns.status();
  const Workload::Network network{graph.router_clock, graph.link_rate, std::nullopt, graph.packets};
  return std::make_unique<Workload>(spec, *std::move(patterns), network, seed, hosts, experiment.statistics);
}

namespace {

class TrafficKind final : public host::WorkloadKindOf<v1::Workload::kTraffic, v1::Traffic, TrafficSpec> {
  TrafficSpec check(v1::Traffic& message, experiment::Experiment& experiment, const experiment::FileChecker& files,
                    const experiment::MessageReader& reader) const override {
    TrafficSpec spec = check_traffic(message, experiment.router.model, reader);
    find_permutations(message, spec, files, reader);
    return spec;
  }
  experiment::WorkloadTraits traits(const TrafficSpec& spec) const override {
    Bytes longest;
    for (const ClassSpec& of_class : spec.all_classes()) longest = std::max(longest, of_class.payload);
    return {.bare_packets = true, .packet_payload = longest};
  }
  void add_results(const v1::Report& report, std::string& text) const override { traffic::add_results(report, text); }
  std::string text(const TrafficSpec& spec, const experiment::Experiment& /*experiment*/) const override {
    return text_of(spec);
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const TrafficSpec& spec,
                                                       const experiment::Experiment& experiment,
                                                       const system::SystemGraph& graph) const override {
    const int32_t hosts = graph.host_count();
    if (hosts < 2)
      return at_workload(experiment,
                         absl::InvalidArgumentError("traffic needs at least two hosts; write a larger topology"));
    auto patterns = make_patterns(spec, graph.dims, hosts, host_groups(graph));
    if (!patterns.ok()) return patterns.status();
    Workload::Network network{graph.router_clock, graph.link_rate, std::nullopt, graph.packets};
    if (experiment.sends_bare_packets()) network.words_per_cycle = network::iq_flits_per_cycle(graph);
    return std::make_unique<Workload>(spec, *std::move(patterns), network, experiment.seed, hosts,
                                      experiment.statistics);
  }
};

}  // namespace

const host::WorkloadKind& traffic() {
  static const TrafficKind kind;
  return kind;
}

}  // namespace fabrictwin::traffic
