// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Placement of the ranks of all jobs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fabrictwin::mpi {

/// Ranks of jobs on hosts. The ranks of a host have slots, numbered from 0 in the order of jobs, then of ranks.
/// Immutable once all jobs are added; then thread-safe.
class JobLayout {
 public:
  /// A rank of a job.
  struct Seat {
    int32_t job = 0;
    int32_t rank = 0;
  };
  /// The host and slot of a rank.
  struct HostSlot {
    int32_t host = 0;
    int32_t slot = 0;
  };
  /// The number of slots that a message can name.
  static constexpr int32_t kMaxSlots = 64;

  explicit JobLayout(int32_t hosts) : seats_(static_cast<size_t>(hosts)), ranks_(static_cast<size_t>(hosts)) {}

  /// Adds a job by the host of each rank, and returns its number, from 0.
  int32_t add_job(std::span<const int32_t> host_of);

  int32_t jobs() const { return static_cast<int32_t>(slots_.size()); }
  int32_t ranks(int32_t job) const { return static_cast<int32_t>(slots_[static_cast<size_t>(job)].size()); }
  HostSlot slot_of(int32_t job, int32_t rank) const {
    return slots_[static_cast<size_t>(job)][static_cast<size_t>(rank)];
  }
  /// The ranks of a host, by slot.
  std::span<const Seat> seats(int32_t host) const { return seats_[static_cast<size_t>(host)]; }

 private:
  std::vector<std::vector<HostSlot>> slots_;  ///< By job and rank.
  std::vector<std::vector<Seat>> seats_;      ///< By host and slot.
  std::vector<int32_t> ranks_;                ///< By host.
};

}  // namespace fabrictwin::mpi
