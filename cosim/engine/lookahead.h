// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes, from the snapshots of all partitions, how far simulated time can jump while the system is idle.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/engine/sync_table.h"

namespace fabrictwin::engine {

/// Computes, for each channel, a time before which its source will send nothing that arrives, beyond the records that
/// it had already sent.
///
/// Let each partition x have a snapshot (now, next_event, consumed, sent), taken anywhere in its own execution. x is
/// *settled* if it has consumed at least what the snapshots of its neighbours say they sent to it. Then every action of
/// x after its snapshot is at or after B(x), where
///     B(x) = now(x)                                                     if x is not settled,
///     B(x) = max(now(x), min(next_event(x), min over channels w -> x of B(w) + latency))   if it is:
/// the first action after the snapshots is either x's own (next_event), or caused by a record sent before the snapshots
/// (then x is not settled), or by one sent after them, by an action at or after B(w). Snapshots need not be of the same
/// moment, so a stale one is still sound. This is the conditional-event form of Chandy and Misra (1981): the greatest
/// solution is found as in Dijkstra's algorithm, and a cycle of waiting partitions jumps at once.
class Lookahead {
 public:
  explicit Lookahead(const SyncTable& table);

  /// Recomputes the bounds from the table. False if a row could not be read; the old bounds, which remain valid, are
  /// kept.
  bool update();

  /// The earliest time at which a partition can act after its snapshot; never() if nothing can make it act any more.
  Time earliest_action(int32_t partition) const { return earliest_[partition]; }

  /// The time before which no record beyond the first sent(channel) ones will arrive. `channel` is an index into
  /// table.channels().
  Time arrival_bound(int32_t channel) const;
  uint64_t sent(int32_t channel) const { return sent_[channel]; }

  /// The partition that a partition waits for: the source of the channel with the least arrival_bound(), the first of
  /// several, if the partition has nothing to do before that. kNobody if it has, or if nothing will arrive any more.
  int32_t waits_for(int32_t partition) const;
  static constexpr int32_t kNobody = -1;

  /// A time before which a run whose partitions end together does not end: foreground work ends with an action of its
  /// partition. Never before SyncTable::runs_until() at the last update().
  Time runs_until() const { return runs_until_; }

  /// True if no partition can act any more and every record has been consumed: the system is at rest for good.
  bool at_rest() const { return at_rest_; }

 private:
  const SyncTable& table_;
  std::vector<PartitionSnapshot> rows_;
  std::vector<Time> earliest_;
  std::vector<uint64_t> sent_;
  std::vector<uint64_t> consumed_;
  std::vector<bool> settled_;
  std::vector<bool> fixed_;
  bool at_rest_ = false;
  Time runs_until_;

  void find_end();
};

}  // namespace fabrictwin::engine
