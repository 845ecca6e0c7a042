// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of programs that use Google Benchmark (--benchmark_format=json).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/history/result.h"
#include "fabrictwin/v1/provenance.pb.h"

namespace fabrictwin::dashboards::history::formats {

bool is_benchmark_json(const nlohmann::ordered_json& json);

/// A result of kind "benchmark" for each repetition, named by the program; see import_results(). InvalidArgument if a
/// benchmark has failed, or if there is none.
absl::StatusOr<std::vector<Result>> benchmark_results(const nlohmann::ordered_json& json, const std::string& file,
                                                      const v1::Provenance& here);

}  // namespace fabrictwin::dashboards::history::formats
