// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic of bare packets, by flit cycle.
#pragma once

#include <cstddef>
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
/// is a few numbers, and there are no messages, bytes or events of hosts. A host creates packets of a class according
/// to its process; those that cannot leave yet wait at the host, in an unbounded queue for each class. As no host of an
/// open loop depends on the network, only the front of a queue has to exist; in a closed loop, the times from which on
/// each entry of the window is free.
class CycleGenerator final : public router::input_queued::PacketWorkload {
 public:
  /// A load of `spec` is in flits per cycle. `patterns`, by class, and `measurement`, whose ticks are cycles, outlive
  /// it.
  CycleGenerator(const TrafficSpec& spec, std::span<const DestinationPattern> patterns, Measurement& measurement,
                 uint64_t seed, int32_t hosts);

  void bind(std::span<observe::EndpointDigest> digests, const Clock& clock) override;
  int32_t source_queues() const override { return static_cast<int32_t>(classes_.size()); }
  int64_t next_packet(int32_t host, int64_t cycle, router::input_queued::Packet& packet) override {
    return next_packet_of(host, 0, cycle, packet);
  }
  int64_t next_packet_of(int32_t host, int32_t queue, int64_t cycle, router::input_queued::Packet& packet) override;
  void packet_arrived(const router::input_queued::Packet& packet, int64_t cycle) override;
  int64_t resume_source(const router::input_queued::Packet& packet, int64_t cycle) override;
  int32_t min_packet_flits() const override;
  int64_t next_check() const override { return measurement_.next_check(); }
  void check(int64_t cycle, const router::input_queued::Network& network) override;
  void keep_hosts(std::vector<bool> here) override;
  int64_t reached() const override { return measurement_.reached(); }
  bool finished() const override { return measurement_.over(); }

 private:
  /// What a host creates of a class.
  struct Source {
    RandomStream gaps;
    RandomStream destinations;
    RandomStream ties;
    int64_t created = -1;  ///< Creation time of the packet at the front of its queue; kNever if there is none.
    uint64_t packets = 0;  ///< Packets before that one.
  };
  struct Class {
    const DestinationPattern* pattern = nullptr;
    PacketGaps gaps;           ///< In an open loop.
    bool closed = false;       ///< The process is a closed loop.
    int64_t think_cycles = 0;  ///< In a closed loop.
    int64_t end = 0;           ///< No packet is created from this cycle on.
    uint16_t flits = 0;        ///< Flits of a packet.
    size_t first = 0;          ///< The source of host 0.
  };

  bool is_here(int32_t host) const { return here_.empty() || here_[static_cast<size_t>(host)]; }
  void add_class(const ClassSpec& spec, const DestinationPattern& pattern, uint64_t seed, int32_t hosts);

  Measurement& measurement_;
  std::vector<Class> classes_;
  std::vector<Source> sources_;       ///< By class, and then by host.
  std::vector<Fifo<int64_t>> ready_;  ///< As `sources_`, in a closed loop: when each further packet may be created.
  std::vector<uint64_t> sequence_;    ///< By host: packets of all classes that have left.
  std::vector<bool> here_;            ///< By host, whether it is in this partition; empty if all are.
  bool sampled_;
  int64_t end_ = router::input_queued::Traffic::kNever;  ///< No packet is created from this cycle on.
  int64_t undrained_ = 0;                                ///< Sources with packets that were created before draining.
  std::span<observe::EndpointDigest> digests_;
  const Clock* clock_ = nullptr;
  std::vector<uint64_t> flits_received_;  ///< By host, at the last check.
};

}  // namespace fabrictwin::traffic
