// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of a board's memory window. docs/bridge-protocol.md describes them for people who build a shell. All
// numbers are little-endian; reading a register never changes anything.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "bridges/board_config.h"
#include "cosim/link/doorbell.h"
#include "cosim/link/ring.h"
#include "cosim/run/counters.h"

namespace fabrictwin {

inline constexpr uint64_t kBoardMagic = 0x3152414f42544146;  ///< "FATBOAR1"
inline constexpr uint32_t kBoardVersion = 4;
/// What a board can be.
inline constexpr uint32_t kBoardExanetRouter = 1;
inline constexpr uint32_t kBoardExanetNode = 2;
inline constexpr uint32_t kBoardAny = 3;  ///< What its configuration says: a soft board.
inline constexpr size_t kBoardTextBytes = 256;

/// What a board is. Written by the board before anything else; the magic comes last.
struct alignas(64) BoardIdentity {
  std::atomic<uint64_t> magic;
  uint32_t version;
  uint32_t element_type;  ///< kBoardExanetRouter, ..Node or kBoardAny.
  uint32_t ports;         ///< kBoardBasePorts or kBoardPorts.
  uint32_t ring_slots;
  uint64_t window_bytes;
  uint64_t sync_offset;   ///< Of the sync table from the begin of the window.
  uint64_t rings_offset;  ///< Of the first ring: to the board on port 0, from it on port 0, to it on port 1, ...
  uint64_t ring_bytes;    ///< From one ring to the next.
};

/// Written by the agent while no run is wanted.
struct BoardPortRegisters {
  uint32_t enabled;
  uint32_t initial_credits;
  uint32_t channel_to_board;
  uint32_t channel_from_board;
  int64_t latency_fs;
  int64_t word_clock_numerator;
  int64_t word_clock_denominator;
};
struct alignas(64) BoardConfigRegisters {
  char name[64];          ///< Of the element; ends with a zero.
  uint32_t element_type;  ///< kBoardExanetRouter or kBoardExanetNode.
  uint32_t address;       ///< Of a node: its number in packets, and the bits of such numbers for tile, x and y.
  int32_t tile_bits;
  int32_t x_bits;
  int32_t y_bits;
  int32_t coordinates[kBoardDims];
  int32_t dims[kBoardDims];
  int64_t clock_numerator;
  int64_t clock_denominator;
  BoardPortRegisters ports[kBoardBasePorts];
  uint32_t route_destinations;  ///< Of a router in no torus: destinations that its route table knows; 0 in a torus.
  uint32_t route_count;         ///< Entries that follow.
  /// For each input VC in order the entries of all hosts; see RouteTable. Those that have no room go on in the wide
  /// part.
  uint8_t routes[board_routes(kBoardBasePorts)];
};

/// Written by the agent.
struct alignas(64) BoardControl {
  /// The run that is wanted: 0 for none, else any number other than the one before. The board resets itself, takes the
  /// configuration, and says in BoardStatus::run when it is ready.
  std::atomic<uint32_t> run;
};

enum class BoardState : uint32_t { kIdle = 0, kRunning = 1, kFailed = 2 };

/// Written by the board.
struct alignas(64) BoardStatus {
  std::atomic<uint32_t> run;        ///< The run that the rest speaks of; 0 when the board is idle.
  std::atomic<uint32_t> state;      ///< BoardState; written before `run`.
  std::atomic<uint64_t> heartbeat;  ///< Grows at least once a second.
  std::atomic<int64_t> pid;         ///< Of a soft board's process; 0 for hardware.
  Counter events;                   ///< Clock cycles simulated.
  Counter busy_ns;
  Counter records_in;
  Counter records_out;
  char error[kBoardTextBytes];  ///< What failed; ends with a zero. Written before `state` becomes kFailed.
};

/// What a board with kBoardPorts has beyond one with kBoardBasePorts, which comes first everywhere.
struct alignas(64) BoardWideRegisters {
  BoardPortRegisters ports[kBoardPorts - kBoardBasePorts];
  uint8_t routes[board_routes(kBoardPorts) - board_routes(kBoardBasePorts)];
  LinkCounters counters[kBoardPorts - kBoardBasePorts];
};

/// The begin of a window. Followed by the sync table and the rings.
struct BoardRegisters {
  BoardIdentity identity;
  BoardConfigRegisters config;
  BoardControl control;
  BoardStatus status;
  LinkCounters counters[kBoardBasePorts];  ///< Of the sending direction of each port. Written by the board.
  Doorbell board_bell;                     ///< Rung by the agent after it has put something into a ring.
  Doorbell control_bell;                   ///< Rung by the agent after it has changed BoardControl.
  Doorbell agent_bell;                     ///< Rung by the board after anything has changed.
  BoardWideRegisters wide;                 ///< Not in the window of a board with kBoardBasePorts.
};

}  // namespace fabrictwin
