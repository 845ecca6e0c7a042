// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_factory.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/network/input_queued_config.h"
#include "workloads/exchange/workload.h"
#include "workloads/job/mpi_workload.h"
#include "workloads/osu/one_way_workload.h"
#include "workloads/placement/placement.h"
#include "workloads/puts/workload.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/workload.h"

namespace fabrictwin::workloads {
namespace {

// An error of the same kind at the experiment's workload.
absl::Status at_workload(const experiment::Experiment& experiment, absl::StatusCode code, std::string_view message) {
  return absl::Status(code, experiment::format_diagnostic(experiment.workload_place, message));
}

absl::StatusOr<std::unique_ptr<host::Workload>> make_one_way(const experiment::Experiment& experiment,
                                                             const experiment::JobSpec& job,
                                                             const experiment::OsuSpec& spec,
                                                             const system::SystemGraph& graph) {
  const absl::StatusOr<placement::Placement> placement =
      placement::Placement::create(job.placement, {experiment, graph, {}, 0});
  if (!placement.ok()) return placement.status();
  const absl::StatusOr<std::vector<int32_t>> hosts = placement->hosts_of(2, "one_way_lat");
  if (!hosts.ok()) return hosts.status();
  absl::StatusOr<std::unique_ptr<osu::OneWayWorkload>> workload =
      osu::OneWayWorkload::create(spec, {(*hosts)[0], (*hosts)[1]});
  if (!workload.ok()) return at_workload(experiment, workload.status().code(), message_of(workload.status()));
  return *std::move(workload);
}

absl::StatusOr<std::unique_ptr<host::Workload>> make_jobs(const experiment::Experiment& experiment,
                                                          const experiment::JobsSpec& spec,
                                                          const system::SystemGraph& graph) {
  if (spec.jobs.size() == 1) {
    const auto* osu = std::get_if<experiment::OsuSpec>(&spec.jobs[0].work);
    if (osu != nullptr && osu->benchmark == v1::Osu::ONE_WAY_LAT)
      return make_one_way(experiment, spec.jobs[0], *osu, graph);
  }
  return job::MpiWorkload::create(spec, experiment, graph);
}

absl::StatusOr<std::unique_ptr<host::Workload>> make_exchange(const experiment::Experiment& experiment,
                                                              const experiment::ExchangeSpec& spec,
                                                              const system::SystemGraph& graph) {
  const int32_t hosts = graph.host_count();
  int64_t points = 1;
  for (const int32_t size : graph.dims) points *= size;
  if (hosts < 2 || graph.dims.empty() || points != hosts) {
    return at_workload(experiment, absl::StatusCode::kInvalidArgument,
                       fmt::format("an exchange needs at least two hosts, one at each point of a lattice, and {} is no "
                                   "such system; write topology {{ torus {{ ... }} }}, or another workload",
                                   graph.topology));
  }
  return std::make_unique<exchange::Workload>(spec, graph.dims, hosts);
}

absl::StatusOr<std::unique_ptr<host::Workload>> make_traffic(const experiment::Experiment& experiment,
                                                             const experiment::TrafficSpec& spec,
                                                             const system::SystemGraph& graph) {
  const int32_t hosts = graph.host_count();
  if (hosts < 2) return at_workload(experiment, absl::StatusCode::kInvalidArgument, "traffic needs at least two hosts");
  absl::StatusOr<traffic::DestinationPattern> pattern = traffic::DestinationPattern::create(spec, graph.dims, hosts);
  if (!pattern.ok()) {
    // Errors of a permutation are diagnostics in its own file.
    if (spec.pattern == v1::PERMUTATION) return pattern.status();
    return absl::Status(pattern.status().code(),
                        experiment::format_diagnostic(experiment.pattern_place, message_of(pattern.status())));
  }
  traffic::Workload::Network network{graph.router_clock, graph.link_rate, std::nullopt};
  if (experiment.router.model == v1::INPUT_QUEUED) network.words_per_cycle = network::iq_flits_per_cycle(graph);
  return std::make_unique<traffic::Workload>(spec, *std::move(pattern), network, experiment.seed, hosts,
                                             experiment.statistics);
}

}  // namespace

absl::StatusOr<std::unique_ptr<host::Workload>> make_workload(const experiment::Experiment& experiment,
                                                              const system::SystemGraph& graph) {
  if (const auto* jobs = std::get_if<experiment::JobsSpec>(&experiment.workload))
    return make_jobs(experiment, *jobs, graph);
  if (const auto* exchange = std::get_if<experiment::ExchangeSpec>(&experiment.workload))
    return make_exchange(experiment, *exchange, graph);
  if (const auto* puts = std::get_if<experiment::PutsSpec>(&experiment.workload)) {
    absl::StatusOr<std::unique_ptr<host::Workload>> made = puts::Workload::create(*puts, graph.host_count());
    if (!made.ok()) return at_workload(experiment, made.status().code(), message_of(made.status()));
    return made;
  }
  return make_traffic(experiment, std::get<experiment::TrafficSpec>(experiment.workload), graph);
}

}  // namespace fabrictwin::workloads
