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

namespace fabrictwin {

/// Something that happens at a time; what `kind` and `id` mean is the owner's matter.
struct PacketEvent {
  int64_t time = 0;  ///< Femtoseconds.
  uint32_t kind = 0;
  uint32_t id = 0;
  bool operator>(const PacketEvent& other) const { return time > other.time; }
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

  /// Adds an event, not before the time of the last take().
  void add(int64_t time, uint32_t kind, uint32_t id);
  /// The least time of an event, or kNever. Ask when it is needed and not before: events that are added before this
  /// time afterwards take a slower way.
  int64_t next_time();
  /// Takes all events of next_time(), which is not kNever. The span is valid until the next call.
  std::span<const PacketEvent> take();
  /// How many events in the memory from the beginning of the taken span on are sorted; those beyond the span come
  /// later.
  size_t sorted() const { return sorted_; }

 private:
  static constexpr int kBits = 12;
  static constexpr int64_t kBuckets = int64_t{1} << kBits;
  static constexpr int64_t kMask = kBuckets - 1;
  using Bucket = std::vector<PacketEvent>;
  using Marks = std::array<uint64_t, kBuckets / 64>;

  static int64_t first_mark(const Marks& marks, int64_t from);
  static void mark(Marks& marks, int64_t index) { marks[index / 64] |= uint64_t{1} << (index & 63); }
  static void unmark(Marks& marks, int64_t index) { marks[index / 64] &= ~(uint64_t{1} << (index & 63)); }

  void place(const PacketEvent& event);
  void refill();
  bool turn();
  void sort_current();

  int shift_;
  int64_t bucket_ = 0;  ///< Whose events are in current_. The wheel holds later ones of the same turn.
  std::vector<Bucket> wheel_;
  std::vector<Bucket> turns_;  ///< Events of later turns, by turn.
  Marks wheel_marks_{};
  Marks turn_marks_{};
  std::priority_queue<PacketEvent, std::vector<PacketEvent>, std::greater<>> far_;
  Bucket current_;  ///< Sorted by time from position_ on.
  size_t position_ = 0;
  /// Events that were added to the current bucket after it had been sorted.
  std::priority_queue<PacketEvent, std::vector<PacketEvent>, std::greater<>> near_;
  Bucket spare_;
  Bucket taken_;
  size_t sorted_ = 0;
};

}  // namespace fabrictwin
