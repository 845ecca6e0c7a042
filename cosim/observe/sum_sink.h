// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What several partitions of a place measure, as series of the place.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/latency_histogram.h"
#include "cosim/metric/sink.h"

namespace fabrictwin::observe {

/// Adds up series of the same metric and labels, since a page must not have one twice: counters, gauges, which count
/// what there is now, and summaries of histograms. Of what is the largest of something, the largest value stays. Of a
/// summary whose quantiles are all that is known, the first one stays. Not thread-safe.
class SumSink final : public metric::Sink {
 public:
  void take(const metric::Sample& sample) override;
  /// Gives each series to `sink`, in the order in which they came first.
  void give(metric::Sink& sink) const;

 private:
  using Key = std::pair<const metric::Metric*, std::vector<std::string>>;
  struct Series {
    const metric::Metric* metric = nullptr;
    std::vector<std::pair<std::string, std::string>> labels;
    metric::Value value;
    std::unique_ptr<LatencyHistogram> values;  ///< Null but for a summary of a histogram.
    double unit = 0;                           ///< What the values of the histogram count in.
  };

  void take_values(const metric::Summary& metric, std::span<const metric::Label> labels, const LatencyHistogram& values,
                   double unit) override;
  /// The series with these labels, and whether it is a new one.
  std::pair<Series*, bool> series_of(const metric::Metric& metric, std::span<const metric::Label> labels);

  std::vector<Series> series_;
  std::map<Key, size_t> index_;  ///< Into `series_`.
};

}  // namespace fabrictwin::observe
