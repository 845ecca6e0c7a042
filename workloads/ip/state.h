// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the hosts of programs over IP share.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "cosim/base/latency_histogram.h"
#include "cosim/base/time.h"
#include "workloads/ip/spec.h"

namespace fabrictwin::ip {

/// What has been measured of a stream. The source writes the first, the destination the rest.
struct StreamResult {
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t dropped = 0;
  uint64_t bytes = 0;  ///< What has been read of the user's.
  Time last;           ///< When the last datagram was read.
};

/// What has been measured of a ping, by its source.
struct PingResult {
  uint64_t sent = 0;
  LatencyHistogram round_trips;  ///< In femtoseconds.
};

/// Each host writes results of its own, so that hosts may run on several threads.
struct State {
  explicit State(IpSpec what) : spec(std::move(what)), streams(spec.streams.size()), pings(spec.pings.size()) {}

  uint32_t flow_of_ping(size_t ping) const { return static_cast<uint32_t>(spec.streams.size() + ping); }

  IpSpec spec;
  std::vector<StreamResult> streams;
  std::vector<PingResult> pings;
  std::atomic<uint64_t> ended{0};  ///< Datagrams that have been read or dropped, and round trips.
};

}  // namespace fabrictwin::ip
