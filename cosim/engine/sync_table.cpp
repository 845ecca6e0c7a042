// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/sync_table.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::engine {

size_t SyncTable::bytes(int32_t partitions, size_t channels) {
  return static_cast<size_t>(partitions) * sizeof(Row) + channels * 2 * sizeof(std::atomic<uint64_t>);
}

SyncTable::SyncTable(void* memory, int32_t partitions, std::vector<SyncChannel> channels)
    : partitions_(partitions), channels_(std::move(channels)), inbound_(partitions), outbound_(partitions) {
  for (size_t i = 0; i < channels_.size(); ++i) {
    inbound_[channels_[i].target].push_back(static_cast<int32_t>(i));
    outbound_[channels_[i].source].push_back(static_cast<int32_t>(i));
  }
  auto* base = static_cast<std::byte*>(memory);
  rows_ = reinterpret_cast<Row*>(base);
  consumed_ = reinterpret_cast<std::atomic<uint64_t>*>(base + static_cast<size_t>(partitions) * sizeof(Row));
  sent_ = consumed_ + channels_.size();
}

namespace {

// Most counts stay as they are, and what is not written again does not leave the caches of readers. Only the writer of
// a row changes them.
void store_changed(std::atomic<uint64_t>& count, uint64_t value) {
  if (count.load(std::memory_order_relaxed) != value) count.store(value, std::memory_order_release);
}

}  // namespace

// The sequence lock is made of release stores and acquire loads instead of fences, which ThreadSanitizer does not
// support.
void SyncTable::publish(int32_t partition, Time now, Time next_event, std::span<const uint64_t> consumed,
                        std::span<const uint64_t> sent, const Foreground& foreground) {
  Row& row = rows_[partition];
  const uint64_t version = row.version.load(std::memory_order_relaxed);
  row.version.store(version + 1, std::memory_order_relaxed);
  row.now.store(now.fs(), std::memory_order_release);
  row.next_event.store(next_event.fs(), std::memory_order_release);
  for (size_t i = 0; i < consumed.size(); ++i) {
    store_changed(consumed_[inbound_[partition][i]], consumed[i]);
  }
  for (size_t i = 0; i < sent.size(); ++i) store_changed(sent_[outbound_[partition][i]], sent[i]);
  // runs_until() reads without the lock: a state that is over has its end.
  row.end.store(foreground.end.fs(), std::memory_order_release);
  store_changed(row.moves, foreground.moves);
  row.under_way.store(foreground.under_way, std::memory_order_release);
  store_changed(row.state, static_cast<uint64_t>(foreground.state));
  row.version.store(version + 2, std::memory_order_release);
}

bool SyncTable::read(int32_t partition, PartitionSnapshot& snapshot) const {
  const Row& row = rows_[partition];
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    const uint64_t before = row.version.load(std::memory_order_acquire);
    if (before % 2 != 0) continue;
    snapshot.now = Time::from_fs(row.now.load(std::memory_order_acquire));
    snapshot.next_event = Time::from_fs(row.next_event.load(std::memory_order_acquire));
    snapshot.consumed.clear();
    for (int32_t c : inbound_[partition]) snapshot.consumed.push_back(consumed_[c].load(std::memory_order_acquire));
    snapshot.sent.clear();
    for (int32_t c : outbound_[partition]) snapshot.sent.push_back(sent_[c].load(std::memory_order_acquire));
    snapshot.foreground = {static_cast<Foreground::State>(row.state.load(std::memory_order_acquire)),
                           Time::from_fs(row.end.load(std::memory_order_acquire)),
                           row.moves.load(std::memory_order_acquire), row.under_way.load(std::memory_order_acquire)};
    if (row.version.load(std::memory_order_relaxed) == before) return true;
  }
  return false;
}

Time SyncTable::now(int32_t partition) const {
  return Time::from_fs(rows_[partition].now.load(std::memory_order_acquire));
}

Time SyncTable::least_now() const {
  Time least = Time::never();
  for (int32_t partition = 0; partition < partitions_; ++partition) least = std::min(least, now(partition));
  return least;
}

Time SyncTable::runs_until() const {
  Time until = Time::zero();
  for (int32_t partition = 0; partition < partitions_; ++partition) {
    const Row& row = rows_[partition];
    const auto state = static_cast<Foreground::State>(row.state.load(std::memory_order_acquire));
    // A row that does not tell of foreground work may be of a partition that has none.
    if (state == Foreground::State::kUnknown) continue;
    const bool over = state == Foreground::State::kOver;
    until = std::max(until, Time::from_fs((over ? row.end : row.now).load(std::memory_order_acquire)));
  }
  return until;
}

bool SyncTable::foreground_over() const {
  for (int32_t partition = 0; partition < partitions_; ++partition) {
    const uint64_t state = rows_[partition].state.load(std::memory_order_acquire);
    if (state != static_cast<uint64_t>(Foreground::State::kOver)) return false;
  }
  return true;
}

}  // namespace fabrictwin::engine
