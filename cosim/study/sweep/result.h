// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of a sweep, as table, JSON, CSV and plot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/study/point/saturation_search.h"
#include "cosim/study/sweep/axis.h"
#include "dashboards/html/page.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study::sweep {

/// The result of a sweep so far.
struct Result {
  struct Point {
    Settings settings;
    bool done = false;    ///< True if it has ended, successfully or not.
    absl::Status status;  ///< The status of a point that has ended.
    /// True if its run was stopped before its workload ended.
    bool partial() const;
    v1::Report report;  ///< The report without its lists (links, partitions, ranks).
    point::SaturationResult saturation;
  };
  std::string experiment;  ///< The file of the experiment.
  std::vector<Axis> axes;
  std::vector<Point> points;
  std::optional<double> precision;  ///< Set if each point is a search for saturation.

  size_t points_done() const;
  /// The number of points that ended before their workload or measurement did.
  size_t points_partial() const;
  /// The progress, such as "2 of 9 points"; of a single search, the number of its probes.
  std::string progress() const;
  /// True if all points have ended, successfully or not.
  bool ended() const { return points_done() == points.size(); }
  /// True if all points have ended and none of them is partial.
  bool complete() const { return ended() && points_partial() == 0; }
};

/// The report without its lists except warnings, classes of traffic, jobs and faults; the others would be longer than
/// all the rest together.
v1::Report without_lists(v1::Report report);

/// A table with a row for each point that has ended: the settings and the metrics. For a single search it also has the
/// probes.
std::string to_table(const Result& result);

/// The result as one JSON object; see docs/command-line.md.
std::string to_json(const Result& result);

/// The points that are to be run as one JSON object.
std::string points_json(const Result& result);

/// The rows of the table with all digits and more columns, for spreadsheets.
std::string to_csv(const Result& result);

/// Charts over the first axis whose values are numbers, with a curve for each combination of the others: axes are
/// logarithmic where values spread far, bands are 95 % confidence intervals, and lines mark where curves first
/// saturate. Of a search for saturation without axes, its probes. Empty if there is neither.
std::vector<dashboards::html::Chart> to_charts(const Result& result);

/// Diagrams over the first axis whose values are numbers, with a curve for each combination of the others; and, over
/// two axes of several values, a map of each metric. Returns nullopt if there is neither. InvalidArgument if a name
/// cannot be drawn.
absl::StatusOr<std::optional<std::string>> to_svg(const Result& result);

}  // namespace fabrictwin::study::sweep
