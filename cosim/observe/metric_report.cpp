// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/metric_report.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace fabrictwin::observe {
namespace {

constexpr std::string_view kPlace = "place";

/// Whether the report has the form that `metric` is declared with. Behind its labels may be one more: the place.
bool fits(const v1::MetricReport& report, const metric::Metric& metric) {
  const bool summary = metric.kind() == metric::Kind::kSummary;
  if (report.content_case() != (summary ? v1::MetricReport::kSummary : v1::MetricReport::kValue)) return false;
  const auto names = metric.labels();
  const auto count = static_cast<size_t>(report.labels_size());
  const bool placed = count == names.size() + 1 && report.labels().rbegin()->name() == kPlace;
  return (count == names.size() || placed) &&
         std::equal(names.begin(), names.end(), report.labels().begin(),
                    [](std::string_view name, const v1::MetricLabel& label) { return name == label.name(); });
}

metric::Value value_of(const v1::MetricReport& report) {
  if (!report.has_summary()) return report.value();
  const v1::MetricSummary& summary = report.summary();
  return metric::Distribution{
      summary.count(),
      summary.sum(),
      {summary.p50(), summary.p90(), summary.p95(), summary.p99(), summary.p99_9(), summary.p99_99()}};
}

}  // namespace

void MetricReporter::take(const metric::Sample& sample) {
  if (!whole_ && !sample.metric.in_report()) return;
  v1::MetricReport& report = *reports_.Add();
  report.set_name(std::string(sample.metric.name()));
  report.set_unit(std::string(sample.metric.unit()));
  for (const metric::Label& label : sample.labels) {
    v1::MetricLabel& added = *report.add_labels();
    added.set_name(std::string(label.name));
    added.set_value(std::string(label.value));
  }
  if (const double* value = std::get_if<double>(&sample.value)) {
    report.set_value(*value);
    return;
  }
  const auto& distribution = std::get<metric::Distribution>(sample.value);
  v1::MetricSummary& summary = *report.mutable_summary();
  summary.set_count(distribution.count);
  summary.set_sum(distribution.sum);
  summary.set_p50(distribution.quantiles[0]);
  summary.set_p90(distribution.quantiles[1]);
  summary.set_p95(distribution.quantiles[2]);
  summary.set_p99(distribution.quantiles[3]);
  summary.set_p99_9(distribution.quantiles[4]);
  summary.set_p99_99(distribution.quantiles[5]);
}

void send_metrics(const MetricReports& reports, std::string_view place, metric::Sink& sink) {
  std::vector<metric::Label> labels;
  for (const v1::MetricReport& report : reports) {
    const metric::Metric* metric = metric::find(report.name());
    if (metric == nullptr || !fits(report, *metric)) continue;
    labels.clear();
    for (const v1::MetricLabel& label : report.labels()) labels.push_back({label.name(), label.value()});
    if (!place.empty()) {
      // What a process calls itself does not count.
      labels.resize(metric->labels().size());
      labels.push_back({kPlace, place});
    }
    sink.take({*metric, labels, value_of(report)});
  }
}

}  // namespace fabrictwin::observe
