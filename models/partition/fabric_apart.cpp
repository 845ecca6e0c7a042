// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Systems that are in several partitions, of one depth or of several.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cosim/run/cut_port.h"
#include "models/network/coarse_depth.h"
#include "models/network/routing_factory.h"
#include "models/partition/apart_check.h"
#include "models/partition/fabric_partition.h"
#include "models/partition/statistics/queue_report.h"

namespace fabrictwin::partition {

FabricPartition::FabricPartition(const run::PartitionContext& context) : context_(context), whole_(context.experiment) {
  const v1::RouterModel depth = context.plan->partitions[static_cast<size_t>(context.partition)].depth;
  if (depth == context.experiment->router.model) return;
  auto coarse =
      std::make_unique<experiment::Experiment>(network::at_depth(*context.experiment, context.plan->graph, depth));
  // Queues of some routers would look like those of all. Partitions of hosts tell what they receive; hosts are the
  // first elements of a graph.
  const std::vector<system::ElementId>& here =
      context.plan->partitions[static_cast<size_t>(context.partition)].elements;
  if (here.front() >= context.plan->graph.host_count()) {
    coarse->statistics.series_interval = Time::zero();
    coarse->statistics.goodput_window.reset();
  }
  coarse->statistics.queues = false;
  coarse_ = std::move(coarse);
  context_.experiment = coarse_.get();
}

absl::StatusOr<std::shared_ptr<const routing::RoutingAlgorithm>> FabricPartition::make_routing(int32_t vcs) const {
  const system::SystemGraph& graph = context_.plan->graph;
  if (coarse_ != nullptr) return network::make_header_routing(graph);
  return network::make_routing_algorithm(*context_.experiment, graph, vcs);
}

bool FabricPartition::apart() const { return is_apart(*context_.plan, context_.partition); }

engine::Foreground FabricPartition::foreground() const {
  engine::Foreground foreground = workload_->foreground();
  // One partition with all hosts ends by itself.
  if (foreground_over_ || (!together_ && done_)) {
    foreground.state = engine::Foreground::State::kOver;
    foreground.end = foreground_end_;
  } else if (done_ && foreground.state == engine::Foreground::State::kWaits) {
    // It is over, and waits for nothing, but not for all of the time until its end.
    foreground.state = engine::Foreground::State::kRuns;
  }
  return foreground;
}

void FabricPartition::end_with_hosts() {
  if (packets_ != nullptr) packets_->end_with_hosts();
  if (hosted_ != nullptr) hosted_->end_with_hosts();
}

Time FabricPartition::end_foreground(Time until) {
  foreground_over_ = true;
  foreground_end_ = packets_ != nullptr ? packets_->stops() : hosted_->stops();
  if (packets_ != nullptr) packets_->go_on();
  if (hosted_ != nullptr) hosted_->go_on();
  return std::min(until, foreground_end_);
}

void FabricPartition::report_part(google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts) const {
  v1::WorkloadPart part;
  if (!apart()) return;
  const bool of_workload = workload_->report_part(part);
  if (bare_ != nullptr) part.mutable_traffic()->set_flit_hops(bare_->flit_hops());
  const bool of_messages = statistics_ && statistics_->report_part(part);
  const Time still = statistics::queues_stand_until(*context_.experiment, reached_, together_);
  const bool of_congestion = congestion_
                                 ? congestion_->report_part(still, *part.mutable_congestion())
                                 : input_queues_ && input_queues_->report_part(still, *part.mutable_congestion());
  if (!of_congestion) part.clear_congestion();
  // In the order of time, a run ends at once.
  if (of_congestion && !(workload_->independent_hosts() && plain())) part.mutable_congestion()->set_window_fs(1);
  if (samples_buffers()) {
    // Others may have gone on when nothing was left to be done here, and the last sample may have been long before.
    const bool empty = fabric_->packets_in_flight() == 0;
    occupancy_.report_part(empty ? observe::BufferFill() : fabric_->buffer_fill(), *part.mutable_occupancy());
  }
  if (!hosts_.empty()) {
    for (const fabric::Hosts::LateArrival& arrival : hosts_[0]->late_arrivals()) {
      v1::LateArrivalPart& line = *part.add_late();
      line.set_at_fs(arrival.at);
      line.set_host(arrival.host);
      line.set_bytes(arrival.bytes);
      line.set_timing(arrival.timing);
    }
  }
  if (of_workload || of_messages || of_congestion || part.has_occupancy() || part.late_size() > 0)
    *parts.Add() = std::move(part);
}

void FabricPartition::join_others() {
  const system::SystemGraph& graph = context_.plan->graph;
  std::vector<bool> here;
  for (system::ElementId host = 0; host < graph.host_count(); ++host) here.push_back(is_here(host));
  std::vector<run::CutPort> ports = context_.ports;
  if (flits_ != nullptr) {
    for (run::CutPort& port : ports) port.element -= graph.host_count();
  }
  if (bare_ != nullptr) return bare_->join(graph, std::move(ports), std::move(here));
  fabric::Hosts& hosts = *hosts_[0];
  hosts.be_apart(std::move(here), together_);
  if (packets_ != nullptr) return packets_->join(std::move(ports), hosts);
  hosted_->join(graph, std::move(ports), hosts);
}

}  // namespace fabrictwin::partition
