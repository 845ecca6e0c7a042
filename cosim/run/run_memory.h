// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory through which the partitions of a run meet: sync table, doorbells and rings, on the heap or shared by
// processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/sync_table.h"
#include "cosim/link/channel.h"
#include "cosim/link/doorbell.h"
#include "cosim/link/ring.h"
#include "cosim/run/plan.h"

namespace fabrictwin {

/// Laid out by the plan alone, so every process that has the same plan finds the same things in it:
/// header | sync table | one doorbell for each place | one ring for each of plan.cut_channels. Movable; unmaps on
/// destruction.
class RunMemory {
 public:
  /// Zeroed heap memory, for runs (and gRPC workers) that share nothing.
  static absl::StatusOr<std::unique_ptr<RunMemory>> create_heap(const Plan& plan);
  /// A sealed memfd that other processes can map.
  static absl::StatusOr<std::unique_ptr<RunMemory>> create_shared(const Plan& plan);
  /// Maps the memory that another process made with create_shared(); takes over `fd`. FailedPrecondition if it was made
  /// for another plan or version.
  static absl::StatusOr<std::unique_ptr<RunMemory>> attach(int fd, const Plan& plan);
  ~RunMemory();
  RunMemory(const RunMemory&) = delete;
  RunMemory& operator=(const RunMemory&) = delete;

  SyncTable& table() { return *table_; }
  /// Wakes the threads of a place (index into plan.places).
  Doorbell& doorbell(int32_t place) { return doorbells_[place]; }
  /// The ring of plan.cut_channels[position].
  RingMemory* ring(size_t position);
  /// The memfd, or -1 on the heap.
  int fd() const { return fd_; }

 private:
  RunMemory(std::byte* base, size_t size, int fd, const Plan& plan);
  static size_t size_for(const Plan& plan);

  std::byte* base_;
  size_t size_;
  int fd_;
  Doorbell* doorbells_;
  std::byte* rings_;
  std::unique_ptr<SyncTable> table_;
};

/// The channels of a plan as the engine sees them, in the order of plan.cut_channels.
std::vector<SyncChannel> sync_channels(const Plan& plan);
/// What both ends of a channel know about it.
ChannelSpec channel_spec(const SystemGraph& graph, int32_t channel);

}  // namespace fabrictwin
