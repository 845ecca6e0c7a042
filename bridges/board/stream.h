// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves records between a Run stream and the rings in a board's window.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bridges/board/heartbeat.h"
#include "bridges/board/window.h"
#include "bridges/protocol/blob_decoder.h"
#include "bridges/protocol/blob_encoder.h"
#include "cosim/engine/sync_table.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::board {

/// Tells whether the board behind a window still works. Used by one thread.
class Pulse {
 public:
  /// `window` outlives this. `patience` is how long the heartbeat of hardware may stand.
  explicit Pulse(Window& window, std::chrono::milliseconds patience = kHeartbeatPatience);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  /// Unavailable if the board's process has ended or, where it has none, its heartbeat stands; or what the board says
  /// of itself if it has failed in `run`.
  absl::Status check(uint32_t run);

 private:
  Window& window_;
  Heartbeat heartbeat_;
  int pid_fd_ = -1;  ///< The process of a soft board; readable when it has ended.
};

/// The agent's side of one run: one thread writes messages to the window, another one reads answers from it.
class Stream {
 public:
  /// `window` must be configured and its board must run `run`; `partition` is the number of its sync row.
  Stream(Window& window, std::vector<Channel> channels, int32_t partition, uint32_t run);

  /// Writes the records of a request to the window; waits while a ring is full, until end() is called. Called by the
  /// thread that reads the stream.
  absl::Status put(v1::RunRequest& request);

  /// Waits until there is something to answer, and fills it in; false after end(). Errors are those of the board.
  /// Called by the thread that writes the stream.
  absl::StatusOr<bool> take(v1::RunResponse& response);

  /// Ends put() and take(). Thread-safe.
  void end();

  /// The time that the board has reached.
  Time now() const { return table_->now(kBoardPartition); }

 private:
  /// What has been written to the board's window.
  struct Given {
    uint64_t number = 0;   ///< The number of the last message.
    uint64_t records = 0;  ///< The records on all channels.
    Time horizon;          ///< The least promise of all channels.
  };

  bool settled(const Given& given) const;
  void fill(const Given& given, bool settled, v1::RunResponse& response);
  /// Spins, then yields, then sleeps; true if it slept. `tries` counts the calls since something last happened.
  bool pause(int& tries);

  Window& window_;
  const std::vector<Channel> channels_;
  const int32_t partition_;
  const uint32_t run_;
  std::unique_ptr<engine::SyncTable> table_;
  protocol::BlobDecoder decoder_;
  protocol::BlobEncoder encoder_;
  Pulse pulse_;
  std::mutex mutex_;  ///< Guards given_.
  Given given_;
  std::atomic<uint64_t> number_{0};  ///< A copy of given_.number that can be read without the lock.
  std::atomic<bool> ended_{false};
  uint64_t last_number_ = 0;
  uint64_t answered_ = 0;
  engine::PartitionSnapshot row_;
  engine::PartitionSnapshot scratch_;
  std::chrono::steady_clock::time_point first_;  ///< When the oldest record in the encoder was collected.
};

}  // namespace fabrictwin::bridges::board
