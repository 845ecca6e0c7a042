// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A diagram of measured curves as SVG text, for documentation and reports.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::dashboards::report {

/// The description of an axis.
struct PlotAxis {
  std::string title;  ///< "payload of a packet".
  std::string unit;   ///< "B", "%"; may be empty.
  /// True for a logarithmic axis with ticks at powers of two if the unit is B, else at 1, 2 and 5 times powers of ten;
  /// all values must be above zero.
  bool log = false;
  std::optional<double> from =
      std::nullopt;  ///< A value that must be on the axis, which is extended to contain all points.
  std::optional<double> to = std::nullopt;  ///< Another value that must be on the axis.
};

struct PlotPoint {
  double x = 0;
  double y = 0;
};

/// A picture of several curves over one pair of axes. The same calls give the same text. Used by one thread.
class LinePlot {
 public:
  LinePlot(std::string title, PlotAxis x, PlotAxis y);

  /// Adds a curve: its points, in this order, joined by lines. Returns its number, from 0. The first 42 differ from
  /// each other in colour or marker, and neighbours in dashes; markers are hollow, so that coinciding curves remain
  /// visible.
  size_t add_line(std::string label, std::vector<PlotPoint> points);
  /// Adds points that no line joins, with filled markers; those of curve `like` if there is such a curve, to compare
  /// with it.
  void add_points(std::string label, std::vector<PlotPoint> points, std::optional<size_t> like = std::nullopt);

  /// The size of the picture.
  double width() const;
  double height() const;
  /// The picture as an XML document. A series without points is in the legend only. InvalidArgument names the series
  /// and the point if a value is not finite (or beyond 1e300), or not above zero on a logarithmic axis; and the text if
  /// one is not UTF-8 or has control characters.
  absl::StatusOr<std::string> svg() const;
  /// The points as lines of CSV: title, series, x, y.
  std::string csv() const;

 private:
  struct Series {
    std::string label;
    std::vector<PlotPoint> points;
    size_t look = 0;  ///< The number of the curve that determines colour, marker and dashes.
    bool joined = true;
  };
  absl::Status check() const;

  std::string title_;
  PlotAxis x_, y_;
  std::vector<Series> series_;
  size_t looks_ = 0;
};

}  // namespace fabrictwin::dashboards::report
