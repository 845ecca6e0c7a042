// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The option --wave SELECT=FILE.fst[@FROM:TO].
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/run/registry.h"
#include "cosim/system/plan.h"

namespace fabrictwin::cli::options {

/// Reads one argument; the file becomes absolute, so that workers with another working directory write the same one.
/// InvalidArgument with a diagnostic that points into the argument.
absl::StatusOr<run::WaveRequest> parse_wave(const std::string& argument);

/// OK if every selected element of the request is RTL of this run; else InvalidArgument with a diagnostic that points
/// into the argument.
absl::Status check_wave(const std::string& argument, const run::WaveRequest& request, const system::Plan& plan);

}  // namespace fabrictwin::cli::options
