// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthetic traffic through endpoints.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/latency_histogram.h"
#include "cosim/base/time.h"
#include "cosim/run/counters.h"
#include "cosim/run/experiment.h"
#include "models/workload.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/packet_gaps.h"

namespace fabrictwin {

class TrafficEndpoint;

/// What all hosts of a traffic workload share.
struct TrafficState {
  TrafficSpec spec;
  StatisticsSpec statistics;
  DestinationPattern pattern;
  uint64_t seed = 0;
  int32_t hosts = 0;
  Clock word_clock{Frequency{1}};  ///< Of the links between routers: the unit of load.
  int64_t slots = 0;               ///< Word slots before the end of generation.
  int64_t packet_words = 0;
  PacketGaps gaps;                          ///< Of an open loop.
  bool closed = false;                      ///< A closed loop.
  std::vector<TrafficEndpoint*> endpoints;  ///< By host.

  Counter reached;         ///< Femtoseconds: the latest time at which a host generated or received a packet.
  int32_t generating = 0;  ///< Hosts that will still generate packets.
  uint64_t in_flight = 0;  ///< Packets given to the network that have not arrived.
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t received_in_time = 0;      ///< Before the end of generation.
  std::vector<uint64_t> received_by;  ///< The same by host.
  LatencyHistogram latencies;         ///< In femtoseconds. It does not depend on the order of additions.
};

/// A host generates packets as the process says for the experiment's duration, each for a host that the pattern says;
/// then the network drains. Load counts the words of a packet (header, footer, envelope and
/// body) against the word slots of a link between routers.
class UniformTraffic final : public Workload {
 public:
  /// At least two hosts; a payload of 32 (the envelope) to 256 bytes.
  UniformTraffic(const TrafficSpec& spec, DestinationPattern pattern, Bandwidth link_rate, uint64_t seed, int32_t hosts,
                 const StatisticsSpec& statistics = {});

  absl::StatusOr<std::unique_ptr<HostProcess>> make_process(int32_t node, EndpointDigest* digest) override;
  void measure(v1::Report& report) const override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  std::shared_ptr<TrafficState> state_;
};

}  // namespace fabrictwin
