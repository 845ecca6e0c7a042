// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All Run streams of a run on one completion queue, polled by the executor itself.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/pump_peer.h"
#include "cosim/engine/pump.h"
#include "cosim/run/plan.h"
#include "cosim/run/run_memory.h"

namespace fabrictwin {

/// The pump of a run. It has no threads: the thread that simulates also moves the bytes, so an answer never waits for a
/// thread to wake up.
class GrpcPump final : public Pump {
 public:
  /// Makes the error for a peer whose stream is over although nobody closed it.
  using Obituary = std::function<absl::Status(const PumpPeer&)>;

  /// `plan` and `memory` outlive the pump.
  GrpcPump(const Plan& plan, RunMemory& memory, Obituary obituary);
  /// Breaks off what is still open.
  ~GrpcPump() override;

  /// Adds a peer and opens its stream. Before the first poll.
  void add(std::unique_ptr<PumpPeer> peer);

  absl::StatusOr<bool> poll(const Lookahead& lookahead) override;
  bool waits_in_kernel() const override { return expecting(); }
  void wait(std::chrono::nanoseconds at_most) override;

  /// Half-closes all streams and waits until they are over, or breaks them off after this time. After the executor has
  /// ended.
  void close(std::chrono::milliseconds at_most);

  const std::vector<std::unique_ptr<PumpPeer>>& peers() const { return peers_; }

 private:
  bool expecting() const;
  bool waiting_in_rings() const;
  /// Handles what has come, waiting for the first event until `deadline`.
  bool take_events(std::chrono::system_clock::time_point deadline);
  void handle(void* tag, bool ok);
  void ring_all();

  RunMemory& memory_;
  Obituary obituary_;
  std::vector<RingMemory*> inbound_;  ///< Rings into place 0.
  std::vector<Doorbell*> doorbells_;  ///< Of this place and those that share memory with it.
  bool shared_ = false;               ///< Some place shares memory.
  grpc::CompletionQueue queue_;
  std::vector<std::unique_ptr<PumpPeer>> peers_;
  absl::Status failure_;
  bool moved_ = false;
  bool closing_ = false;
  uint32_t polls_ = 0;
};

}  // namespace fabrictwin
