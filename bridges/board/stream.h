// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two rings and a pump: the records of a Run stream into a board's window, and back.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bridges/blob_decoder.h"
#include "bridges/blob_encoder.h"
#include "bridges/board_window.h"
#include "cosim/engine/sync_table.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin {

/// Tells whether the board behind a window still works.
class BoardPulse {
 public:
  explicit BoardPulse(const BoardRegisters& registers);
  ~BoardPulse();
  BoardPulse(const BoardPulse&) = delete;
  BoardPulse& operator=(const BoardPulse&) = delete;

  /// Unavailable if the board's process has ended, or what the board says of itself if it has failed in `run`.
  absl::Status check(uint32_t run) const;

 private:
  const BoardRegisters& registers_;
  int pid_fd_ = -1;  ///< Of a soft board; readable when its process has ended.
};

/// The agent's part in one run: one thread puts messages into the window, another one takes answers out.
class BoardStream {
 public:
  /// `window` is configured and its board runs `run`; `partition` is the number of its sync row.
  BoardStream(BoardWindow& window, std::vector<BoardChannel> channels, int32_t partition, uint32_t run);

  /// Puts the records of a request into the window; waits while a ring is full, until end() is called. The reading
  /// thread's.
  absl::Status put(v1::RunRequest& request);

  /// Waits until there is something to tell, and fills it in; false after end(). Errors: of the board. The writing
  /// thread's.
  absl::StatusOr<bool> take(v1::RunResponse& response);

  /// Ends both. From any thread.
  void end();

  /// The time that the board has reached.
  Time now() const { return table_->now(kBoardPartition); }

 private:
  /// What the board has been given.
  struct Given {
    uint64_t number = 0;   ///< Of the last message.
    uint64_t records = 0;  ///< On all channels.
    Time horizon;          ///< The least promise.
  };

  bool settled(const Given& given) const;
  void fill(const Given& given, bool settled, v1::RunResponse& response);
  /// Spins, then yields, then sleeps (true); `tries` counts the calls since something last happened.
  bool pause(int& tries);

  BoardWindow& window_;
  const std::vector<BoardChannel> channels_;
  const int32_t partition_;
  const uint32_t run_;
  std::unique_ptr<SyncTable> table_;
  BlobDecoder decoder_;
  BlobEncoder encoder_;
  BoardPulse pulse_;
  std::mutex mutex_;  ///< Guards given_.
  Given given_;
  std::atomic<uint64_t> number_{0};  ///< given_.number, to look at without the lock.
  std::atomic<bool> ended_{false};
  uint64_t last_number_ = 0;
  uint64_t answered_ = 0;
  PartitionSnapshot row_;
  PartitionSnapshot scratch_;
  std::chrono::steady_clock::time_point first_;  ///< When the oldest record in the encoder was collected.
};

}  // namespace fabrictwin
