// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversion of histograms to report messages.
#pragma once

#include <string>
#include <string_view>

#include "cosim/base/latency_histogram.h"
#include "fabrictwin/v1/report.pb.h"
#include "fmt/format.h"

namespace fabrictwin::observe {

/// Fills in the percentiles and, if `whole`, the buckets; `unit` converts values of the histogram to the report's unit.
template <typename Distribution>
void report_percentiles(const LatencyHistogram& histogram, double unit, bool whole, Distribution& report) {
  const auto at = [&](int32_t share) { return static_cast<double>(histogram.percentile(share)) * unit; };
  report.set_p50(at(5000));
  report.set_p90(at(9000));
  report.set_p99(at(9900));
  report.set_p99_9(at(9990));
  report.set_p99_99(at(9999));
  if (!whole) return;
  for (const LatencyHistogram::Bucket& bucket : histogram.buckets()) {
    v1::HistogramBucket& line = *report.add_histogram();
    line.set_least(static_cast<double>(bucket.least) * unit);
    line.set_greatest(static_cast<double>(bucket.greatest) * unit);
    line.set_count(bucket.count);
  }
}

/// Reports a histogram of times; `unit` is its unit in seconds, by default a femtosecond.
inline void report_latencies(const LatencyHistogram& times, bool whole, v1::LatencySeconds& report,
                             double unit = 1e-15) {
  report.set_count(times.count());
  report.set_mean(times.mean() * unit);
  report.set_min(static_cast<double>(times.min()) * unit);
  report.set_max(static_cast<double>(times.max()) * unit);
  report_percentiles(times, unit, whole, report);
}

/// The warning of a traffic report without latencies. Unless the run was `stopped`, it tells the user to raise
/// `fields`.
inline std::string no_latency_warning(bool stopped, std::string_view fields) {
  return stopped ? "the run was stopped before a packet was measured, so the traffic has no latency; let it run longer"
                 : fmt::format("no packet was measured, so the traffic has no latency; raise {}", fields);
}

/// Whether the traffic was measured in samples, so that the network can be told to be saturated.
inline bool is_sampled(const v1::TrafficReport& traffic) { return traffic.has_saturated(); }

/// False if nothing has been measured, as before the end of the first sample: accepted_load is then 0 and has no
/// meaning.
inline bool has_accepted_load(const v1::TrafficReport& traffic) {
  return !traffic.has_measured_cycles() || traffic.measured_cycles() > 0;
}

}  // namespace fabrictwin::observe
