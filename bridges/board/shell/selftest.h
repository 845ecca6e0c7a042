// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What to run first on a new board: whether its window, its rings and its shell work, and how fast.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/board/shell/device.h"
#include "bridges/board/shell/identity.h"

namespace fabrictwin::bridges::board::shell {

/// One thing that was tried.
struct Check {
  std::string name;  ///< "ring_echo".
  bool passed = false;
  std::string what;      ///< What was found, or what is wrong and what to look at.
  double value = 0;      ///< The measured number, if there is one.
  std::string unit;      ///< The unit of the number, "ns" or "records/s"; empty if there is none.
  bool warning = false;  ///< It passed, and is to be looked at nevertheless.
};

/// Tries one thing after another and stops at the first one without which the rest makes no sense:
///   identity       the first registers say what a shell says
///   heartbeat      test_heartbeat()
///   registers      a register that can be written holds walking ones
///   ring_memory    both rings hold walking ones and their own addresses
///   register_read  the time of a read
///   ring_echo      packets of random words go through the element and come back as they were
///   ring_trip      the time from a record to the board to the status that answers it
///   ring_rate      records in a second, in both rings, while the echo goes on
/// Writes to the whole window, so no run may use the board. A heartbeat that stands for
/// heartbeat_patience(), at least `patience`, has failed.
std::vector<Check> test_board(Device& device, std::chrono::milliseconds patience = kHeartbeatPatience);

/// Whether the heartbeat grows, and how fast the clock is by it. With a warning if that is surely more than 1 % off
/// what the shell says, unless the board is simulated(), whose clock is as fast as it can be.
Check test_heartbeat(const Device& device, const Identity& identity, std::chrono::milliseconds patience);

/// The checks as lines of text, the last of which says whether all passed.
std::string to_text(const std::vector<Check>& checks);

}  // namespace fabrictwin::bridges::board::shell
