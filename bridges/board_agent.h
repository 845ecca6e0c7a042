// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The board agent: joins a run over gRPC on behalf of a board behind a memory window.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "absl/status/status.h"

namespace fabrictwin {

struct BoardAgentOptions {
  std::string
      window;  ///< File of the board's memory window (a soft board's file, or a device that maps the same layout).
  std::string listen;               ///< "unix:PATH" or "HOST:PORT"; port 0 takes a free one.
  bool once = false;                ///< End after one run.
  std::string link_kind = "gated";  ///< How the board's clock follows simulated time; this version has "gated" only.
  int parent_pid = 0;               ///< If not zero: end when this process, which must be the parent, ends.
  int ready_fd = -1;                ///< If not negative: its address is written here as one line when it listens.
  std::stop_token stop;
};

/// Serves runs one after another until stopped, or after one. Errors: FailedPrecondition or NotFound if the window is
/// none, Unimplemented for other kinds of links than "gated", Unavailable if it cannot listen.
absl::Status serve_board_agent(const BoardAgentOptions& options);

}  // namespace fabrictwin
