// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Boards of a torus of one dimension: each with its network FPGA and some of its plain FPGAs.
#pragma once

#include "tests/rtl/node/node_network.h"

namespace fabrictwin::test {

/// Shape of a ring of QFDBs.
struct QfdbRing {
  int boards = 1;
  int fpgas = 4;         ///< Of each board, F1 first.
  int board_delay = 19;  ///< Cycles of a board link: 120 ns.
  int network_delay = 19;
  int gear = 2;  ///< Cycles for a word on a network link: 10 Gb/s.
  MemoryTiming memory{.latency = 16};
};

/// Adds the boards to an empty network. Device fpgas * board + f.
void add_qfdbs(NodeNetwork& network, const QfdbRing& ring, uint64_t seed);

}  // namespace fabrictwin::test
