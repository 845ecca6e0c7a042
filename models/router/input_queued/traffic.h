// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/kernel/timing_wheel.h"
#include "models/router/input_queued/packet.h"

namespace fabrictwin::router::input_queued {

/// What the hosts of a Network send and receive.
class Traffic {
 public:
  static constexpr int64_t kNever = kernel::TimingWheel::kNever;
  /// The host has no packet that it could send now. It is asked again when it is woken (Network::wake_host) or gets a
  /// credit.
  static constexpr int64_t kWait = -1;
  virtual ~Traffic() = default;
  /// Returns the next packet of a host; called once all earlier ones have left. If it exists at `cycle`, fills source,
  /// destination, flits, created and any fields of its own, and returns `cycle`; otherwise returns the cycle at which
  /// to call again, kNever or kWait.
  virtual int64_t next_packet(int32_t host, int64_t cycle, Packet& packet) = 0;
  /// Gives the next packet of one of the queues of a host, if there are several (Config::source_queues).
  virtual int64_t next_packet_of(int32_t host, int32_t queue, int64_t cycle, Packet& packet) {
    (void)queue;
    return next_packet(host, cycle, packet);
  }
  /// Called when the last flit of a packet has arrived.
  virtual void packet_arrived(const Packet& packet, int64_t cycle) = 0;
  /// Called after packet_arrived(). Returns the later cycle in which the packet's source has its next packet in the
  /// queue of this one if next_packet() returned kNever and that has changed; otherwise kNever.
  virtual int64_t resume_source(const Packet& packet, int64_t cycle) {
    (void)packet;
    (void)cycle;
    return kNever;
  }
  /// Called once in a cycle, after all arrivals and before hosts and routers act.
  virtual void settle(int64_t cycle) { (void)cycle; }
  /// Called after packet_arrived() if Config::hold_packets: the cycle from which on the buffer that holds the packet at
  /// its destination is free, not before `cycle`.
  virtual int64_t free_from(const Packet& packet, int64_t cycle) {
    (void)packet;
    return cycle;
  }
};

}  // namespace fabrictwin::router::input_queued
