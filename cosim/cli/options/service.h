// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of processes that a run may start itself: they end with the run and report when they are ready.
#pragma once

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <stop_token>

#include "cosim/cli/support/interrupt.h"

namespace fabrictwin::cli::options {

/// The values of --parent-pid and --ready-fd, which are meant for `fabrictwin run` and therefore not shown in help.
struct ServiceOptions {
  int parent_pid = 0;
  int ready_fd = -1;

  /// Adds the options to a subcommand; `this` must live as long as the command.
  void add_to(CLI::App& command) {
    command.add_option("--parent-pid", parent_pid)->group("");
    command.add_option("--ready-fd", ready_fd)->group("");
  }
};

/// Stops a service on a signal. A service with a parent ignores SIGINT, which the parent handles.
class ServiceStop {
 public:
  explicit ServiceStop(const ServiceOptions& options) {
    if (options.parent_pid == 0) return;
    support::ignore_interrupts();
    // The user of the run wants to see its errors, but not that it serves.
    spdlog::set_level(spdlog::level::warn);
  }
  std::stop_token token() const { return interrupt_.token(); }

 private:
  support::Interrupt interrupt_;
};

}  // namespace fabrictwin::cli::options
