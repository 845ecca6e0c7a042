// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One input-queued router with virtual channels: docs/models/iq-router.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
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
  int32_t routing_delay = 1;  ///< 0: the route is known when the packet comes.
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
  uint8_t input = 0;   ///< VC number, and its port.
  uint8_t output = 0;  ///< The same.
  uint8_t in_port = 0;
  uint8_t out_port = 0;
  bool head = false;
  bool tail = false;
};

/// The router: buffers and credits by VC, and in each cycle VC allocation, switch allocation and routing, each looking
/// at the state before the cycle. It knows no links: receive_flit() and receive_credit() are what has arrived when
/// step() is called, and what step() returns has left the buffers: a credit for the input VC and a flit for the output.
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
  /// Simulates a cycle; cycles rise. The result is valid until the next call.
  std::span<const IqDeparture> step(int64_t cycle);
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
  struct InputVc {
    uint16_t size = 0;      ///< Flits.
    uint16_t left = 0;      ///< Flits of the front packet that have not left.
    uint16_t first = 0;     ///< Of its packets, in its part of packet_fifo_.
    uint16_t packets = 0;   ///< With at least their head here, and the one whose head has left.
    int8_t output = -1;     ///< Output VC that the front packet owns, or -1.
    uint8_t port = 0;       ///< Its own.
    uint8_t out_port = 0;   ///< Of `output`.
    bool has_head = false;  ///< The head of the front packet has not left.
  };
  struct OutputVc {
    uint16_t credits = 0;
    int8_t owner = -1;  ///< Input VC, or -1.
    uint8_t port = 0;   ///< Its own.
  };
  struct Routed {
    int64_t cycle = 0;
    int32_t input = 0;
  };
  struct Match {
    int32_t input;
    int32_t output;
  };

  uint32_t front_packet(int32_t i) const { return packet_fifo_[i * spec_.buffer_flits + inputs_[i].first]; }
  void receive_head(int64_t cycle, int32_t i, uint32_t packet);
  void continue_packet(int64_t cycle, int32_t i);
  void end_stall(int64_t cycle, int32_t o);
  int32_t pick(uint64_t inputs, int32_t start) const;
  void match_vcs();
  void take_vcs(int64_t cycle);
  void switch_held(int64_t cycle, uint64_t holders);
  void switch_granted(int64_t cycle);
  void grant_in_turn(int64_t cycle);
  void send(int64_t cycle, int32_t i, bool granted);
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
  const int32_t index_;
  const IqRouting& routing_function_;
  const std::vector<IqPacket>& packets_;
  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<uint32_t> packet_fifo_;   ///< A ring of buffer_flits for each input VC.
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
  std::vector<uint8_t> next_vc_;       ///< By input port: where its round-robin among VCs begins.
  std::vector<uint64_t> vc_grants_;    ///< By input VC, for one cycle.
  std::vector<uint64_t> port_grants_;  ///< By input port, for one cycle.
  std::vector<Match> matches_;
  std::vector<IqDeparture> departures_;  ///< Places; the first `departed_` count.
  size_t departed_ = 0;
  std::vector<uint64_t> stall_cycles_;
  std::string failure_;
};

}  // namespace fabrictwin
