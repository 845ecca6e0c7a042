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

int32_t Network::most_ports(const Config& config) {
  const std::vector<int32_t> first = first_outputs(config);
  int32_t most = 0;
  for (int32_t r = 0; r < config.routers; ++r) most = std::max(most, first[r + 1] - first[r]);
  return most;
}

absl::Status Network::check_vcs(const Config& config) {
  if (config.router.classifier.queues() > 1) return check_queues(config);
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
  if (config_.count_inputs.has_value())
    input_meter_ =
        std::make_unique<kernel::InputMeter>(*config_.count_inputs, static_cast<size_t>(first_output_.back()));
  make_queues();
  make_routers(ports);
  if (config_.routing->reads_waiting()) count_sent();
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
    // The latency of such a link has the time of a word, which begins at once.
    if (from.port < 0 && link.slots) --output.flit_delay;
    output.credit_delay = static_cast<uint16_t>(link.latency + 1);
    if (to.port >= 0) output.credit_delay += static_cast<uint16_t>(spec.credit_delay);
    // A flit of a router is on the link when it has passed the switch.
    const int32_t ahead = from.port < 0 ? 0 : spec.switch_alloc_delay + spec.switch_delay;
    const LinkRate pace = link.slots ? link.pace.with_slots(ahead) : link.pace;
    ports[index(from)] = {true, to.port < 0, buffer(side), buffer(1 - side), pace};
    if (!wires_.empty()) wires_[index(from)].flits = pace;
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
  const RouterContext context{config_.router, *config_.routing, *this, packets_, options_, next_queues_.get()};
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
  const int32_t stride = iq_vc_stride(config_.router.vcs);
  const int32_t numbers = most_ports(config_) * stride;
  // Others expect the VCs of a port within a word.
  if (numbers > 1024) return make_routers<2048>(ports);
  if (stride > 64 || numbers > 512) return make_routers<1024>(ports);
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
    if (!set_aside_.empty()) settle_set_aside(cycle, index, *routers[index].set_aside());
    if (!router.failure().empty() && failure_.empty())
      failure_ = fmt::format("router[{}], {}", index, router.failure());
  }
  // Within a cycle, routers have no order.
  set_aside_use_.most = std::max(set_aside_use_.most, set_aside_use_.now);
}

template <typename Router>
void Network::receive(int64_t cycle, Arrivals& arrivals, std::vector<Router>& routers) {
  if (!arrivals.messages.empty()) receive_messages(cycle, arrivals, routers);
  if (input_meter_ != nullptr) count_arrivals(cycle, arrivals.flits[0]);
  const auto receive_all = [&](auto receive_flit) {
    for (const Flit& arrived : arrivals.flits[0]) {
      const uint32_t router = arrived.where >> kVcBits;
      receive_flit(routers[router], static_cast<int32_t>(arrived.where & kVcMask), arrived.flit >> 1,
                   (arrived.flit & 1) != 0);
      activate(now_, router);
    }
  };
  if (host_set_aside_.empty()) {
    receive_all([cycle](Router& router, int32_t input, uint32_t packet, bool head) {
      router.receive_flit(cycle, input, packet, head);
    });
  } else {
    receive_all([cycle](Router& router, int32_t input, uint32_t packet, bool head) {
      router.receive_cold_flit(cycle, input, packet, head);
    });
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

// Messages take as long as credits.
template <typename Router>
void Network::receive_messages(int64_t cycle, Arrivals& arrivals, std::vector<Router>& routers) {
  for (const Message& message : arrivals.messages) {
    if (message.host) {
      congestion::SetAsideQueues& host = host_set_aside_[message.element];
      host.receive(message.content);
      send_messages(cycle, {static_cast<int32_t>(message.element), -1}, host.outbox());
      activate(now_, static_cast<uint32_t>(config_.routers) + message.element);
    } else {
      routers[message.element].receive_message(message.content);
      activate(now_, message.element);
    }
  }
  arrivals.messages.clear();
}

void Network::count_arrivals(int64_t cycle, const std::vector<Flit>& arrivals) {
  const int32_t stride = iq_vc_stride(config_.router.vcs);
  for (const Flit& arrived : arrivals) {
    const auto port = static_cast<int32_t>(arrived.where & kVcMask) / stride;
    input_meter_->enter(index({static_cast<int32_t>(arrived.where >> kVcBits), port}), cycle);
  }
}

// If nothing is in its way, the credit of a flit is back when the flit has been routed and has left the next router.
void Network::count_sent() {
  const RouterSpec& spec = config_.router;
  for (const Output& output : outputs_)
    sent_.emplace_back(output.flit_delay + spec.routing_delay + spec.vc_alloc_delay + output.credit_delay);
}

// A flit leaves a router: its credit is returned, and it travels to the other end of the link.
inline void Network::forward(int64_t cycle, int32_t router, const FlitDeparture& departure) {
  Output* const outputs = &outputs_[static_cast<size_t>(first_output_[router])];
  Output& out = outputs[departure.out_port];
  const Output& in = outputs[departure.in_port];
  ++out.flits;
  if (input_meter_ != nullptr) [[unlikely]]
    input_meter_->leave(static_cast<size_t>(&in - outputs_.data()), cycle);
  if (!sent_.empty()) [[unlikely]]
    sent_[static_cast<size_t>(&out - outputs_.data())].add(cycle, 1);
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
  if (config_.router.switching != Switching::kSpaceForPacket) {
    put_credit(credit_cycle, in, departure.input);
  } else if (departure.tail) {
    put_credits(credit_cycle, in, departure.input, packets_[departure.packet].flits);
  }
}

}  // namespace fabrictwin::router::input_queued
