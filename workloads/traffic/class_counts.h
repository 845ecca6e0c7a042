// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is measured of one of several classes of traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/base/latency_histogram.h"
#include "cosim/metric/sink.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/spec.h"
#include "workloads/traffic/time_base.h"

namespace fabrictwin::traffic {

/// Packets of a class: their latencies, and what each host has received of them. Its measurement says when counting
/// begins and ends. Times are ticks.
class ClassCounts {
 public:
  /// `pattern` outlives the counts.
  ClassCounts(const ClassSpec& spec, const DestinationPattern& pattern, size_t hosts)
      : spec_(spec), pattern_(pattern), words_(hosts), words_before_(hosts), counted_(hosts) {}

  void sent() { ++sent_; }
  void received(int32_t host, int32_t words) {
    ++received_;
    words_[static_cast<size_t>(host)] += static_cast<uint64_t>(words);
  }
  uint64_t received() const { return received_; }
  void add_latency(int64_t latency) { latencies_.add(latency); }

  /// What has been counted of a fixed time, for another process, and what comes from there.
  void pack(v1::TrafficCounts& counts) const;
  void add(const v1::TrafficCounts& counts);

  /// Begins to count.
  void clear();
  /// Takes what has been received since then as what counts.
  void count();

  /// The latencies of packets, as metrics have them.
  metric::Distribution latencies(const TimeBase& base) const {
    return metric::Distribution::of(latencies_, base.tick_seconds());
  }

  /// What counts is of `slots`; if `live`, all that has been received until now is. A packet has `packet_words`.
  void report(const TimeBase& base, int64_t slots, bool live, bool histogram, int32_t packet_words,
              v1::ClassReport& report) const;

 private:
  ClassSpec spec_;
  const DestinationPattern& pattern_;
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
  LatencyHistogram latencies_;
  std::vector<uint64_t> words_;         ///< By host: words received,
  std::vector<uint64_t> words_before_;  ///< before counting began,
  std::vector<uint64_t> counted_;       ///< and since then, as of the last count().
};

}  // namespace fabrictwin::traffic
