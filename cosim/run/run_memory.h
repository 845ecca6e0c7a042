// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory through which the partitions of a run communicate: sync table, doorbells and rings, on the heap or shared
// by processes.
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
#include "cosim/system/plan.h"

namespace fabrictwin::run {

/// The memory of a run. Its layout follows from the plan alone, so it is the same in every process with the same plan:
/// header | sync table | one doorbell for each place | one ring for each of plan.cut_channels. Unmaps on
/// destruction.
class RunMemory {
 public:
  /// Makes zeroed heap memory, for runs (and gRPC workers) that share nothing.
  static absl::StatusOr<std::unique_ptr<RunMemory>> create_heap(const system::Plan& plan);
  /// Makes a sealed memfd that other processes can map.
  static absl::StatusOr<std::unique_ptr<RunMemory>> create_shared(const system::Plan& plan);
  /// Maps the memory that another process made with create_shared(); takes over `fd`. FailedPrecondition if it was made
  /// for another plan or version.
  static absl::StatusOr<std::unique_ptr<RunMemory>> attach(int fd, const system::Plan& plan);
  ~RunMemory();
  RunMemory(const RunMemory&) = delete;
  RunMemory& operator=(const RunMemory&) = delete;

  engine::SyncTable& table() { return *table_; }
  /// The doorbell that wakes the threads of a place (index into plan.places).
  link::Doorbell& doorbell(int32_t place) { return doorbells_[place]; }
  /// The ring of plan.cut_channels[position].
  link::RingMemory* ring(size_t position);
  /// The memfd, or -1 on the heap.
  int fd() const { return fd_; }

 private:
  RunMemory(std::byte* base, size_t size, int fd, const system::Plan& plan);
  static size_t size_for(const system::Plan& plan);

  std::byte* base_;
  size_t size_;
  int fd_;
  link::Doorbell* doorbells_;
  std::byte* rings_;
  std::unique_ptr<engine::SyncTable> table_;
};

/// The channels of a plan as the engine sees them, in the order of plan.cut_channels.
std::vector<engine::SyncChannel> sync_channels(const system::Plan& plan);
/// The properties of a channel that both its ends know. `sharing`, by place: the places whose processes use one memory;
/// promises between their partitions are in its sync table.
link::ChannelSpec channel_spec(const system::Plan& plan, int32_t channel, const std::vector<bool>& sharing);

}  // namespace fabrictwin::run
