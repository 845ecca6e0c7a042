// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One run from its experiment to its report, for commands that make something else of it.
#pragma once

#include <chrono>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/message_log.h"
#include "cosim/run/registry.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// How such a run is done.
struct RunToEndOptions {
  int threads = 0;  ///< 0: chosen.
  std::chrono::milliseconds watchdog{30'000};
  bool quiet = false;     ///< No progress.
  bool tell_plan = true;  ///< Warnings of the plan are logged.
};

/// Runs an experiment to its end and records its messages in `log` if that is given. Cancelled if the user interrupts,
/// Aborted if it fails once it simulates; what shows before that has its own code, which says whether the input is to
/// blame (exit_code_of_input).
absl::StatusOr<v1::Report> run_to_end(const Experiment& experiment, const Registry& registry,
                                      const RunToEndOptions& options, MessageLog* log = nullptr);

}  // namespace fabrictwin
