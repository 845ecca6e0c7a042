// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/sum_sink.h"

#include <algorithm>
#include <variant>

namespace fabrictwin::observe {

std::pair<SumSink::Series*, bool> SumSink::series_of(const metric::Metric& metric,
                                                     std::span<const metric::Label> labels) {
  Key key{&metric, {}};
  for (const metric::Label& label : labels) key.second.emplace_back(label.value);
  const auto [found, added] = index_.emplace(std::move(key), series_.size());
  if (!added) return {&series_[found->second], false};
  Series& series = series_.emplace_back();
  series.metric = &metric;
  for (const metric::Label& label : labels) series.labels.emplace_back(label.name, label.value);
  return {&series, true};
}

void SumSink::take(const metric::Sample& sample) {
  const auto [series, added] = series_of(sample.metric, sample.labels);
  if (added) {
    series->value = sample.value;
    return;
  }
  double* const sum = std::get_if<double>(&series->value);
  const double* const more = std::get_if<double>(&sample.value);
  if (sum == nullptr || more == nullptr) return;
  *sum = sample.metric.largest() ? std::max(*sum, *more) : *sum + *more;
}

void SumSink::take_values(const metric::Summary& metric, std::span<const metric::Label> labels,
                          const LatencyHistogram& values, double unit) {
  const auto [series, added] = series_of(metric, labels);
  if (added) {
    series->values = std::make_unique<LatencyHistogram>(values);
    series->unit = unit;
  } else if (series->values != nullptr && series->unit == unit) {
    series->values->merge(values);
  }
}

void SumSink::give(metric::Sink& sink) const {
  std::vector<metric::Label> labels;
  for (const Series& series : series_) {
    labels.clear();
    for (const auto& [name, value] : series.labels) labels.push_back({name, value});
    if (series.values == nullptr) {
      sink.take({*series.metric, labels, series.value});
    } else {
      const metric::Value sum = metric::Distribution::of(*series.values, series.unit);
      sink.take({*series.metric, labels, sum});
    }
  }
}

}  // namespace fabrictwin::observe
