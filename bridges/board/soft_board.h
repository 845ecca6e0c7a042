// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A soft board: an element in a process of its own behind a memory window, as an FPGA would be.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/board_config.h"
#include "cosim/engine/partition.h"

namespace fabrictwin {

/// Makes the element of a board. What the configuration points to outlives the partition.
using BoardElementFactory = std::function<absl::StatusOr<std::unique_ptr<Partition>>(const BoardConfig&)>;

struct SoftBoardOptions {
  std::string window;           ///< File of the memory window; made if it does not exist.
  BoardElementFactory element;  ///< Makes the element of each run.
  int parent_pid = 0;           ///< If not zero: end when this process, which must be the parent, ends.
  int ready_fd = -1;  ///< If not negative: the window's name is written here as one line when the window can be used.
  std::stop_token stop;  ///< Ends the board.
};

/// Serves runs one after another through the window until stopped. The board is gated: it advances only as far as the
/// promises on its links allow, so it is exact to the cycle at any speed of the host. Errors: what is wrong with the
/// window.
absl::Status serve_soft_board(const SoftBoardOptions& options);

}  // namespace fabrictwin
