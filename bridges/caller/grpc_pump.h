// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All Run streams of a run, polled by the executor itself: those of gRPC on one completion queue, those of MPI one by
// one.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/caller/pump_peer.h"
#include "cosim/engine/pump.h"
#include "cosim/run/run_memory.h"
#include "cosim/system/plan.h"

namespace fabrictwin::bridges::caller {

/// The pump of a run. It has no threads: the simulating thread also moves the bytes, so an answer never waits for a
/// thread to wake up.
class GrpcPump final : public engine::Pump {
 public:
  /// Makes the error for a peer whose stream has ended although it was not closed.
  using Obituary = std::function<absl::Status(const PumpPeer&)>;

  /// `plan` and `memory` must outlive the pump.
  GrpcPump(const system::Plan& plan, run::RunMemory& memory, Obituary obituary);
  /// Cancels streams that are still open.
  ~GrpcPump() override;

  /// Adds a peer and opens its stream. Called before the first poll.
  void add(std::unique_ptr<PumpPeer> peer);

  absl::StatusOr<bool> poll(const engine::Lookahead& lookahead) override;
  bool waits_in_kernel() const override { return expecting(); }
  void wait(std::chrono::nanoseconds at_most) override;

  /// Half-closes all streams and waits until they have ended, or cancels them after this time. Called after the
  /// executor has ended.
  void close(std::chrono::milliseconds at_most);

  const std::vector<std::unique_ptr<PumpPeer>>& peers() const { return peers_; }

 private:
  bool expecting() const;
  bool waiting_in_memory() const;
  /// Handles all pending events, waiting for the first one until `deadline`. True if there was one.
  bool take_events(std::chrono::system_clock::time_point deadline);
  /// Handles those of streams of the queue in this way.
  bool take_queued(std::chrono::system_clock::time_point deadline);
  /// Handles the pending events of all other streams. True if there was one.
  bool take_polled();
  void handle(void* tag, bool ok);
  void ring_all();

  run::RunMemory& memory_;
  Obituary obituary_;
  std::vector<link::RingMemory*> inbound_;  ///< The rings into place 0.
  std::vector<link::Doorbell*> doorbells_;  ///< The doorbells of this place and of those that share memory with it.
  bool shared_ = false;                     ///< True if some place shares memory.
  /// What a partition of such a place had promised at the last poll.
  struct Promise {
    int32_t partition = 0;
    Time time;
  };
  std::vector<Promise> promises_;
  size_t polled_ = 0;  ///< Peers whose streams are not on the queue.
  grpc::CompletionQueue queue_;
  std::vector<std::unique_ptr<PumpPeer>> peers_;
  absl::Status failure_;
  bool moved_ = false;
  bool closing_ = false;
  uint32_t polls_ = 0;
};

}  // namespace fabrictwin::bridges::caller
