// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the hosts of a workload of Puts share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/time.h"
#include "cosim/link/counters.h"
#include "workloads/puts/spec.h"

namespace fabrictwin::puts {

/// Puts are numbered across all sizes and streams: with S streams and n Puts each, Put k of stream s and size z has
/// number (z S + s) n + k. Not thread-safe, except for `arrived`.
struct State {
  /// Results of the Puts of one size that have arrived.
  struct Size {
    uint64_t count = 0;
    Time first_start;
    Time last_arrival;
    Time sum, least, most;  ///< Sum, minimum and maximum of the latencies.
  };

  explicit State(const PutsSpec& what) : spec(what), sizes(what.sizes.size()) {}

  uint64_t streams() const { return spec.destinations.size(); }
  uint64_t number(size_t size, uint64_t stream, int32_t put) const {
    return (size * streams() + stream) * static_cast<uint64_t>(spec.count) + static_cast<uint64_t>(put);
  }
  uint64_t stream_of(uint64_t number) const { return number / static_cast<uint64_t>(spec.count) % streams(); }
  size_t size_of(uint64_t number) const { return number / static_cast<uint64_t>(spec.count) / streams(); }

  void start(uint64_t number, Time now) { starts.emplace(number, now); }
  void arrive(uint64_t number, Time now) {
    Size& size = sizes[size_of(number)];
    const auto found = starts.find(number);
    if (found == starts.end()) return;
    const Time latency = now - found->second;
    size.first_start = size.count == 0 ? found->second : std::min(size.first_start, found->second);
    size.last_arrival = std::max(size.last_arrival, now);
    size.least = size.count == 0 ? latency : std::min(size.least, latency);
    size.most = std::max(size.most, latency);
    size.sum += latency;
    ++size.count;
    starts.erase(found);
    arrived.add(1);
  }

  PutsSpec spec;
  std::vector<Size> sizes;
  absl::flat_hash_map<uint64_t, Time> starts;  ///< Start times of Puts in flight.
  link::Counter arrived;
  bool finished = false;
  Time end;
};

}  // namespace fabrictwin::puts
