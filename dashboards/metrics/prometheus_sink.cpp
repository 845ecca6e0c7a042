// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/prometheus_sink.h"

#include <string>
#include <variant>

namespace fabrictwin::dashboards::metrics {
namespace {

prometheus::MetricType type_of(metric::Kind kind) {
  switch (kind) {
    case metric::Kind::kCounter:
      return prometheus::MetricType::Counter;
    case metric::Kind::kGauge:
      return prometheus::MetricType::Gauge;
    default:
      return prometheus::MetricType::Summary;
  }
}

}  // namespace

PrometheusSink::PrometheusSink() {
  for (const metric::Metric* metric : metric::catalogue()) {
    position_.emplace(metric, families_.size());
    prometheus::MetricFamily& family = families_.emplace_back();
    family.name = metric->name();
    family.help = metric->help();
    family.type = type_of(metric->kind());
  }
}

void PrometheusSink::take(const metric::Sample& sample) {
  prometheus::ClientMetric& series = families_[position_.at(&sample.metric)].metric.emplace_back();
  series.label.reserve(sample.labels.size());
  for (const metric::Label& label : sample.labels)
    series.label.push_back({std::string(label.name), std::string(label.value)});
  if (const double* value = std::get_if<double>(&sample.value)) {
    (sample.metric.kind() == metric::Kind::kCounter ? series.counter.value : series.gauge.value) = *value;
    return;
  }
  const auto& distribution = std::get<metric::Distribution>(sample.value);
  series.summary.sample_count = distribution.count;
  series.summary.sample_sum = distribution.sum;
  for (size_t i = 0; i < distribution.quantiles.size(); ++i)
    series.summary.quantile.push_back({metric::Distribution::kShares[i], distribution.quantiles[i]});
}

}  // namespace fabrictwin::dashboards::metrics
