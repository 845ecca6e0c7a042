// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What plots and charts of a sweep have in common.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cosim/study/sweep_result.h"
#include "dashboards/report/line_plot.h"

namespace fabrictwin::study {

/// One diagram: its axes and the value of each point.
struct SweepDiagram {
  using Value = std::function<std::optional<double>(const SweepResult::Point&)>;
  std::string title;
  dashboards::report::PlotAxis y;
  Value value;
  Value confidence{};  ///< Half the width of the 95 % confidence interval; empty if there is none.
};

/// The diagrams of what the points have: of searches, of traffic, or of any run.
std::vector<SweepDiagram> sweep_diagrams(const SweepResult& result);

/// The points that differ only in the value of one axis.
struct SweepCurve {
  struct At {
    double x = 0;
    const SweepResult::Point* point = nullptr;  ///< It has succeeded.
  };
  std::string label;  ///< The values of the other axes: "pattern=uniform"; empty if there are none.
  std::vector<At> points;
};

/// The first axis whose values are numbers; the number of axes if there is none.
size_t numeric_axis(const SweepResult& result);

/// The curves over that axis, in the order in which they begin. They refer to points of `result`.
std::vector<SweepCurve> sweep_curves(const SweepResult& result, size_t x_axis);

}  // namespace fabrictwin::study
