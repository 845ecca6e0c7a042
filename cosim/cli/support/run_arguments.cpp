// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/run_arguments.h"

#include <chrono>

#include "cosim/cli/run_choices.h"

namespace fabrictwin {
absl::StatusOr<RunOptions> run_options(const RunArguments& arguments) {
  const absl::StatusOr<std::chrono::milliseconds> watchdog = parse_watchdog(arguments.watchdog);
  if (!watchdog.ok()) return watchdog.status();
  RunOptions options;
  options.watchdog = *watchdog;
  options.pin = arguments.pin;
  options.executable = executable();
  return options;
}

}  // namespace fabrictwin
