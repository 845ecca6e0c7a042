// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// SIGINT and SIGTERM as a stop request.
#pragma once

#include <stop_token>
#include <thread>

namespace fabrictwin::cli::support {

/// While it exists, the first SIGINT or SIGTERM requests a stop, and the second one ends the process as usual. Only one
/// may exist at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool requested() const { return source_.stop_requested(); }

 private:
  std::stop_source source_;
  std::thread watcher_;
};

/// Leaves SIGINT to the parent: a terminal sends it to all processes of a run, and the run ends its workers itself.
void ignore_interrupts();

}  // namespace fabrictwin::cli::support
