// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/input_queued_partition.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "models/network/input_queued_config.h"

namespace fabrictwin::partition {

absl::StatusOr<std::unique_ptr<engine::Partition>> InputQueuedPartition::create(const run::PartitionContext& context,
                                                                                const WorkloadFactory& make_workload) {
  std::unique_ptr<InputQueuedPartition> partition(new InputQueuedPartition(context));
  if (absl::Status status = partition->build(make_workload); !status.ok()) return status;
  return partition;
}

absl::Status InputQueuedPartition::build(const WorkloadFactory& make_workload) {
  const experiment::Experiment& experiment = *context_.experiment;
  const system::SystemGraph& graph = context_.plan->graph;
  if (context_.plan->partitions[context_.partition].elements.size() != graph.elements.size()) {
    return absl::UnimplementedError(
        "input-queued routers cannot be simulated apart: all of them and their hosts are one partition");
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> workload = make_workload(experiment, graph);
  if (!workload.ok()) return workload.status();
  workload_ = *std::move(workload);
  packets_ = workload_->packets();
  if (packets_ == nullptr)
    return absl::UnimplementedError("input-queued routers carry traffic only, not this workload");
  packets_->bind(context_.digests, clock_, network::iq_flits_per_cycle(graph));

  auto config = network::make_iq_network_config(experiment, graph, packets_->min_packet_flits());
  if (!config.ok()) return config.status();
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel)
    sources_.push_back(network::iq_end(graph, graph.channel_source(channel)));
  if (context_.packet_trace != nullptr) {
    follower_ = std::make_unique<router::input_queued::PacketFollower>(*context_.packet_trace, clock_, sources_,
                                                                       router::input_queued::Network::kMaxPorts);
  }
  const int32_t routers = config->routers;
  network_ = std::make_unique<router::input_queued::Network>(*std::move(config), *packets_, follower_.get());
  int64_t capacity = 0;
  for (int32_t router = 0; router < routers; ++router) capacity = std::max(capacity, network_->capacity(router));
  occupancy_ = observe::OccupancySeries(experiment.statistics.occupancy_interval, routers, capacity);
  if (!occupancy_.next().is_never()) sample_cycle_ = clock_.edge_at_or_after(occupancy_.next());
  return absl::OkStatus();
}

int64_t InputQueuedPartition::next_cycle() const { return std::min(network_->next_cycle(), packets_->next_check()); }

Time InputQueuedPartition::next_event() const {
  if (done_) return Time::never();
  const int64_t cycle = next_cycle();
  return cycle == router::input_queued::Traffic::kNever ? Time::never() : clock_.edge(cycle);
}

absl::Status InputQueuedPartition::advance(Time until) {
  const int64_t end = until.is_never() ? router::input_queued::Traffic::kNever : clock_.edge_at_or_after(until);
  while (!done_) {
    const int64_t check = packets_->next_check();
    const int64_t cycle = std::min(network_->next_cycle(), check);
    if (cycle >= end) {
      if (!until.is_never() && occupancy_.next() <= until) sample_occupancy(until);
      break;
    }
    if (cycle >= sample_cycle_) sample_occupancy(clock_.edge(cycle));
    cycle_ = cycle;
    if (cycle == check) {
      packets_->check(cycle, *network_);
    } else {
      network_->step(cycle);
      if (!network_->failure().empty())
        return absl::DataLossError(fmt::format("at {}: {}", to_string(clock_.edge(cycle)), network_->failure()));
    }
    done_ = packets_->finished();
  }
  update_counters(done_ || until.is_never() ? cycle_ + 1 : end);
  return absl::OkStatus();
}

observe::BufferFill InputQueuedPartition::buffer_fill() const {
  return observe::BufferFill::of(network_->routers(), [&](int32_t router) { return network_->flits_in(router); });
}

void InputQueuedPartition::sample_occupancy(Time until) {
  occupancy_.add(buffer_fill(), until);
  sample_cycle_ =
      occupancy_.next().is_never() ? router::input_queued::Traffic::kNever : clock_.edge_at_or_after(occupancy_.next());
}

void InputQueuedPartition::update_counters(int64_t cycle) {
  const system::SystemGraph& graph = context_.plan->graph;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const router::input_queued::End& from = sources_[channel];
    if (from.element < 0) continue;
    link::LinkCounters& counters = context_.link_counters[channel];
    counters.words.set(network_->flits_sent(from, cycle));
    counters.packets.set(network_->packets_sent(from, cycle));
    if (from.port >= 0) counters.credit_stall_cycles.set(network_->stall_cycles(from.element, from.port));
  }
  events_.set(network_->router_steps());
}

std::vector<std::string> InputQueuedPartition::waits() const {
  if (done_) return {};
  const router::input_queued::Network::InFlight in_flight = network_->in_flight(cycle_);
  return {fmt::format("the traffic waits for {} flits in the network", in_flight.flits)};
}

void InputQueuedPartition::measure(metric::Sink& sink) const {
  workload_->measure(sink);
  occupancy_.measure(buffer_fill(), sink);
}

void InputQueuedPartition::report(v1::Report& report) const {
  uint64_t packets = 0;
  const int32_t hosts = context_.plan->graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) packets += network_->packets_received(host);
  report.set_packets_delivered(packets);
  report.set_simulated_fs(clock_.edge(cycle_).fs());
  report.mutable_traffic()->set_flit_hops(network_->flit_hops());
  if (context_.experiment->statistics.occupancy_interval > Time::zero()) occupancy_.report(*report.mutable_occupancy());
  workload_->report(report);
}

}  // namespace fabrictwin::partition
