// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A table of values as colours, as SVG text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/report/svg.h"

namespace fabrictwin::dashboards::report {

/// A value for each pair of settings of two parameters.
struct HeatMap {
  std::string title;
  std::string unit;               ///< The unit of the values; may be empty.
  std::string x_title, y_title;   ///< The names of the parameters.
  std::vector<std::string> x, y;  ///< Their values.
  /// By y, then x; those that are not known are left white.
  std::vector<std::optional<double>> values;
};

/// The map with its values in its cells, and its scale: from light for the least value to dark for the greatest.
/// InvalidArgument if a value is not finite, a text cannot be drawn, or there are not x times y values.
absl::StatusOr<Picture> heat_map_picture(const HeatMap& map);

}  // namespace fabrictwin::dashboards::report
