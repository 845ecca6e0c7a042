// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the commands that run experiments.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/support/exit_code.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::cli::support {

inline constexpr int kMaxThreads = 1024;

/// The number of threads to use: one for each partition of this process, but no more than the cores that local workers
/// and boards leave.
int choose_threads(const system::Plan& plan);

/// Warnings about parameters of parts, links and buffers that do not fit together, one sentence each.
std::vector<std::string> plan_warnings(const experiment::Experiment& experiment, const system::Plan& plan);

/// Logs the plan_warnings().
void tell_plan(const experiment::Experiment& experiment, const system::Plan& plan);

/// Logs a message if a run used fewer threads than the `asked` ones; 0 means that no number was requested.
void tell_threads(int asked, const v1::Report& report);

/// The path of this program, with which it starts workers.
std::string executable();

/// The value of --watchdog, rounded up to milliseconds. InvalidArgument if it is not a time.
absl::StatusOr<std::chrono::milliseconds> parse_watchdog(const std::string& text);
/// A wall-clock time, the value of `option`, rounded up to milliseconds. InvalidArgument if it is not a time.
absl::StatusOr<std::chrono::milliseconds> parse_wall_time(std::string_view option, const std::string& text);

/// Prints an error; returns `code`.
ExitCode fail(ExitCode code, std::string_view message);

}  // namespace fabrictwin::cli::support
