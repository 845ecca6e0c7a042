// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that are run to their end for what they print.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::cli::slurm {

/// What a program left that has ended.
struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal if a signal ended it.
  std::string out;
  std::string err;
};

/// How a program is run.
struct ProgramOptions {
  std::vector<std::string_view> without;     ///< It does not get variables whose names begin with one of these.
  std::chrono::milliseconds limit{300'000};  ///< It is killed after this time.
};

/// Runs words[0], looked for in PATH, with the other words as its arguments. No shell reads them. It has no input, and
/// an interrupt from the terminal does not reach it. NotFound if there is no such program; Unavailable if it cannot be
/// started, if it does not end in time, and if the system does not tell how it has ended; Cancelled if a stop is
/// requested before it ends. What has not ended is killed with all that it has started in its group.
absl::StatusOr<ProgramResult> run_program(std::vector<std::string> words, const ProgramOptions& options = {},
                                          const std::stop_token& stop = {});

}  // namespace fabrictwin::cli::slurm
