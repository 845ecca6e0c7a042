// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An interface for following some packets of an input-queued network.
#pragma once

#include <cstdint>

#include "models/router/input_queued/packet.h"

namespace fabrictwin::router::input_queued {

struct End;

/// Follows some packets through a Network, which makes all calls but wants() for these packets only.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Whether to follow a packet that a host is about to send.
  virtual bool wants(const Packet& packet) = 0;
  /// The first flit of a packet leaves a router or host in cycle `left`, and is in the next buffer in cycle `arrives`.
  virtual void packet_moves(const Packet& packet, const End& from, int64_t left, int64_t arrives) = 0;
  /// The last flit of a packet has arrived.
  virtual void packet_arrived(const Packet& packet, int64_t cycle) = 0;
};

}  // namespace fabrictwin::router::input_queued
