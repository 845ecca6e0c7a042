// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The board agent: joins a run over gRPC on behalf of a board behind a memory window.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "bridges/board/shell/clock_mode.h"
#include "bridges/board/shell/ring_memory.h"
#include "bridges/server/options.h"

namespace fabrictwin::bridges::board {

struct AgentOptions : server::Options {
  std::string
      window;  ///< The file of the board's memory window: of a soft board, or a device that maps the same layout.
  bool once = false;                                     ///< End after one run.
  shell::ClockMode clock = shell::ClockMode::kGated;     ///< Soft boards are gated.
  shell::RingMemory rings = shell::RingMemory::kWindow;  ///< Those of soft boards are in the window.
};

/// Serves runs one after another until stopped or, with `once`, a single run. Errors: FailedPrecondition or NotFound if
/// there is no valid window, Unimplemented for a soft board that is not to be gated or whose rings are not to be in the
/// window, Unavailable if it cannot listen, InvalidArgument if it may not listen there without TLS.
absl::Status serve_board_agent(const AgentOptions& options);

}  // namespace fabrictwin::bridges::board
