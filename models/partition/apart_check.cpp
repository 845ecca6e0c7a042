// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/apart_check.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cosim/experiment/capabilities.h"
#include "cosim/experiment/source_location.h"
#include "fmt/format.h"

namespace fabrictwin::partition {

bool is_apart(const system::Plan& plan, int32_t partition) {
  const system::PartitionPlan& planned = plan.partitions[static_cast<size_t>(partition)];
  return planned.implementation == v1::MODEL && planned.link_type.content != link::LinkType::Content::kWords &&
         planned.elements.size() != plan.graph.elements.size();
}

namespace {

// Hosts are the first elements of a graph.
bool has_hosts(const system::Plan& plan, const system::PartitionPlan& planned) {
  return planned.elements.front() < plan.graph.host_count();
}

}  // namespace

void measure_workload(const system::Plan& plan, int32_t partition, const host::Workload& workload, metric::Sink& sink) {
  const int32_t place = plan.partitions[static_cast<size_t>(partition)].place;
  const auto first = std::ranges::find_if(plan.partitions, [&](const system::PartitionPlan& planned) {
    return planned.place == place && has_hosts(plan, planned);
  });
  if (first - plan.partitions.begin() == partition) {
    workload.measure(sink);
  } else {
    workload.measure_sums(sink);
  }
}

bool has_all_models(const system::Plan& plan, int32_t partition) {
  const int32_t place = plan.partitions[static_cast<size_t>(partition)].place;
  return std::ranges::count_if(plan.partitions, [&](const system::PartitionPlan& planned) {
           return planned.place == place && planned.implementation == v1::MODEL;
         }) == 1;
}

namespace {

bool in_several_partitions(const system::Plan& plan) {
  const int32_t hosts = plan.graph.host_count();
  for (int32_t host = 1; host < hosts; ++host) {
    if (plan.partition_of[static_cast<size_t>(host)] != plan.partition_of[0]) return true;
  }
  return false;
}

/// Whether no partition is one of words.
bool all_apart(const system::Plan& plan) {
  for (size_t i = 0; i < plan.partitions.size(); ++i) {
    if (!is_apart(plan, static_cast<int32_t>(i))) return false;
  }
  return true;
}

/// Why the end of a run whose partitions end together is not known, or empty.
std::string_view end_obstacle(const experiment::Experiment& experiment, const system::Plan& plan,
                              const host::Workload& workload) {
  if (!plan.ends_together(experiment) || !workload.end_is_cut(plan.partition_of)) return {};
  return experiment.workload_traits.background
             ? "the run ends with traffic, which is over when its last packet has arrived, and other jobs go on until "
               "then; put the traffic in the background, or nothing, or its hosts at one place"
             : "traffic is over when its last packet has arrived, and host.nic and congestion may answer after that; "
               "leave them out, or put the hosts of the traffic at one place";
}

/// Checks hosts of words at other places.
absl::Status check_words(const experiment::Experiment& experiment, const system::Plan& plan, std::string_view shared) {
  if (!plan.hosts_apart()) {
    const bool elsewhere =
        std::ranges::any_of(plan.partitions, [](const system::PartitionPlan& planned) { return planned.place != 0; });
    if (!experiment.statistics.queues || !elsewhere) return absl::OkStatus();
    // Parts of a report are put together only where hosts are apart.
    return apart_error(experiment, plan,
                       "statistics.queues tells of routers at other places if hosts are there, too; take the hosts "
                       "along, as in \"host[0..3],router[0..3]\" or by --split, or leave it out");
  }
  if (!shared.empty() && in_several_partitions(plan))
    return apart_error(experiment, plan, fmt::format("its hosts share {}", shared));
  return absl::OkStatus();
}

/// The rule that has put a host elsewhere, or made it packets; otherwise the first rule that is for anything like it.
const experiment::UseSpec* apart_rule(const experiment::Experiment& experiment, const system::Plan& plan) {
  const experiment::UseSpec* first = nullptr;
  const experiment::UseSpec* of_host = nullptr;
  for (const experiment::UseSpec& use : experiment.uses) {
    const bool deep = use.depth != v1::ROUTER_MODEL_UNSPECIFIED && use.depth != experiment.router.model;
    if (use.place == "inproc" && !deep) continue;
    if (first == nullptr) first = &use;
    const auto selected = system::select_elements(plan.graph, use.select);
    // Hosts are the first elements of a graph.
    if (selected.ok() && !selected->empty() && selected->front() < plan.graph.host_count()) of_host = &use;
  }
  return of_host != nullptr ? of_host : first;
}

}  // namespace

absl::Status check_apart(const experiment::Experiment& experiment, const system::Plan& plan,
                         const host::Workload& workload) {
  if (const std::string_view obstacle = end_obstacle(experiment, plan, workload); !obstacle.empty())
    return apart_error(experiment, plan, obstacle);
  bool apart = false;
  for (size_t i = 0; i < plan.partitions.size(); ++i) apart = apart || is_apart(plan, static_cast<int32_t>(i));
  const std::string_view shared = workload.shared_among_hosts();
  if (!apart) return check_words(experiment, plan, shared);
  const experiment::StatisticsSpec& statistics = experiment.statistics;
  std::string obstacle;
  if (!shared.empty()) {
    obstacle = fmt::format("its hosts share {}", shared);
  } else if (experiment.queues.scheme == v1::Queues::FBICM &&
             !experiment.capabilities.of(experiment.router.model).set_aside_at_depths && !all_apart(plan)) {
    obstacle = fmt::format(
        "set-aside queues of routers of the model {} are of one depth; write another scheme of queues, or router {{ "
        "model: {} }}",
        v1::RouterModel_Name(experiment.router.model),
        experiment.capabilities.models_with(&experiment::RouterCapabilities::set_aside_at_depths));
  } else if (experiment.host.allreduce_accelerator && !experiment.topology_traits.nodes && !all_apart(plan)) {
    obstacle = "the barrier interfaces of Tofu are of one depth; write host { allreduce: SOFTWARE }";
  } else if (statistics.occupancy_interval > Time::zero() && !all_apart(plan)) {
    obstacle = "occupancy_interval is of routers of one depth; leave it out";
  } else if (statistics.occupancy_interval > Time::zero() && experiment.message.has_pfc()) {
    obstacle =
        "switches with pfc learn of a packet when all of it has come, and occupancy_interval counts its words before; "
        "leave one of them out";
  }
  return obstacle.empty() ? absl::OkStatus() : apart_error(experiment, plan, obstacle);
}

absl::Status apart_error(const experiment::Experiment& experiment, const system::Plan& plan,
                         std::string_view obstacle) {
  const experiment::UseSpec* const use = apart_rule(experiment, plan);
  const bool deep = std::ranges::any_of(plan.partitions, [&](const system::PartitionPlan& partition) {
    return partition.depth != plan.partitions.front().depth;
  });
  const std::string text = fmt::format("routers and hosts of this experiment cannot {}: {}",
                                       deep ? "have several depths" : "be at several places", obstacle);
  return absl::UnimplementedError(use == nullptr ? text : experiment::format_diagnostic(use->source, text));
}

}  // namespace fabrictwin::partition
