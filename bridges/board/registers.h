// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of a board's memory window. docs/bridge-protocol.md describes them for people who build a shell. All
// numbers are little-endian; reading a register never changes anything.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "bridges/board/config.h"
#include "cosim/link/counters.h"
#include "cosim/link/doorbell.h"
#include "cosim/link/ring.h"

namespace fabrictwin::bridges::board {

inline constexpr uint64_t kBoardMagic = 0x3152414f42544146;  ///< "FATBOAR1"
inline constexpr uint32_t kBoardVersion = 6;
/// The element types of boards.
inline constexpr uint32_t kBoardExanetRouter = 1;
inline constexpr uint32_t kBoardExanetNode = 2;
inline constexpr uint32_t kBoardAny = 3;  ///< One of these two, chosen by the configuration (a soft board).
inline constexpr uint32_t kBoardExternalRouter = 4;
inline constexpr size_t kBoardTextBytes = 256;

/// The identity of a board. The board writes it before anything else, and the magic last.
struct alignas(64) Identity {
  std::atomic<uint64_t> magic;
  uint32_t version;
  uint32_t element_type;  ///< kBoardExanetRouter, ..Node, kBoardExternalRouter or kBoardAny.
  uint32_t ports;         ///< kBoardBasePorts or kBoardPorts.
  uint32_t ring_slots;
  uint64_t window_bytes;
  uint64_t sync_offset;   ///< The offset of the sync table from the beginning of the window.
  uint64_t rings_offset;  ///< The offset of the first ring; rings go to the board on port 0, from it on port 0, to it
                          ///< on port 1, ...
  uint64_t ring_bytes;    ///< The distance from one ring to the next.
};

/// The configuration of one port. The agent writes it while no run is requested.
struct PortRegisters {
  uint32_t enabled;
  uint32_t initial_credits;
  uint32_t channel_to_board;
  uint32_t channel_from_board;
  uint32_t to_host;  ///< 1 if the other end of the link is a host and outputs mark; else 0.
  uint32_t reserved;
  int64_t latency_fs;
  int64_t word_clock_numerator;
  int64_t word_clock_denominator;
};
struct alignas(64) ConfigRegisters {
  char name[64];          ///< The name of the element; ends with a zero.
  uint32_t element_type;  ///< kBoardExanetRouter, kBoardExanetNode or kBoardExternalRouter.
  uint32_t address;       ///< For a node: its number in packets, of which the next three give the bits. For an external
                          ///< router: its number in the network.
  int32_t tile_bits;
  int32_t x_bits;
  int32_t y_bits;
  int32_t coordinates[kBoardDims];
  int32_t dims[kBoardDims];
  uint8_t word_bits;  ///< For an external router: what its links carry, as in link::LinkType. Else zero.
  uint8_t vcs;
  uint8_t credit_words;
  uint8_t reserved;
  int64_t clock_numerator;
  int64_t clock_denominator;
  /// When outputs mark packets, as in link::PacketMarking; all zero if never.
  int32_t mark_threshold_words;
  int32_t mark_rate;
  int32_t mark_least_words;
  int32_t mark_hosts;
  PortRegisters ports[kBoardBasePorts];
  uint32_t route_destinations;  ///< For a router with a route table: the destinations in the table; 0 in a torus.
  uint32_t route_count;         ///< The number of entries that follow.
  /// For each input VC in order, the entries of all hosts; see RouteTable. Entries that do not fit continue in the wide
  /// part.
  uint8_t routes[board_routes(kBoardBasePorts)];
};

/// The commands to the board, written by the agent.
struct alignas(64) Control {
  /// The requested run: 0 for none, else any number other than the previous one. The board resets itself, reads the
  /// configuration, and sets Status::run when it is ready.
  std::atomic<uint32_t> run;
};

enum class State : uint32_t { kIdle = 0, kRunning = 1, kFailed = 2 };
inline constexpr uint32_t kStateMask = 0xff;
inline constexpr int kStateCodeShift = 8;

/// The status of the board, written by the board.
struct alignas(64) Status {
  std::atomic<uint32_t> run;        ///< The run to which the other fields refer; 0 when the board is idle.
  std::atomic<uint32_t> state;      ///< State in bits 7..0, and above it the gRPC status code of a failure (0 is
                                    ///< INTERNAL); written before `run`.
  std::atomic<uint64_t> heartbeat;  ///< Grows at least once a second; looked at if `pid` is 0.
  std::atomic<int64_t> pid;         ///< The process of a soft board; 0 for hardware.
  link::Counter events;             ///< The number of clock cycles simulated.
  link::Counter busy_ns;
  link::Counter records_in;
  link::Counter records_out;
  char error[kBoardTextBytes];  ///< Describes the failure; ends with a zero. Written before `state` becomes kFailed.
  link::Counter late;           ///< What came too late for a clock that does not wait; 0 of gated boards.
  std::atomic<uint32_t> counts_repeats;  ///< 1 if the element counts what it has sent again:
  link::Counter repeated_messages;       ///< messages between mailboxes
  link::Counter repeated_blocks;         ///< and blocks of RDMA transfers.
};

/// The additional registers of a board with kBoardPorts; the registers of the first kBoardBasePorts ports are
/// elsewhere.
struct alignas(64) WideRegisters {
  PortRegisters ports[kBoardPorts - kBoardBasePorts];
  uint8_t routes[board_routes(kBoardPorts) - board_routes(kBoardBasePorts)];
  link::LinkCounters counters[kBoardPorts - kBoardBasePorts];
};

/// The beginning of a window. The sync table and the rings follow it.
struct Registers {
  Identity identity;
  ConfigRegisters config;
  Control control;
  Status status;
  link::LinkCounters
      counters[kBoardBasePorts];  ///< Counters of the sending direction of each port, written by the board.
  link::Doorbell board_bell;      ///< Rung by the agent after it has written to a ring.
  link::Doorbell control_bell;    ///< Rung by the agent after it has changed Control.
  link::Doorbell agent_bell;      ///< Rung by the board after anything has changed.
  WideRegisters wide;             ///< Absent in the window of a board with kBoardBasePorts.
};

}  // namespace fabrictwin::bridges::board
