// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that are run to their end for what they print.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::cli::slurm {

/// What a program left that has ended.
struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal if a signal ended it.
  std::string out;
  std::string err;
};

/// Runs words[0], looked for in PATH, with the other words as its arguments. No shell reads them. It has no input, and
/// an interrupt from the terminal does not reach it. NotFound if there is no such program, Unavailable if it cannot be
/// started.
absl::StatusOr<ProgramResult> run_program(std::vector<std::string> words);

}  // namespace fabrictwin::cli::slurm
