// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads pages of metrics in the text format of Prometheus.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::dashboards::metrics {

/// One series of a page.
struct Series {
  std::map<std::string, std::string, std::less<>> labels;  ///< Values without escapes; they may hold any bytes.
  double value = 0;                                        ///< May be NaN or infinite.

  /// The value of a label; empty if the series does not have it, which means the same to Prometheus.
  std::string_view label(std::string_view name) const;
};

/// A page of metrics. Value type.
class Exposition {
 public:
  void add(std::string name, Series series) { series_[std::move(name)].push_back(std::move(series)); }

  /// The series of this name in the order of the page; none if the page does not have it.
  const std::vector<Series>& all(std::string_view name) const;
  /// The value of the first series of this name, or nothing if there is none or its value is no finite number.
  std::optional<double> value(std::string_view name) const;
  /// True if there is a series whose name begins so.
  bool has_prefix(std::string_view prefix) const;

 private:
  std::map<std::string, std::vector<Series>, std::less<>> series_;
};

/// Parses a page in version 0.0.4 of the text format
/// (https://prometheus.io/docs/instrumenting/exposition_formats). Comments, types and timestamps are left out. DataLoss
/// with the number of the line if the page has another form: as Prometheus, this takes all of a page or nothing.
absl::StatusOr<Exposition> parse_exposition(std::string_view page);

}  // namespace fabrictwin::dashboards::metrics
