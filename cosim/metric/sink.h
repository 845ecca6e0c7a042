// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the values of metrics go when somebody asks for them.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <variant>

#include "cosim/base/latency_histogram.h"
#include "cosim/metric/metric.h"

namespace fabrictwin::metric {

/// The value of a summary, in the unit of its metric.
struct Distribution {
  /// The shares of values that are not above the quantiles.
  static constexpr std::array<double, 6> kShares{0.5, 0.9, 0.95, 0.99, 0.999, 0.9999};

  uint64_t count = 0;
  double sum = 0;
  std::array<double, kShares.size()> quantiles{};

  /// The distribution of a histogram whose values count in `unit`s: 1e-15 of femtoseconds as seconds.
  static Distribution of(const LatencyHistogram& histogram, double unit);
};

struct Label {
  std::string_view name;
  std::string_view value;
};

using Value = std::variant<double, Distribution>;

/// One series at one moment. It refers to what the caller of a sink owns.
struct Sample {
  const Metric& metric;
  std::span<const Label> labels;
  const Value& value;  ///< A Distribution if the metric is a summary.
};

/// Takes the values of metrics. It is called when somebody looks (a scrape, the end of a run), never by a hot loop:
/// what is counted there is a plain integer that is read from outside. Not thread-safe.
class Sink {
 public:
  using Labels = std::initializer_list<std::string_view>;

  virtual ~Sink() = default;

  /// Adds one series, with the values of the metric's labels in their order. Labels without a value are left out.
  void add(const Counter& metric, double value, Labels labels = {}) { add_series(metric, value, labels); }
  void add(const Gauge& metric, double value, Labels labels = {}) { add_series(metric, value, labels); }
  /// A distribution without values adds no series: a quantile of 0 would look like a measured one.
  void add(const Summary& metric, const Distribution& value, Labels labels = {}) {
    if (value.count > 0) add_series(metric, value, labels);
  }
  /// Adds the distribution of a histogram, whose values count in `unit`s. Whoever adds up series can merge it with
  /// others.
  void add(const Summary& metric, const LatencyHistogram& values, double unit, Labels labels = {});

  virtual void take(const Sample& sample) = 0;

 private:
  /// The labels of a series, as far as its metric declares them.
  using Pairs = std::array<Label, Declaration::kMaxLabels>;
  static std::span<const Label> pair(const Metric& metric, Labels labels, Pairs& pairs);
  void add_series(const Metric& metric, const Value& value, Labels labels);
  /// Takes a summary with all that it is of. Whoever adds up series overrides this; others take its distribution.
  virtual void take_values(const Summary& metric, std::span<const Label> labels, const LatencyHistogram& values,
                           double unit);
};

}  // namespace fabrictwin::metric
