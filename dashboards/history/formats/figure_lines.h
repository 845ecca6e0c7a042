// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of other tools, one on a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/history/result.h"
#include "fabrictwin/v1/provenance.pb.h"

namespace fabrictwin::dashboards::history::formats {

/// One result of kind "figures"; see import_results().
absl::StatusOr<std::vector<Result>> figure_lines(std::string_view text, const std::string& file,
                                                 const std::string& name, const v1::Provenance& here);

/// Lower is better, unless a unit is a rate: something that is no time per time ("B/ns"), or one that is by its name
/// ("MHz").
Better better_of_unit(std::string_view unit);

}  // namespace fabrictwin::dashboards::history::formats
