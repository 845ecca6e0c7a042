// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/iq_network.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {
IqNetwork::IqNetwork(Config config, IqTraffic& traffic) : config_(std::move(config)), traffic_(traffic) {
  const IqRouterSpec& spec = config_.router;
  const auto places = static_cast<size_t>(config_.routers * spec.ports + config_.hosts);
  peers_.resize(places);
  sent_.resize(places);
  wires_.resize(places);
  hosts_.resize(static_cast<size_t>(config_.hosts));
  for (int32_t r = 0; r < config_.routers; ++r)
    routers_.push_back(std::make_unique<IqRouter>(spec, r, *config_.routing, packets_));
  int32_t longest = 0;
  for (const IqLink& link : config_.links) {
    connect(link);
    longest = std::max(longest, link.latency);
  }
  // With internal speed-up, flits and credits queue for the wire, at most as many as there are places for.
  int32_t slots = longest + spec.switch_alloc_delay + spec.switch_delay + spec.credit_delay + 2;
  if (spec.internal_speedup > 1) slots += spec.vcs * spec.buffer_flits;
  mask_ = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(slots) + 1)) - 1;
  arrivals_.resize(static_cast<size_t>(mask_ + 1));
  now_.resize((static_cast<size_t>(config_.routers) + static_cast<size_t>(config_.hosts) + 63) / 64);
  next_.resize(now_.size());
  for (int32_t h = 0; h < config_.hosts; ++h) {
    hosts_[h].credits.fill(spec.buffer_flits);
    activate_next(static_cast<uint32_t>(config_.routers + h));
  }
}

void IqNetwork::connect(const IqLink& link) {
  const IqRouterSpec& spec = config_.router;
  for (int side = 0; side < 2; ++side) {
    const IqEnd& from = link.ends[side];
    const IqEnd& to = link.ends[1 - side];
    Peer& peer = peers_[index(from)];
    peer.host = to.port < 0 ? 1 : 0;
    peer.element = static_cast<uint32_t>(to.port < 0 ? config_.routers + to.element : to.element);
    peer.vc_shift = static_cast<int16_t>((std::max(0, to.port) - std::max(0, from.port)) * spec.vcs);
    peer.flit_delay = static_cast<uint16_t>(link.latency + 1);
    if (from.port >= 0) peer.flit_delay += static_cast<uint16_t>(spec.switch_alloc_delay - 1 + spec.switch_delay);
    peer.credit_delay = static_cast<uint16_t>(link.latency + 1);
    if (to.port >= 0) peer.credit_delay += static_cast<uint16_t>(spec.credit_delay);
  }
}

int64_t IqNetwork::next_cycle() const {
  if (any_next_) return cycle_;
  const int64_t wake = wakes_.next_cycle();
  for (int64_t cycle = cycle_; cycle <= cycle_ + mask_ && cycle < wake; ++cycle) {
    if (!arrivals_[static_cast<size_t>(cycle & mask_)].empty()) return cycle;
  }
  return wake;
}

void IqNetwork::step(int64_t cycle) {
  // If anybody has something to do right after the last cycle, then this is the cycle.
  cycle_ = cycle + 1;
  now_.swap(next_);
  any_next_ = false;
  if (wakes_.next_cycle() == cycle) {
    for (const int32_t host : wakes_.take()) activate(now_, static_cast<uint32_t>(config_.routers + host));
  }
  receive(cycle, arrivals_[static_cast<size_t>(cycle & mask_)]);
  for (size_t word = 0; word < now_.size(); ++word) {
    for_each_bit(std::exchange(now_[word], 0), [&](int32_t bit) {
      const int32_t element = static_cast<int32_t>(word * 64) + bit;
      if (element < config_.routers) {
        step_router(cycle, element);
      } else {
        step_host(cycle, element - config_.routers);
      }
    });
  }
}

void IqNetwork::receive(int64_t cycle, Arrivals& arrivals) {
  const auto routers = static_cast<uint32_t>(config_.routers);
  for (const Flit& arrived : arrivals.flits[0]) {
    routers_[arrived.element]->receive_flit(cycle, static_cast<int32_t>(arrived.flit >> 1 & kVcMask),
                                            arrived.flit >> kPacketShift, (arrived.flit & 1) != 0);
    activate(now_, arrived.element);
  }
  for (const uint32_t credit : arrivals.credits[0]) {
    routers_[credit >> kVcBits]->receive_credit(cycle, static_cast<int32_t>(credit & kVcMask));
    activate(now_, credit >> kVcBits);
  }
  for (const Flit& arrived : arrivals.flits[1])
    receive_at_host(cycle, static_cast<int32_t>(arrived.element - routers), arrived.flit);
  for (const uint32_t credit : arrivals.credits[1]) {
    ++hosts_[(credit >> kVcBits) - routers].credits[credit & kVcMask];
    activate(now_, credit >> kVcBits);
  }
  for (auto& flits : arrivals.flits) flits.clear();
  for (auto& credits : arrivals.credits) credits.clear();
}

void IqNetwork::receive_at_host(int64_t cycle, int32_t index, uint32_t flit) {
  Host& host = hosts_[index];
  const auto vc = static_cast<int32_t>(flit >> 1 & kVcMask);
  Receiving& receiving = host.receiving[vc];
  if ((flit & 1) != 0) receiving = {flit >> kPacketShift, packets_[flit >> kPacketShift].flits};
  ++host.flits_received;
  put_credit(cycle, peers_[this->index({index, -1})], vc);
  if (--receiving.left > 0) return;
  IqPacket& packet = packets_[receiving.packet];
  traffic_.packet_arrived(packet, cycle);
  if (const int64_t resume = traffic_.resume_source(packet, cycle); resume != IqTraffic::kNever) {
    hosts_[packet.source].wake = resume;
    wakes_.add(resume, packet.source);
  }
  packet.in_network = false;
  ++host.packets_received;
  free_packets_.push_back(receiving.packet);
}

void IqNetwork::step_router(int64_t cycle, int32_t index) {
  IqRouter& router = *routers_[index];
  const int32_t base = index * config_.router.ports;
  ++router_steps_;
  router.step(cycle, [&](const IqDeparture& departure) {
    ++flit_hops_;
    Sent& sent = sent_[base + departure.out_port];
    ++sent.flits;
    if (departure.tail) ++sent.packets;
    if (departure.head) ++packets_[departure.packet].hops;
    int64_t flit_cycle = cycle;
    int64_t credit_cycle = cycle;
    if (config_.router.internal_speedup > 1) {
      Wire& out = wires_[base + departure.out_port];
      flit_cycle = std::max(cycle, out.flit);
      out.flit = flit_cycle + 1;
      Wire& in = wires_[base + departure.in_port];
      credit_cycle = std::max(cycle, in.credit);
      in.credit = credit_cycle + 1;
    }
    put_flit(flit_cycle, peers_[base + departure.out_port], departure.packet, departure.output, departure.head);
    put_credit(credit_cycle, peers_[base + departure.in_port], departure.input);
  });
  if (router.busy()) activate_next(static_cast<uint32_t>(index));
  if (!router.failure().empty() && failure_.empty()) failure_ = fmt::format("router[{}], {}", index, router.failure());
}

void IqNetwork::step_host(int64_t cycle, int32_t index) {
  Host& host = hosts_[index];
  if (host.left == 0 && !begin_packet(cycle, index)) return;
  const bool head = host.left == packets_[host.packet].flits;
  if (head && !choose_vc(host)) return;
  int32_t& credits = host.credits[host.vc];
  if (credits == 0) return;
  --credits;
  const size_t own = this->index({index, -1});
  ++sent_[own].flits;
  if (head) packets_[host.packet].injected = cycle;
  put_flit(cycle, peers_[own], host.packet, host.vc, head);
  if (--host.left == 0) ++sent_[own].packets;
  activate_next(static_cast<uint32_t>(config_.routers + index));
}

bool IqNetwork::begin_packet(int64_t cycle, int32_t index) {
  Host& host = hosts_[index];
  if (cycle < host.wake) return false;
  IqPacket packet;
  host.wake = traffic_.next_packet(index, cycle, packet);
  if (host.wake > cycle) {
    if (host.wake != IqTraffic::kNever) wakes_.add(host.wake, index);
    return false;
  }
  host.packet = new_packet();
  host.left = packet.flits;
  packet.in_network = true;
  packets_[host.packet] = packet;
  return true;
}

// Packets of a host take its VCs in turn, as far as there is room.
bool IqNetwork::choose_vc(Host& host) const {
  const int32_t vcs = config_.router.vcs;
  const int32_t room = config_.router.switching == IqSwitching::kVirtualCutThrough ? host.left : 1;
  for (int32_t turn = 1; turn <= vcs; ++turn) {
    const int32_t vc = (host.vc + turn) % vcs;
    if (host.credits[vc] < room) continue;
    host.vc = vc;
    return true;
  }
  return false;
}

uint32_t IqNetwork::new_packet() {
  if (free_packets_.empty()) {
    packets_.emplace_back();
    return static_cast<uint32_t>(packets_.size() - 1);
  }
  const uint32_t packet = free_packets_.back();
  free_packets_.pop_back();
  return packet;
}

IqNetwork::InFlight IqNetwork::in_flight(int64_t cycle) const {
  InFlight sum;
  const auto add = [&](const IqPacket& packet, int64_t flits) {
    sum.flits += static_cast<uint64_t>(flits);
    sum.age += static_cast<uint64_t>(flits * (cycle - packet.created));
  };
  for (const IqPacket& packet : packets_) {
    if (packet.in_network) add(packet, packet.flits);
  }
  for (const Host& host : hosts_) {
    for (const Receiving& receiving : host.receiving) {
      if (receiving.left > 0) add(packets_[receiving.packet], receiving.left - packets_[receiving.packet].flits);
    }
  }
  return sum;
}

}  // namespace fabrictwin
