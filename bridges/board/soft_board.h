// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A soft board: an element in its own process behind a memory window, like that of an FPGA.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/board/config.h"
#include "bridges/server/options.h"
#include "cosim/engine/partition.h"

namespace fabrictwin::bridges::board {

/// Makes the element of a board. Everything to which the configuration points must outlive the partition.
using ElementFactory = std::function<absl::StatusOr<std::unique_ptr<engine::Partition>>(const Config&)>;

class Window;

/// Looks whether what is behind an element lives; an error says what is wrong with it.
using ElementPulse = std::function<absl::Status()>;

/// Serves the runs that the agent of `window` requests, one after another, until `stop`. `pulse`, which may be empty,
/// is called several times a second while a run goes on, by one thread other than that of the element; its error ends
/// the run. `metrics` may be null.
void serve_elements(Window& window, const ElementFactory& element, const ElementPulse& pulse,
                    const std::stop_token& stop, server::ServiceMetrics* metrics);

struct SoftBoardOptions {
  std::string window;      ///< The file of the memory window; created if it does not exist.
  ElementFactory element;  ///< Makes the element of each run.
  int parent_pid = 0;      ///< If not zero, the board ends when this process, which must be the parent, ends.
  int ready_fd = -1;  ///< If not negative, the window's name is written to this descriptor as one line when the window
                      ///< can be used.
  std::stop_token stop;                       ///< Ends the board.
  server::ServiceMetrics* metrics = nullptr;  ///< To which the board tells of itself; null if nobody wants to know.
};

/// Serves runs one after another through the window until stopped. The board is gated: it advances only as far as the
/// promises on its links allow, so it is exact to the cycle at any speed of the host. Errors are those of the window.
absl::Status serve_soft_board(const SoftBoardOptions& options);

}  // namespace fabrictwin::bridges::board
