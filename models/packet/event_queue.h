// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The event queue of the packet network: a calendar of buckets in femtoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "models/packet/event_chunks.h"

namespace fabrictwin {

/// Something that happens at a time; what `kind` and `id` mean is the owner's matter.
struct PacketEvent {
  int64_t time = 0;   ///< Femtoseconds.
  uint64_t what = 0;  ///< As in EventEntry.
  bool operator>(const PacketEvent& other) const { return time > other.time; }
};

/// An event in its bucket, as one number: the time in the bucket, then kind, then id.
class EventEntry {
 public:
  static constexpr int kKindBits = 3;
  static constexpr int kIdBits = 32 - kKindBits;
  static constexpr uint32_t kMaxId = (uint32_t{1} << kIdBits) - 1;

  EventEntry() = default;
  EventEntry(uint64_t offset, uint64_t what) : key_(offset << 32 | what) {}
  static uint64_t what(uint32_t kind, uint32_t id) { return uint64_t{kind} << kIdBits | id; }

  uint32_t kind() const { return static_cast<uint32_t>(key_) >> kIdBits; }
  uint32_t id() const { return static_cast<uint32_t>(key_) & kMaxId; }
  uint64_t offset() const { return key_ >> 32; }
  uint64_t key() const { return key_; }
  bool operator<(EventEntry other) const { return key_ < other.key_; }

 private:
  uint64_t key_ = 0;
};

/// Two wheels of buckets, the second's as wide as a turn of the first, and a heap for what lies beyond them (R. Brown,
/// "Calendar queues", 1988; Varghese and Lauck, 1987). A bucket is sorted when its time comes, by radix where it is
/// long, so an event costs the same however many there are. Events of one time come out in no certain order. Not
/// thread-safe.
class EventQueue {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// Buckets of 2^`shift` femtoseconds, 10 <= shift <= 32. It is fastest if most events are added less than 4096
  /// buckets ahead.
  explicit EventQueue(int shift);

  /// Adds an event, not before the time of the last take(). `kind` has EventEntry::kKindBits bits, `id` kIdBits.
  void add(int64_t time, uint32_t kind, uint32_t id) {
    const int64_t bucket = time >> shift_;
    const uint64_t what = EventEntry::what(kind, id);
    if (bucket > bucket_ && bucket >> kBits == bucket_ >> kBits) {
      chunks_.add(heads_[bucket & kMask], EventEntry(static_cast<uint64_t>(time) & mask_, what));
      mark(wheel_marks_, bucket & kMask);
    } else {
      add_elsewhere({time, what});
    }
  }
  /// The least time of an event, or kNever. Ask when it is needed and not before: events that are added before this
  /// time afterwards take a slower way.
  int64_t next_time() {
    if (position_ == current_.size() && near_.empty()) refill();
    const int64_t sorted = position_ < current_.size() ? time_of(current_[position_]) : kNever;
    return near_.empty() ? sorted : std::min(sorted, near_.top().time);
  }
  /// Takes all events of next_time(), which is not kNever. The span is valid until the next call of next_time().
  std::span<const EventEntry> take();
  /// How many events in the memory from the beginning of the taken span on are sorted; those beyond the span come
  /// later.
  size_t sorted() const { return sorted_; }

 private:
  static constexpr int kBits = 12;
  static constexpr int64_t kBuckets = int64_t{1} << kBits;
  static constexpr int64_t kMask = kBuckets - 1;
  using Marks = std::array<uint64_t, kBuckets / 64>;

  static int64_t first_mark(const Marks& marks, int64_t from);
  static void mark(Marks& marks, int64_t index) { marks[index / 64] |= uint64_t{1} << (index & 63); }
  static void unmark(Marks& marks, int64_t index) { marks[index / 64] &= ~(uint64_t{1} << (index & 63)); }

  int64_t time_of(EventEntry entry) const { return bucket_ << shift_ | static_cast<int64_t>(entry.offset()); }
  void add_elsewhere(const PacketEvent& event);
  void place(const PacketEvent& event);
  void refill();
  bool turn();
  void sort_current();

  int shift_;
  uint64_t mask_;       ///< Of the time in a bucket.
  int64_t bucket_ = 0;  ///< Whose events are in current_. The wheel holds later ones of the same turn.
  EventChunks<EventEntry> chunks_;
  std::array<uint32_t, kBuckets> heads_{};        ///< The wheel: the chunks of each bucket.
  std::vector<std::vector<PacketEvent>> turns_;  ///< Events of later turns, by turn.
  Marks wheel_marks_{};
  Marks turn_marks_{};
  std::priority_queue<PacketEvent, std::vector<PacketEvent>, std::greater<>> far_;
  std::vector<EventEntry> current_;  ///< Sorted from position_ on.
  size_t position_ = 0;
  /// Events that were added to the current bucket after it had been sorted, or before it.
  std::priority_queue<PacketEvent, std::vector<PacketEvent>, std::greater<>> near_;
  std::vector<EventEntry> spare_;
  std::vector<EventEntry> taken_;
  size_t sorted_ = 0;
};

}  // namespace fabrictwin
