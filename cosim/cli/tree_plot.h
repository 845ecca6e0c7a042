// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The trees of congestion of a report as a picture.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::cli {

/// All snapshots of a report below each other, as SVG. InvalidArgument if they cannot be drawn.
absl::StatusOr<std::string> trees_svg(const v1::Report& report);

}  // namespace fabrictwin::cli
