// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A workload of bare packets, for networks whose flits carry no payload.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/observe/digest.h"
#include "models/host/workload.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::router::input_queued {

/// The workload on the hosts of a Network. Times are router cycles.
class PacketWorkload : public Traffic {
 public:
  /// Called before the first cycle. `digests`, by node, take what hosts receive; `clock` counts the cycles. Both
  /// outlive the workload.
  virtual void bind(std::span<observe::EndpointDigest> digests, const Clock& clock) = 0;
  /// Queues of packets at each host: Network::Config::source_queues.
  virtual int32_t source_queues() const { return 1; }
  /// Flits of the workload's shortest packet.
  virtual int32_t min_packet_flits() const = 0;
  /// The next cycle before which check() is due; later than the last one checked.
  virtual int64_t next_check() const = 0;
  /// Called once everything before `cycle`, which is next_check(), has been simulated.
  virtual void check(int64_t cycle, const Network& network) = 0;
  /// Called before the first cycle where other hosts are in other partitions: which ones are here. Others create
  /// nothing here.
  virtual void keep_hosts(std::vector<bool> here) = 0;
  /// The last cycle in which a packet was created or arrived here, or that of the last check() if it is later.
  virtual int64_t reached() const = 0;
  /// Whether nothing more is to be simulated; with keep_hosts(): whether the hosts here create nothing more, and what
  /// they have sent to each other has arrived.
  virtual bool finished() const = 0;
};

/// A host::Workload may be one: it can send bare packets instead of making processes.
class SendsPackets {
 public:
  virtual ~SendsPackets() = default;
  /// Null if it makes processes.
  virtual PacketWorkload* packets() = 0;
};

/// The bare packets of a workload; null if it makes processes.
inline PacketWorkload* packets_of(host::Workload& workload) {
  auto* const sends = dynamic_cast<SendsPackets*>(&workload);
  return sends == nullptr ? nullptr : sends->packets();
}

}  // namespace fabrictwin::router::input_queued
