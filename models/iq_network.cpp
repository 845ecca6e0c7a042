// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/iq_network.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {
namespace {

// A flit in a slot: packet, VC, and whether it is the head.
constexpr int kVcBits = 5;
constexpr uint32_t kVcMask = (1u << kVcBits) - 1;
constexpr int kCreditBit = 32;

constexpr uint32_t encode(uint32_t packet, int32_t vc, bool head) {
  return packet << (kVcBits + 1) | static_cast<uint32_t>(vc) << 1 | (head ? 1u : 0u);
}

}  // namespace

IqNetwork::IqNetwork(Config config, IqTraffic& traffic) : config_(std::move(config)), traffic_(traffic) {
  const IqRouterSpec& spec = config_.router;
  stride_ = static_cast<size_t>(config_.routers) * static_cast<size_t>(spec.ports) + static_cast<size_t>(config_.hosts);
  words_ = (static_cast<size_t>(config_.routers) + static_cast<size_t>(config_.hosts) + 63) / 64;
  peers_.resize(stride_);
  sent_.resize(stride_);
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
  const auto count = static_cast<size_t>(mask_ + 1);
  flits_.resize(count * stride_);
  credits_.resize(count * stride_);
  arrived_.resize(count * static_cast<size_t>(config_.routers + config_.hosts));
  active_.resize(count * words_);
  for (int32_t h = 0; h < config_.hosts; ++h) {
    hosts_[h].credits.fill(spec.buffer_flits);
    activate(0, config_.routers + h);
  }
}

void IqNetwork::connect(const IqLink& link) {
  const IqRouterSpec& spec = config_.router;
  for (int side = 0; side < 2; ++side) {
    const IqEnd& from = link.ends[side];
    const IqEnd& to = link.ends[1 - side];
    Peer& peer = peers_[index(from)];
    peer.slot = static_cast<uint32_t>(index(to));
    peer.element = to.element;
    peer.host = to.port < 0;
    peer.port = static_cast<uint8_t>(std::max(0, to.port));
    peer.connected = true;
    peer.flit_delay = link.latency + 1;
    if (from.port >= 0) peer.flit_delay += spec.switch_alloc_delay - 1 + spec.switch_delay;
    peer.credit_delay = link.latency + 1;
    if (to.port >= 0) peer.credit_delay += spec.credit_delay;
  }
}

int64_t IqNetwork::next_cycle() const {
  const int64_t wake = wakes_.next_cycle();
  for (int64_t cycle = cycle_; cycle <= cycle_ + mask_ && cycle < wake; ++cycle) {
    const uint64_t* active = &active_[static_cast<size_t>(cycle & mask_) * words_];
    for (size_t word = 0; word < words_; ++word) {
      if (active[word] != 0) return cycle;
    }
  }
  return wake;
}

void IqNetwork::step(int64_t cycle) {
  cycle_ = cycle + 1;
  if (wakes_.next_cycle() == cycle) {
    for (const int32_t host : wakes_.take()) activate(cycle, config_.routers + host);
  }
  const size_t first = static_cast<size_t>(cycle & mask_) * words_;
  for (size_t word = 0; word < words_; ++word) {
    const uint64_t active = std::exchange(active_[first + word], 0);
    for_each_bit(active, [&](int32_t bit) {
      const int32_t element = static_cast<int32_t>(word * 64) + bit;
      if (element < config_.routers) {
        step_router(cycle, element);
      } else {
        step_host(cycle, element - config_.routers);
      }
    });
  }
}

void IqNetwork::step_router(int64_t cycle, int32_t index) {
  IqRouter& router = *routers_[index];
  const auto slot = static_cast<size_t>(cycle & mask_);
  const size_t first = slot * stride_ + static_cast<size_t>(index * config_.router.ports);
  const uint64_t arrived =
      std::exchange(arrived_[place(cycle, index)], 0);
  for_each_bit(arrived & 0xffffffffu, [&](int32_t port) {
    const uint32_t flit = flits_[first + static_cast<size_t>(port)];
    router.receive_flit(cycle, port, static_cast<int32_t>(flit >> 1 & kVcMask), flit >> (kVcBits + 1), (flit & 1) != 0);
  });
  for_each_bit(arrived >> kCreditBit, [&](int32_t port) {
    const uint32_t vcs = std::exchange(credits_[first + static_cast<size_t>(port)], 0);
    for_each_bit(vcs, [&](int32_t vc) { router.receive_credit(cycle, port, vc); });
  });
  const int32_t base = index * config_.router.ports;
  const bool queues = config_.router.internal_speedup > 1;
  ++router_steps_;
  for (const IqDeparture& departure : router.step(cycle)) {
    Sent& out = sent_[base + departure.out_port];
    Sent& in = sent_[base + departure.in_port];
    ++flit_hops_;
    ++out.flits;
    if (departure.tail) ++out.packets;
    if (departure.head) ++packets_[departure.packet].hops;
    int64_t flit_cycle = cycle;
    int64_t credit_cycle = cycle;
    if (queues) {
      flit_cycle = std::max(cycle, out.next_flit);
      out.next_flit = flit_cycle + 1;
      credit_cycle = std::max(cycle, in.next_credit);
      in.next_credit = credit_cycle + 1;
    }
    put_flit(flit_cycle, peers_[base + departure.out_port], departure.packet, departure.out_vc, departure.head);
    put_credit(credit_cycle, peers_[base + departure.in_port], departure.in_vc);
  }
  if (router.busy()) activate(cycle + 1, index);
  if (!router.failure().empty() && failure_.empty()) failure_ = fmt::format("router[{}], {}", index, router.failure());
}

void IqNetwork::step_host(int64_t cycle, int32_t index) {
  Host& host = hosts_[index];
  const uint64_t arrived = std::exchange(arrived_[place(cycle, config_.routers + index)], 0);
  if (arrived != 0) receive(cycle, index, arrived);
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
  activate(cycle + 1, config_.routers + index);
}

void IqNetwork::receive(int64_t cycle, int32_t index, uint64_t arrived) {
  Host& host = hosts_[index];
  const size_t own = this->index({index, -1});
  const size_t place = static_cast<size_t>(cycle & mask_) * stride_ + own;
  if ((arrived & 1) != 0) {
    const uint32_t flit = flits_[place];
    const auto vc = static_cast<int32_t>(flit >> 1 & kVcMask);
    Receiving& receiving = host.receiving[vc];
    if ((flit & 1) != 0) receiving = {flit >> (kVcBits + 1), 0};
    ++host.flits_received;
    put_credit(cycle, peers_[own], vc);
    IqPacket& packet = packets_[receiving.packet];
    if (++receiving.flits == packet.flits) {
      traffic_.packet_arrived(packet, cycle);
      packet.in_network = false;
      ++host.packets_received;
      receiving.flits = 0;
      free_packets_.push_back(receiving.packet);
    }
  }
  if (arrived >> kCreditBit != 0) {
    const uint32_t vcs = std::exchange(credits_[place], 0);
    for_each_bit(vcs, [&](int32_t vc) { ++host.credits[vc]; });
  }
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

void IqNetwork::put_flit(int64_t cycle, const Peer& peer, uint32_t packet, int32_t vc, bool head) {
  const int64_t arrival = cycle + peer.flit_delay;
  const auto slot = static_cast<size_t>(arrival & mask_);
  const int32_t element = peer.host ? config_.routers + peer.element : peer.element;
  flits_[slot * stride_ + peer.slot] = encode(packet, vc, head);
  arrived_[place(arrival, element)] |= iq_bit(peer.port);
  activate(arrival, element);
}

void IqNetwork::put_credit(int64_t cycle, const Peer& peer, int32_t vc) {
  const int64_t arrival = cycle + peer.credit_delay;
  const auto slot = static_cast<size_t>(arrival & mask_);
  const int32_t element = peer.host ? config_.routers + peer.element : peer.element;
  credits_[slot * stride_ + peer.slot] |= 1u << vc;
  arrived_[place(arrival, element)] |=
      iq_bit(peer.port + kCreditBit);
  activate(arrival, element);
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
      if (receiving.flits > 0) add(packets_[receiving.packet], -receiving.flits);
    }
  }
  return sum;
}

}  // namespace fabrictwin
