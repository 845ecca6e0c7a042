// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One input-queued router with virtual channels: docs/models/iq-router.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/fifo.h"
#include "models/iq_arbiter.h"
#include "models/iq_packet.h"
#include "models/iq_routing.h"

namespace fabrictwin {

/// When a flit may go on.
enum class IqSwitching : uint8_t {
  /// A flit goes when there is room for it; packets of different VCs share a link flit by flit.
  kCreditPerFlit,
  /// A packet gets a VC when there is room for all of it, and keeps the switch until it has passed or runs dry.
  kVirtualCutThrough,
};

/// Who goes first.
enum class IqArbitration : uint8_t {
  kRoundRobin,  ///< iSLIP.
  kAge,         ///< The packet that was created first.
  kFixed,       ///< The least input, the least VC.
};

/// What all routers of a network have in common. Delays are in cycles.
struct IqRouterSpec {
  int32_t ports = 5;
  int32_t vcs = 2;  ///< Of each port; ports * vcs <= 64.
  int32_t buffer_flits = 36;
  int32_t min_packet_flits = 1;  ///< No packet is shorter.
  int32_t routing_delay = 1;     ///< 0: the route is known when the packet comes.
  int32_t vc_alloc_delay = 1;
  int32_t switch_alloc_delay = 1;
  int32_t switch_delay = 1;
  int32_t credit_delay = 0;      ///< From a credit's arrival until it counts.
  int32_t internal_speedup = 1;  ///< Passes of the switch in a cycle; links carry one flit a cycle all the same.
  IqSwitching switching = IqSwitching::kCreditPerFlit;
  IqArbitration arbitration = IqArbitration::kRoundRobin;
};

/// A flit that has won the switch.
struct IqDeparture {
  uint32_t packet = 0;
  uint16_t input = 0;   ///< VC number, and its port.
  uint16_t output = 0;  ///< The same.
  uint16_t in_port = 0;
  uint16_t out_port = 0;
  bool head = false;
  bool tail = false;
};

/// The router: buffers and credits by VC, and in each cycle VC allocation, switch allocation and routing, each looking
/// at the state before the cycle. It knows no links: receive_flit() and receive_credit() are what has arrived when
/// step() is called, and what step() tells has left the buffers: a credit for the input VC and a flit for the output.
/// Work is proportional to what changes, not to the number of ports. VCs are numbered through all ports: port * vcs +
/// vc. Not thread-safe.
class IqRouter {
 public:
  /// `packets` by number, as flits name them; what it refers to may grow.
  IqRouter(const IqRouterSpec& spec, int32_t index, const IqRouting& routing, const std::vector<IqPacket>& packets);

  /// A flit of `packet` has arrived on an input VC. The packets of a VC come one after the other.
  void receive_flit(int64_t cycle, int32_t input, uint32_t packet, bool head) {
    InputVc& vc = inputs_[input];
    if (vc.size == spec_.buffer_flits) return fail(input, "a flit came without credit, the buffer is full");
    ++vc.size;
    if (head) return receive_head(cycle, input, packet);
    if (vc.size == 1) continue_packet(cycle, input);
  }
  /// A place has become free behind an output VC.
  void receive_credit(int64_t cycle, int32_t output) {
    OutputVc& vc = outputs_[output];
    if (vc.credits == spec_.buffer_flits) return fail(output, "a credit came for a buffer that is empty");
    ++vc.credits;
    if (vc.owner < 0) {
      if (waiters_[output] != 0) va_check_ |= iq_bit(output);
    } else if (vc.credits == 1) {
      end_stall(cycle, output);
    }
  }
  /// Simulates a cycle; cycles rise. `sink` is called with each IqDeparture, in the order of input ports.
  template <typename Sink>
  void step(int64_t cycle, Sink&& sink);
  /// Whether the next cycle has something to do even if nothing arrives.
  bool busy() const { return (routing_ | va_check_ | requested_outputs_ | held_outputs_) != 0 || !routed_.empty(); }

  /// Cycles in which a flit at `port` waited only for credits.
  uint64_t stall_cycles(int32_t port) const { return stall_cycles_[port]; }
  /// Free places behind an output VC.
  int32_t credits(int32_t port, int32_t vc) const { return outputs_[port * spec_.vcs + vc].credits; }
  /// Flits in an input VC.
  int32_t flits(int32_t port, int32_t vc) const { return inputs_[port * spec_.vcs + vc].size; }
  /// What broke the contract between routers ("port 1, VC 0: a flit came without credit"); empty if nothing did.
  const std::string& failure() const { return failure_; }

 private:
  // Counters of one kind are stored as such, and `size` and `left` stand apart: compilers would join the two decrements
  // into one access, which has to wait for the store of a flit that has just come.
  struct InputVc {
    uint16_t size = 0;      ///< Flits.
    uint16_t first = 0;     ///< Of its packets, in its part of packet_fifo_.
    uint16_t left = 0;      ///< Flits of the front packet that have not left.
    uint16_t packets = 0;   ///< With at least their head here, and the one whose head has left.
    int16_t output = -1;    ///< Output VC that the front packet owns, or -1.
    uint16_t port = 0;      ///< Its own.
    uint16_t out_port = 0;  ///< Of `output`.
    bool has_head = false;  ///< The head of the front packet has not left.
  };
  struct OutputVc {
    uint16_t credits = 0;
    int16_t owner = -1;  ///< Input VC, or -1.
    uint16_t port = 0;   ///< Its own.
  };
  struct Routed {
    int64_t cycle = 0;
    int32_t input = 0;
  };
  struct Match {
    int32_t input;
    int32_t output;
  };

  uint32_t front_packet(int32_t i) const { return packet_fifo_[i * fifo_packets_ + inputs_[i].first]; }
  void receive_head(int64_t cycle, int32_t i, uint32_t packet);
  void continue_packet(int64_t cycle, int32_t i);
  void end_stall(int64_t cycle, int32_t o);
  int32_t pick(uint64_t inputs, int32_t start) const;
  void match_vcs();
  void take_vcs(int64_t cycle);
  template <typename Sink>
  void switch_held(int64_t cycle, uint64_t holders, Sink&& sink);
  template <typename Sink>
  void switch_granted(int64_t cycle, Sink&& sink);
  template <typename Sink>
  void grant_in_turn(int64_t cycle, Sink&& sink);
  template <typename Sink>
  void send(int64_t cycle, int32_t i, bool granted, Sink&& sink);
  void release_switch(int32_t port, int32_t output);
  void route(int64_t cycle, uint64_t inputs);
  void wait_for_vc(int32_t i);
  void request(int32_t i, int32_t port) {
    requests_[port] |= iq_bit(i);
    requested_outputs_ |= iq_bit(port);
  }
  void withdraw(int32_t i, int32_t port) {
    if ((requests_[port] &= ~iq_bit(i)) == 0) requested_outputs_ &= ~iq_bit(port);
  }
  void fail(int32_t vc, const char* what);

  const IqRouterSpec spec_;
  const int32_t fifo_packets_;
  const int32_t index_;
  const IqRouting& routing_function_;
  const std::vector<IqPacket>& packets_;
  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<uint32_t> packet_fifo_;   ///< A ring of fifo_packets_ for each input VC.
  std::vector<uint64_t> candidates_;    ///< By input VC: output VCs for the front packet.
  std::vector<uint64_t> waiters_;       ///< By output VC: input VCs.
  std::vector<int64_t> stalled_since_;  ///< By output VC.
  const uint64_t vc_mask_;              ///< VCs of port 0.
  const bool round_robin_;
  const bool holds_;  ///< A packet keeps the switch.

  uint64_t routing_ = 0;            ///< Input VCs with a packet for the routing stage.
  Fifo<Routed> routed_;             ///< Packets that have longer to go through routing and VC allocation.
  uint64_t va_check_ = 0;           ///< Output VCs for which VC allocation could succeed.
  std::vector<uint64_t> requests_;  ///< By output port: input VCs with a flit and a credit.
  uint64_t requested_outputs_ = 0;  ///< Ports.
  uint64_t held_outputs_ = 0;       ///< Ports.
  uint64_t held_inputs_ = 0;        ///< VCs of ports that hold the switch.
  uint64_t holders_ = 0;            ///< Of these VCs the ones with the packet.

  IslipPointers vc_pointers_;
  IslipPointers switch_pointers_;
  std::vector<uint16_t> next_vc_;      ///< By input port: where its round-robin among VCs begins.
  std::vector<uint64_t> vc_grants_;    ///< By input VC, for one cycle.
  std::vector<uint64_t> port_grants_;  ///< By input port, for one cycle.
  std::vector<Match> matches_;
  std::vector<uint64_t> stall_cycles_;
  std::string failure_;
};

// Each stage looks at the state before the cycle. What VC allocation finds is only taken after the switch, and what the
// routing stage had to do is fixed before the switch adds to it.
template <typename Sink>
void IqRouter::step(int64_t cycle, Sink&& sink) {
  while (!routed_.empty() && routed_.front().cycle <= cycle) {
    wait_for_vc(routed_.front().input);
    routed_.pop_front();
  }
  if (va_check_ != 0) match_vcs();
  uint64_t to_route = std::exchange(routing_, 0);
  for (int32_t pass = 0; pass < spec_.internal_speedup; ++pass) {
    if ((requested_outputs_ | held_outputs_) == 0) break;
    // Who held the switch before this pass keeps others from it, even if he lets go in it.
    const uint64_t holders = holders_;
    round_robin_ ? grant_in_turn(cycle, sink) : switch_granted(cycle, sink);
    if (holders != 0) switch_held(cycle, holders, sink);
  }
  if (!matches_.empty()) take_vcs(cycle);
  // Without a stage for it, the route of the packet behind a tail is there when the tail has left.
  if (spec_.routing_delay == 0) to_route |= std::exchange(routing_, 0);
  if (to_route != 0) route(cycle, to_route);
}

// One iteration of iSLIP over ports; the VCs of a port take turns.
template <typename Sink>
void IqRouter::grant_in_turn(int64_t cycle, Sink&& sink) {
  uint64_t granted = 0;
  for_each_bit(requested_outputs_ & ~held_outputs_, [&](int32_t out) {
    const uint64_t requests = requests_[out] & ~held_inputs_;
    if (requests == 0) return;
    const int32_t port = inputs_[first_from(requests, switch_pointers_.grant(out) * spec_.vcs)].port;
    port_grants_[port] = ((granted >> port & 1) != 0 ? port_grants_[port] : 0) | iq_bit(out);
    granted |= iq_bit(port);
  });
  for_each_bit(granted, [&](int32_t port) {
    const int32_t base = port * spec_.vcs;
    const int32_t out = first_from(port_grants_[port], switch_pointers_.accept(port));
    const int32_t i = first_from(requests_[out] & (vc_mask_ << base), base + next_vc_[port]);
    switch_pointers_.accepted(port, out);
    next_vc_[port] = static_cast<uint16_t>(i + 1 - base == spec_.vcs ? 0 : i + 1 - base);
    send(cycle, i, true, sink);
  });
}

// The same by age or fixed priority.
template <typename Sink>
void IqRouter::switch_granted(int64_t cycle, Sink&& sink) {
  uint64_t granted = 0;
  for_each_bit(requested_outputs_ & ~held_outputs_, [&](int32_t out) {
    const uint64_t requests = requests_[out] & ~held_inputs_;
    if (requests == 0) return;
    const int32_t i = pick(requests, 0);
    vc_grants_[inputs_[i].port] = ((granted >> inputs_[i].port & 1) != 0 ? vc_grants_[inputs_[i].port] : 0) | iq_bit(i);
    granted |= iq_bit(inputs_[i].port);
  });
  for_each_bit(granted, [&](int32_t port) { send(cycle, pick(vc_grants_[port], 0), true, sink); });
}

// A packet that holds the switch goes on without asking, as long as it has a flit and a credit.
template <typename Sink>
void IqRouter::switch_held(int64_t cycle, uint64_t holders, Sink&& sink) {
  for_each_bit(holders, [&](int32_t i) {
    const int32_t out_port = inputs_[i].out_port;
    if (outputs_[inputs_[i].output].credits == 0) {
      release_switch(inputs_[i].port, out_port);
      return;
    }
    send(cycle, i, false, sink);
    if (inputs_[i].output < 0 || inputs_[i].size == 0) release_switch(inputs_[i].port, out_port);
  });
}

template <typename Sink>
void IqRouter::send(int64_t cycle, int32_t i, bool granted, Sink&& sink) {
  InputVc& input = inputs_[i];
  const int32_t o = input.output;
  OutputVc& output = outputs_[o];
  const bool head = std::exchange(input.has_head, false);
  --input.size;
  --input.left;
  --output.credits;
  const bool tail = input.left == 0;
  sink(IqDeparture{front_packet(i), static_cast<uint16_t>(i), static_cast<uint16_t>(o), input.port, output.port, head,
                   tail});
  if (tail) {
    withdraw(i, output.port);
    output.owner = -1;
    if (waiters_[o] != 0) va_check_ |= iq_bit(o);
    input.output = -1;
    input.first = static_cast<uint16_t>(input.first + 1 == fifo_packets_ ? 0 : input.first + 1);
    if (--input.packets > 0) routing_ |= iq_bit(i);
    return;
  }
  if (input.size == 0 || output.credits == 0) {
    withdraw(i, output.port);
    if (input.size > 0) stalled_since_[o] = cycle + 1;
  }
  if (holds_ && granted && input.size > 0) {
    holders_ |= iq_bit(i);
    held_inputs_ |= vc_mask_ << (input.port * spec_.vcs);
    held_outputs_ |= iq_bit(output.port);
  }
}

}  // namespace fabrictwin
