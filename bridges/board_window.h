// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A board's memory window, mapped.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/board_registers.h"
#include "cosim/engine/sync_table.h"
#include "cosim/link/channel.h"
#include "cosim/link/ring.h"

namespace fabrictwin {

/// The rows of a window's sync table: the board, and everything else in one.
inline constexpr int32_t kBoardPartition = 0;
inline constexpr int32_t kRestPartition = 1;

/// One channel of a configured board.
struct BoardChannel {
  int32_t port = 0;
  bool to_board = false;
  ChannelSpec spec;
};

/// The window of one board, in a file that both sides map. Unmaps on destruction.
class BoardWindow {
 public:
  /// Makes a fresh window at `path` in place of whatever was there, of a board with kBoardPorts or kBoardBasePorts.
  /// Unavailable if that cannot be done.
  static absl::StatusOr<std::unique_ptr<BoardWindow>> create(const std::string& path, int32_t ports = kBoardPorts);
  /// Maps a board's window for its one agent. NotFound if there is none, FailedPrecondition if it is no window, of
  /// another version, damaged, or already has an agent.
  static absl::StatusOr<std::unique_ptr<BoardWindow>> attach(const std::string& path);
  ~BoardWindow();
  BoardWindow(const BoardWindow&) = delete;
  BoardWindow& operator=(const BoardWindow&) = delete;

  BoardRegisters& registers() { return *registers_; }
  /// kBoardBasePorts or kBoardPorts.
  int32_t ports() const { return ports_; }
  /// Registers of one of ports().
  BoardPortRegisters& port(int32_t port) const;
  /// What one of ports() has sent.
  LinkCounters& counters(int32_t port) const;
  RingMemory* ring(int32_t port, bool to_board);

  /// All zero. By the agent, while no run is wanted.
  void clear_configuration();
  /// The route table in the configuration. At most board_routes(ports()) entries.
  void set_routes(std::span<const uint8_t> routes);
  /// InvalidArgument if there are more than the window has room for.
  absl::StatusOr<std::vector<uint8_t>> routes() const;

  /// Empties the rings and the sync table. By the board, between runs.
  void reset();

  /// The channels of the configuration in the registers, by ascending number. InvalidArgument if it makes no sense.
  absl::StatusOr<std::vector<BoardChannel>> channels() const;
  /// The sync table of the configured channels; its channels are those of channels(), in the same order. The window
  /// outlives it.
  std::unique_ptr<SyncTable> table(const std::vector<BoardChannel>& channels);

 private:
  BoardWindow(void* base, int32_t ports, int fd)
      : registers_(static_cast<BoardRegisters*>(base)), base_(static_cast<std::byte*>(base)), ports_(ports), fd_(fd) {}

  BoardRegisters* registers_;
  std::byte* base_;
  int32_t ports_;  ///< As it was when the window was mapped: the board may write anything there.
  int fd_;
};

}  // namespace fabrictwin
