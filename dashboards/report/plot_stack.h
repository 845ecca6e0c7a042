// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Several diagrams in one picture.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/report/line_plot.h"

namespace fabrictwin::dashboards::report {

/// The diagrams below each other, as one XML document. Errors are those of LinePlot::svg().
absl::StatusOr<std::string> stack_plots(const std::vector<LinePlot>& plots);

}  // namespace fabrictwin::dashboards::report
