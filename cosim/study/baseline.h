// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs that come before another one, which is measured against them: jobs that run alone first.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study {

/// Does the runs of the baselines of `experiment`, one after the other; most experiments have none. An error is that of
/// the first run that fails.
absl::StatusOr<std::vector<v1::Report>> run_baselines(
    const experiment::Experiment& experiment,
    const std::function<absl::StatusOr<v1::Report>(const experiment::Experiment&)>& run);

/// Adds to the report of `experiment` what those of its baselines tell of it; nothing if there are none.
void add_baselines(const experiment::Experiment& experiment, std::span<const v1::Report> baselines, v1::Report& report);

}  // namespace fabrictwin::study
