// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/fabric_partition.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cosim/base/last_time.h"
#include "fmt/format.h"
#include "models/congestion/tenants.h"
#include "models/fabric/nic_hosts.h"
#include "models/fabric/plain_hosts.h"
#include "models/fabric/router_fields.h"
#include "models/network/coarse_depth.h"
#include "models/network/faults.h"
#include "models/network/input_queued_config.h"
#include "models/network/packet_network.h"
#include "models/nic/nic_costs.h"
#include "models/partition/apart_check.h"
#include "models/partition/last_time.h"
#include "models/router/input_queued/packet_workload.h"
#include "models/router/input_queued/spec.h"
#include "models/router/packet/sharded/sharded_network.h"
#include "models/router/packet/sharded/split.h"
#include "models/router/packet/spec.h"

namespace fabrictwin::partition {
namespace {

/// Events per channel between two updates of counters that other threads may read.
constexpr uint64_t kCountEvery = 8;

}  // namespace

absl::StatusOr<std::unique_ptr<engine::Partition>> FabricPartition::create(const run::PartitionContext& context,
                                                                           const WorkloadFactory& make_workload) {
  std::unique_ptr<FabricPartition> partition(new FabricPartition(context));
  if (absl::Status status = partition->build(make_workload); !status.ok()) return status;
  return partition;
}

absl::Status FabricPartition::build(const WorkloadFactory& make_workload) {
  const experiment::Experiment& experiment = *context_.experiment;
  const system::SystemGraph& graph = context_.plan->graph;
  absl::StatusOr<std::unique_ptr<host::Workload>> workload = make_workload(*whole_, graph);
  if (!workload.ok()) return workload.status();
  workload_ = *std::move(workload);
  if (absl::Status status = check_apart(experiment, *context_.plan, *workload_); !status.ok()) return status;
  together_ = apart() && context_.plan->ends_together(experiment);
  const bool flits = experiment.router.model == v1::INPUT_QUEUED;
  if (absl::Status status = flits ? build_input_queued() : build_packet(); !status.ok()) return status;
  if (apart()) join_others();
  if (together_ && packets_ != nullptr) packets_->end_together();
  occupancy_ = observe::OccupancySeries(experiment.statistics.occupancy_interval, fabric_->routers(),
                                        fabric_->buffer_capacity());
  if (apart()) occupancy_.keep_recent();
  return make_processes();
}

void FabricPartition::make_hosts(int32_t shards, std::span<const int32_t> ports, Time pipeline) {
  const experiment::Experiment& experiment = *context_.experiment;
  const auto payload = static_cast<int32_t>(experiment.router.packet_payload.count);
  if (!plain()) costs_ = nic::nic_costs(experiment, pipeline);
  std::optional<memory::HostMemory::Config> memory;
  if (experiment.host.memory.has_value()) memory = memory::HostMemory::Config::from(*experiment.host.memory);
  for (fabric::Hosts::Messages& messages : fabric::Hosts::Messages::create(shards)) {
    if (experiment.transport.has_value()) {
      auto hosts = std::make_unique<fabric::TransportHosts>(ports, transport(), context_.digests, std::move(messages));
      transports_.push_back(hosts.get());
      hosts_.push_back(std::move(hosts));
    } else if (plain()) {
      // Packets that come as words do not say that they belong to a flow, which then counts when all of it is here.
      const std::span<uint64_t> flow_bytes = coarse_ == nullptr ? workload_->count_flow_bytes() : std::span<uint64_t>();
      std::optional<v1::Queues::Admittance> admittance;
      if (experiment.router.model == v1::PACKET && experiment.queues.scheme != v1::Queues::ONE)
        admittance = experiment.queues.admittance;
      hosts_.push_back(std::make_unique<fabric::PlainHosts>(ports, payload, context_.digests, std::move(messages),
                                                            admittance, flow_bytes));
    } else {
      hosts_.push_back(
          std::make_unique<fabric::NicHosts>(ports, costs_, context_.digests, std::move(messages), memory));
    }
  }
}

fabric::TransportHosts::Config FabricPartition::transport() {
  fabric::TransportHosts::Config config = network::transport_config(*context_.experiment);
  config.flow_bytes = workload_->count_flow_bytes();
  config.flow_signs = flow_signs_;
  return config;
}

absl::Status FabricPartition::build_input_queued() {
  const experiment::Experiment& experiment = *context_.experiment;
  const system::SystemGraph& graph = context_.plan->graph;
  router::input_queued::PacketWorkload* packets = router::input_queued::packets_of(*workload_);
  if (packets != nullptr) packets->bind(context_.digests, graph.router_clock);
  const int32_t smallest = packets != nullptr ? packets->min_packet_flits() : 1;
  std::shared_ptr<const routing::RoutingAlgorithm> by_headers;
  if (coarse_ != nullptr) {
    auto routing = make_routing(experiment.router.vcs);
    if (!routing.ok()) return routing.status();
    by_headers = *std::move(routing);
  }
  auto network = network::make_iq_network_config(experiment, graph, smallest, std::move(by_headers));
  if (!network.ok()) return network.status();
  if (apart() && !network->routing->local())
    return apart_error(experiment, *context_.plan, "its routing reads the state of other routers");
  router::input_queued::FabricConfig config;
  config.network = *std::move(network);
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel)
    config.sources.push_back(is_here(graph.channel_source(channel).element)
                                 ? network::iq_end(graph, graph.channel_source(channel))
                                 : router::input_queued::End{-1, -1});
  config.clock = graph.router_clock;
  if (experiment.statistics.queues || experiment.queues.scheme != v1::Queues::ONE)
    config.network.count_inputs = graph.router_clock;
  config.trace = context_.observers.packet_trace;
  if (coarse_ != nullptr) {
    config.flows_in_order = true;
    config.network.host_vcs = 1;
  }
  if (packets != nullptr) {
    auto fabric = std::make_unique<router::input_queued::BareFabric>(std::move(config), *packets);
    flits_ = bare_ = fabric.get();
    follow_queues(bare_->network());
    fabric_ = std::move(fabric);
    return absl::OkStatus();
  }
  const auto& router = experiment.router_as<router::input_queued::InputQueuedSpec>();
  config.network.hold_packets = router.switching == v1::VIRTUAL_CUT_THROUGH;
  shard_of_.assign(graph.elements.size(), 0);
  make_hosts(1, std::vector<int32_t>(static_cast<size_t>(graph.host_count()), 1),
             router.pipeline.latency(graph.router_clock));
  auto fabric = std::make_unique<router::input_queued::HostedFabric>(std::move(config), *hosts_[0], experiment.seed);
  hosts_[0]->bind_edge(fabric.get());
  statistics_ = PacketStatistics::create(context_, hosts_, nullptr);
  flits_ = hosted_ = fabric.get();
  follow_queues(hosted_->network());
  fabric_ = std::move(fabric);
  return absl::OkStatus();
}

absl::Status FabricPartition::build_packet() {
  const experiment::Experiment& experiment = *context_.experiment;
  const system::SystemGraph& graph = context_.plan->graph;
  const fabric::PipelineSpec& pipeline = experiment.router_as<router::packet::PacketSpec>().pipeline;
  router::packet::Network::Config config;
  config.graph = &graph;
  config.vcs = experiment.router.vcs;
  auto routing = make_routing(config.vcs);
  if (!routing.ok()) return routing.status();
  config.routing = *std::move(routing);
  config.pipeline = pipeline.latency(graph.router_clock);
  config.credit_delay = graph.router_clock.edge(pipeline.credit_delay);
  config.turnaround = graph.router_clock.edge(pipeline.routing_delay + pipeline.vc_alloc_delay);
  config.seed = experiment.seed;
  if (coarse_ != nullptr) {
    config.turnaround =
        network::turnaround_at_packet_depth(graph.router_clock, Clock::of_words(graph.link_rate, link::kWordBits));
    config.flows_in_order = true;
    config.clock = graph.router_clock;
  }
  // Other network interfaces keep the state of both ends of a message in one object, if both are here. With work in the
  // background, the end of a run must not depend on where it is cut.
  const bool independent = workload_->independent_hosts() && plain();
  config.independent_hosts = together_ ? independent : apart() || independent;
  config.scheme = congestion::scheme_of(experiment);
  config.queue_pairs = experiment.transport.has_value();
  config.count_queues = experiment.statistics.queues;
  if (const auto& notices = experiment.routing.notification; notices.has_value())
    config.notices = router::packet::NoticeSpec{notices->threshold.count, notices->interval.fs()};
  // Those of links that carry words are not in this network.
  if (coarse_ == nullptr) {
    auto faults = network::find_faults(experiment, graph);
    if (!faults.ok()) return faults.status();
    config.faults = *std::move(faults);
  }
  config.pause = experiment.router_as<router::packet::PacketSpec>().pause;
  config.queues = experiment.queues;
  if (experiment.transport.has_value()) flow_signs_.resize(workload_->flow_bytes().size());
  const network::PacketSizes sizes = network::packet_sizes(experiment, graph);
  config.max_packet = sizes.largest;
  config.min_packet = sizes.smallest;
  const int32_t threads = router::packet::Tables::by_owner(config)
                              ? std::clamp(context_.threads, 1, router::packet::sharded::kMaxShards)
                              : 1;
  if (apart()) {
    router::packet::Network::Config elsewhere = config;
    elsewhere.independent_hosts = true;
    if (!router::packet::Tables::by_owner(elsewhere)) {
      return apart_error(experiment, *context_.plan,
                         "its routing reads the state of other routers, or links are shorter than a picosecond");
    }
    for (size_t element = 0; element < graph.elements.size(); ++element)
      shard_of_.push_back(
          is_here(static_cast<system::ElementId>(element)) ? 0 : router::packet::sharded::CutLinks::kRemote);
    make_hosts(1, fabric::ports_of_hosts(graph), config.pipeline);
  } else {
    shard_of_ = router::packet::sharded::split_network(graph, threads);
    make_hosts(1 + *std::max_element(shard_of_.begin(), shard_of_.end()), fabric::ports_of_hosts(graph),
               config.pipeline);
  }
  std::vector<fabric::Client*> clients;
  for (const auto& hosts : hosts_) clients.push_back(hosts.get());
  absl::StatusOr<std::unique_ptr<router::packet::sharded::ShardedNetwork>> network =
      router::packet::sharded::ShardedNetwork::create(config, shard_of_, clients);
  if (!network.ok()) return network.status();
  for (size_t shard = 0; shard < hosts_.size(); ++shard) hosts_[shard]->bind_edge(&(*network)->shard(shard));
  for (size_t shard = 0; shard < transports_.size(); ++shard)
    transports_[shard]->bind_transport(&(*network)->shard(shard));
  statistics::CongestionReport::Flows flows{.signs = flow_signs_};
  flows.controlled = experiment.congestion_spec.has_value();
  if (experiment.transport.has_value())
    flows.payload_share = static_cast<double>(transport().payload) / transport().wire_bytes(transport().payload);
  congestion_ = std::make_unique<statistics::CongestionReport>(
      **network, graph, *workload_, std::vector<const fabric::TransportHosts*>(transports_.begin(), transports_.end()),
      flows, series(true), experiment.statistics.tree_at,
      coarse_ == nullptr ? experiment.faults : std::vector<experiment::FaultSpec>());
  if (experiment.statistics.occupancy_interval > Time::zero()) (*network)->count_buffers();
  statistics_ = PacketStatistics::create(context_, hosts_, network->get());
  packets_ = network->get();
  fabric_ = *std::move(network);
  return absl::OkStatus();
}

absl::Status FabricPartition::make_processes() {
  if (hosts_.empty()) return absl::OkStatus();
  const int32_t hosts = context_.plan->graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) {
    if (!is_here(host)) continue;
    absl::StatusOr<std::unique_ptr<host::HostProcess>> process = workload_->make_process(host, &context_.digests[host]);
    if (!process.ok()) return process.status();
    if (*process != nullptr) hosts_[shard_of_[static_cast<size_t>(host)]]->add_process(*std::move(process));
  }
  return absl::OkStatus();
}

size_t FabricPartition::packets_coming() const {
  if (packets_ != nullptr) return packets_->packets_coming();
  return flits_ != nullptr ? flits_->packets_coming() : 0;
}

// Without any process in the system, nothing can finish.
bool FabricPartition::finished() const {
  if (bare_ != nullptr) return router::input_queued::packets_of(*workload_)->finished();
  // In the background there may always be some.
  if (!together_ && packets_coming() > 0) return false;
  return (apart() ||
          std::any_of(hosts_.begin(), hosts_.end(), [](const auto& hosts) { return hosts->processes() > 0; })) &&
         std::all_of(hosts_.begin(), hosts_.end(), [](const auto& hosts) { return hosts->finished(); });
}

bool FabricPartition::failed() const {
  return fabric_->failed() ||
         std::any_of(hosts_.begin(), hosts_.end(), [](const auto& hosts) { return hosts->failed(); });
}

Time FabricPartition::next_event() const {
  if (done_ && !apart()) return Time::never();
  return started_ ? fabric_->next_time() : Time::zero();
}

void FabricPartition::start() {
  started_ = true;
  for (const auto& hosts : hosts_) hosts->start();
  if (failed()) return;
  done_ = finished();
  if (together_ && done_) foreground_over_ = true;
  if (together_ && !done_) end_with_hosts();
}

absl::Status FabricPartition::advance(Time until) {
  if (!started_) start();
  if (packets_ != nullptr) {
    if (absl::Status status = packets_->receive(until); !status.ok()) return status;
  }
  if (failed()) return check();
  while (!done_ || apart()) {
    // The next sample may be far, and nothing may happen before it or for many samples.
    const Time next = fabric_->next_time();
    const Time reached = std::min(next, until);
    if (!reached.is_never()) {
      fabric_->sample_buffers(occupancy_, reached);
      // What others say of a time is here if that is over.
      const Time known = apart() ? std::min(next, until - Time::from_fs(1)) : reached;
      if (congestion_) congestion_->sample(known);
      if (input_queues_) input_queues_->sample(known);
      sample_metrics(reached);
    }
    if (next >= until) break;
    if (next >= kLastTime) return time_ends(kLastTime);
    fabric_->run(std::min({until, next_sample(), kLastTime}));
    if (statistics_) statistics_->collect();
    if (failed()) return check();
    done_ = apart() ? finished() : fabric_->stopped();
    if (foreground_ends()) until = end_foreground(until);
  }
  // The last word of a packet may come after everything that it causes.
  if (apart()) done_ = finished();
  if (packets_ != nullptr) packets_->send();
  if (flits_ != nullptr) flits_->send();
  update_counters(until);
  return absl::OkStatus();
}

Time FabricPartition::next_sample() const {
  const run::MetricSampler* const metrics = context_.observers.metrics;
  return std::min({occupancy_.next(), congestion_ ? congestion_->next() : Time::never(),
                   input_queues_ ? input_queues_->next() : Time::never(),
                   metrics != nullptr ? metrics->next() : Time::never()});
}

void FabricPartition::sample_metrics(Time until) {
  run::MetricSampler* const metrics = context_.observers.metrics;
  if (metrics == nullptr) return;
  while (metrics->next() <= until && !metrics->next().is_never()) {
    fabric_->update_counters(metrics->next(), context_.link_counters);
    metrics->sample(*this, context_.link_counters);
  }
}

absl::Status FabricPartition::check() const {
  if (flits_ != nullptr && !flits_->status().ok()) return flits_->status();
  const fabric::EarliestFailure network = fabric_->failure();
  fabric::EarliestFailure hosts;
  for (const auto& shard : hosts_) hosts.add(shard->failure());
  if (network.time() <= hosts.time()) return absl::InternalError(network.what());
  return absl::DataLossError(fmt::format("at {}: {}", to_string(hosts.time()), hosts.what()));
}

void FabricPartition::update_counters(Time until) {
  reached_ = until;
  events_.set(fabric_->events());
  const auto channels = static_cast<uint64_t>(context_.plan->graph.channel_count());
  if (bare_ == nullptr && events_.get() - counted_at_ < kCountEvery * channels) return;
  counted_at_ = events_.get();
  fabric_->update_counters(until, context_.link_counters);
}

statistics::NetworkSeries FabricPartition::series(bool pausing) const {
  const bool whole = coarse_ == nullptr;
  return {context_.experiment->statistics, {.queues = whole, .pausing = whole && pausing}};
}

void FabricPartition::follow_queues(const router::input_queued::Network& network) {
  input_queues_ =
      std::make_unique<statistics::InputQueueReport>(network, context_.plan->graph, *workload_, series(false));
}

}  // namespace fabrictwin::partition
