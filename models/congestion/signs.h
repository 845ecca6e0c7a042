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
};

/// The record of a data packet's path, which its acknowledgement takes back to the sender.
struct PathRecord {
  int64_t sent = 0;       ///< When the packet began to leave its host.
  std::vector<Hop> hops;  ///< In order; empty unless the scheme wants telemetry.
};

/// An output of a switch, when a packet begins to leave by it.
struct PortState {
  uint32_t element = 0;         ///< The switch, in the order of the graph's elements.
  int32_t port = 0;             ///< The port there.
  int64_t now = 0;              ///< In femtoseconds.
  int64_t queue_bytes = 0;      ///< Bytes of data that wait for it, without the packet that leaves.
  uint64_t sent_bytes = 0;      ///< Bytes that it has sent, without the packet that leaves.
  uint64_t sent_packets = 0;    ///< Packets that it has sent, without the packet that leaves.
  int64_t bits_per_second = 0;  ///< Its rate.
};

/// What an acknowledgement tells the sender of a flow. Times are femtoseconds.
struct Feedback {
  int64_t now = 0;
  int64_t round_trip = 0;            ///< From the departure of the data packet until now.
  int64_t bytes = 0;                 ///< Bytes of data that it acknowledges.
  int64_t acknowledged = 0;          ///< Bytes of the flow that have been acknowledged, these included.
  int64_t sent = 0;                  ///< Bytes of the flow that have been sent.
  bool marked = false;               ///< The data packet had been marked.
  const PathRecord* path = nullptr;  ///< Valid during the call.
};

}  // namespace fabrictwin::congestion
