// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The exit codes of the process; see docs/command-line.md.
#pragma once

#include "absl/status/status.h"

namespace fabrictwin::cli::support {

enum class ExitCode : int {
  kOk = 0,
  kRunFailed = 1,
  kUsage = 2,  ///< The command line, the experiment or another input is wrong.
  kRegression = 3,
  kInternal = 4,
  kInterrupted = 130,
};

/// The exit code for an error in reading the user's input: kUsage if the input is to blame, kRunFailed if the
/// environment is.
inline ExitCode exit_code_of_input(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kOk;
    case absl::StatusCode::kCancelled:
      return ExitCode::kInterrupted;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kDataLoss:
      return ExitCode::kUsage;
    case absl::StatusCode::kInternal:
      return ExitCode::kInternal;
    default:
      return ExitCode::kRunFailed;
  }
}

}  // namespace fabrictwin::cli::support
