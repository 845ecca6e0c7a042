// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How the configuration of an element becomes registers and routes of a shell.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/board/config.h"
#include "bridges/board/shell/clock_mode.h"
#include "bridges/board/shell/device.h"
#include "bridges/board/shell/identity.h"
#include "bridges/board/shell/record.h"
#include "cosim/base/clock.h"

namespace fabrictwin::bridges::board::shell {

/// What a configuration asks of a shell.
struct Setup {
  std::vector<uint32_t> ports;           ///< Those that have a link.
  std::vector<Clock> word_clocks;        ///< The different ones of all links, at most kWordClocks.
  std::array<int, kBoardPorts> clock{};  ///< For each port with a link: the index of its word clock.
};

/// InvalidArgument, with the names of element and board, if the board cannot be that element.
absl::StatusOr<Setup> make_setup(const Device& device, const Identity& identity, const Config& config);

/// Asks for a run, 0 for none, and waits until the board says that it is there. Errors are those of `pulse`.
absl::Status change_run(Device& device, Pulse& pulse, uint32_t run);

/// Writes the registers of the configuration; only while the board is in no run. InvalidArgument, with the names of
/// element and board, if the shell's clock is too slow for a clock that does not wait.
absl::Status write_setup(Device& device, const Identity& identity, const Config& config, const Setup& setup,
                         ClockMode mode);

/// The records that fill the element's route table.
std::vector<Slot> route_records(const Identity& identity, const Config& config);

}  // namespace fabrictwin::bridges::board::shell
