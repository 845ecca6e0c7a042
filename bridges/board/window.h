// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The mapped memory window of a board.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/board/registers.h"
#include "cosim/engine/sync_table.h"
#include "cosim/link/channel.h"
#include "cosim/link/link_type.h"
#include "cosim/link/ring.h"

namespace fabrictwin::bridges::board {

/// The rows of a window's sync table: one for the board, one for everything else.
inline constexpr int32_t kBoardPartition = 0;
inline constexpr int32_t kRestPartition = 1;

/// What the links of a configured board carry.
link::LinkType words_of(const ConfigRegisters& config);

/// One channel of a configured board.
struct Channel {
  int32_t port = 0;
  bool to_board = false;
  link::ChannelSpec spec;
};

/// The window of one board, in a file that both sides map. Unmaps on destruction.
class Window {
 public:
  /// Creates a new window at `path`, replacing an existing file, for a board with kBoardPorts or kBoardBasePorts.
  /// Unavailable if that is not possible.
  static absl::StatusOr<std::unique_ptr<Window>> create(const std::string& path, int32_t ports = kBoardPorts);
  /// Creates a window that only this process has, for an agent that drives the board itself. Unavailable if there is no
  /// memory for it.
  static absl::StatusOr<std::unique_ptr<Window>> create_private(int32_t ports = kBoardPorts);
  /// Maps a board's window for its only agent. NotFound if there is none; FailedPrecondition if the file is not a
  /// window, is no regular file (memory of a device takes no futex, no atomic changes and no accesses of any size), has
  /// another version, is damaged, or already has an agent.
  static absl::StatusOr<std::unique_ptr<Window>> attach(const std::string& path);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// The file, for messages.
  const std::string& name() const { return name_; }
  Registers& registers() { return *registers_; }
  /// The number of ports: kBoardBasePorts or kBoardPorts.
  int32_t ports() const { return ports_; }
  /// The registers of port `port`, below ports().
  PortRegisters& port(int32_t port) const;
  /// The counters of what port `port`, below ports(), has sent.
  link::LinkCounters& counters(int32_t port) const;
  link::RingMemory* ring(int32_t port, bool to_board);

  /// Sets the configuration to zero. Called by the agent while no run is requested.
  void clear_configuration();
  /// Writes the route table of the configuration, of at most board_routes(ports()) entries.
  void set_routes(std::span<const uint8_t> routes);
  /// Reads the route table of the configuration. InvalidArgument if it has more entries than fit in the window.
  absl::StatusOr<std::vector<uint8_t>> routes() const;

  /// Empties the rings and the sync table. Called by the board between runs.
  void reset();

  /// The channels of the configuration in the registers, by ascending number. InvalidArgument if it is not valid.
  absl::StatusOr<std::vector<Channel>> channels() const;
  /// The sync table of the configured channels; its channels are those of channels(), in the same order. The window
  /// must outlive it.
  std::unique_ptr<engine::SyncTable> table(const std::vector<Channel>& channels);

 private:
  /// Maps and fills a window of `fd`, which it closes if that is not possible.
  static absl::StatusOr<std::unique_ptr<Window>> make(const std::string& name, int fd, int32_t ports);
  Window(std::string name, void* base, int32_t ports, int fd)
      : name_(std::move(name)),
        registers_(static_cast<Registers*>(base)),
        base_(static_cast<std::byte*>(base)),
        ports_(ports),
        fd_(fd) {}

  std::string name_;
  Registers* registers_;
  std::byte* base_;
  int32_t ports_;  ///< The number when the window was mapped, because the board may overwrite the register.
  int fd_;
};

}  // namespace fabrictwin::bridges::board
