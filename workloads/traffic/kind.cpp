// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic in an experiment: docs/experiment-file.md.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "models/host/workload_kind.h"
#include "models/network/input_queued_config.h"
#include "workloads/traffic/check.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/workload.h"

namespace fabrictwin::traffic {
namespace {

class TrafficKind final : public host::WorkloadKindOf<v1::Workload::kTraffic, v1::Traffic, TrafficSpec> {
  TrafficSpec check(v1::Traffic& message, experiment::Experiment& experiment, const experiment::FileChecker& files,
                    const experiment::MessageReader& reader) const override {
    TrafficSpec spec = check_traffic(message, experiment.router.model, reader);
    if (!spec.permutation_file.empty()) {
      spec.permutation_file = files.find(reader.path_of("permutation_file"), spec.permutation_file,
                                         "a text file with the destination of each host", "write it, or name another");
      message.set_permutation_file(spec.permutation_file);
    }
    return spec;
  }
  experiment::WorkloadTraits traits(const TrafficSpec& spec) const override {
    return {.bare_packets = true, .packet_payload = spec.payload};
  }
  std::string text(const TrafficSpec& spec, const experiment::Experiment& /*experiment*/) const override {
    const std::string time = spec.sampled ? fmt::format("in up to {} samples of {} cycles, {} of them warm-up",
                                                        spec.max_samples, spec.sample_cycles, spec.warmup_samples)
                                          : fmt::format("for {}", to_string(spec.duration));
    return fmt::format("traffic {}, load {}, payload {}, {}", to_lower(v1::TrafficPattern_Name(spec.pattern)),
                       spec.load, to_string(spec.payload), time);
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const TrafficSpec& spec,
                                                       const experiment::Experiment& experiment,
                                                       const system::SystemGraph& graph) const override {
    const int32_t hosts = graph.host_count();
    if (hosts < 2) return at_workload(experiment, absl::InvalidArgumentError("traffic needs at least two hosts"));
    absl::StatusOr<DestinationPattern> pattern = DestinationPattern::create(spec, graph.dims, hosts);
    if (!pattern.ok()) {
      // Errors of a permutation are diagnostics in its own file.
      if (spec.pattern == v1::PERMUTATION) return pattern.status();
      return absl::Status(pattern.status().code(),
                          experiment::format_diagnostic(spec.pattern_location, message_of(pattern.status())));
    }
    Workload::Network network{graph.router_clock, graph.link_rate, std::nullopt};
    if (experiment.router.model == v1::INPUT_QUEUED) network.words_per_cycle = network::iq_flits_per_cycle(graph);
    return std::make_unique<Workload>(spec, *std::move(pattern), network, experiment.seed, hosts,
                                      experiment.statistics);
  }
};

}  // namespace

const host::WorkloadKind& traffic() {
  static const TrafficKind kind;
  return kind;
}

}  // namespace fabrictwin::traffic
