// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of bars as SVG text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/report/line_plot.h"
#include "dashboards/report/svg.h"

namespace fabrictwin::dashboards::report {

/// A picture of groups of bars over one axis that begins at zero. The same calls give the same text. Used by one
/// thread.
class BarPlot {
 public:
  /// `groups` are the names below the groups.
  BarPlot(std::string title, PlotAxis y, std::vector<std::string> groups);

  /// Adds a bar to each group; those without a value are left out. Values are not below zero.
  void add_bars(std::string label, std::vector<std::optional<double>> values);

  /// InvalidArgument if a value is not finite or below zero, or a text cannot be drawn.
  absl::StatusOr<Picture> picture() const;
  /// The bars as lines of CSV: title, label, group, value.
  std::string csv() const;

 private:
  struct Bars {
    std::string label;
    std::vector<std::optional<double>> values;
  };
  absl::Status check() const;

  std::string title_;
  PlotAxis y_;
  std::vector<std::string> groups_;
  std::vector<Bars> bars_;
};

}  // namespace fabrictwin::dashboards::report
