// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/model_partition.h"

#include <algorithm>
#include <utility>

#include "cosim/base/last_time.h"
#include "fmt/format.h"
#include "models/nic/exanet/driver/host.h"
#include "models/nic/nic_costs.h"
#include "models/nic/plain/managed_interface.h"
#include "models/nic/plain/network_interface.h"
#include "models/nic/words/packet_interface.h"
#include "models/partition/apart_check.h"
#include "models/partition/last_time.h"

namespace fabrictwin::partition {
namespace {

/// Cycles from a packet's first word at a router to that word on its way: docs/models/network-interface.md.
constexpr int32_t kRouterCycles = 4;

/// The last time, in whole seconds, at which what is sent on a link comes at a time that can be told. What would come
/// later never comes, which would look like a workload that waits for ever.
Time last_time(const system::SystemGraph& graph) {
  Time longest;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel)
    longest = std::max(longest, graph.channel_link(channel).latency);
  constexpr int64_t kSecond = Time::from_us(1'000'000).fs();
  return std::min(kLastTime, Time::from_fs((Time::never().fs() - longest.fs()) / kSecond * kSecond));
}

}  // namespace

absl::StatusOr<std::unique_ptr<engine::Partition>> ModelPartition::create(const run::PartitionContext& context,
                                                                          const WorkloadFactory& make_workload,
                                                                          host::HostFactory make_host) {
  std::unique_ptr<ModelPartition> partition(new ModelPartition(context));
  partition->make_host_ = std::move(make_host);
  absl::StatusOr<std::unique_ptr<kernel::SystemcContext>> systemc = kernel::SystemcContext::create();
  if (!systemc.ok()) return systemc.status();
  partition->systemc_ = *std::move(systemc);
  try {
    if (absl::Status status = partition->build(make_workload); !status.ok()) return status;
  } catch (const sc_core::sc_report& report) {
    return absl::InternalError(fmt::format("SystemC: {}", report.what()));
  }
  return partition;
}

// Modules must be destroyed before the context in which they were made.
ModelPartition::~ModelPartition() {
  if (systemc_ != nullptr) kernel::SystemcContext::end_methods();
  cut_links_.clear();
  faulty_links_.clear();
  interfaces_.clear();
  endpoints_.clear();
  packets_.reset();
  fabric_.reset();
  workload_.reset();
}

absl::Status ModelPartition::build(const WorkloadFactory& make_workload) {
  absl::StatusOr<nic::exanet::NodeTiming> timing = nic::exanet::node_timing(*context_.experiment);
  if (!timing.ok()) return timing.status();
  timing_ = *timing;
  last_time_ = last_time(context_.plan->graph);
  apart_ = context_.plan->hosts_apart();
  together_ = context_.plan->ends_together(*context_.experiment);
  build_routers();
  if (absl::Status status = build_packets(); !status.ok()) return status;
  if (absl::Status status = build_hosts(make_workload); !status.ok()) return status;
  bind_links();
  return absl::OkStatus();
}

absl::Status ModelPartition::build_hosts(const WorkloadFactory& make_workload) {
  const system::SystemGraph& graph = context_.plan->graph;
  interface_of_.assign(graph.elements.size(), -1);
  for (const system::Element& element : graph.elements) {
    if (element.kind == system::ElementKind::kNode) nodes_.push_back(element.address);
  }
  for (const system::ElementId id : context_.plan->partitions[context_.partition].elements) {
    const system::Element& element = graph.elements[id];
    if (element.kind != system::ElementKind::kHost) continue;
    if (!workload_) {
      absl::StatusOr<std::unique_ptr<host::Workload>> workload = make_workload(*context_.experiment, graph);
      if (!workload.ok()) return workload.status();
      workload_ = *std::move(workload);
      const experiment::Experiment& experiment = *context_.experiment;
      if (absl::Status apart = check_apart(experiment, *context_.plan, *workload_); !apart.ok()) return apart;
      if (experiment.statistics.latency_histogram && !experiment.workload_traits.bare_packets)
        latencies_ = std::make_unique<host::MessageLatencies>(apart_);
      series_ = statistics::NetworkSeries(experiment.statistics, {.queues = false});
    }
    interface_of_[id] = static_cast<int32_t>(interfaces_.size());
    interfaces_.push_back(make_interface(element));
    if (interfaces_.back()->ports() != static_cast<int32_t>(element.ports.size())) {
      return absl::InvalidArgumentError(fmt::format(
          "{} has {} ports and the network interface that was made for it has {}: make one with as many, or build the "
          "topology with as many (tnis)",
          element.name, element.ports.size(), interfaces_.back()->ports()));
    }
    absl::StatusOr<std::unique_ptr<host::Endpoint>> endpoint =
        workload_->make_endpoint(element.node, &context_.digests[element.node]);
    if (!endpoint.ok()) return endpoint.status();
    if (*endpoint == nullptr) continue;
    (*endpoint)->bind_failure(&failure_);
    if (latencies_) (*endpoint)->bind_latencies(latencies_.get());
    (*endpoint)->bind_log(context_.observers.messages);
    (*endpoint)->nic.bind(interfaces_.back()->host_port());
    interfaces_.back()->bind_endpoint(endpoint->get());
    endpoints_.push_back(*std::move(endpoint));
  }
  return absl::OkStatus();
}

std::unique_ptr<host::HostInterface> ModelPartition::make_interface(const system::Element& host) {
  if (make_host_) {
    const system::SystemGraph& graph = context_.plan->graph;
    const int32_t channel = graph.channel_from(host.node, 0);
    host::HostSite site{
        &graph,   &host, graph.channel_link(channel), &context_.link_counters[channel], &context_.digests[host.node],
        &failure_};
    const system::Element& logic = graph.elements[graph.channel_target(channel).element];
    if (logic.kind == system::ElementKind::kNode)
      site.link = nic::exanet::driver::Host::inner_link(graph, timing_, logic, site.link);
    if (std::unique_ptr<host::HostInterface> own = make_host_(site)) return own;
  }
  return make_usual_interface(host);
}

std::unique_ptr<host::HostInterface> ModelPartition::make_usual_interface(const system::Element& host) {
  const system::SystemGraph& graph = context_.plan->graph;
  const int32_t channel = graph.channel_from(host.node, 0);
  const system::ElementId logic = graph.channel_target(channel).element;
  if (graph.elements[logic].kind == system::ElementKind::kNode) {
    const bool modelled = context_.plan->partition_of[logic] == context_.partition;
    return std::make_unique<nic::exanet::driver::Host>(context_, host, modelled, timing_, nodes_, &failure_);
  }
  nic::words::LinkInterface::Config config;
  config.node = host.node;
  config.graph = &graph;
  for (size_t port = 0; port < host.ports.size(); ++port) {
    const int32_t out = graph.channel_from(host.node, static_cast<int32_t>(port));
    config.ports.push_back({graph.channel_link(out), &context_.link_counters[out], out});
  }
  config.seed = context_.experiment->seed;
  config.packet_trace = context_.observers.packet_trace;
  config.digest = &context_.digests[host.node];
  config.failure = &failure_;
  if (context_.experiment->host.nic_spec.has_value()) return make_queue_interface(host, std::move(config));
  const std::string name = fmt::format("nic_{}", host.node);
  if (const auto& congestion = context_.experiment->hardware_congestion; congestion.has_value())
    return std::make_unique<nic::plain::ManagedInterface>(name.c_str(), std::move(config), congestion->reaction);
  return std::make_unique<nic::plain::NetworkInterface>(name.c_str(), std::move(config));
}

std::unique_ptr<host::HostInterface> ModelPartition::make_queue_interface(const system::Element& host,
                                                                          nic::words::LinkInterface::Config config) {
  const experiment::Experiment& experiment = *context_.experiment;
  const auto ports = static_cast<int32_t>(host.ports.size());
  auto [found, made] = nic_costs_.try_emplace(ports);
  nic::QueueNic::Costs& costs = found->second;
  if (made) {
    costs = nic::nic_costs(experiment, context_.plan->graph.router_clock.edge(kRouterCycles));
    costs.ports = ports;
  }
  std::optional<memory::HostMemory::Config> memory;
  if (experiment.host.memory.has_value()) memory = memory::HostMemory::Config::from(*experiment.host.memory);
  const auto make_nic = [&](int32_t node, nic::NicListener& listener) -> std::unique_ptr<nic::PacketNic> {
    return std::make_unique<nic::QueueNic>(node, costs, listener, memory);
  };
  return std::make_unique<nic::words::PacketInterface>(fmt::format("nic_{}", host.node).c_str(), std::move(config),
                                                       make_nic, costs.queues);
}

Time ModelPartition::kernel_next() const {
  if (sc_core::sc_pending_activity_at_current_time()) return stood_;
  if (!sc_core::sc_pending_activity_at_future_time()) return Time::never();
  return stood_ + kernel::from_sc_time(sc_core::sc_time_to_pending_activity());
}

// Runs every delta cycle of one time.
void ModelPartition::run_kernel(Time time) {
  if (time > stood_) {
    sc_core::sc_start(kernel::to_sc_time(time - stood_));
    stood_ = time;
  }
  while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  kernel_events_.add(1);
}

Time ModelPartition::routers_next() const {
  return packets_ ? std::min(fabric_->next_time(), packets_->next_time()) : fabric_->next_time();
}

Time ModelPartition::next_event() const {
  if (done_ && !apart_) return Time::never();
  if (!started_) return Time::zero();
  return std::min(routers_next(), kernel_next());
}

absl::Status ModelPartition::advance(Time until) {
  try {
    if (!started_) {
      started_ = true;
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
      run_kernel(Time::zero());
      if (absl::Status status = check(); !status.ok()) return status;
      until = look_at_end(Time::zero(), until);
    }
    for (const auto& cut : cut_links_) cut->receive_until(until);
    if (packets_failed()) return check();
    while (!done_ || apart_) {
      const Time routers = routers_next();
      const Time kernel = kernel_next();
      const Time next = std::min(routers, kernel);
      if (!std::min(next, until).is_never()) sample(std::min(next, until));
      if (next >= until) break;
      if (next >= last_time_) return time_ends(last_time_);
      if (routers <= kernel) {
        // What leaves routers may make the kernel act before their next edge.
        if (fabric_->next_time() <= routers) fabric_->run(routers + Time::from_fs(1));
        if (packets_ && packets_->next_time() <= routers) packets_->run(routers + Time::from_fs(1));
        if (fabric_->failed() || packets_failed()) return check();
        continue;
      }
      run_kernel(kernel);
      if (absl::Status status = check(); !status.ok()) return status;
      until = look_at_end(kernel, until);
    }
    reached_ = until;
  } catch (const sc_core::sc_report& report) {
    return absl::InternalError(fmt::format("{} at {}: SystemC: {}", context_.plan->partitions[context_.partition].name,
                                           to_string(stood_), report.what()));
  }
  return absl::OkStatus();
}

Time ModelPartition::look_at_end(Time now, Time until) {
  done_ = all_finished();
  if (!together_ || foreground_over_ || (!done_ && !endpoints_.empty())) return until;
  foreground_over_ = true;
  foreground_end_ = endpoints_.empty() ? Time::zero() : now + Time::from_fs(1);
  return endpoints_.empty() ? until : std::min(until, foreground_end_);
}

engine::Foreground ModelPartition::foreground() const {
  engine::Foreground foreground = workload_ ? workload_->foreground() : engine::Foreground();
  if (foreground_over_ || !workload_) {
    foreground.state = engine::Foreground::State::kOver;
    foreground.end = foreground_end_;
  }
  return foreground;
}

statistics::NetworkPoint ModelPartition::hosts_now() const {
  return {.flow_bytes = statistics::NetworkPoint::of_flows(workload_->flow_bytes()),
          .class_bytes = workload_->class_bytes()};
}

void ModelPartition::sample(Time until) {
  fabric_->sample_buffers(occupancy_, until);
  if (series_.active()) series_.sample(until, *workload_, [this] { return hosts_now(); });
  run::MetricSampler* const metrics = context_.observers.metrics;
  if (metrics == nullptr) return;
  while (metrics->next() <= until && !metrics->next().is_never()) {
    if (packets_) packets_->update_counters(context_.link_counters);
    metrics->sample(*this, context_.link_counters);
  }
}

absl::Status ModelPartition::check() const {
  if (fabric_->failed()) return absl::DataLossError(fabric_->failure().what());
  if (packets_failed()) return absl::DataLossError(packets_->failure().what());
  if (!failure_.empty()) return absl::DataLossError(failure_);
  return absl::OkStatus();
}

bool ModelPartition::all_finished() {
  while (finished_ < endpoints_.size() && endpoints_[finished_]->finished()) ++finished_;
  return !endpoints_.empty() && finished_ == endpoints_.size();
}

}  // namespace fabrictwin::partition
