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
#include "cosim/experiment/experiment.h"
#include "cosim/link/counters.h"
#include "models/host/workload.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/packet_gaps.h"

namespace fabrictwin::traffic {

class TrafficEndpoint;

/// What all hosts of a traffic workload share.
struct TrafficState {
  experiment::TrafficSpec spec;
  experiment::StatisticsSpec statistics;
  DestinationPattern pattern;
  uint64_t seed = 0;
  int32_t hosts = 0;
  Clock word_clock{Frequency{1}};  ///< Word clock of the links between routers: the unit of load.
  int64_t slots = 0;               ///< Word slots before the end of generation.
  int64_t packet_words = 0;
  PacketGaps gaps;                          ///< Gaps of an open loop.
  bool closed = false;                      ///< The process is a closed loop.
  std::vector<TrafficEndpoint*> endpoints;  ///< By host.

  link::Counter reached;   ///< Femtoseconds: the latest time at which a host generated or received a packet.
  int32_t generating = 0;  ///< Hosts that will still generate packets.
  uint64_t in_flight = 0;  ///< Packets sent to the network that have not arrived.
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t received_in_time = 0;      ///< Packets received before the end of generation.
  std::vector<uint64_t> received_by;  ///< By host: packets received before the end of generation.
  LatencyHistogram latencies;         ///< In femtoseconds; independent of the order of additions.
};

/// Each host generates packets according to the process for the experiment's duration, with destinations from the
/// pattern; then the network drains. Load counts the words of a packet (header, footer, envelope and body) against the
/// word slots of a link between routers.
class UniformTraffic final : public host::Workload {
 public:
  /// Requires at least two hosts and a payload of 32 (the envelope) to 256 bytes.
  UniformTraffic(const experiment::TrafficSpec& spec, DestinationPattern pattern, Bandwidth link_rate, uint64_t seed,
                 int32_t hosts, const experiment::StatisticsSpec& statistics = {});

  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  void measure(metric::Sink& sink) const override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  void add_measured(v1::TrafficReport& traffic) const;

  std::shared_ptr<TrafficState> state_;
};

}  // namespace fabrictwin::traffic
