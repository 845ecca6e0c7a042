// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Systems that are in several partitions.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/experiment/source_location.h"
#include "cosim/run/cut_port.h"
#include "fmt/format.h"
#include "models/fabric/plain_hosts.h"
#include "models/partition/fabric_partition.h"

namespace fabrictwin::partition {

bool FabricPartition::apart() const {
  return context_.plan->partitions[static_cast<size_t>(context_.partition)].elements.size() !=
         context_.plan->graph.elements.size();
}

absl::Status FabricPartition::check_apart() const {
  const experiment::Experiment& experiment = *context_.experiment;
  const experiment::StatisticsSpec& statistics = experiment.statistics;
  std::string_view obstacle;
  if (!workload_->independent_places()) {
    obstacle = "its workload shares state among hosts besides messages";
  } else if (!plain() || experiment.transport.has_value()) {
    obstacle =
        "its network interfaces keep the state of both ends of a message together; leave host.nic, congestion and "
        "transport out";
  } else if (experiment.queues.scheme != v1::Queues::ONE || experiment.message.has_pfc() ||
             experiment.routing.notification.has_value() || !experiment.faults.empty()) {
    obstacle = "queues, pfc, routing.notification and faults are those of one partition; leave them out";
  } else if (statistics.latency_histogram || statistics.packet_trace.has_value() || statistics.queues ||
             statistics.occupancy_interval > Time::zero() || statistics.series_interval > Time::zero() ||
             statistics.link_interval > Time::zero() || !statistics.tree_at.empty() || statistics.message_matrix ||
             statistics.rank_timeline || context_.observers.messages != nullptr) {
    obstacle = "statistics are those of one partition; leave them, --html and --perfetto out";
  }
  return obstacle.empty() ? absl::OkStatus() : apart_error(obstacle);
}

absl::Status FabricPartition::apart_error(std::string_view obstacle) const {
  const std::vector<experiment::UseSpec>& uses = context_.experiment->uses;
  const auto use =
      std::find_if(uses.begin(), uses.end(), [](const experiment::UseSpec& each) { return each.place != "inproc"; });
  const std::string text =
      fmt::format("routers and hosts of this experiment cannot be at several places: {}", obstacle);
  return absl::UnimplementedError(use == uses.end() ? text : experiment::format_diagnostic(use->source, text));
}

void FabricPartition::join_others() {
  auto& hosts = static_cast<fabric::PlainHosts&>(*hosts_[0]);
  std::vector<bool> here;
  for (system::ElementId host = 0; host < context_.plan->graph.host_count(); ++host) here.push_back(is_here(host));
  hosts.be_apart(std::move(here));
  std::vector<run::CutPort> ports = context_.ports;
  if (packets_ != nullptr) return packets_->join(std::move(ports), hosts);
  for (run::CutPort& port : ports) port.element -= context_.plan->graph.host_count();
  hosted_->join(std::move(ports), hosts);
}

}  // namespace fabrictwin::partition
