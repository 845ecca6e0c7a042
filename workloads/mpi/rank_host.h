// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host process that runs the ranks of one host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "models/host/host_process.h"
#include "workloads/mpi/compute_channel.h"
#include "workloads/mpi/job_layout.h"
#include "workloads/mpi/job_state.h"
#include "workloads/mpi/loopback.h"
#include "workloads/mpi/rank_engine.h"

namespace fabrictwin::mpi {

/// What the ranks of a partition share. Immutable except for the states of jobs. The partition may simulate its hosts
/// on several threads if there is no background job.
struct RankSystem {
  JobLayout layout;
  std::vector<JobState> jobs;
  bool background = false;  ///< There is a job in the background.
};

/// Runs the ranks of a host, each on its own core. Ranks know each other by their numbers in their job; here these
/// become hosts and slots, which messages carry in the second word of their envelope (protocol::MpiHeader defines the
/// bits). Messages to ranks of the same host go through memory or through the network interface; computations of the
/// ranks share the memory.
class RankHost final : public host::HostProcess {
 public:
  /// Shares the engines of `node` in `system`, on which the workload reports even after the process is gone. Without
  /// `loopback`, messages between its ranks go through the network interface, which must accept messages to its own
  /// node. With `memory`, computations that state the bytes that they move share it.
  RankHost(int32_t node, std::shared_ptr<RankSystem> system, std::optional<Loopback> loopback,
           std::optional<ComputeChannel> memory);

  /// Background jobs do not count.
  bool finished() const override;
  Time finish_time() const override;
  std::string waits_for() const override;
  std::string failure() const override;

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage& message) override;
  void on_sent(uint64_t cookie) override;
  void decide() override;

 private:
  struct Rank {
    JobLayout::Seat seat;
    std::shared_ptr<RankEngine> engine;
    Time wake = Time::never();
    bool due = true;       ///< An event has occurred for it.
    bool waiting = false;  ///< It is one of JobState::waiting.
  };

  JobState& job_of(const Rank& rank) const { return system_->jobs[static_cast<size_t>(rank.seat.job)]; }
  std::string named(const Rank& rank, const std::string& text) const;
  void count_flights(JobState& job, int change) const;
  /// Counts whether a rank that has decided does nothing without a message.
  void count_waiting(Rank& rank) const;
  void route(const nic::OutgoingMessage& message);
  void deliver(int32_t slot, const nic::IncomingMessage& message);
  void tell_sent(int32_t slot, uint64_t cookie);
  void end_loopbacks();
  void end_computations();
  Time next_loopback() const { return loopback_.has_value() ? loopback_->next() : Time::never(); }

  std::shared_ptr<RankSystem> system_;
  std::optional<Loopback> loopback_;
  std::optional<ComputeChannel> memory_;
  absl::InlinedVector<Rank, 1> ranks_;  ///< By slot.
  int32_t deciding_ = 0;                ///< Slot of the rank that sends.
  std::string failure_;
};

}  // namespace fabrictwin::mpi
