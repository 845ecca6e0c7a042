// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/input_queued/router.h"

#include <algorithm>

#include "fmt/format.h"
#include "models/router/input_queued/router_queues.h"

namespace fabrictwin::router::input_queued {

template <int kVcs>
Router<kVcs>::Router(const RouterContext& context, int32_t index, std::span<const PortSpec> ports)
    : vc_mask_(context.spec.vcs < 64 ? kernel::bit(context.spec.vcs) - 1 : ~uint64_t{0}),
      queues_(context.spec.classifier.queues()),
      shift_(static_cast<uint8_t>(std::countr_zero(static_cast<uint32_t>(iq_vc_stride(context.spec.vcs))))),
      round_robin_(context.spec.arbitration == Arbitration::kRoundRobin),
      holds_(context.spec.switching == Switching::kVirtualCutThrough),
      routes_at_once_(context.spec.routing_delay == 0),
      routes_behind_(routes_at_once_ || context.spec.looks_ahead),
      atomic_(context.spec.switching == Switching::kWormhole),
      space_(context.spec.switching == Switching::kSpaceForPacket ? static_cast<uint16_t>(context.spec.max_packet_flits)
                                                                  : uint16_t{0}),
      adaptive_(!context.routing.deterministic() && !context.routing.chooses()),
      index_(index),
      port_count_(static_cast<int32_t>(ports.size())),
      context_(context) {
  int32_t deepest = 0;
  for (int32_t port = 0; port < port_count_; ++port) {
    const PortSpec& spec = ports[port];
    deepest = std::max(deepest, spec.buffer_flits);
    if (spec.linked) linked_ports_ |= kernel::bit(port);
    if (spec.host) host_ports_ |= kernel::bit(port);
    // With internal speed-up, flits queue for the wire behind the switch.
    if (spec.pace.slow() && context.spec.internal_speedup == 1) slow_outputs_ |= kernel::bit(port);
    for (int32_t vc = 0; vc < context.spec.vcs; ++vc) {
      inputs_[number(port, vc)].capacity = static_cast<uint16_t>(spec.buffer_flits);
      outputs_[number(port, vc)].credits = outputs_[number(port, vc)].capacity = static_cast<uint16_t>(spec.credits);
    }
  }
  if (slow_outputs_ != 0) {
    for (const PortSpec& spec : ports) {
      paces_.push_back(spec.pace);
      has_slots_ = has_slots_ || spec.pace.has_slots();
    }
  }
  // The capacity is whole packets, and parts of one more at either end.
  fifo_packets_ = deepest / context.spec.min_packet_flits + 2;
  const int32_t numbers = port_count_ << shift_;
  if (context.spec.queues.scheme == v1::Queues::FBICM) {
    set_aside_ = std::make_unique<congestion::SetAsideQueues>(context.spec.queues, port_count_, port_count_);
    arriving_.resize(static_cast<size_t>(numbers));
  }
  packet_fifo_.resize(static_cast<size_t>(numbers) * static_cast<size_t>(fifo_packets_));
  if (adaptive_) {
    escapes_.resize(static_cast<size_t>(numbers));
    requests_.resize(static_cast<size_t>(numbers));
  }
}

// Each stage works on the state before the cycle. The result of VC allocation is applied after the switch, and the work
// of the routing stage is fixed before the switch adds to it.
template <int kVcs>
void Router<kVcs>::begin_cycle(int64_t cycle) {
  if (routes_at_once_ && routing_.any()) route(cycle - 1, std::exchange(routing_, {}));
  while (!routed_.empty() && routed_.front().cycle <= cycle) {
    wait_for_vc(routed_.front().input);
    routed_.pop_front();
  }
  if (va_check_.any()) match_vcs();
  to_route_ = std::exchange(routing_, {});
  if (closed_outputs_ != 0 || has_slots_) open_outputs(cycle);
}

template <int kVcs>
void Router<kVcs>::receive_head(int32_t i, uint32_t packet) {
  InputVc& input = inputs_[i];
  int32_t last = input.first + input.packets;
  if (last >= fifo_packets_) last -= fifo_packets_;
  packet_fifo_[i * fifo_packets_ + last] = packet;
  if (input.packets++ > 0) return;
  input.front = packet;
  routing_.set(i);
}

// A flit has arrived for a packet whose earlier flits had all left.
template <int kVcs>
void Router<kVcs>::continue_packet(int64_t cycle, int32_t i) {
  const InputVc& input = inputs_[i];
  if (input.packets == 0) return fail(i, "a packet begins without a head");
  if (outputs_[input.output].credits > 0) {
    request(i, input.out_port);
  } else {
    stalled_since_[input.output] = cycle;
  }
}

template <int kVcs>
void Router<kVcs>::end_stall(int64_t cycle, int32_t o) {
  const int32_t owner = outputs_[o].owner;
  if (inputs_[owner].size == 0) return;
  stall_cycles_[port_of(o)] += static_cast<uint64_t>(cycle - stalled_since_[o]);
  request(owner, port_of(o));
}

template <int kVcs>
int64_t Router<kVcs>::flits() const {
  int64_t flits = 0;
  for (const InputVc& input : inputs_) flits += input.size;
  return flits;
}

template <int kVcs>
int64_t Router<kVcs>::fullest_input() const {
  int64_t most = 0;
  for (int32_t port = 0; port < port_count_; ++port) {
    int64_t flits = 0;
    for (int32_t i = number(port, 0); i < number(port + 1, 0); ++i) flits += inputs_[static_cast<size_t>(i)].size;
    most = std::max(most, flits);
  }
  return most;
}

template <int kVcs>
int64_t Router<kVcs>::capacity() const {
  int64_t flits = 0;
  for (const InputVc& input : inputs_) flits += input.capacity;
  // Queues that are set aside share the buffer of their VC.
  return set_aside_ == nullptr ? flits : flits / queues_;
}

template <int kVcs>
int64_t Router<kVcs>::queue(int32_t port) const {
  int64_t flits = 0;
  for (int32_t o = number(port, 0); o < number(port, context_.spec.vcs); ++o) {
    const OutputVc& output = outputs_[o];
    flits += output.capacity - output.credits;
    if (output.owner >= 0) flits += inputs_[output.owner].size;
  }
  return flits;
}

// Whether the front packet of input VC a has priority over that of b. No two packets have equal priority.
template <int kVcs>
bool Router<kVcs>::older(int32_t a, int32_t b) const {
  if (context_.spec.arbitration == Arbitration::kAge) {
    const Packet& first = context_.packets[inputs_[a].front];
    const Packet& second = context_.packets[inputs_[b].front];
    if (first.created != second.created) return first.created < second.created;
    if (first.source != second.source) return first.source < second.source;
  }
  return a < b;
}

template <int kVcs>
int32_t Router<kVcs>::pick(const Mask& inputs, kernel::RoundRobin arbiter) const {
  if (round_robin_) return arbiter.pick(inputs);
  int32_t best = inputs.first();
  if (context_.spec.arbitration == Arbitration::kFixed) return best;
  inputs.for_each([&](int32_t i) {
    if (older(i, best)) best = i;
  });
  return best;
}

// Whether output VC o can be allocated to the front packet of input VC i.
template <int kVcs>
bool Router<kVcs>::has_space(int32_t o, int32_t i) const {
  const OutputVc& output = outputs_[o];
  if (output.owner >= 0) return false;
  if (atomic_) return output.credits == output.capacity;
  if (space_ > 0) return output.credits >= space_;
  return !holds_ || context_.packets[inputs_[i].front].flits <= output.credits;
}

// One iteration of iSLIP over VCs. A VC that no packet could take is checked again when something has changed.
template <int kVcs>
void Router<kVcs>::match_vcs() {
  if (adaptive_) choose_requests();
  std::array<uint16_t, kVcs> accepted;  // By input VC: the grant that it accepts.
  Mask granted;
  va_check_.for_each([&](int32_t o) {
    Mask waiters;
    if (outputs_[o].owner < 0) waiters = waiters_[o];
    if (holds_ || atomic_ || space_ > 0) {
      waiters.for_each([&](int32_t i) {
        if (!has_space(o, i)) waiters.reset(i);
      });
    }
    if (waiters.none()) {
      va_check_.reset(o);
      return;
    }
    if (adaptive_) {
      waiters.for_each([&](int32_t i) {
        if (!requests_[i].test(o)) waiters.reset(i);
      });
      if (waiters.none()) return;
    }
    const int32_t i = pick(waiters, outputs_[o].grant);
    // Outputs come in rising order: the first at or after the input's pointer wins, else the first of all.
    const kernel::RoundRobin arbiter = round_robin_ ? inputs_[i].accept : kernel::RoundRobin();
    if (!granted.test(i) || arbiter.prefers(o, accepted[i])) accepted[i] = static_cast<uint16_t>(o);
    granted.set(i);
  });
  const int32_t numbers = port_count_ << shift_;
  granted.for_each([&](int32_t i) {
    const int32_t o = accepted[i];
    outputs_[o].grant.granted(i, numbers);
    inputs_[i].accept.granted(o, numbers);
    matches_.push_back({i, o});
  });
}

// Adaptive routing: selects the VCs that each waiting packet requests in this cycle. These are the ones with free space
// of the port with the shortest queue; escapes only if no other VC has free space.
template <int kVcs>
void Router<kVcs>::choose_requests() {
  Mask waiting;
  va_check_.for_each([&](int32_t o) { waiting |= waiters_[o]; });
  waiting.for_each([&](int32_t i) {
    Mask free = candidates_[i] & va_check_;
    free.for_each([&](int32_t o) {
      if (!has_space(o, i)) free.reset(o);
    });
    if (const Mask others = free.without(escapes_[i]); others.any()) free = others;
    uint64_t ports = 0;
    free.for_each([&](int32_t o) { ports |= kernel::bit(port_of(o)); });
    if (!std::has_single_bit(ports) && ports != 0)
      free = free & vcs_of(least_queue(ports, context_.packets[inputs_[i].front].random));
    requests_[i] = free;
  });
}

// Among equal ports, the first one from a position given by the packet's random number.
template <int kVcs>
int32_t Router<kVcs>::least_queue(uint64_t ports, uint32_t random) const {
  const auto start = static_cast<int32_t>(random % static_cast<uint32_t>(port_count_));
  int32_t best = -1;
  int64_t least = 0;
  const auto look = [&](int32_t port) {
    const int64_t flits = queue(port);
    if (best >= 0 && flits >= least) return;
    best = port;
    least = flits;
  };
  kernel::for_each_bit(ports & (~uint64_t{0} << start), look);
  kernel::for_each_bit(ports & ~(~uint64_t{0} << start), look);
  return best;
}

template <int kVcs>
void Router<kVcs>::take_vcs(int64_t cycle) {
  for (const Match& match : matches_) {
    const int32_t i = match.input;
    const int32_t o = match.output;
    InputVc& input = inputs_[i];
    OutputVc& output = outputs_[o];
    candidates_[i].for_each([&](int32_t other) { waiters_[other].reset(i); });
    output.owner = static_cast<int16_t>(i);
    input.output = static_cast<int16_t>(o);
    input.out_port = static_cast<uint8_t>(port_of(o));
    va_check_.reset(o);
    if (output.credits > 0) {
      request(i, input.out_port);
    } else {
      stalled_since_[o] = cycle + 1;
    }
  }
  matches_.clear();
}

// Switch allocation by age or fixed priority; grant_in_turn() does it round-robin.
template <int kVcs>
void Router<kVcs>::grant_first(std::vector<SwitchGrant>& winners) {
  std::array<int32_t, kMaxPorts> best;  // By input port: the granted input VC of highest priority.
  uint64_t granted = 0;
  kernel::for_each_bit(requested_outputs_ & ~(held_outputs_ | closed_outputs_), [&](int32_t out) {
    const Mask requests = ports_[out].requests.without(held_inputs_);
    if (requests.none()) return;
    const int32_t i = pick(requests, {});
    const int32_t in = port_of(i);
    if ((granted >> in & 1) == 0 || older(i, best[in])) best[in] = i;
    granted |= kernel::bit(in);
  });
  kernel::for_each_bit(granted, [&](int32_t in) {
    winners.push_back({index_, static_cast<uint16_t>(best[in]), true});
  });
}

// A packet that holds the switch continues without arbitration, as long as it has a flit and a credit.
template <int kVcs>
void Router<kVcs>::grant_held(std::vector<SwitchGrant>& winners) {
  holders_.for_each([&](int32_t i) {
    const int32_t out_port = inputs_[i].out_port;
    if ((closed_outputs_ >> out_port & 1) != 0) return;
    if (outputs_[inputs_[i].output].credits == 0) {
      release_switch(port_of(i), out_port);
    } else {
      winners.push_back({index_, static_cast<uint16_t>(i), false});
    }
  });
}

template <int kVcs>
void Router<kVcs>::hold_switch(int32_t i, int32_t out_port, bool tail, bool granted) {
  const bool goes_on = !tail && inputs_[i].size > 0;
  if (!granted && !goes_on) release_switch(port_of(i), out_port);
  if (!granted || !goes_on) return;
  holders_.set(i);
  held_inputs_ |= vcs_of(port_of(i));
  held_outputs_ |= kernel::bit(out_port);
}

template <int kVcs>
void Router<kVcs>::open_outputs(int64_t cycle) {
  if (has_slots_) closed_outputs_ = slow_outputs_;
  kernel::for_each_bit(closed_outputs_, [&](int32_t port) {
    if (paces_[port].start(cycle) == cycle) closed_outputs_ &= ~kernel::bit(port);
  });
}

template <int kVcs>
void Router<kVcs>::release_switch(int32_t port, int32_t output) {
  holders_.remove(vcs_of(port));
  held_inputs_.remove(vcs_of(port));
  held_outputs_ &= ~kernel::bit(output);
}

template <int kVcs>
void Router<kVcs>::route(int64_t cycle, const Mask& inputs) {
  const int32_t longer = std::max(0, context_.spec.routing_delay - 1) + context_.spec.vc_alloc_delay - 1;
  inputs.for_each([&](int32_t i) {
    InputVc& input = inputs_[i];
    input.left = context_.packets[input.front].flits;
    input.has_head = true;
    if (!find_candidates(i)) return;
    if (set_aside_ != nullptr && moves_aside(i)) return;
    if (longer > 0) {
      routed_.push_back({cycle + 1 + longer, i});
    } else {
      wait_for_vc(i);
    }
  });
}

template <int kVcs>
bool Router<kVcs>::find_candidates(int32_t i) {
  routing::PacketRoute& packet = context_.packets[inputs_[i].front];
  const int32_t port = port_of(i);
  if (adaptive_ && (host_ports_ >> port & 1) != 0) context_.routing.begin(index_, packet, context_.load);
  routing::RouteOptions& options = context_.options;
  options.clear();
  const int32_t in_vc = i - number(port, 0);
  context_.routing.options(index_, port, queues_ == 1 ? in_vc : in_vc / queues_, packet, options);
  candidates_[i] = {};
  if (adaptive_) escapes_[i] = {};
  auto all = options.all();
  if (!adaptive_ && all.size() > 1)
    all =
        all.subspan(static_cast<size_t>(context_.routing.choose(index_, packet, static_cast<int32_t>(all.size()))), 1);
  for (const routing::RouteOption& option : all) {
    if (option.port < 0 || option.port >= port_count_ || (linked_ports_ >> option.port & 1) == 0) {
      fail(i, "a packet was sent to a port without a link");
      return false;
    }
    const Mask vcs =
        queues_ == 1 ? Mask::bits_at(option.vcs & vc_mask_, number(option.port, 0)) : queues_behind(option, packet);
    candidates_[i] |= vcs;
    if (option.escape && adaptive_) escapes_[i] |= vcs;
  }
  if (candidates_[i].any()) return true;
  fail(i, "a packet has nowhere to go");
  return false;
}

template <int kVcs>
void Router<kVcs>::wait_for_vc(int32_t i) {
  if (set_aside_ != nullptr && parks(i)) return;
  candidates_[i].for_each([&](int32_t o) { waiters_[o].set(i); });
  va_check_ |= candidates_[i];
}

template <int kVcs>
void Router<kVcs>::fail(int32_t vc, const char* what) {
  if (failure_.empty()) failure_ = fmt::format("port {}, VC {}: {}", port_of(vc), vc - number(port_of(vc), 0), what);
}

template class Router<16>;
template class Router<64>;
template class Router<128>;
template class Router<256>;
template class Router<512>;
template class Router<1024>;
template class Router<2048>;

}  // namespace fabrictwin::router::input_queued
