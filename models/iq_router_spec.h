// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What input-queued routers are: docs/models/iq-router.md.
#pragma once

#include <cstdint>

#include "models/iq_pace.h"

namespace fabrictwin {

/// When a flit may go on.
enum class IqSwitching : uint8_t {
  /// A flit goes when there is room for it; packets of different VCs share a link flit by flit. The next packet may
  /// follow in the same VC, and wait behind it in the same buffer.
  kCreditPerFlit,
  /// A packet gets a VC when there is room for all of it, and keeps the switch until it has passed or runs dry.
  kVirtualCutThrough,
  /// As kCreditPerFlit, but a VC and the buffer behind it belong to one packet: the next one gets the VC when the
  /// buffer is empty. What Duato's escape VCs need where buffers may be smaller than packets.
  kWormhole,
};

/// Who goes first.
enum class IqArbitration : uint8_t {
  kRoundRobin,  ///< iSLIP.
  kAge,         ///< The packet that was created first.
  kFixed,       ///< The least input, the least VC.
};

/// What all routers of a network have in common. Delays are in cycles.
struct IqRouterSpec {
  int32_t vcs = 2;               ///< Of each port, 1 to 32.
  int32_t buffer_flits = 36;     ///< Of each input VC where its port does not say otherwise.
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

/// One port of a router.
struct IqPortSpec {
  bool linked = false;       ///< Nothing may be sent where there is no link.
  bool host = false;         ///< What comes from there is in its first router.
  int32_t buffer_flits = 0;  ///< Of each of its input VCs.
  int32_t credits = 0;       ///< Of each of its output VCs: the buffer at the other end.
  IqPace pace;               ///< Of its link.
};

/// An input VC that has won the switch.
struct IqWinner {
  int32_t router = 0;
  uint16_t input = 0;
  bool granted = false;  ///< In this cycle; if not, it holds the switch.
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

}  // namespace fabrictwin
