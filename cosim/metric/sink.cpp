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

std::span<const Label> Sink::pair(const Metric& metric, Labels labels, Pairs& pairs) {
  const size_t count = std::min(metric.labels().size(), labels.size());
  for (size_t i = 0; i < count; ++i) pairs[i] = {metric.labels()[i], labels.begin()[i]};
  return std::span(pairs).first(count);
}

void Sink::add_series(const Metric& metric, const Value& value, Labels labels) {
  Pairs pairs;
  take({metric, pair(metric, labels, pairs), value});
}

void Sink::add(const Summary& metric, const LatencyHistogram& values, double unit, Labels labels) {
  Pairs pairs;
  if (values.count() > 0) take_values(metric, pair(metric, labels, pairs), values, unit);
}

void Sink::take_values(const Summary& metric, std::span<const Label> labels, const LatencyHistogram& values,
                       double unit) {
  const Value value = Distribution::of(values, unit);
  take({metric, labels, value});
}

}  // namespace fabrictwin::metric
