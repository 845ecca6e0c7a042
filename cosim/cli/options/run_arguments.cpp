// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/run_arguments.h"

#include <chrono>
#include <utility>

#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli::options {
absl::StatusOr<run::RunOptions> run_options(const RunArguments& arguments) {
  const absl::StatusOr<std::chrono::milliseconds> watchdog = support::parse_watchdog(arguments.watchdog);
  if (!watchdog.ok()) return watchdog.status();
  absl::StatusOr<ConnectionSecurity> security = read_security(arguments.security);
  if (!security.ok()) return security.status();
  run::RunOptions options;
  options.security = *std::move(security);
  options.watchdog = *watchdog;
  options.pin = arguments.pin;
  options.executable = support::executable();
  return options;
}

}  // namespace fabrictwin::cli::options
