// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of processes that a run may start itself: they end with it and say when they are ready.
#pragma once

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <stop_token>

#include "cosim/cli/interrupt.h"

namespace fabrictwin {

/// --parent-pid and --ready-fd. Not shown in help: they are for `fabrictwin run`.
struct ServiceOptions {
  int parent_pid = 0;
  int ready_fd = -1;

  /// Adds them to a subcommand; `this` must live as long as the command.
  void add_to(CLI::App& command) {
    command.add_option("--parent-pid", parent_pid)->group("");
    command.add_option("--ready-fd", ready_fd)->group("");
  }
};

/// How a service is asked to stop: by a signal. SIGINT of one with a parent is the parent's business.
class ServiceStop {
 public:
  explicit ServiceStop(const ServiceOptions& options) {
    if (options.parent_pid == 0) return;
    ignore_interrupts();
    // Its errors are news to the user of the run; that it serves is not.
    spdlog::set_level(spdlog::level::warn);
  }
  std::stop_token token() const { return interrupt_.token(); }

 private:
  Interrupt interrupt_;
};

}  // namespace fabrictwin
