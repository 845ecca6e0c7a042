// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/pack_latencies.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fabrictwin::observe {

bool is_sound(const v1::LatencyCounts& counts) {
  return counts.least_size() == counts.count_size() && counts.min() >= 0 && counts.max() >= counts.min() &&
         std::all_of(counts.least().begin(), counts.least().end(), [](int64_t least) { return least >= 0; });
}

void pack_latencies(const LatencyHistogram& latencies, v1::LatencyCounts& counts) {
  for (const LatencyHistogram::Bucket& bucket : latencies.buckets()) {
    counts.add_least(bucket.least);
    counts.add_count(bucket.count);
  }
  counts.set_sum_high(static_cast<uint64_t>(latencies.sum() >> 64));
  counts.set_sum_low(static_cast<uint64_t>(latencies.sum()));
  counts.set_min(latencies.min());
  counts.set_max(latencies.max());
}

void unpack_latencies(const v1::LatencyCounts& counts, LatencyHistogram& latencies) {
  std::vector<LatencyHistogram::Bucket> buckets;
  for (int i = 0; i < counts.least_size(); ++i) buckets.push_back({counts.least(i), counts.least(i), counts.count(i)});
  latencies.merge(buckets, static_cast<unsigned __int128>(counts.sum_high()) << 64 | counts.sum_low(), counts.min(),
                  counts.max());
}

}  // namespace fabrictwin::observe
