// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole runs of models only, without what the command line links in.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// Runs an experiment given as text, changed by `sets`; paths in it are relative to the working directory.
absl::StatusOr<v1::Report> run_models(const std::string& text, const std::vector<std::string>& sets = {});

}  // namespace fabrictwin
