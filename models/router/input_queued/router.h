// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One input-queued router with virtual channels: docs/models/iq-router.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/fifo.h"
#include "models/congestion/queues/set_aside.h"
#include "models/kernel/bit_mask.h"
#include "models/kernel/round_robin.h"
#include "models/router/input_queued/next_queues.h"
#include "models/router/input_queued/packet.h"
#include "models/router/input_queued/router_spec.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::router::input_queued {

/// VCs are numbered across all ports of a router: port * iq_vc_stride(vcs) + vc, so that the VCs of a port never
/// straddle two words of a mask.
constexpr int32_t iq_vc_stride(int32_t vcs) { return static_cast<int32_t>(std::bit_ceil(static_cast<uint32_t>(vcs))); }

/// What all routers of a network share. Everything referred to outlives the routers.
struct RouterContext {
  const RouterSpec& spec;
  const routing::RoutingAlgorithm& routing;
  const routing::CongestionView& load;
  std::vector<Packet>& packets;    ///< By the packet number that flits carry; may grow.
  routing::RouteOptions& options;  ///< Scratch buffer for the results of routing.
  NextQueues* queues = nullptr;    ///< Null if each VC has one queue.
};

/// A router: buffers and credits per VC, and in each cycle VC allocation, switch allocation and routing, each working
/// on the state before the cycle. It knows no links: call receive_flit() and receive_credit() for what has arrived
/// before begin_cycle(). With queues that are set aside, packets arrive in the cold queue of their VC and may move to
/// another one of it, which shares its buffer and credits. A flit returned by send() has left its buffer: the caller
/// forwards it and returns a credit for the input VC. Work is proportional to what changes, not to the number of ports.
/// All state lies in one block of memory, sized for kVcs VC numbers and min(kVcs, 64) ports. Not thread-safe.
template <int kVcs>
class Router {
 public:
  static constexpr int32_t kMaxPorts = std::min(kVcs, 64);

  /// The ports and their VC numbers must fit kMaxPorts and kVcs.
  Router(const RouterContext& context, int32_t index, std::span<const PortSpec> ports);

  /// A flit of `packet` has arrived on an input VC. Packets of a VC arrive back to back; they do not interleave.
  void receive_flit(int64_t cycle, int32_t input, uint32_t packet, bool head) {
    InputVc& vc = inputs_[input];
    if (vc.size == vc.capacity) return fail(input, "a flit came without credit, the buffer is full");
    ++vc.size;
    if (head) return receive_head(input, packet);
    if (vc.size == 1) continue_packet(cycle, input);
  }
  /// A flit has arrived where queues are set aside: `input` is the cold queue of its VC.
  void receive_cold_flit(int64_t cycle, int32_t input, uint32_t packet, bool head) {
    if (head) arriving_[static_cast<size_t>(input)] = input;
    receive_flit(cycle, arriving_[static_cast<size_t>(input)], packet, head);
    if (head) reconsider(input);
  }
  /// What the element at the other end of a port says of a destination.
  void receive_message(const congestion::SetAsideMessage& message);
  /// The set-aside queues, or null if there are none. Whoever calls end_cycle() sends what is in their outbox.
  congestion::SetAsideQueues* set_aside() { return set_aside_.get(); }
  /// A credit: one flit of buffer has become free behind an output VC.
  void receive_credit(int64_t cycle, int32_t output) {
    OutputVc& vc = outputs_[output];
    if (vc.credits == vc.capacity) return fail(output, "a credit came for a buffer that is empty");
    ++vc.credits;
    // Whether the VC is free and has waiters is hard to predict, so this avoids a branch.
    const bool free = vc.owner < 0;
    va_check_.set_if(output, free && waiters_[output].any());
    if (!free && vc.credits == 1) end_stall(cycle, output);
  }
  /// Begins a cycle, whose arrivals have been received. Cycles increase from call to call.
  void begin_cycle(int64_t cycle);
  /// Switch allocation: appends the input VCs that send a flit. All of them must be sent before the next call.
  void grant(std::vector<SwitchGrant>& winners) {
    if ((requested_outputs_ | held_outputs_) == 0) return;
    round_robin_ ? grant_in_turn(winners) : grant_first(winners);
    if (holds_) grant_held(winners);
  }
  /// Sends the next flit of an input VC.
  FlitDeparture send(int64_t cycle, SwitchGrant winner);
  /// Ends the cycle. Returns whether the next cycle has work even if nothing arrives.
  bool end_cycle(int64_t cycle) {
    if (!matches_.empty()) take_vcs(cycle);
    if (to_route_.any()) route(cycle, std::exchange(to_route_, {}));
    // Without a routing stage, or ahead of it, the packet behind a tail is routed as soon as the tail has left.
    if (routes_behind_ && routing_.any()) route(cycle, std::exchange(routing_, {}));
    return (requested_outputs_ | held_outputs_) != 0 || routing_.any() || va_check_.any() || !routed_.empty();
  }

  /// Cycles in which a flit at `port` waited only for credits.
  uint64_t stall_cycles(int32_t port) const { return stall_cycles_[port]; }
  /// Credits held for an output VC: free flits of buffer behind it.
  int32_t credits(int32_t port, int32_t vc) const { return outputs_[number(port, vc)].credits; }
  /// Flits in an input VC.
  int32_t flits(int32_t port, int32_t vc) const { return inputs_[number(port, vc)].size; }
  /// Flits in the input VCs of the port that has most.
  int64_t fullest_input() const;
  /// Flits in all input VCs, and their total capacity.
  int64_t flits() const;
  int64_t capacity() const;
  /// Flits buffered behind an output port plus flits here of packets that own one of its VCs, as CongestionView defines
  /// it.
  int64_t queue(int32_t port) const;
  /// Which contract between routers was broken ("port 1, VC 0: a flit came without credit"); empty if none was.
  const std::string& failure() const { return failure_; }

 private:
  static constexpr int kWords = (kVcs + 63) / 64;
  using Mask = kernel::BitMask<kWords>;
  // Counters are stored field by field, and `size` and `left` are kept apart: otherwise compilers merge the two
  // decrements into one access, which would have to wait for the store of a flit that has just arrived.
  struct InputVc {
    uint32_t front = 0;         ///< Number of the front packet.
    uint16_t size = 0;          ///< Flits buffered.
    uint16_t packets = 0;       ///< Packets with at least their head here, and the one whose head has left.
    uint16_t left = 0;          ///< Flits of the front packet that have not left.
    int16_t output = -1;        ///< Output VC that the front packet owns, or -1.
    uint16_t capacity = 0;      ///< The most flits that the buffer holds.
    uint16_t first = 0;         ///< Index of the front packet in this VC's part of packet_fifo_.
    kernel::RoundRobin accept;  ///< Accepts one of the grants of VC allocation.
    bool has_head = false;      ///< The head of the front packet has not left.
    uint8_t out_port = 0;       ///< The port of `output`.
  };
  struct OutputVc {
    uint16_t credits = 0;
    int16_t owner = -1;        ///< Input VC that owns this one, or -1.
    uint16_t capacity = 0;     ///< Flits of the buffer behind it.
    kernel::RoundRobin grant;  ///< Grants this VC to one of the input VCs that wait.
  };
  struct Port {
    Mask requests;              ///< Input VCs with a flit and a credit for this output.
    kernel::RoundRobin grant;   ///< Grants the output to one of the input ports.
    kernel::RoundRobin accept;  ///< Accepts one of the grants that the input port has got.
    kernel::RoundRobin vc;      ///< Chooses among the VCs of the input port.
  };
  struct Routed {
    int64_t cycle = 0;
    int32_t input = 0;
  };
  struct Match {
    int32_t input;
    int32_t output;
  };

  int32_t number(int32_t port, int32_t vc) const { return (port << shift_) + vc; }
  int32_t port_of(int32_t vc) const { return vc >> shift_; }
  /// Whether a port has more VC numbers than a word of a mask has bits.
  static constexpr bool kWide = kVcs > 512;
  Mask vcs_of(int32_t port) const {
    Mask vcs = Mask::bits_at(vc_mask_, port << shift_);
    if constexpr (kWide) {
      for (int32_t vc = 64; vc < 1 << shift_; vc += 64) vcs |= Mask::bits_at(vc_mask_, (port << shift_) + vc);
    }
    return vcs;
  }
  int32_t pick_vc(int32_t in, const Mask& requests) const;
  void receive_head(int32_t i, uint32_t packet);
  void continue_packet(int64_t cycle, int32_t i);
  void end_stall(int64_t cycle, int32_t o);
  bool older(int32_t a, int32_t b) const;
  int32_t pick(const Mask& inputs, kernel::RoundRobin arbiter) const;
  bool has_space(int32_t o, int32_t i) const;
  void match_vcs();
  void choose_requests();
  int32_t least_queue(uint64_t ports, uint32_t random) const;
  void take_vcs(int64_t cycle);
  void grant_held(std::vector<SwitchGrant>& winners);
  void grant_first(std::vector<SwitchGrant>& winners);
  void grant_in_turn(std::vector<SwitchGrant>& winners);
  void open_outputs(int64_t cycle);
  void hold_switch(int32_t i, int32_t out_port, bool tail, bool granted);
  void release_switch(int32_t port, int32_t output);
  void route(int64_t cycle, const Mask& inputs);
  bool find_candidates(int32_t i);
  Mask queues_behind(const routing::RouteOption& option, const routing::PacketRoute& packet);
  int32_t cold_of(int32_t i) const { return i - (i - number(port_of(i), 0)) % queues_; }
  bool moves_aside(int32_t i);
  void move_aside(int32_t cold, int32_t to);
  void reconsider(int32_t i);
  void reconsider_port(int32_t port);
  bool parks(int32_t i);
  void packet_left(int32_t i);
  void wait_for_vc(int32_t i);
  void request(int32_t i, int32_t port) {
    ports_[port].requests.set(i);
    requested_outputs_ |= kernel::bit(port);
  }
  void withdraw(int32_t i, int32_t port) {
    ports_[port].requests.reset(i);
    if (ports_[port].requests.none()) requested_outputs_ &= ~kernel::bit(port);
  }
  void fail(int32_t vc, const char* what);

  uint64_t requested_outputs_ = 0;  ///< A mask of ports.
  uint64_t held_outputs_ = 0;       ///< A mask of ports.
  uint64_t closed_outputs_ = 0;     ///< Ports whose links are still busy with the previous flit.
  uint64_t slow_outputs_ = 0;       ///< Ports whose links are slower than the clock.
  Mask to_route_;                   ///< The input VCs that the routing stage had to serve when the cycle began.
  Mask routing_;                    ///< Input VCs with a packet for the routing stage.
  Mask va_check_;                   ///< Output VCs for which VC allocation could succeed.
  Mask held_inputs_;                ///< VCs of ports that hold the switch.
  Mask holders_;                    ///< The VCs among held_inputs_ whose packets hold the switch.
  uint64_t vc_mask_ = 0;            ///< VCs of port 0, or the first 64 of them.
  int32_t queues_ = 1;              ///< Queues of a VC.
  uint8_t shift_ = 0;               ///< A port number shifted left by this is its first VC number.
  bool round_robin_ = true;
  bool holds_ = false;           ///< A packet keeps the switch until its tail has passed.
  bool routes_at_once_ = false;  ///< There is no routing stage.
  bool routes_behind_ = false;   ///< The packet behind a tail has no routing stage.
  bool atomic_ = false;          ///< A VC belongs to one packet.
  uint16_t space_ = 0;           ///< Credits that a VC must have for a packet to get it, unless that is 0.
  bool adaptive_ = false;        ///< Packets may have several routes.
  bool has_slots_ = false;       ///< Slow links take flits in slots.
  int32_t fifo_packets_ = 0;
  int32_t index_ = 0;
  int32_t port_count_ = 0;
  RouterContext context_;

  std::array<InputVc, kVcs> inputs_;
  std::array<OutputVc, kVcs> outputs_;
  std::array<Port, kMaxPorts> ports_;
  std::array<Mask, kVcs> waiters_;             ///< By output VC: the input VCs that wait for it.
  std::array<Mask, kVcs> candidates_;          ///< By input VC: output VCs for the front packet.
  std::array<int64_t, kVcs> stalled_since_{};  ///< By output VC.
  std::array<uint64_t, kMaxPorts> stall_cycles_{};
  std::vector<uint32_t> packet_fifo_;  ///< A ring of fifo_packets_ entries for each input VC.
  Fifo<Routed> routed_;                ///< Packets that are still in the routing and VC allocation stages.
  std::vector<Match> matches_;
  uint64_t linked_ports_ = 0;
  uint64_t host_ports_ = 0;
  std::vector<LinkRate> paces_;  ///< By port; empty if no link is slow.
  std::vector<Mask> escapes_;    ///< By input VC: those of its candidates that are escape VCs. Only if adaptive.
  std::vector<Mask> requests_;   ///< By input VC, if adaptive: output VCs requested in this cycle.
  std::unique_ptr<congestion::SetAsideQueues> set_aside_;  ///< If queues are set aside; so is what follows.
  std::vector<int32_t> arriving_;  ///< By cold queue: the queue of the packet whose flits arrive.
  Mask parked_;                    ///< Queues whose front packets may not go on.
  std::string failure_;
};

// Chooses among the VCs of an input port, all of whose numbers fit a word but in wide routers.
template <int kVcs>
int32_t Router<kVcs>::pick_vc(int32_t in, const Mask& requests) const {
  const int32_t first = in << shift_;
  if constexpr (kWide) {
    Mask vcs;
    for (int32_t vc = 0; vc < 1 << shift_; vc += 64)
      vcs |= Mask::bits_at(requests.word_from(first + vc) & vc_mask_, vc);
    return ports_[in].vc.pick(vcs);
  }
  return ports_[in].vc.pick(requests.word_from(first) & vc_mask_);
}

// One iteration of iSLIP over ports; the VCs of a port take turns. Outputs grant in order; the grant that an input port
// accepts replaces its earlier one in the list.
template <int kVcs>
void Router<kVcs>::grant_in_turn(std::vector<SwitchGrant>& winners) {
  struct Grant {
    uint16_t in;
    uint16_t out;
  };
  std::array<Grant, kMaxPorts> grants;
  std::array<uint8_t, kMaxPorts> grant_of;  // By input port: the index of its grant.
  uint64_t granted = 0;
  size_t count = 0;
  for (uint64_t outs = requested_outputs_ & ~(held_outputs_ | closed_outputs_); outs != 0; outs &= outs - 1) {
    const int32_t out = std::countr_zero(outs);
    const Mask requests = ports_[out].requests.without(held_inputs_);
    if (holds_ && requests.none()) continue;
    const int32_t in = ports_[out].grant.pick_group(requests, shift_);
    if ((granted >> in & 1) != 0) {
      // Outputs come in rising order: the first at or after the input's pointer wins, else the first of all.
      Grant& other = grants[grant_of[in]];
      if (ports_[in].accept.prefers(out, other.out)) other.out = static_cast<uint16_t>(out);
      continue;
    }
    grant_of[in] = static_cast<uint8_t>(count);
    grants[count++] = {static_cast<uint16_t>(in), static_cast<uint16_t>(out)};
    granted |= kernel::bit(in);
  }
  for (size_t k = 0; k < count; ++k) {
    const int32_t in = grants[k].in;
    const int32_t out = grants[k].out;
    Port& port = ports_[in];
    const int32_t vc = pick_vc(in, ports_[out].requests);
    ports_[out].grant.granted(in, port_count_);
    port.accept.granted(out, port_count_);
    port.vc.granted(vc, 1 << shift_);
    winners.push_back({index_, static_cast<uint16_t>(number(in, vc)), true});
  }
}

template <int kVcs>
FlitDeparture Router<kVcs>::send(int64_t cycle, SwitchGrant winner) {
  const int32_t i = winner.input;
  InputVc& input = inputs_[i];
  const int32_t o = input.output;
  const int32_t out_port = input.out_port;
  OutputVc& output = outputs_[o];
  const bool head = std::exchange(input.has_head, false);
  --input.size;
  --input.left;
  --output.credits;
  const bool tail = input.left == 0;
  const FlitDeparture departure{input.front,
                                static_cast<uint16_t>(set_aside_ == nullptr ? i : cold_of(i)),
                                static_cast<uint16_t>(o),
                                static_cast<uint16_t>(port_of(i)),
                                static_cast<uint16_t>(out_port),
                                head,
                                tail};
  if ((slow_outputs_ >> out_port & 1) != 0) {
    paces_[out_port].take(cycle);
    closed_outputs_ |= kernel::bit(out_port);
  }
  if (tail) {
    withdraw(i, out_port);
    output.owner = -1;
    if (waiters_[o].any()) va_check_.set(o);
    input.output = -1;
    input.first = static_cast<uint16_t>(input.first + 1 == fifo_packets_ ? 0 : input.first + 1);
    if (--input.packets > 0) {
      input.front = packet_fifo_[i * fifo_packets_ + input.first];
      routing_.set(i);
    }
    if (set_aside_ != nullptr) packet_left(i);
  } else if (input.size == 0 || output.credits == 0) {
    withdraw(i, out_port);
    if (input.size > 0) stalled_since_[o] = cycle + 1;
  }
  if (holds_) hold_switch(i, out_port, tail, winner.granted);
  return departure;
}

extern template class Router<16>;
extern template class Router<64>;
extern template class Router<128>;
extern template class Router<256>;
extern template class Router<512>;
extern template class Router<1024>;
extern template class Router<2048>;

}  // namespace fabrictwin::router::input_queued
