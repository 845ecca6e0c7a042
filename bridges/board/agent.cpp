// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/agent.h"

#include <memory>

#include "absl/status/statusor.h"
#include "bridges/board/service.h"
#include "bridges/board/window.h"
#include "bridges/server/server.h"
#include "bridges/server/service_metrics.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::board {

absl::Status serve_board_agent(const AgentOptions& options) {
  if (options.link_kind != "gated") {
    return absl::UnimplementedError(
        fmt::format("links of kind \"{}\" are not supported: this version runs gated boards, which are exact to the "
                    "cycle at any speed",
                    options.link_kind));
  }
  absl::StatusOr<std::unique_ptr<Window>> window = Window::attach(options.window);
  if (!window.ok()) return window.status();
  server::ServerEnd end;
  Service service(**window, options.once, end);
  const server::MeasuredService measured(options.metrics, [&service] { return service.state(); });
  return server::serve_bridge(options, service, end);
}

}  // namespace fabrictwin::bridges::board
