// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The caller's end of the Run stream of one place.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/caller/bridge_calls.h"
#include "bridges/protocol/blob_decoder.h"
#include "bridges/protocol/blob_encoder.h"
#include "bridges/protocol/sync_rows.h"
#include "cosim/engine/lookahead.h"
#include "cosim/link/counters.h"
#include "cosim/run/run_memory.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::caller {

/// The number of messages with records that may be unanswered.
inline constexpr uint64_t kMaxUnanswered = 8;

/// Sends to a place what it needs as soon as it can use it, but not before, and receives its answers. A place
/// whose partitions all wait is sent nothing, because the lookahead knows as much as it could answer. Used by the
/// executor's first thread; any thread may read the counters.
class PumpPeer {
 public:
  /// All references must outlive the peer. `name` is the name of the place, for errors.
  PumpPeer(std::string name, const system::Plan& plan, int32_t place, run::RunMemory& memory,
           std::unique_ptr<RunStream> stream, std::string run_id);

  /// Opens the stream; its events come back through on_event(), from `queue` or from poll().
  void start(grpc::CompletionQueue& queue);

  /// The operations whose completion an event reports, with a Tag.
  enum class Operation : uint8_t { kStart, kRead, kWrite, kWritesDone, kFinish };
  struct Tag {
    PumpPeer* peer;
    Operation operation;
  };
  /// Handles an event. True if records or rows arrived.
  absl::StatusOr<bool> on_event(Operation operation, bool ok);

  /// Retries records that a full ring held back, collects from rings, and sends a message if the place can use one.
  /// True if anything moved.
  absl::StatusOr<bool> advance(const engine::Lookahead& lookahead);

  /// Half-closes the stream after the write in progress. Anything that still arrives is discarded.
  void close();
  /// Cancels the stream.
  void cancel() { stream_->cancel(); }

  /// Whether events of the stream come from poll(), which has the next one, and not from the queue.
  bool polled() const { return stream_->polled(); }
  std::optional<StreamEvent> poll() { return stream_->poll(); }

  /// True if an answer or the end of a write is pending.
  bool expecting() const { return writing_ || sent_ != answered_ || closing_; }
  /// True when the stream has ended; status() then says how.
  bool ended() const { return ended_; }
  const grpc::Status& status() const { return status_; }
  /// True if no operation is pending, so that the peer may be destroyed.
  bool quiet() const { return pending_ == 0; }

  int32_t place() const { return place_; }
  const std::string& name() const { return name_; }
  bool shared() const { return shared_; }
  /// The least time that a partition of the place has reached.
  Time simulated() const;

  /// Counters for metrics, for both directions together.
  struct Counters {
    link::Counter records;
    link::Counter messages;
    link::Counter bytes;
  };
  const Counters& counters() const { return counters_; }

 private:
  absl::StatusOr<bool> take_over();
  absl::Status check_response();
  absl::Status check_consumed(int32_t partition, const engine::PartitionSnapshot& snapshot) const;
  void raise_promises(const engine::Lookahead& lookahead);
  bool useful(bool records) const;
  void send();
  void read();
  void finish();
  void* tag(Operation operation);

  const std::string name_;
  const int32_t place_;
  const bool shared_;
  engine::SyncTable& table_;
  const std::string run_id_;
  const std::vector<int32_t> partitions_;
  std::vector<int32_t> inbound_;  ///< For each channel of the encoder, its index in the sync table.
  std::vector<std::vector<size_t>>
      needs_;  ///< By partition of the place: the encoder's channels on which its progress depends.
  std::vector<std::pair<size_t, size_t>>
      consumer_;  ///< By channel of the encoder: partition of the place, index among its inbound channels.
  protocol::BlobEncoder encoder_;
  protocol::BlobDecoder decoder_;
  std::vector<engine::PartitionSnapshot> rows_;  ///< The last row received of each partition of the place.

  std::array<Tag, 5> tags_;
  const std::unique_ptr<RunStream> stream_;
  v1::RunRequest request_;
  v1::RunResponse response_;
  grpc::Status status_;
  int pending_ = 0;
  bool started_ = false;
  bool writing_ = false;
  bool closing_ = false;
  bool closed_ = false;
  bool ended_ = false;
  bool reading_ = false;
  bool finishing_ = false;
  bool backlog_ = false;   ///< True if response_ has not been processed completely.
  bool together_ = false;  ///< The place tells of work that the run waits for, as all come to its end together.
  Time end_;               ///< Then the run does not end before this time,
  Time told_end_;          ///< and the place knows that it does not before this one.
  uint64_t sent_ = 0;
  uint64_t answered_ = 0;
  Counters counters_;
};

}  // namespace fabrictwin::bridges::caller
