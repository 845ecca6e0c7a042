// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The caller's end of the Run stream of one place.
#pragma once

#include <grpcpp/grpcpp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/blob_decoder.h"
#include "bridges/blob_encoder.h"
#include "bridges/sync_rows.h"
#include "cosim/engine/lookahead.h"
#include "cosim/run/counters.h"
#include "cosim/run/plan.h"
#include "cosim/run/run_memory.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"

namespace fabrictwin {

/// Messages that may be unanswered while they carry records.
inline constexpr uint64_t kMaxUnanswered = 8;

/// Sends what a place needs as soon as it can use it and not before, and takes over what it answers. A place whose
/// partitions all wait is sent nothing: the lookahead knows as much as it could answer. Used by the executor's first
/// thread; the counters may be read by any.
class PumpPeer {
 public:
  /// Everything outlives the peer. `name` is the place's, for errors.
  PumpPeer(std::string name, const Plan& plan, int32_t place, RunMemory& memory, v1::Bridge::Stub& stub,
           std::string run_id);

  /// Opens the stream; its events come back through on_event().
  void start(grpc::CompletionQueue& queue);

  /// What a completion queue gives back: which operation of which peer.
  enum class Operation : uint8_t { kStart, kRead, kWrite, kWritesDone, kFinish };
  struct Tag {
    PumpPeer* peer;
    Operation operation;
  };
  /// Handles an event. True if records or rows came.
  absl::StatusOr<bool> on_event(Operation operation, bool ok);

  /// Moves on whatever a full ring held back, collects from rings, and sends a message if the place can use one. True
  /// if anything moved.
  absl::StatusOr<bool> advance(const Lookahead& lookahead);

  /// Half-closes the stream once what is being written is out. What still comes is thrown away.
  void close();
  /// Breaks the stream off.
  void cancel() { context_.TryCancel(); }

  /// True if an answer or the end of a write is to be expected.
  bool expecting() const { return writing_ || sent_ != answered_ || closing_; }
  /// True when the stream is over; status() then says how.
  bool ended() const { return ended_; }
  const grpc::Status& status() const { return status_; }
  /// True if no operation is under way, so that the peer may be destroyed.
  bool quiet() const { return pending_ == 0; }

  int32_t place() const { return place_; }
  const std::string& name() const { return name_; }
  bool shared() const { return shared_; }
  /// The least time that a partition of the place has reached.
  Time simulated() const;

  /// For metrics: both directions together.
  struct Counters {
    Counter records;
    Counter messages;
    Counter bytes;
  };
  const Counters& counters() const { return counters_; }

 private:
  absl::StatusOr<bool> take_over();
  absl::Status check_response();
  absl::Status check_consumed(int32_t partition, const PartitionSnapshot& snapshot) const;
  void raise_promises(const Lookahead& lookahead);
  bool useful(bool records) const;
  void send();
  void read();
  void finish();
  void* tag(Operation operation);

  const std::string name_;
  const int32_t place_;
  const bool shared_;
  SyncTable& table_;
  v1::Bridge::Stub& stub_;
  const std::string run_id_;
  const std::vector<int32_t> partitions_;
  std::vector<int32_t> inbound_;  ///< Positions of the channels that we send on.
  std::vector<std::vector<size_t>>
      needs_;  ///< By partition of the place: the encoder's channels on which its progress depends.
  std::vector<std::pair<size_t, size_t>>
      consumer_;  ///< By channel of the encoder: partition of the place, index among its inbound channels.
  BlobEncoder encoder_;
  BlobDecoder decoder_;
  std::vector<PartitionSnapshot> rows_;  ///< By partition of the place; as last told.

  std::array<Tag, 5> tags_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientAsyncReaderWriter<v1::RunRequest, v1::RunResponse>> stream_;
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
  bool backlog_ = false;  ///< response_ is not yet taken over whole.
  uint64_t sent_ = 0;
  uint64_t answered_ = 0;
  Counters counters_;
};

}  // namespace fabrictwin
