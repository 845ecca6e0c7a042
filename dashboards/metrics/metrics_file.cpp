// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/metrics_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <variant>

#include "cosim/metric/label_text.h"
#include "cosim/observe/metric_report.h"
#include "cosim/run/metrics/exit_status.h"

namespace fabrictwin::dashboards::metrics {
namespace {

const metric::Gauge kTimeStretch{{.name = "fabrictwin_time_stretch_ratio",
                                  .help = "Seconds between the time stamps of a metrics file for a simulated second",
                                  .order = 125,
                                  .in_report = false}};

/// The time stamps of two samples are at least so many seconds apart.
constexpr double kLeastDistance = 1;

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

/// The name of the family: that of a counter has no "_total".
std::string_view family_name(const metric::Metric& metric) {
  std::string_view name = metric.name();
  constexpr std::string_view kTotal = "_total";
  if (metric.kind() == metric::Kind::kCounter && name.ends_with(kTotal)) name.remove_suffix(kTotal.size());
  return name;
}

/// Appends one line for each number of a value.
void add_lines(const metric::Metric& metric, const std::string& labels, const metric::Value& value, double stamp,
               std::string& text) {
  const auto line = [&](std::string_view suffix, const std::string& more, double number) {
    fmt::format_to(std::back_inserter(text), "{}{}{{{}{}}} {} {:.3f}\n", metric.name(), suffix, labels, more,
                   number_text(number), stamp);
  };
  if (const double* number = std::get_if<double>(&value)) return line("", "", *number);
  const auto& distribution = std::get<metric::Distribution>(value);
  for (size_t i = 0; i < distribution.quantiles.size(); ++i) {
    const std::string quantile = fmt::format(",quantile=\"{}\"", metric::Distribution::kShares[i]);
    line("", quantile, distribution.quantiles[i]);
  }
  line("_sum", "", distribution.sum);
  line("_count", "", static_cast<double>(distribution.count));
}

}  // namespace

MetricsFile::MetricsFile(const experiment::Experiment& experiment, const system::Plan& plan,
                         run::metrics::RunIdentity identity, run::metrics::SeriesSelection series)
    : metrics_(experiment, plan, identity, series),
      labels_(metric::label_text("job", "fabrictwin") + "," + metric::label_text("instance", identity.run)),
      whole_(plan.partitions.size() == 1) {
  next_ = interval_;
}

void MetricsFile::sample(const engine::Partition& partition, std::span<const link::LinkCounters> links) {
  times_.push_back(next_);
  run::RunSample sample;
  sample.simulated = next_;
  sample.wall_seconds = -1;
  sample.done = partition.workload_done();
  observe::MetricReporter reporter(sample.measures, true);
  partition.measure(reporter);
  metrics_.measure(sample, whole_ ? links : std::span<const link::LinkCounters>(), *this);
  if (times_.size() == kMostSamples) halve();
  next_ = times_.back() + interval_;
}

void MetricsFile::finish(const run::Run& run, int exit_status) {
  next_ = Time::never();
  const run::RunSample sample = run.sample();
  Time end = Time::from_fs(run.report().simulated_fs());
  if (!times_.empty() && end < times_.back() + Time::from_fs(interval_.fs() / 2)) {
    end = std::max(end, times_.back());
    drop_last();
  }
  times_.push_back(end);
  metrics_.measure(sample, run.link_counters(), *this);
  run::metrics::measure_exit_status(exit_status, *this);
  add(kTimeStretch, stretch());
}

void MetricsFile::take(const metric::Sample& sample) {
  std::string labels = labels_;
  for (const metric::Label& label : sample.labels)
    labels.append(",").append(metric::label_text(label.name, label.value));
  families_[&sample.metric][labels].push_back({times_.size() - 1, sample.value});
}

void MetricsFile::halve() {
  // Times are multiples of the interval, the first of which is the interval itself.
  for (auto& [metric, series] : families_) {
    for (auto& [labels, points] : series) {
      std::erase_if(points, [](const Point& point) { return point.time % 2 == 0; });
      for (Point& point : points) point.time /= 2;
    }
    std::erase_if(series, [](const auto& each) { return each.second.empty(); });
  }
  for (size_t i = 0; i < times_.size() / 2; ++i) times_[i] = times_[2 * i + 1];
  times_.resize(times_.size() / 2);
  interval_ = Time::from_fs(2 * interval_.fs());
}

void MetricsFile::drop_last() {
  times_.pop_back();
  for (auto& [metric, series] : families_) {
    for (auto& [labels, points] : series)
      if (!points.empty() && points.back().time == times_.size()) points.pop_back();
  }
}

double MetricsFile::stretch() const {
  return std::pow(10, std::max(0.0, std::ceil(std::log10(2 * kLeastDistance / interval_.seconds()) - 1e-9)));
}

std::string MetricsFile::text(int64_t end) const {
  std::string text;
  const double last = times_.empty() ? 0 : times_.back().seconds();
  for (const metric::Metric* metric : metric::catalogue()) {
    const auto family = families_.find(metric);
    if (family == families_.end()) continue;
    const std::string_view name = family_name(*metric);
    fmt::format_to(std::back_inserter(text), "# TYPE {} {}\n# HELP {} {}.\n", name, to_string(metric->kind()), name,
                   metric->help());
    for (const auto& [labels, points] : family->second) {
      for (const Point& point : points) {
        const double stamp = static_cast<double>(end) - (last - times_[point.time].seconds()) * stretch();
        add_lines(*metric, labels, point.value, stamp, text);
      }
    }
  }
  return text + "# EOF\n";
}

}  // namespace fabrictwin::dashboards::metrics
