// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The board agent: joins a run over gRPC on behalf of a board behind a memory window.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "bridges/bridge_server_options.h"

namespace fabrictwin {

struct BoardAgentOptions : BridgeServerOptions {
  std::string
      window;  ///< File of the board's memory window (a soft board's file, or a device that maps the same layout).
  bool once = false;                ///< End after one run.
  std::string link_kind = "gated";  ///< How the board's clock follows simulated time; this version has "gated" only.
};

/// Serves runs one after another until stopped, or after one. Errors: FailedPrecondition or NotFound if the window is
/// none, Unimplemented for other kinds of links than "gated", Unavailable if it cannot listen.
absl::Status serve_board_agent(const BoardAgentOptions& options);

}  // namespace fabrictwin
