// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The event queue of the packet network: a calendar of windows in femtoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "cosim/base/time.h"
#include "models/router/packet/event/chunks.h"

namespace fabrictwin::router::packet::event {

/// An event in its window. The owner defines the meaning of `what`.
struct Entry {
  uint64_t key = 0;  ///< Owner and offset in the window; the more significant of the two is in the upper half.
  uint64_t what = 0;
  bool operator<(const Entry& other) const { return key != other.key ? key < other.key : what < other.what; }
};

/// Events of many owners, window by window: two wheels of windows, the second as wide as a turn of the first, and a
/// heap for later events (R. Brown, "Calendar queues", 1988; Varghese and Lauck, 1987). A window is sorted when its
/// time comes, with a radix sort if it is long, so that the cost of an event does not depend on their number. Within a
/// window, events come in time order, or owner by owner and in time order for each: then an owner's records stay in the
/// cache for all its events, provided that none of them concerns another owner in the same window. In this order, near
/// windows are kept and sorted by ranges of owners, as many as caches hold. Events of equal time and owner come in the
/// order of `what`. Not thread-safe.
class Queue {
 public:
  static constexpr int64_t kNever = Time::never().fs();
  enum class Order : uint8_t { kTime, kOwner };

  /// Windows of 2^`shift` femtoseconds, 10 <= shift <= 32; fastest if most events are added less than 4096 windows
  /// ahead. Owners are less than `owners`, which kTime does not use.
  Queue(int shift, Order order, uint32_t owners);

  /// Adds an event, not before the time of the last take(); with kOwner, of the last take() of that owner.
  void add(int64_t time, uint32_t owner, uint64_t what) {
    const int64_t window = time >> shift_;
    if (time >= limit_ && window >> kBits == window_ >> kBits) {
      add_to_wheel(window, owner, {key(time, owner), what});
    } else {
      add_elsewhere(time, owner, what);
    }
  }
  /// The least time of an event, or kNever. Call it only once take() has returned everything.
  int64_t next_time() const;
  /// Goes on to the next events before `until`, which are of one window. False if there are none. Call it only once
  /// take() has returned everything.
  bool open(int64_t until);
  /// Takes the next events that share their time (and with kOwner their owner); none if open() must be called again.
  /// The span is valid until the next call.
  std::span<const Entry> take();
  /// In the order of time: leaves what is at or after `time`, which is later than what was taken last, to the next
  /// open().
  void close_at(int64_t time);
  /// The time of what was taken last.
  int64_t time() const { return time_; }
  /// What take() returns of the current window and range of owners, in order, without events added in the meantime.
  std::span<const Entry> sorted() const { return current_; }
  /// How many of sorted() have been taken.
  size_t position() const { return position_; }
  /// How many times sorted() has been filled.
  uint64_t sorts() const { return sorts_; }

 private:
  static constexpr int kBits = 12;
  static constexpr int64_t kWindows = int64_t{1} << kBits;
  static constexpr int64_t kMask = kWindows - 1;
  static constexpr int kRangeBits = 11;        ///< 2^this owners are a range.
  static constexpr int64_t kNearWindows = 64;  ///< Windows kept by range; more would give many short lists.
  using Marks = std::array<uint64_t, kWindows / 64>;
  struct Later {
    int64_t time = 0;
    uint32_t owner = 0;
    uint64_t what = 0;
    bool operator>(const Later& other) const { return time > other.time; }
  };
  struct Near {
    Entry entry;
    int64_t time = 0;  ///< May be before the window.
  };

  static int64_t first_mark(const Marks& marks, int64_t from);
  static void mark(Marks& marks, int64_t index) { marks[index / 64] |= uint64_t{1} << (index & 63); }
  static void unmark(Marks& marks, int64_t index) { marks[index / 64] &= ~(uint64_t{1} << (index & 63)); }

  size_t range_of(uint32_t owner) const { return by_owner_ ? owner >> kRangeBits : 0; }
  /// The list of a near window and range.
  uint32_t& list(int64_t window, size_t range) {
    return near_heads_[static_cast<size_t>(window % kNearWindows) * ranges_ + range];
  }
  void add_to_wheel(int64_t window, uint32_t owner, const Entry& entry) {
    const bool apart = ranges_ > 1 && window - window_ < kNearWindows;
    uint32_t& head = apart ? list(window, range_of(owner)) : heads_[window & kMask];
    if (head == 0 && lists_[window & kMask]++ == 0) mark(wheel_marks_, window & kMask);
    chunks_.add(head, entry);
  }
  uint64_t key(int64_t time, uint32_t owner) const {
    const uint64_t offset = static_cast<uint64_t>(time) & mask_;
    return by_owner_ ? uint64_t{owner} << 32 | offset : offset << 32 | owner;
  }
  uint64_t offset(uint64_t key) const { return by_owner_ ? key & 0xffff'ffffU : key >> 32; }
  /// Equal for events that are taken together.
  uint64_t group(uint64_t key) const { return by_owner_ ? key : key >> 32; }
  int64_t time_of(uint64_t key) const { return window_ << shift_ | static_cast<int64_t>(offset(key)); }
  bool earlier(const Near& a, const Near& b) const;
  void add_elsewhere(int64_t time, uint32_t owner, uint64_t what);
  void insert_later(const Later& event);
  int64_t next_turn() const;
  void turn(int64_t next);
  std::span<const Entry> take_near(size_t begin);
  void spread();
  bool open_range();
  void sort_current();
  /// Sorts stably by the `digit` bits of the key from bit `low` on.
  void sort_by_digit(int low, int digit);
  void sort(size_t begin, size_t end);

  int shift_;
  bool by_owner_;
  uint64_t mask_;       ///< Selects the offset in a window from a time.
  size_t ranges_;       ///< Number of ranges of owners.
  size_t range_ = 0;    ///< The range whose events are in current_, or `ranges_` after the last one.
  int64_t window_ = 0;  ///< The window whose events are in current_. The wheel holds others of the same turn.
  int64_t limit_ = 0;   ///< Events of this window before this time are taken before the next window is opened.
  int64_t time_ = 0;
  Chunks<Entry> chunks_;
  std::array<uint32_t, kWindows> heads_{};  ///< The wheel: the chunks of each window.
  std::vector<uint32_t> near_heads_;        ///< With several ranges: the chunks of near windows by range.
  std::array<uint32_t, kWindows> lists_{};  ///< How many lists of each window are not empty.
  std::vector<std::vector<Later>> turns_;   ///< Events of later turns, by turn.
  Marks wheel_marks_{};
  Marks turn_marks_{};
  std::priority_queue<Later, std::vector<Later>, std::greater<>> far_;
  std::vector<Entry> current_;  ///< Sorted from position_ on.
  size_t position_ = 0;
  std::vector<Near> near_;  ///< Events added before limit_ for ranges that have begun: few, the next one last.
  std::vector<Entry> spare_;
  std::vector<Entry> taken_;
  uint64_t sorts_ = 0;
};

}  // namespace fabrictwin::router::packet::event
