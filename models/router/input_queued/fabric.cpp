// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/input_queued/fabric.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "cosim/base/random.h"
#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/nic/word_packet.h"
#include "models/router/input_queued/flit_size.h"

namespace fabrictwin::router::input_queued {

NetworkFabric::NetworkFabric(FabricConfig config, Traffic& traffic)
    : clock_(config.clock), sources_(std::move(config.sources)), flows_in_order_(config.flows_in_order) {
  if (config.trace != nullptr)
    follower_ = std::make_unique<PacketFollower>(*config.trace, clock_, sources_, Network::kMaxPorts);
  network_ = std::make_unique<Network>(std::move(config.network), traffic, follower_.get());
}

fabric::EarliestFailure NetworkFabric::failure() const {
  fabric::EarliestFailure failure;
  const Time at = clock_.edge(cycle_);
  if (!network_->failure().empty())
    failure.add(at.fs(), 0, fmt::format("at {}: {}", to_string(at), network_->failure()));
  return failure;
}

void NetworkFabric::update_counters(Time time, std::span<link::LinkCounters> counters) const {
  const int64_t cycle = stopped_ || time.is_never() ? cycle_ + 1 : clock_.edge_at_or_after(time);
  for (size_t channel = 0; channel < sources_.size(); ++channel) {
    const End& from = sources_[channel];
    if (from.element < 0) continue;
    link::LinkCounters& sent = counters[channel];
    sent.words.set(network_->flits_sent(from, cycle));
    sent.packets.set(network_->packets_sent(from, cycle));
    if (from.port >= 0) sent.credit_stall_cycles.set(network_->stall_cycles(from.element, from.port));
  }
}

uint64_t NetworkFabric::packet_hops() const {
  uint64_t hops = 0;
  for (const End& from : sources_) {
    if (from.element >= 0) hops += network_->packets_sent(from, cycle_ + 1);
  }
  return hops;
}

int64_t NetworkFabric::buffer_capacity() const {
  int64_t capacity = 0;
  for (int32_t router = 0; router < network_->routers(); ++router)
    capacity = std::max(capacity, network_->capacity(router));
  return capacity;
}

observe::BufferFill NetworkFabric::buffer_fill() const {
  return observe::BufferFill::of(network_->routers(), [this](int32_t router) { return network_->flits_in(router); });
}

bool NetworkFabric::step(int64_t cycle) {
  if (cut_ != nullptr) {
    status_ = cut_->receive(cycle);
    if (!status_.ok()) return false;
  }
  network_->step(cycle);
  return network_->failure().empty();
}

void BareFabric::join(const system::SystemGraph& graph, std::vector<run::CutPort> ports, std::vector<bool> here) {
  // All packets have tie bits of their own.
  NetworkFabric::join(graph, 0, std::move(ports), crossing_.emplace(workload_.source_queues(), here));
  workload_.keep_hosts(std::move(here));
}

Time BareFabric::next_time() const {
  return stopped_ ? Time::never() : edge(std::min(next_cycle(), workload_.next_check()));
}

void BareFabric::run(Time until) {
  const int64_t end = cycle_at(until);
  while (!stopped_) {
    const int64_t check = workload_.next_check();
    const int64_t cycle = std::min(next_cycle(), check);
    if (cycle >= end) return;
    cycle_ = cycle;
    if (cycle == check) {
      workload_.check(cycle, *network_);
    } else if (!step(cycle)) {
      return;
    }
    // Other partitions may send more.
    stopped_ = cut_ == nullptr && workload_.finished();
  }
}

HostedFabric::HostedFabric(FabricConfig config, fabric::Client& client, uint64_t seed)
    : NetworkFabric(std::move(config), *this), client_(client), seed_(seed) {
  const Network::Config& network = network_->config();
  hosts_.resize(static_cast<size_t>(network.hosts));
  for (const Link& link : network.links) {
    for (const End& end : link.ends) {
      if (end.port < 0) hosts_[static_cast<size_t>(end.element)].link = link.pace;
    }
  }
}

void HostedFabric::join(const system::SystemGraph& graph, std::vector<run::CutPort> ports,
                        fabric::ForeignMessages& messages) {
  NetworkFabric::join(graph, seed_, std::move(ports), crossing_.emplace(carried_, messages));
}

Time HostedFabric::next_time() const {
  if (stopped_) return Time::never();
  const Time event = events_.empty() ? Time::never() : Time::from_fs(events_.top().time);
  return std::min(edge(next_cycle()), event);
}

// Events lie between the cycles of routers, too: processes compute for any time.
void HostedFabric::run(Time until) {
  while (!stopped_) {
    const Time next = next_time();
    // All that happens at the time at which hosts end the run is part of it.
    if (over_ && (ends_ || cut_ == nullptr) && next.fs() > now_) {
      stops_ = Time::from_fs(now_ + 1);
      stopped_ = true;
      return;
    }
    if (next >= until) return;
    now_ = next.fs();
    const int64_t cycle = next_cycle();
    if (edge(cycle) == next) {
      cycle_ = cycle;
      receiving_ = true;
      if (!step(cycle)) return;
    } else {
      settle();
    }
  }
}

void HostedFabric::take_events() {
  while (!events_.empty() && events_.top().time <= now_) {
    const uint32_t id = events_.top().id;
    events_.pop();
    happened_ = true;
    client_.event(now_, id);
  }
}

void HostedFabric::settle(int64_t /*cycle*/) {
  settle();
  receiving_ = false;
}

void HostedFabric::settle() {
  take_events();
  if (!happened_) return;
  happened_ = false;
  client_.settle(now_);
  over_ = client_.stopped();
}

void HostedFabric::wake(int32_t host, int32_t /*port*/, int64_t at) {
  Host& waking = hosts_[static_cast<size_t>(host)];
  if (receiving_ && at <= now_) {
    waking.ask = std::min(waking.ask, cycle_);
    return network_->wake_host_now(host);
  }
  const int64_t cycle = std::max(clock_.edge_at_or_after(Time::from_fs(std::max(at, now_))), network_->cycle());
  if (cycle >= waking.ask) return;
  waking.ask = cycle;
  network_->wake_host(host, cycle);
}

void HostedFabric::schedule(int32_t host, int64_t at, uint32_t id) { events_.push({std::max(at, now_), host, id}); }

int64_t HostedFabric::duration(int32_t host, int32_t /*port*/, int32_t bytes) const {
  return clock_.edge(hosts_[static_cast<size_t>(host)].link.cycles(flits_of(bytes))).fs();
}

int64_t HostedFabric::next_packet(int32_t host, int64_t cycle, Packet& packet) {
  Host& sending = hosts_[static_cast<size_t>(host)];
  if (cycle < sending.ask) return kWait;
  const int32_t space = network_->host_space(host);
  sending.ask = space > 0 ? kNever : cycle;
  if (space == 0) return kWait;
  const int64_t bytes = int64_t{space} * link::kWordBytes;
  nic::NicPacket made;
  const fabric::Client::Offer offer = client_.next_packet(
      host, 0, now_, static_cast<int32_t>(std::min<int64_t>(bytes, std::numeric_limits<int32_t>::max())), made);
  if (offer == fabric::Client::Offer::kNothing) return kWait;
  // From now on, each credit or the departure of this packet is a reason to ask.
  if (offer != fabric::Client::Offer::kLast) sending.ask = cycle;
  if (offer == fabric::Client::Offer::kTooLarge) return kWait;
  packet.source = made.source;
  packet.destination = made.destination;
  packet.random =
      flows_in_order_
          ? nic::flow_ties(seed_, made.source, made.destination)
          : static_cast<uint32_t>(
                RandomStream(seed_, static_cast<uint64_t>(host), RandomPurpose::kTieBreak).at(sending.packets));
  packet.flits = static_cast<uint16_t>(flits_of(made.wire_bytes));
  packet.created = cycle;
  packet.sequence = sending.packets++;
  packet.handle = carried_.make();
  carried_[packet.handle] = made;
  return cycle;
}

void HostedFabric::packet_arrived(const Packet& packet, int64_t /*cycle*/) {
  happened_ = true;
  free_at_ = Time::from_fs(client_.packet_arrived(now_, carried_[packet.handle]));
  carried_.drop(packet.handle);
}

int64_t HostedFabric::free_from(const Packet& /*packet*/, int64_t cycle) {
  return std::max(cycle, clock_.edge_at_or_after(free_at_));
}

}  // namespace fabrictwin::router::input_queued
