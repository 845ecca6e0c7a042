// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What commands that run experiments have in common.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/exit_code.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

inline constexpr int kMaxThreads = 1024;

/// One thread for each partition of this process, but none more than there are cores, of which local workers and boards
/// take their share.
int choose_threads(const Plan& plan);

/// What does not fit together: figures of parts, links and their buffers. A sentence each.
std::vector<std::string> plan_warnings(const Experiment& experiment, const Plan& plan);

/// Logs them.
void tell_plan(const Experiment& experiment, const Plan& plan);

/// Logs it if a run used fewer threads than the `asked` that were asked for (0: it was not said how many).
void tell_threads(int asked, const v1::Report& report);

/// This program, for workers that it starts.
std::string executable();

/// The value of --watchdog, rounded up to milliseconds. InvalidArgument if it is no time.
absl::StatusOr<std::chrono::milliseconds> parse_watchdog(const std::string& text);

/// Prints an error; returns `code`.
ExitCode fail(ExitCode code, std::string_view message);

}  // namespace fabrictwin
