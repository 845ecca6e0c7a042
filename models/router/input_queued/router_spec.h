// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What input-queued routers are: docs/models/iq-router.md.
#pragma once

#include <cstdint>

#include "cosim/experiment/experiment.h"
#include "models/congestion/queues/classifier.h"
#include "models/router/input_queued/link_rate.h"

namespace fabrictwin::router::input_queued {

/// When a flit may be forwarded.
enum class Switching : uint8_t {
  /// A flit is forwarded when there is a credit for it; packets of different VCs share a link flit by flit. The next
  /// packet may follow in the same VC and wait behind the first in the same buffer.
  kCreditPerFlit,
  /// A packet gets a VC when there is space for all of it, and holds the switch until it has passed or runs out of
  /// flits.
  kVirtualCutThrough,
  /// A packet gets a VC when there is space for the largest one; packets of different VCs share a link flit by flit.
  /// The credits of a packet go back together when its tail has left. ExaNet routers are like that
  /// (docs/models/exanet-router.md).
  kSpaceForPacket,
  /// Like kCreditPerFlit, but a VC and the buffer behind it belong to one packet: the next one gets the VC when the
  /// buffer is empty. Duato's escape VCs need this where buffers may be smaller than packets.
  kWormhole,
};

/// How an arbiter chooses among requests.
enum class Arbitration : uint8_t {
  kRoundRobin,  ///< iSLIP.
  kAge,         ///< The packet that was created first wins.
  kFixed,       ///< The lowest input wins, then the lowest VC.
};

/// What all routers of a network have in common. Delays are in cycles.
struct RouterSpec {
  /// VCs of each port: 1 to 32, times the queues of each. Queue q of VC v is VC number v * queues + q of its port.
  int32_t vcs = 2;
  int32_t buffer_flits = 36;     ///< Buffer of each input VC whose port does not say otherwise.
  int32_t min_packet_flits = 1;  ///< No packet is shorter than this,
  int32_t max_packet_flits = 1;  ///< and none longer; for kSpaceForPacket.
  int32_t routing_delay = 1;     ///< 0: the route is known when the packet arrives.
  int32_t vc_alloc_delay = 1;
  int32_t switch_alloc_delay = 1;
  int32_t switch_delay = 1;
  int32_t credit_delay = 0;      ///< From a credit's arrival until it can be used.
  int32_t internal_speedup = 1;  ///< Passes of the switch in a cycle; links still carry one flit a cycle.
  bool looks_ahead = false;      ///< The packet behind a tail has been routed when the tail leaves.
  Switching switching = Switching::kCreditPerFlit;
  Arbitration arbitration = Arbitration::kRoundRobin;
  experiment::QueuesSpec queues;      ///< The scheme of the queues of each input,
  congestion::Classifier classifier;  ///< and what it makes of them in this network.
};

/// One port of a router.
struct PortSpec {
  bool linked = false;       ///< Nothing may be sent where there is no link.
  bool host = false;         ///< The port leads to a host, so this is the first router of packets that arrive on it.
  int32_t buffer_flits = 0;  ///< Buffer of each input VC of this port.
  int32_t credits = 0;       ///< Initial credits of each output VC: the buffer at the other end.
  LinkRate pace;             ///< The rate of the port's link.
};

/// An input VC that has won the switch.
struct SwitchGrant {
  int32_t router = 0;
  uint16_t input = 0;
  bool granted = false;  ///< True if it was granted in this cycle; false if it holds the switch.
};

/// A flit that has won the switch.
struct FlitDeparture {
  uint32_t packet = 0;
  uint16_t input = 0;   ///< Input VC number.
  uint16_t output = 0;  ///< Output VC number.
  uint16_t in_port = 0;
  uint16_t out_port = 0;
  bool head = false;
  bool tail = false;
};

}  // namespace fabrictwin::router::input_queued
