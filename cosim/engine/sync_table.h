// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The published state of all partitions of a run, from which Lookahead computes jumps over idle periods.
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
#include "cosim/engine/foreground.h"

namespace fabrictwin::engine {

/// The state that one partition publishes, true at one point of its execution.
struct PartitionSnapshot {
  Time now;         ///< The partition will never act before this time.
  Time next_event;  ///< It will not act before this time unless it receives a record not counted in `consumed`.
  std::vector<uint64_t> consumed;  ///< Records received on each inbound channel, by ascending channel id.
  std::vector<uint64_t> sent;      ///< Records sent on each outbound channel, by ascending channel id.
  Foreground foreground;           ///< Only told in runs whose partitions end together.
};

/// A channel between two partitions, as far as synchronisation is concerned.
struct SyncChannel {
  int32_t id = 0;
  int32_t source = 0;  ///< The sending partition; `target` is the receiving one.
  int32_t target = 0;
  Time latency;
};

/// A table of the newest snapshot of every partition, in memory that processes may share. Each row has one writer; any
/// thread of any process reads it whole (sequence lock). Zeroed memory is a valid initial state: all partitions at time
/// zero, nothing sent.
class SyncTable {
 public:
  static size_t bytes(int32_t partitions, size_t channels);
  /// Views zeroed or initialised, 64-byte-aligned memory of bytes(partitions, channels.size()) bytes, which outlives
  /// the table.
  SyncTable(void* memory, int32_t partitions, std::vector<SyncChannel> channels);

  int32_t partitions() const { return partitions_; }
  const std::vector<SyncChannel>& channels() const { return channels_; }
  /// Indices into channels() of the channels that end or begin at `partition`, ascending.
  std::span<const int32_t> inbound(int32_t partition) const { return inbound_[partition]; }
  std::span<const int32_t> outbound(int32_t partition) const { return outbound_[partition]; }

  /// Replaces a row. `consumed` and `sent` as in PartitionSnapshot.
  void publish(int32_t partition, Time now, Time next_event, std::span<const uint64_t> consumed,
               std::span<const uint64_t> sent, const Foreground& foreground = {});

  /// Says that foreground work of a partition no longer waits, until its next row.
  void rouse(int32_t partition) {
    rows_[partition].state.store(static_cast<uint64_t>(Foreground::State::kRuns), std::memory_order_release);
  }

  /// Says that every record that leaves a partition before `time` is in its ring: nothing that is not there now will
  /// arrive over a channel before `time` and the latency of the channel. A reader looks at promised() first and then
  /// into the rings. For partitions that share these rings, instead of a promise in each ring.
  void promise(int32_t partition, Time time) { rows_[partition].promised.store(time.fs(), std::memory_order_release); }
  Time promised(int32_t partition) const {
    return Time::from_fs(rows_[partition].promised.load(std::memory_order_acquire));
  }

  /// Reads a consistent row; false if a writer interfered with several attempts.
  bool read(int32_t partition, PartitionSnapshot& snapshot) const;

  /// A partition's `now` for display; it may be slightly out of date.
  Time now(int32_t partition) const;
  /// The least of these times; Time::never() without partitions.
  Time least_now() const;

  /// A time up to and including which the run goes on for sure, as far as rows tell of foreground work. It never
  /// decreases.
  Time runs_until() const;
  /// Whether the foreground work of all partitions is over; then runs_until() is the end of the run.
  bool foreground_over() const;

 private:
  struct alignas(64) Row {
    std::atomic<uint64_t> version;
    std::atomic<int64_t> now;
    std::atomic<int64_t> next_event;
    std::atomic<int64_t> promised;
    std::atomic<int64_t> end;  ///< Of foreground work.
    std::atomic<uint64_t> moves;
    std::atomic<int64_t> under_way;
    std::atomic<uint64_t> state;  ///< A Foreground::State.
  };

  int32_t partitions_;
  std::vector<SyncChannel> channels_;
  std::vector<std::vector<int32_t>> inbound_;
  std::vector<std::vector<int32_t>> outbound_;
  Row* rows_;
  std::atomic<uint64_t>* consumed_;  ///< By index into channels(); each belongs to the row of the channel's target.
  std::atomic<uint64_t>* sent_;      ///< By index into channels(); each belongs to the row of the channel's source.
};

}  // namespace fabrictwin::engine
