// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of our own commands (--json).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "dashboards/history/result.h"
#include "fabrictwin/v1/provenance.pb.h"

namespace fabrictwin::dashboards::history::formats {

/// Whether a field, at any depth, is left out of results: lists that grow with the machine, and what is no result.
bool is_left_out(std::string_view key);

/// The result in a report; see import_results(). It is named by its experiment. InvalidArgument if it is no report, or
/// one of a run that ended early.
absl::StatusOr<Result> report_result(const nlohmann::ordered_json& json, const std::string& file,
                                     const v1::Provenance& here);

}  // namespace fabrictwin::dashboards::history::formats
