// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the runs of a sweep found, as table, JSON, CSV and plot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/saturation_search.h"
#include "cosim/cli/sweep_axis.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// A sweep, as far as it has come.
struct SweepResult {
  struct Point {
    SweepPoint settings;
    bool done = false;    ///< It has ended, well or not.
    absl::Status status;  ///< Of a point that has ended.
    /// Its run was stopped before its workload ended.
    bool partial() const;
    v1::Report report;  ///< Without its lists (links, partitions, ranks).
    SaturationResult saturation;
  };
  std::string experiment;  ///< Its file.
  std::vector<SweepAxis> axes;
  std::vector<Point> points;
  std::optional<double> precision;  ///< If each point is a search for saturation.

  size_t points_done() const;
  /// Points that ended before their workload or measurement did.
  size_t points_partial() const;
  /// "2 of 9 points"; of a single search, its probes.
  std::string progress() const;
  /// All points have ended, well or not.
  bool ended() const { return points_done() == points.size(); }
  /// All have ended, and none of them is partial.
  bool complete() const { return ended() && points_partial() == 0; }
};

/// The same without lists but warnings: they would be longer than all the rest together.
v1::Report without_lists(v1::Report report);

/// A row for each point that has ended: the settings and what was measured. For a single search also its probes.
std::string sweep_table(const SweepResult& result);

/// One JSON object; docs/command-line.md.
std::string sweep_json(const SweepResult& result);

/// One JSON object with what is to be run.
std::string sweep_points_json(const SweepResult& result);

/// The rows of the table with all digits, for spreadsheets.
std::string sweep_csv(const SweepResult& result);

/// Diagrams over the first axis whose values are numbers, with a curve for each combination of the others. Nothing if
/// there is no such axis. InvalidArgument if a name cannot be drawn.
absl::StatusOr<std::optional<std::string>> sweep_svg(const SweepResult& result);

}  // namespace fabrictwin
