// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/packet_partition.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "models/network/routing_factory.h"
#include "models/nic/nic_costs.h"
#include "models/router/packet/message_hosts.h"
#include "models/router/packet/nic_hosts.h"
#include "models/router/packet/split.h"

namespace fabrictwin::partition {
namespace {

/// Packet hops per channel between two updates of counters that other threads may read.
constexpr uint64_t kCountEvery = 64;

}  // namespace

absl::StatusOr<std::unique_ptr<engine::Partition>> PacketPartition::create(const run::PartitionContext& context,
                                                                           const WorkloadFactory& make_workload) {
  std::unique_ptr<PacketPartition> partition(new PacketPartition(context));
  if (absl::Status status = partition->build(make_workload); !status.ok()) return status;
  return partition;
}

absl::Status PacketPartition::build(const WorkloadFactory& make_workload) {
  const experiment::Experiment& experiment = *context_.experiment;
  const system::SystemGraph& graph = context_.plan->graph;
  if (context_.plan->partitions[context_.partition].elements.size() != graph.elements.size()) {
    return absl::UnimplementedError(
        "routers of the model PACKET cannot be simulated apart: all of them and their hosts are one partition");
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> workload = make_workload(experiment, graph);
  if (!workload.ok()) return workload.status();
  workload_ = *std::move(workload);

  const experiment::InputQueuedSpec& router = experiment.router.input_queued;
  router::packet::Network::Config config;
  config.graph = &graph;
  config.vcs = router.vcs;
  auto routing = network::make_routing_algorithm(experiment, graph, router.vcs);
  if (!routing.ok()) return routing.status();
  config.routing = *std::move(routing);
  // The last cycle of the switch is the first on the link.
  config.pipeline = graph.router_clock.edge(router.routing_delay + router.vc_alloc_delay + router.switch_alloc_delay +
                                            router.switch_delay - 1);
  config.credit_delay = graph.router_clock.edge(router.credit_delay);
  config.turnaround = graph.router_clock.edge(router.routing_delay + router.vc_alloc_delay);
  config.seed = experiment.seed;
  // Other network interfaces keep the state of both ends of a message in one object.
  const bool plain = experiment.host.nic == v1::Host::PLAIN;
  config.independent_hosts = workload_->independent_hosts() && plain;
  const auto payload = static_cast<int32_t>(experiment.router.packet_payload.count);
  const nic::QueueNic::Costs costs = plain ? nic::QueueNic::Costs() : nic::nic_costs(experiment, config.pipeline);
  config.max_packet =
      plain ? router::packet::MessageHosts::wire_bytes(payload) : router::packet::NicHosts::wire_bytes(costs);

  if (plain) config.min_packet = router::packet::MessageHosts::kLeastBytes;
  std::optional<memory::HostMemory::Config> memory;
  if (experiment.host.memory.has_value()) memory = memory::HostMemory::Config::from(*experiment.host.memory);
  const int32_t threads =
      router::packet::Tables::by_owner(config) ? std::clamp(context_.threads, 1, router::packet::kMaxShards) : 1;
  shard_of_ = router::packet::split_network(graph, threads);
  const int32_t shards = 1 + *std::max_element(shard_of_.begin(), shard_of_.end());
  std::vector<router::packet::Client*> clients;
  for (router::packet::Hosts::Messages& messages : router::packet::Hosts::Messages::create(shards)) {
    if (plain) {
      hosts_.push_back(
          std::make_unique<router::packet::MessageHosts>(graph, payload, context_.digests, std::move(messages)));
    } else {
      hosts_.push_back(
          std::make_unique<router::packet::NicHosts>(graph, costs, context_.digests, std::move(messages), memory));
    }
    clients.push_back(hosts_.back().get());
  }
  absl::StatusOr<std::unique_ptr<router::packet::ShardedNetwork>> network =
      router::packet::ShardedNetwork::create(config, shard_of_, clients);
  if (!network.ok()) return network.status();
  network_ = *std::move(network);
  for (size_t shard = 0; shard < hosts_.size(); ++shard) hosts_[shard]->bind_network(&network_->shard(shard));
  return make_processes();
}

absl::Status PacketPartition::make_processes() {
  const int32_t hosts = context_.plan->graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) {
    absl::StatusOr<std::unique_ptr<host::HostProcess>> process = workload_->make_process(host, &context_.digests[host]);
    if (!process.ok()) return process.status();
    if (*process != nullptr) hosts_[shard_of_[static_cast<size_t>(host)]]->add_process(*std::move(process));
  }
  return absl::OkStatus();
}

// Without any process, nothing can finish.
bool PacketPartition::finished() const {
  return std::any_of(hosts_.begin(), hosts_.end(), [](const auto& hosts) { return hosts->processes() > 0; }) &&
         std::all_of(hosts_.begin(), hosts_.end(), [](const auto& hosts) { return hosts->finished(); });
}

bool PacketPartition::failed() const {
  return network_->failed() ||
         std::any_of(hosts_.begin(), hosts_.end(), [](const auto& hosts) { return hosts->failed(); });
}

Time PacketPartition::next_event() const {
  if (done_) return Time::never();
  return started_ ? network_->next_time() : Time::zero();
}

absl::Status PacketPartition::advance(Time until) {
  if (!started_) {
    started_ = true;
    for (const auto& hosts : hosts_) hosts->start();
    if (failed()) return check();
    done_ = finished();
  }
  if (!done_) {
    network_->run(until.fs());
    if (failed()) return check();
    done_ = network_->stopped();
  }
  events_.set(network_->packet_hops());
  const uint64_t channels = static_cast<uint64_t>(context_.plan->graph.channel_count());
  if (network_->packet_hops() - counted_at_ >= kCountEvery * channels) {
    counted_at_ = network_->packet_hops();
    update_counters();
  }
  return absl::OkStatus();
}

absl::Status PacketPartition::check() const {
  const router::packet::EarliestFailure network = network_->failure();
  router::packet::EarliestFailure hosts;
  for (const auto& shard : hosts_) hosts.add(shard->failure());
  if (network.time() <= hosts.time()) return absl::InternalError(network.what());
  return absl::DataLossError(fmt::format("at {}: {}", to_string(hosts.time()), hosts.what()));
}

void PacketPartition::update_counters() const {
  const system::SystemGraph& graph = context_.plan->graph;
  const int64_t cycle = graph.router_clock.period().fs();
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const system::LinkEnd& from = graph.channel_source(channel);
    const router::packet::Network::Sent sent = network_->sent(from.element, from.port);
    link::LinkCounters& counters = context_.link_counters[channel];
    counters.words.set(sent.bytes / router::packet::Network::kWordBytes);
    counters.packets.set(sent.packets);
    counters.credit_stall_cycles.set(static_cast<uint64_t>(sent.stalled.fs() / cycle));
  }
}

std::vector<std::string> PacketPartition::waits() const {
  if (done_) return {};
  std::vector<std::string> lines = workload_->waits();
  const int32_t hosts = context_.plan->graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) {
    std::string line = hosts_[shard_of_[static_cast<size_t>(host)]]->waits_for(host);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  lines.push_back(fmt::format("{} packets are in the network", network_->packets_in_flight()));
  return lines;
}

void PacketPartition::measure(metric::Sink& sink) const { workload_->measure(sink); }

void PacketPartition::report(v1::Report& report) const {
  update_counters();
  // Reports the threads that can be used.
  report.mutable_run()->set_threads(static_cast<int32_t>(hosts_.size()));
  uint64_t packets = 0;
  uint64_t bytes = 0;
  Time finish;
  for (const auto& hosts : hosts_) {
    packets += hosts->packets_received();
    bytes += hosts->bytes_received();
    finish = std::max(finish, hosts->finish_time());
  }
  report.set_packets_delivered(packets);
  report.set_bytes_delivered(bytes);
  report.set_simulated_fs(finish.fs());
  workload_->report(report);
}

}  // namespace fabrictwin::partition
