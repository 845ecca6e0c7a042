// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A board whose FPGA is Verilated: the shell and the router that go into an FPGA, behind a memory window in a file.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "bridges/server/service_metrics.h"

namespace fabrictwin::rtl::shell {

struct BoardOptions {
  std::string window;  ///< The file of the memory window, created, or replaced if it exists; or FILE@OFFSET, a part of
                       ///< one that is there, as of the memory of an emulated machine.
  /// The shared library with the shell of a user's own router (rtl/external/shell.h); empty for an ExaNet router with 7
  /// ports and route tables.
  std::string library;
  /// The address on the shell's bus at which it reaches memory of the host for a ring, too. That is the file FILE.host,
  /// created, or of FILE@OFFSET the part of FILE that begins at this address.
  std::optional<uint64_t> host_memory;
  int parent_pid = 0;  ///< If not zero, the board ends when this process, which must be the parent, ends.
  int ready_fd = -1;   ///< If not negative, the window's name is written to this descriptor as one line when an agent
                       ///< can use the window.
  uint32_t clock_hertz = 0;  ///< Cycles in a second of wall-clock time; 0: as many as possible, said to be 1 MHz.
  std::stop_token stop;      ///< Ends the board.
  bridges::server::ServiceMetrics* metrics = nullptr;  ///< To which the board tells of itself; may be null.
};

/// Clocks the shell of a router until stopped. The window is the memory of its rings, and
/// has its registers as memory: what an agent writes there is written through the AXI4-Lite slave, `run` after all
/// else, and what the shell says is read there again and again. Unavailable if the window cannot be made,
/// InvalidArgument if it is a part that the file does not have, or if the library has no
/// shell, or one with its rings elsewhere.
absl::Status serve_board(const BoardOptions& options);

}  // namespace fabrictwin::rtl::shell
