// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What packets carry for congestion management, and what switches and hosts see of it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace fabrictwin::congestion {

/// What a switch writes into a packet that leaves it (in-band network telemetry). Times are femtoseconds.
struct Hop {
  int64_t time = 0;             ///< When the packet begins to leave.
  uint64_t sent_bytes = 0;      ///< Bytes that the port has sent so far, without this packet.
  int64_t queue_bytes = 0;      ///< Bytes that wait behind it for the port.
  int64_t bits_per_second = 0;  ///< The rate of the port.
  uint32_t output = 0;          ///< The port among all ports of the network.
};

/// What an output and a flow have agreed on. Outputs have no state of single flows: packets bring it along. Rates are
/// bits per second.
struct Allotment {
  uint32_t output = 0;   ///< PortState::output.
  bool limited = false;  ///< The output limits the flow; otherwise another one does.
  bool ignored = false;  ///< Its share is not to be relied on yet.
  int64_t rate = 0;      ///< What the output reckons with for the flow.
  int64_t share = 0;     ///< What it would give to a flow that nothing else limits.
  int64_t period = 0;    ///< The period of the output in which the flow was there last.
};

/// The allotments of a flow at the outputs of its path, which a packet takes along.
struct Allotments {
  std::vector<Allotment> outputs;  ///< In the order of the path.
  uint32_t passed = 0;             ///< Outputs that the packet has passed.
  int32_t max_packet = 0;          ///< Bytes of a largest packet on a link.
  int64_t interval = 0;            ///< No flow asks less often than that, in femtoseconds.
  bool leaving = false;            ///< The flow gives up what it has.
};

/// The record of a packet's path, which the acknowledgement of a data packet takes back to the sender.
struct PathRecord {
  int64_t sent = 0;       ///< When the packet began to leave its host.
  std::vector<Hop> hops;  ///< In order; those that the switch side of the scheme adds.
  Allotments allotments;  ///< Set by schemes that use it.
};

/// An output of a switch (or of a host, if Scheme::manages_hosts()), when a packet begins to leave by it.
struct PortState {
  uint32_t element = 0;         ///< The switch, in the order of the graph's elements.
  int32_t port = 0;             ///< The port there.
  int64_t now = 0;              ///< In femtoseconds.
  int64_t queue_bytes = 0;      ///< Bytes of data that wait for it, without the packet that leaves.
  uint64_t sent_bytes = 0;      ///< Bytes that it has sent, without the packet that leaves.
  uint64_t sent_packets = 0;    ///< Packets that it has sent, without the packet that leaves.
  int64_t bits_per_second = 0;  ///< Its rate.
  int32_t packet_bytes = 0;     ///< Bytes of the packet that leaves.
  uint32_t output = 0;          ///< The port among all ports of the network.
  bool to_host = false;         ///< It leads to a host.
  /// It could not send for some time since the packet came, as it was paused or had no credits.
  bool blocked = false;
};

/// What an acknowledgement tells the sender of a flow. Times are femtoseconds.
struct Feedback {
  int64_t now = 0;
  int64_t round_trip = 0;            ///< From the departure of the data packet until now.
  int64_t bytes = 0;                 ///< Bytes of data that it acknowledges.
  int64_t acknowledged = 0;          ///< Bytes of the flow that have been acknowledged, these included.
  int64_t sent = 0;                  ///< Bytes of the flow that have been sent.
  bool marked = false;               ///< The data packet had been marked.
  const PathRecord* path = nullptr;  ///< Valid during the call; null if the packet had none.
};

}  // namespace fabrictwin::congestion
