// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What all partitions of a run have told about themselves: the ground on which idle stretches are jumped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/time.h"

namespace fabrictwin {

/// One statement of one partition, true at one point of its execution.
struct PartitionSnapshot {
  Time now;         ///< It will never act before this time.
  Time next_event;  ///< Nor before this one, unless it receives a record that it has not counted in `consumed`.
  std::vector<uint64_t>
      consumed;                ///< For each inbound channel, in the order of ascending channel ids: records taken over.
  std::vector<uint64_t> sent;  ///< For each outbound channel, likewise: records given out.
};

/// The cut of a run: partitions and the channels between them, as far as synchronisation is concerned. Immutable.
struct SyncChannel {
  int32_t id = 0;
  int32_t source = 0;  ///< Partition.
  int32_t target = 0;
  Time latency;
};

/// A table of the newest snapshot of every partition, in memory that processes may share. Each row has one writer; any
/// thread of any process reads it whole (sequence lock). Zeroed memory is the valid start: everybody at time zero,
/// nothing sent.
class SyncTable {
 public:
  static size_t bytes(int32_t partitions, size_t channels);
  /// Views zeroed or initialised, 64-byte-aligned memory of bytes(partitions, channels.size()) bytes, which outlives
  /// the table.
  SyncTable(void* memory, int32_t partitions, std::vector<SyncChannel> channels);

  int32_t partitions() const { return partitions_; }
  const std::vector<SyncChannel>& channels() const { return channels_; }
  /// Positions in channels() of the channels that end or begin at `partition`, ascending.
  std::span<const int32_t> inbound(int32_t partition) const { return inbound_[partition]; }
  std::span<const int32_t> outbound(int32_t partition) const { return outbound_[partition]; }

  /// Replaces a row. `consumed` and `sent` as in PartitionSnapshot.
  void publish(int32_t partition, Time now, Time next_event, std::span<const uint64_t> consumed,
               std::span<const uint64_t> sent);

  /// Reads a row whole; false if a writer was in the way a few times.
  bool read(int32_t partition, PartitionSnapshot& snapshot) const;

  /// A partition's `now`, for people; may be a moment old.
  Time now(int32_t partition) const;

 private:
  struct alignas(64) Row {
    std::atomic<uint64_t> version;
    std::atomic<int64_t> now;
    std::atomic<int64_t> next_event;
  };

  int32_t partitions_;
  std::vector<SyncChannel> channels_;
  std::vector<std::vector<int32_t>> inbound_;
  std::vector<std::vector<int32_t>> outbound_;
  Row* rows_;
  std::atomic<uint64_t>* consumed_;  ///< By position in channels(); each belongs to the row of its target.
  std::atomic<uint64_t>* sent_;      ///< Likewise, of its source.
};

}  // namespace fabrictwin
