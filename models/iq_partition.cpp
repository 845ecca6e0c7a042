// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/iq_partition.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "models/packet/packet_partition.h"

namespace fabrictwin {
namespace {

IqRouterSpec router_spec(const InputQueuedSpec& from) {
  IqRouterSpec spec;
  spec.vcs = from.vcs;
  spec.buffer_flits = from.vc_buffer_flits;
  spec.routing_delay = from.routing_delay;
  spec.vc_alloc_delay = from.vc_alloc_delay;
  spec.switch_alloc_delay = from.switch_alloc_delay;
  spec.switch_delay = from.switch_delay;
  spec.credit_delay = from.credit_delay;
  spec.internal_speedup = from.internal_speedup;
  spec.switching =
      from.switching == v1::VIRTUAL_CUT_THROUGH ? IqSwitching::kVirtualCutThrough : IqSwitching::kCreditPerFlit;
  spec.arbitration = from.arbitration == v1::AGE     ? IqArbitration::kAge
                     : from.arbitration == v1::FIXED ? IqArbitration::kFixed
                                                     : IqArbitration::kRoundRobin;
  return spec;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Partition>> create_model_partition(const PartitionContext& context,
                                                                  const WorkloadFactory& make_workload) {
  if (context.experiment->router.model == v1::INPUT_QUEUED) return IqPartition::create(context, make_workload);
  if (context.experiment->router.model == v1::PACKET) return PacketPartition::create(context, make_workload);
  return ModelPartition::create(context, make_workload);
}

absl::StatusOr<std::unique_ptr<Partition>> IqPartition::create(const PartitionContext& context,
                                                               const WorkloadFactory& make_workload) {
  std::unique_ptr<IqPartition> partition(new IqPartition(context));
  if (absl::Status status = partition->build(make_workload); !status.ok()) return status;
  return partition;
}

absl::Status IqPartition::build(const WorkloadFactory& make_workload) {
  const Experiment& experiment = *context_.experiment;
  const SystemGraph& graph = context_.plan->graph;
  if (context_.plan->partitions[context_.partition].elements.size() != graph.elements.size()) {
    return absl::UnimplementedError(
        "input-queued routers cannot be simulated apart: all of them and their hosts are one partition");
  }
  absl::StatusOr<std::unique_ptr<Workload>> workload = make_workload(experiment, graph);
  if (!workload.ok()) return workload.status();
  workload_ = *std::move(workload);
  packets_ = workload_->packets();
  if (packets_ == nullptr)
    return absl::UnimplementedError("input-queued routers carry traffic only, not this workload");
  packets_->bind(context_.digests, clock_);

  IqNetwork::Config config;
  config.router = router_spec(experiment.router.input_queued);
  config.hosts = graph.host_count();
  config.routers = static_cast<int32_t>(graph.elements.size()) - config.hosts;
  config.router.min_packet_flits = packets_->min_packet_flits();
  config.router.ports = static_cast<int32_t>(graph.elements.back().ports.size());
  config.routing = std::make_shared<IqTorusRouting>(graph.dims, config.router.vcs);
  const auto end = [&](const LinkEnd& from) {
    const Element& element = graph.elements[from.element];
    return element.kind == ElementKind::kHost ? IqEnd{element.node, -1} : IqEnd{element.node, from.port};
  };
  for (const Link& link : graph.links) {
    IqLink made;
    made.ends[0] = end(link.ends[0]);
    made.ends[1] = end(link.ends[1]);
    made.latency = static_cast<int32_t>(clock_.edge_at_or_after(link.latency));
    config.links.push_back(made);
    sources_.push_back(made.ends[0]);
    sources_.push_back(made.ends[1]);
  }
  network_ = std::make_unique<IqNetwork>(std::move(config), *packets_);
  return absl::OkStatus();
}

int64_t IqPartition::next_cycle() const { return std::min(network_->next_cycle(), packets_->next_check()); }

Time IqPartition::next_event() const {
  if (done_) return Time::never();
  const int64_t cycle = next_cycle();
  return cycle == IqTraffic::kNever ? Time::never() : clock_.edge(cycle);
}

absl::Status IqPartition::advance(Time until) {
  const int64_t end = until.is_never() ? IqTraffic::kNever : clock_.edge_at_or_after(until);
  while (!done_) {
    const int64_t check = packets_->next_check();
    const int64_t cycle = std::min(network_->next_cycle(), check);
    if (cycle >= end) break;
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
  update_counters();
  return absl::OkStatus();
}

void IqPartition::update_counters() {
  const SystemGraph& graph = context_.plan->graph;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const IqEnd& from = sources_[channel];
    LinkCounters& counters = context_.link_counters[channel];
    counters.words.set(network_->flits_sent(from));
    counters.packets.set(network_->packets_sent(from));
    if (from.port >= 0) counters.credit_stall_cycles.set(network_->router(from.element).stall_cycles(from.port));
  }
  events_.set(network_->router_steps());
}

std::vector<std::string> IqPartition::waits() const {
  if (done_) return {};
  const IqNetwork::InFlight in_flight = network_->in_flight(cycle_);
  return {fmt::format("the traffic waits for {} flits in the network", in_flight.flits)};
}

void IqPartition::report(v1::Report& report) const {
  uint64_t packets = 0;
  for (int32_t host = 0; host < context_.plan->graph.host_count(); ++host) packets += network_->packets_received(host);
  report.set_packets_delivered(packets);
  report.set_simulated_fs(clock_.edge(cycle_).fs());
  report.mutable_traffic()->set_flit_hops(network_->flit_hops());
  workload_->report(report);
}

}  // namespace fabrictwin
