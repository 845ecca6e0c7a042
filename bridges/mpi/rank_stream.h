// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Run stream between rank 0 and another rank.
#pragma once

#include <deque>
#include <optional>

#include "absl/status/status.h"
#include "bridges/caller/bridge_calls.h"
#include "bridges/mpi/world.h"

namespace fabrictwin::bridges::mpi {

/// The end at rank 0. Events come from poll(), and a write has ended when MPI has its message: how much is on its way
/// is limited by the window of unanswered messages. Used by one thread.
class RankStream final : public caller::RunStream {
 public:
  /// `world` must outlive the stream.
  RankStream(World& world, int rank) : world_(world), rank_(rank) {}

  void start(grpc::CompletionQueue& queue, void* tag) override;
  void read(v1::RunResponse* response, void* tag) override;
  void write(const v1::RunRequest& request, void* tag) override;
  void writes_done(void* tag) override;
  void finish(grpc::Status* status, void* tag) override;
  void cancel() override;
  bool polled() const override { return true; }
  std::optional<caller::StreamEvent> poll() override;

 private:
  std::optional<caller::StreamEvent> end_read(bool ok);
  /// Sends a message; false, and the stream has failed, if that does not work.
  bool send(std::string bytes);
  void fail(const absl::Status& status);

  World& world_;
  const int rank_;
  std::deque<caller::StreamEvent> events_;
  v1::RunResponse* response_ = nullptr;
  void* read_tag_ = nullptr;  ///< Null if no read is pending.
  absl::Status status_;       ///< How the stream ends.
  bool half_closed_ = false;
};

}  // namespace fabrictwin::bridges::mpi
