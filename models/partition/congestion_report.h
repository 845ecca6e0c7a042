// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report says of queues, pauses and what congestion management sent, at the end and over simulated time.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/fabric/transport_hosts.h"
#include "models/router/packet/sharded_network.h"

namespace fabrictwin::partition {

/// Follows the queues of a packet network. Not thread-safe.
class CongestionReport {
 public:
  /// What it follows outlives it. `flow_bytes` are bytes that have arrived, by flow; `hosts` those with a transport, by
  /// shard. Samples are taken each `interval`, none if that is zero.
  CongestionReport(const router::packet::ShardedNetwork& network, const system::SystemGraph& graph,
                   std::vector<const fabric::TransportHosts*> hosts, std::span<const uint64_t> flow_bytes,
                   Time interval)
      : network_(network),
        graph_(graph),
        hosts_(std::move(hosts)),
        flow_bytes_(flow_bytes),
        interval_(interval),
        next_(interval > Time::zero() ? interval : Time::never()) {}

  /// When the next sample is due; the network must not have been simulated beyond.
  Time next() const { return next_; }
  /// Takes all samples up to and including `until`, before which nothing happens.
  void sample(Time until);
  /// Adds everything to a report of a run that has come to `at`.
  void report(Time at, v1::Report& report) const;

 private:
  struct Point {
    Time end;
    std::vector<uint64_t> flow_bytes;  ///< By flow, or of all.
    int64_t queue_bytes = 0;
    uint64_t pauses = 0;
    uint64_t set_aside = 0;
  };

  void add_point(Time end);

  const router::packet::ShardedNetwork& network_;
  const system::SystemGraph& graph_;
  std::vector<const fabric::TransportHosts*> hosts_;
  std::span<const uint64_t> flow_bytes_;
  Time interval_;
  Time next_;
  std::vector<Point> points_;
};

}  // namespace fabrictwin::partition
