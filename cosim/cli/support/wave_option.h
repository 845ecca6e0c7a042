// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// --wave SELECT=FILE.fst[@FROM:TO]
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/run/plan.h"
#include "cosim/run/registry.h"

namespace fabrictwin {

/// Reads one argument; the file becomes absolute, so that workers with another working directory write the same one.
/// InvalidArgument with a diagnostic placed in the argument.
absl::StatusOr<WaveRequest> parse_wave(const std::string& argument);

/// OK if every selected element of the request is RTL of this run; else InvalidArgument with a diagnostic placed in the
/// argument.
absl::Status check_wave(const std::string& argument, const WaveRequest& request, const Plan& plan);

}  // namespace fabrictwin
