// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/metric/sink.h"

#include <algorithm>
#include <cmath>

namespace fabrictwin::metric {

Distribution Distribution::of(const LatencyHistogram& histogram, double unit) {
  Distribution distribution;
  distribution.count = histogram.count();
  distribution.sum = histogram.mean() * unit * static_cast<double>(histogram.count());
  for (size_t i = 0; i < kShares.size(); ++i) {
    const auto ten_thousandths = static_cast<int32_t>(std::lround(kShares[i] * 10000));
    distribution.quantiles[i] = static_cast<double>(histogram.percentile(ten_thousandths)) * unit;
  }
  return distribution;
}

void Sink::add_series(const Metric& metric, const Value& value, Labels labels) {
  std::array<Label, Declaration::kMaxLabels> pairs;
  const size_t count = std::min(metric.labels().size(), labels.size());
  for (size_t i = 0; i < count; ++i) pairs[i] = {metric.labels()[i], labels.begin()[i]};
  take({metric, std::span(pairs).first(count), value});
}

}  // namespace fabrictwin::metric
