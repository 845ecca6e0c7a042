// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/input_queued/network.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "fmt/format.h"
#include "models/kernel/round_robin.h"

namespace fabrictwin::router::input_queued {

std::vector<int32_t> Network::first_outputs(const Config& config) {
  std::vector<int32_t> first(static_cast<size_t>(config.routers) + 1);
  for (const Link& link : config.links) {
    for (const End& end : link.ends) {
      if (end.port >= 0) first[end.element + 1] = std::max(first[end.element + 1], end.port + 1);
    }
  }
  for (int32_t r = 0; r < config.routers; ++r) first[r + 1] += first[r];
  return first;
}

absl::Status Network::check_size(const Config& config) {
  if (std::max(config.routers, config.hosts) > kMaxElements) {
    return absl::InvalidArgumentError(
        fmt::format("{} routers and {} hosts, and {} is the most of each", config.routers, config.hosts, kMaxElements));
  }
  const std::vector<int32_t> first = first_outputs(config);
  for (int32_t r = 0; r < config.routers; ++r) {
    const int32_t ports = first[r + 1] - first[r];
    if (ports > kMaxPorts) {
      return absl::InvalidArgumentError(
          fmt::format("router[{}] has {} ports, and input-queued routers have {} at most", r, ports, kMaxPorts));
    }
  }
  return absl::OkStatus();
}

absl::Status Network::check_vcs(const Config& config) {
  const std::vector<int32_t> first = first_outputs(config);
  for (int32_t r = 0; r < config.routers; ++r) {
    const int32_t ports = first[r + 1] - first[r];
    if (ports * iq_vc_stride(config.router.vcs) <= kMaxVcNumbers) continue;
    return absl::InvalidArgumentError(fmt::format(
        "router[{}] has {} ports with {} VCs each, and ports times VCs, these rounded up to a power of "
        "two, are at most {}; write vcs: {} or less, or a topology whose routers have fewer ports",
        r, ports, config.router.vcs, kMaxVcNumbers, std::bit_floor(static_cast<uint32_t>(kMaxVcNumbers / ports))));
  }
  return absl::OkStatus();
}

Network::Network(Config config, Traffic& traffic, Observer* observer)
    : config_(std::move(config)), traffic_(traffic), observer_(observer), first_output_(first_outputs(config_)) {
  const RouterSpec& spec = config_.router;
  outputs_.resize(static_cast<size_t>(first_output_.back() + config_.hosts));
  hosts_.resize(static_cast<size_t>(config_.hosts));
  host_vcs_.resize(hosts_.size() * static_cast<size_t>(spec.vcs));
  if (config_.source_queues > 1) source_queues_.resize(hosts_.size() * static_cast<size_t>(config_.source_queues));
  if (spec.internal_speedup > 1 || std::ranges::any_of(config_.links, [](const Link& l) { return l.pace.slow(); }))
    wires_.resize(outputs_.size());
  std::vector<PortSpec> ports(outputs_.size());
  // With internal speed-up, flits and credits queue for the wire, at most as many as there are buffers for.
  int64_t slots = 0;
  for (const Link& link : config_.links) {
    connect(link, ports);
    int64_t longest = link.latency + spec.switch_alloc_delay + spec.switch_delay + spec.credit_delay + 2;
    for (const End& end : link.ends) {
      if (spec.internal_speedup > 1) longest += spec.vcs * ports[index(end)].credits * link.pace.cycles();
    }
    slots = std::max(slots, longest);
  }
  mask_ = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(slots) + 1)) - 1;
  arrivals_.resize(static_cast<size_t>(mask_ + 1));
  now_.resize((static_cast<size_t>(config_.routers) + static_cast<size_t>(config_.hosts) + 63) / 64);
  next_.resize(now_.size());
  make_routers(ports);
  for (int32_t h = 0; h < config_.hosts; ++h) activate_next(static_cast<uint32_t>(config_.routers + h));
}

void Network::connect(const Link& link, std::vector<PortSpec>& ports) {
  const RouterSpec& spec = config_.router;
  const auto buffer = [&](int side) {
    return link.buffer_flits[side] > 0 ? link.buffer_flits[side] : spec.buffer_flits;
  };
  for (int side = 0; side < 2; ++side) {
    const End& from = link.ends[side];
    const End& to = link.ends[1 - side];
    Output& output = outputs_[index(from)];
    output.host = to.port < 0 ? 1 : 0;
    output.element = static_cast<uint32_t>(to.element);
    output.vc_shift = static_cast<int16_t>((std::max(0, to.port) - std::max(0, from.port)) * iq_vc_stride(spec.vcs));
    output.flit_delay = static_cast<uint16_t>(link.latency + 1);
    if (from.port >= 0) output.flit_delay += static_cast<uint16_t>(spec.switch_alloc_delay - 1 + spec.switch_delay);
    output.credit_delay = static_cast<uint16_t>(link.latency + 1);
    if (to.port >= 0) output.credit_delay += static_cast<uint16_t>(spec.credit_delay);
    ports[index(from)] = {true, to.port < 0, buffer(side), buffer(1 - side), link.pace};
    if (!wires_.empty()) wires_[index(from)].flits = link.pace;
    if (from.port >= 0) continue;
    hosts_[from.element].slow = link.pace.slow();
    for (int32_t vc = 0; vc < spec.vcs; ++vc) {
      HostVc& there = host_vcs_[host_vc(from.element, vc)];
      there.credits = there.capacity = buffer(1 - side);
    }
  }
}

template <int kVcs>
void Network::make_routers(const std::vector<PortSpec>& ports) {
  std::vector<Router<kVcs>> routers;
  routers.reserve(static_cast<size_t>(config_.routers));
  const RouterContext context{config_.router, *config_.routing, *this, packets_, options_};
  for (int32_t r = 0; r < config_.routers; ++r) {
    routers.emplace_back(context, r,
                         std::span(ports).subspan(static_cast<size_t>(first_output_[r]),
                                                  static_cast<size_t>(first_output_[r + 1] - first_output_[r])));
  }
  routers_ = std::move(routers);
}

// The smallest kind of router that fits all ports and VCs needs least memory; the first two kinds need one word for a
// set of VCs.
void Network::make_routers(const std::vector<PortSpec>& ports) {
  int32_t most = 0;
  for (int32_t r = 0; r < config_.routers; ++r) most = std::max(most, first_output_[r + 1] - first_output_[r]);
  const int32_t numbers = most * iq_vc_stride(config_.router.vcs);
  if (numbers <= 16) return make_routers<16>(ports);
  if (numbers <= 64) return make_routers<64>(ports);
  if (numbers <= 128) return make_routers<128>(ports);
  if (numbers <= 256) return make_routers<256>(ports);
  make_routers<512>(ports);
}

int64_t Network::next_cycle() const {
  if (any_next_) return cycle_;
  const int64_t wake = std::min(wakes_.next_cycle(), held_.empty() ? Traffic::kNever : held_.top().cycle);
  for (int64_t cycle = cycle_; cycle <= cycle_ + mask_ && cycle < wake; ++cycle) {
    if (!arrivals_[static_cast<size_t>(cycle & mask_)].empty()) return cycle;
  }
  return wake;
}

void Network::step(int64_t cycle) {
  // If anything has work right after the last cycle, this is the cycle.
  cycle_ = cycle + 1;
  now_.swap(next_);
  any_next_ = false;
  if (wakes_.next_cycle() == cycle) {
    for (const int32_t host : wakes_.take()) activate(now_, static_cast<uint32_t>(config_.routers + host));
  }
  std::visit([&](auto& routers) { step_all(cycle, routers); }, routers_);
}

template <typename Router>
void Network::step_all(int64_t cycle, std::vector<Router>& routers) {
  receive(cycle, arrivals_[static_cast<size_t>(cycle & mask_)], routers);
  if (!held_.empty()) return_held(cycle);
  traffic_.settle(cycle);
  steps_.clear();
  for (size_t word = 0; word < now_.size(); ++word) {
    kernel::for_each_bit(std::exchange(now_[word], 0), [&](int32_t bit) {
      const int32_t element = static_cast<int32_t>(word * 64) + bit;
      if (element < config_.routers) {
        steps_.push_back(element);
      } else {
        step_host(cycle, element - config_.routers);
      }
    });
  }
  router_steps_ += steps_.size();
  for (const int32_t index : steps_) routers[index].begin_cycle(cycle);
  for (int32_t pass = 0; pass < config_.router.internal_speedup; ++pass) {
    winners_.clear();
    for (const int32_t index : steps_) routers[index].grant(winners_);
    for (const SwitchGrant& winner : winners_)
      forward(cycle, winner.router, routers[winner.router].send(cycle, winner));
    flit_hops_ += winners_.size();
  }
  for (const int32_t index : steps_) {
    const Router& router = routers[index];
    if (routers[index].end_cycle(cycle)) activate_next(static_cast<uint32_t>(index));
    if (!router.failure().empty() && failure_.empty())
      failure_ = fmt::format("router[{}], {}", index, router.failure());
  }
}

template <typename Router>
void Network::receive(int64_t cycle, Arrivals& arrivals, std::vector<Router>& routers) {
  for (const Flit& arrived : arrivals.flits[0]) {
    const uint32_t router = arrived.where >> kVcBits;
    routers[router].receive_flit(cycle, static_cast<int32_t>(arrived.where & kVcMask), arrived.flit >> 1,
                                 (arrived.flit & 1) != 0);
    activate(now_, router);
  }
  for (const uint32_t credit : arrivals.credits[0]) {
    routers[credit >> kVcBits].receive_credit(cycle, static_cast<int32_t>(credit & kVcMask));
    activate(now_, credit >> kVcBits);
  }
  for (const Flit& arrived : arrivals.flits[1]) {
    receive_at_host(cycle, static_cast<int32_t>(arrived.where >> kVcBits),
                    static_cast<int32_t>(arrived.where & kVcMask), arrived.flit);
  }
  for (const uint32_t credit : arrivals.credits[1]) {
    const uint32_t host = credit >> kVcBits;
    ++host_vcs_[host_vc(static_cast<int32_t>(host), static_cast<int32_t>(credit & kVcMask))].credits;
    activate(now_, static_cast<uint32_t>(config_.routers) + host);
  }
  for (auto& flits : arrivals.flits) flits.clear();
  for (auto& credits : arrivals.credits) credits.clear();
}

void Network::receive_at_host(int64_t cycle, int32_t index, int32_t vc, uint32_t flit) {
  Host& host = hosts_[index];
  HostVc& receiving = host_vcs_[host_vc(index, vc)];
  if ((flit & 1) != 0) {
    receiving.packet = flit >> 1;
    receiving.left = packets_[flit >> 1].flits;
  }
  ++host.flits_received;
  if (!config_.hold_packets) put_credit(cycle, outputs_[this->index({index, -1})], vc);
  if (--receiving.left > 0) return;
  Packet& packet = packets_[receiving.packet];
  traffic_.packet_arrived(packet, cycle);
  if (config_.hold_packets) held_.push({traffic_.free_from(packet, cycle), index, vc, packet.flits});
  if (packet.followed) observer_->packet_arrived(packet, cycle);
  if (const int64_t resume = traffic_.resume_source(packet, cycle); resume != Traffic::kNever) {
    source_queue(packet.source, packet.source_queue).wake = resume;
    wakes_.add(resume, packet.source);
  }
  packet.in_network = false;
  ++host.packets_received;
  free_packets_.push_back(receiving.packet);
}

// A flit leaves a router: its credit is returned, and it travels to the other end of the link.
inline void Network::forward(int64_t cycle, int32_t router, const FlitDeparture& departure) {
  Output* const outputs = &outputs_[static_cast<size_t>(first_output_[router])];
  Output& out = outputs[departure.out_port];
  const Output& in = outputs[departure.in_port];
  ++out.flits;
  if (departure.tail) ++out.packets;
  int64_t flit_cycle = cycle;
  int64_t credit_cycle = cycle;
  if (config_.router.internal_speedup > 1) {
    Wire& wire = wires_[static_cast<size_t>(&out - outputs_.data())];
    flit_cycle = wire.flits.start(cycle);
    wire.flits.take(flit_cycle);
    while (!wire.queued.empty() && wire.queued.front().start <= cycle) wire.queued.pop_front();
    if (flit_cycle > cycle) wire.queued.push_back({flit_cycle, departure.tail});
    int64_t& credit = wires_[static_cast<size_t>(&in - outputs_.data())].credit;
    credit_cycle = std::max(cycle, credit);
    credit = credit_cycle + 1;
  }
  if (departure.head) {
    Packet& packet = packets_[departure.packet];
    ++packet.hops;
    if (packet.followed)
      observer_->packet_moves(packet, {router, departure.out_port}, cycle, flit_cycle + out.flit_delay);
  }
  put_flit(flit_cycle, out, departure.packet, departure.output, departure.head);
  put_credit(credit_cycle, in, departure.input);
}

void Network::step_host(int64_t cycle, int32_t index) {
  if (!source_queues_.empty()) return step_source_queues(cycle, index);
  Host& host = hosts_[index];
  if (host.left == 0 && !begin_packet(cycle, index, 0, host)) return;
  if (host.slow && wires_[this->index({index, -1})].flits.start(cycle) > cycle)
    return activate_next(static_cast<uint32_t>(config_.routers + index));
  const bool head = host.left == packets_[host.packet].flits;
  if (head && !choose_vc(host, index, 0)) return;
  if (host_vcs_[host_vc(index, host.vc)].credits == 0) return;
  send_flit(cycle, index, host, head);
}

// As in BookSim2, the queue after the one that sent last comes first, and one that cannot send lets the others.
void Network::step_source_queues(int64_t cycle, int32_t index) {
  Host& host = hosts_[index];
  if (host.slow && wires_[this->index({index, -1})].flits.start(cycle) > cycle)
    return activate_next(static_cast<uint32_t>(config_.routers + index));
  for (int32_t i = 0; i < config_.source_queues; ++i) {
    const int32_t number = (host.turn + i) % config_.source_queues;
    SourceQueue& queue = source_queue(index, number);
    if (queue.left == 0 && !begin_packet(cycle, index, number, queue)) continue;
    const bool head = queue.left == packets_[queue.packet].flits;
    if (head && !choose_vc(queue, index, host.busy_vcs)) continue;
    if (host_vcs_[host_vc(index, queue.vc)].credits == 0) continue;
    send_flit(cycle, index, queue, head);
    const uint32_t vc = uint32_t{1} << queue.vc;
    host.busy_vcs = queue.left == 0 ? host.busy_vcs & ~vc : host.busy_vcs | vc;
    host.turn = static_cast<int16_t>((number + 1) % config_.source_queues);
    return;
  }
}

// Requires a credit.
inline void Network::send_flit(int64_t cycle, int32_t index, SourceQueue& queue, bool head) {
  const size_t own = this->index({index, -1});
  --host_vcs_[host_vc(index, queue.vc)].credits;
  if (hosts_[index].slow) wires_[own].flits.take(cycle);
  ++outputs_[own].flits;
  if (head) {
    Packet& packet = packets_[queue.packet];
    packet.injected = cycle;
    if (packet.followed) observer_->packet_moves(packet, {index, -1}, cycle, cycle + outputs_[own].flit_delay);
  }
  put_flit(cycle, outputs_[own], queue.packet, queue.vc, head);
  if (--queue.left == 0) ++outputs_[own].packets;
  activate_next(static_cast<uint32_t>(config_.routers + index));
}

bool Network::begin_packet(int64_t cycle, int32_t index, int32_t number, SourceQueue& queue) {
  if (cycle < queue.wake) return false;
  Packet packet;
  queue.wake = source_queues_.empty() ? traffic_.next_packet(index, cycle, packet)
                                      : traffic_.next_packet_of(index, number, cycle, packet);
  if (queue.wake == Traffic::kWait) return false;
  if (queue.wake > cycle) {
    if (queue.wake != Traffic::kNever) wakes_.add(queue.wake, index);
    return false;
  }
  queue.packet = new_packet();
  queue.left = packet.flits;
  packet.in_network = true;
  packet.source_queue = static_cast<uint8_t>(number);
  packet.followed = observer_ != nullptr && observer_->wants(packet);
  packets_[queue.packet] = packet;
  return true;
}

// Packets of a host use its VCs in turn, as far as there are credits.
bool Network::choose_vc(SourceQueue& queue, int32_t index, uint32_t busy) const {
  const int32_t vcs = config_.router.vcs;
  const int32_t vc = kernel::RoundRobin(static_cast<uint16_t>(queue.vc + 1)).find(vcs, [&](int32_t asking) {
    const HostVc& there = host_vcs_[host_vc(index, asking)];
    return (busy >> asking & 1) == 0 && there.credits >= credits_for_head(there, queue.left);
  });
  if (vc < 0) return false;
  queue.vc = vc;
  return true;
}

int32_t Network::credits_for_head(const HostVc& vc, int32_t flits) const {
  switch (config_.router.switching) {
    case Switching::kVirtualCutThrough:
      return flits;
    case Switching::kWormhole:
      return vc.capacity;
    default:
      return 1;
  }
}

int32_t Network::host_space(int32_t host) const {
  int32_t space = 0;
  for (int32_t vc = 0; vc < config_.router.vcs; ++vc) {
    const HostVc& there = host_vcs_[host_vc(host, vc)];
    if (config_.router.switching == Switching::kVirtualCutThrough) {
      space = std::max(space, there.credits);
    } else if (there.credits >= credits_for_head(there, 1)) {
      return std::numeric_limits<int32_t>::max();
    }
  }
  return space;
}

void Network::return_held(int64_t cycle) {
  for (; !held_.empty() && held_.top().cycle <= cycle; held_.pop()) {
    const Held& held = held_.top();
    for (int32_t flit = 0; flit < held.flits; ++flit) put_credit(cycle, outputs_[index({held.host, -1})], held.vc);
  }
}

uint32_t Network::new_packet() {
  if (free_packets_.empty()) {
    packets_.emplace_back();
    return static_cast<uint32_t>(packets_.size() - 1);
  }
  const uint32_t packet = free_packets_.back();
  free_packets_.pop_back();
  return packet;
}

}  // namespace fabrictwin::router::input_queued
