// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic of bare packets, by flit cycle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/fifo.h"
#include "cosim/base/random.h"
#include "models/router/input_queued/packet_workload.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/measurement.h"
#include "workloads/traffic/packet_gaps.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin::traffic {

/// Generates the packets of all hosts of a network of input-queued routers. It exists for the speed of sweeps: a packet
/// is a few numbers, and there are no messages, bytes or events of hosts. A host creates packets according to the
/// process; those that cannot leave yet wait at the host, in an unbounded queue. As no host of an open loop depends on
/// the network, only the front of its queue has to exist; in a closed loop, the times from which on each entry of the
/// window is free.
class CycleGenerator final : public router::input_queued::PacketWorkload {
 public:
  /// A load of `spec` is in flits per cycle. `pattern` and `measurement`, whose ticks are cycles, outlive it.
  CycleGenerator(const TrafficSpec& spec, const DestinationPattern& pattern, Measurement& measurement, uint64_t seed,
                 int32_t hosts);

  void bind(std::span<observe::EndpointDigest> digests, const Clock& clock) override;
  int64_t next_packet(int32_t host, int64_t cycle, router::input_queued::Packet& packet) override;
  void packet_arrived(const router::input_queued::Packet& packet, int64_t cycle) override;
  int64_t resume_source(const router::input_queued::Packet& packet, int64_t cycle) override;
  int32_t min_packet_flits() const override { return flits_; }
  int64_t next_check() const override { return measurement_.next_check(); }
  void check(int64_t cycle, const router::input_queued::Network& network) override;
  bool finished() const override { return measurement_.over(); }

 private:
  struct Host {
    RandomStream gaps;
    RandomStream destinations;
    RandomStream ties;
    int64_t created = -1;   ///< Creation time of the packet at the front of its queue; kNever if there is none.
    uint64_t sequence = 0;  ///< Sequence of that packet.
  };

  const DestinationPattern& pattern_;
  Measurement& measurement_;
  PacketGaps gaps_;
  std::vector<Host> hosts_;
  std::vector<Fifo<int64_t>> ready_;  ///< By host, in a closed loop: when each further packet may be created.
  Time think_time_;
  int64_t think_cycles_ = 0;
  bool sampled_;
  int64_t end_ = router::input_queued::Traffic::kNever;  ///< No packet is created from this cycle on.
  uint16_t flits_ = 0;                                   ///< Flits of a packet.
  int64_t undrained_ = 0;                                ///< Hosts with packets that were created before draining.
  std::span<observe::EndpointDigest> digests_;
  const Clock* clock_ = nullptr;
  std::vector<uint64_t> flits_received_;  ///< By host, at the last check.
};

}  // namespace fabrictwin::traffic
