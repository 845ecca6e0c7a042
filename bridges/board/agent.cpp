// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board_agent.h"

#include <memory>

#include "absl/status/statusor.h"
#include "bridges/board_service.h"
#include "bridges/board_window.h"
#include "bridges/bridge_server.h"
#include "fmt/format.h"

namespace fabrictwin {

absl::Status serve_board_agent(const BoardAgentOptions& options) {
  if (options.link_kind != "gated") {
    return absl::UnimplementedError(
        fmt::format("links of kind \"{}\" are not supported: this version runs gated boards, which are exact to the "
                    "cycle at any speed",
                    options.link_kind));
  }
  absl::StatusOr<std::unique_ptr<BoardWindow>> window = BoardWindow::attach(options.window);
  if (!window.ok()) return window.status();
  ServerEnd end;
  BoardService service(**window, options.once, end);
  return serve_bridge(options, service, end);
}

}  // namespace fabrictwin
