// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Several diagrams in one picture.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/report/line_plot.h"
#include "dashboards/report/svg.h"

namespace fabrictwin::dashboards::report {

/// The diagrams below each other, as one XML document. Errors are those of LinePlot::svg().
absl::StatusOr<std::string> stack_plots(const std::vector<LinePlot>& plots);
/// Any pictures below each other.
std::string stack_pictures(const std::vector<Picture>& pictures);
/// A diagram as a picture.
absl::StatusOr<Picture> picture_of(const LinePlot& plot);

}  // namespace fabrictwin::dashboards::report
