// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic measured in the steady state: warm-up, measurement, drain.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cosim/base/fifo.h"
#include "cosim/base/latency_histogram.h"
#include "cosim/base/random.h"
#include "cosim/experiment/experiment.h"
#include "cosim/link/counters.h"
#include "models/host/workload.h"
#include "models/router/input_queued/packet_workload.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/packet_gaps.h"

namespace fabrictwin::traffic {

/// Traffic of bare packets; see Traffic in traffic.proto. A host creates packets according to the process; those that
/// cannot leave yet wait at the host, in an unbounded queue. As no host of an open loop depends on the network, only
/// the front of its queue has to exist; in a closed loop, the times from which on each entry of the window is free.
class SteadyTraffic final : public host::Workload, public router::input_queued::PacketWorkload {
 public:
  SteadyTraffic(const experiment::TrafficSpec& spec, DestinationPattern pattern, uint64_t seed, int32_t hosts,
                const experiment::StatisticsSpec& statistics = {});

  absl::StatusOr<std::unique_ptr<host::Endpoint>> make_endpoint(int32_t node, observe::EndpointDigest* digest) override;
  router::input_queued::PacketWorkload* packets() override { return this; }
  void measure(metric::Sink& sink) const override;
  void report(v1::Report& report) const override;
  double done() const override;

  void bind(std::span<observe::EndpointDigest> digests, const Clock& clock, double full_load) override;
  int64_t next_packet(int32_t host, int64_t cycle, router::input_queued::Packet& packet) override;
  void packet_arrived(const router::input_queued::Packet& packet, int64_t cycle) override;
  int64_t resume_source(const router::input_queued::Packet& packet, int64_t cycle) override;
  int32_t min_packet_flits() const override { return flits_; }
  int64_t next_check() const override { return next_check_; }
  void check(int64_t cycle, const router::input_queued::Network& network) override;
  bool finished() const override { return finished_; }

 private:
  enum class Phase : uint8_t { kWarmup, kMeasurement, kDrain };
  struct Host {
    RandomStream gaps;
    RandomStream destinations;
    RandomStream ties;
    int64_t created = -1;   ///< Creation time of the packet at the front of its queue; kNever if there is none.
    uint64_t sequence = 0;  ///< Sequence of that packet.
  };
  /// Sums over packets; integers, so that the order of additions does not matter.
  struct Sums {
    uint64_t packets = 0;
    uint64_t latency = 0;
    uint64_t network_latency = 0;
    uint64_t hops = 0;
    int64_t min = router::input_queued::Traffic::kNever;
    int64_t max = 0;
  };

  /// Measured packets that were created in one sample.
  struct Batch {
    uint64_t packets = 0;
    uint64_t latency = 0;  ///< Sum of latencies.
  };

  void clear(int64_t cycle, const router::input_queued::Network& network);
  void accept(int64_t cycle, const router::input_queued::Network& network);
  bool too_slow(const router::input_queued::Network::InFlight& in_flight) const;
  void end_sample(int64_t cycle, const router::input_queued::Network& network);
  void begin_drain(int64_t cycle);
  void add_to_batch(int64_t created, int64_t latency);
  std::optional<double> latency_confidence() const;
  bool confident() const;
  bool narrow() const;
  void add_measured(v1::TrafficReport& traffic) const;
  void scale_loads(v1::TrafficReport& traffic) const;
  std::string missed_warning(const v1::TrafficReport& traffic) const;

  experiment::TrafficSpec spec_;
  experiment::StatisticsSpec statistics_;
  DestinationPattern pattern_;
  PacketGaps gaps_;
  std::vector<Host> hosts_;
  std::vector<Fifo<int64_t>> ready_;  ///< By host, in a closed loop: when each further packet may be created.
  int64_t think_cycles_ = 0;
  uint16_t flits_ = 0;  ///< Flits of a packet.
  std::span<observe::EndpointDigest> digests_;
  const Clock* clock_ = nullptr;
  double full_load_ = 1;  ///< Flits per cycle of a link that is never idle.

  Phase phase_ = Phase::kWarmup;
  int64_t next_check_;
  int32_t samples_ = 0;  ///< Completed samples.
  int32_t steady_ = 0;   ///< Consecutive samples that changed little.
  bool missed_ = false;  ///< The measurement ended without the requested confidence.
  bool clear_next_ = false;
  bool saturated_ = false;
  bool finished_ = false;
  int64_t drain_ = router::input_queued::Traffic::kNever;  ///< When draining began.
  uint64_t outstanding_ = 0;                               ///< Measured packets in the network.
  int64_t undrained_ = 0;                                  ///< Hosts with packets that were created before draining.
  Sums sums_;
  LatencyHistogram latencies_;  ///< Latencies of measured packets.
  std::vector<Batch> batches_;
  std::vector<double> accepted_batches_;  ///< Flits per host and cycle in each sample of the measurement.
  uint64_t accepted_before_ = 0;          ///< Flits before the current sample.
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
  double last_latency_ = 0;
  double last_accepted_ = 0;
  int64_t cleared_ = 0;                  ///< When counting began.
  std::vector<uint64_t> flits_before_;   ///< By host: flits before counting began.
  std::vector<uint64_t> flits_counted_;  ///< By host: flits since counting began.
  int64_t counted_cycles_ = 0;
  link::Counter progress_;  ///< Completed samples, for progress displays.
};

}  // namespace fabrictwin::traffic
