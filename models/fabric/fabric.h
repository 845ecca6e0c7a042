// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers and links of a system as its partition sees them, whatever the router model.
#pragma once

#include <cstdint>
#include <span>

#include "cosim/base/time.h"
#include "cosim/link/counters.h"
#include "cosim/observe/occupancy_series.h"
#include "models/fabric/earliest_failure.h"

namespace fabrictwin::fabric {

/// Routers and links of one model. What leaves them is words for EXANET routers, which the sockets of
/// router::exanet::Fabric carry, and whole packets for the others (PacketFabric). Not thread-safe.
class Fabric {
 public:
  virtual ~Fabric() = default;

  /// When something happens next; Time::never() if nothing does.
  virtual Time next_time() const = 0;
  /// Simulates everything before `until`. Ends sooner at a failure.
  virtual void run(Time until) = 0;
  /// Whether a router or link has failed, and the first failure, which says its time.
  virtual bool failed() const = 0;
  virtual EarliestFailure failure() const = 0;

  /// Sets the counters of all channels of the graph to what had been sent before `time`, up to which run() has been
  /// called.
  virtual void update_counters(Time time, std::span<link::LinkCounters> counters) const = 0;
  /// Steps of the simulation, which cost about the same each.
  virtual uint64_t events() const = 0;
  /// Routers whose buffers are sampled, and the flits that fit into one with the most ports.
  virtual int32_t routers() const = 0;
  virtual int64_t buffer_capacity() const = 0;
  /// How full the input buffers of routers are now, or at the last sample if the fabric knows no other time.
  virtual observe::BufferFill buffer_fill() const = 0;
  /// Takes the samples up to and including `until`. Nothing else happens before `until`, and run() has not gone beyond
  /// series.next().
  virtual void sample_buffers(observe::OccupancySeries& series, Time until) {
    if (series.next() <= until) series.add(buffer_fill(), until);
  }
};

/// A fabric that carries whole packets between hosts that are a Client, or a workload of bare packets. run() also ends
/// when the hosts have nothing left to simulate; then what has happened does not depend on its argument.
class PacketFabric : public Fabric {
 public:
  /// Whether the hosts ended the run. It must not run again then.
  virtual bool stopped() const = 0;
  /// Sum over packets of the links that they crossed.
  virtual uint64_t packet_hops() const = 0;
  /// Packets that have begun to leave their host and have not arrived.
  virtual uint64_t packets_in_flight() const = 0;
};

}  // namespace fabrictwin::fabric
