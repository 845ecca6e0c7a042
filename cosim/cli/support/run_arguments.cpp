// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/run_arguments.h"

#include <chrono>

#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli::support {
absl::StatusOr<run::RunOptions> run_options(const RunArguments& arguments) {
  const absl::StatusOr<std::chrono::milliseconds> watchdog = parse_watchdog(arguments.watchdog);
  if (!watchdog.ok()) return watchdog.status();
  run::RunOptions options;
  options.watchdog = *watchdog;
  options.pin = arguments.pin;
  options.executable = executable();
  return options;
}

}  // namespace fabrictwin::cli::support
