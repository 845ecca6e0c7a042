// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/apart_check.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cosim/experiment/source_location.h"
#include "fmt/format.h"

namespace fabrictwin::partition {

bool is_apart(const system::Plan& plan, int32_t partition) {
  const system::PartitionPlan& planned = plan.partitions[static_cast<size_t>(partition)];
  return planned.implementation == v1::MODEL && planned.link_type.content != link::LinkType::Content::kWords &&
         planned.elements.size() != plan.graph.elements.size();
}

bool measures_workload(const system::Plan& plan, int32_t partition) {
  const int32_t hosts = plan.graph.host_count();
  const int32_t place = plan.partitions[static_cast<size_t>(partition)].place;
  for (int32_t before = 0; before < partition; ++before) {
    const system::PartitionPlan& planned = plan.partitions[static_cast<size_t>(before)];
    // Hosts are the first elements of a graph.
    if (planned.place == place && planned.elements.front() < hosts) return false;
  }
  return true;
}

absl::Status check_apart(const experiment::Experiment& experiment, const system::Plan& plan,
                         const host::Workload& workload, bool messages_recorded) {
  bool apart = false;
  for (size_t i = 0; i < plan.partitions.size(); ++i) apart = apart || is_apart(plan, static_cast<int32_t>(i));
  if (!apart) return absl::OkStatus();
  const experiment::StatisticsSpec& statistics = experiment.statistics;
  std::string obstacle;
  if (const std::string_view shared = workload.shared_among_hosts(); !shared.empty()) {
    obstacle = fmt::format("its hosts share {}", shared);
  } else if (experiment.host.nic_spec.has_value() || experiment.transport.has_value()) {
    obstacle =
        "its network interfaces keep the state of both ends of a message together; leave host.nic, congestion and "
        "transport out";
  } else if (experiment.queues.scheme != v1::Queues::ONE || experiment.message.has_pfc() ||
             experiment.routing.notification.has_value() || !experiment.faults.empty()) {
    obstacle = "queues, pfc, routing.notification and faults are those of one partition; leave them out";
  } else if (statistics.packet_trace.has_value() || statistics.queues || statistics.occupancy_interval > Time::zero() ||
             statistics.series_interval > Time::zero() || !statistics.tree_at.empty() || messages_recorded) {
    obstacle =
        "statistics but per_node, latency_histogram, message_matrix, rank_timeline and link_interval are those of one "
        "partition; leave them out";
  }
  return obstacle.empty() ? absl::OkStatus() : apart_error(experiment, obstacle);
}

absl::Status apart_error(const experiment::Experiment& experiment, std::string_view obstacle) {
  const std::vector<experiment::UseSpec>& uses = experiment.uses;
  const auto deep = [](const experiment::UseSpec& use) { return use.depth != v1::ROUTER_MODEL_UNSPECIFIED; };
  const auto use = std::find_if(uses.begin(), uses.end(),
                                [&](const experiment::UseSpec& each) { return each.place != "inproc" || deep(each); });
  const std::string text = fmt::format(
      "routers and hosts of this experiment cannot {}: {}",
      std::any_of(uses.begin(), uses.end(), deep) ? "have several depths" : "be at several places", obstacle);
  return absl::UnimplementedError(use == uses.end() ? text : experiment::format_diagnostic(use->source, text));
}

}  // namespace fabrictwin::partition
