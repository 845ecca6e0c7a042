// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/event/queue.h"

#include <algorithm>
#include <bit>

namespace fabrictwin::router::packet::event {
namespace {

/// Digits of the radix sort have at most this many bits.
constexpr int kMaxDigit = 11;
/// The cost of one event in a pass of the radix sort, in steps of an insertion.
constexpr size_t kRadixCost = 4;
/// Up to this many events are sorted by insertion.
constexpr size_t kInsertUpTo = 48;

}  // namespace

Queue::Queue(int shift, Order order, uint32_t owners)
    : shift_(shift),
      by_owner_(order == Order::kOwner),
      mask_((uint64_t{1} << shift) - 1),
      ranges_(owners == 0 ? 1 : range_of(owners - 1) + 1),
      range_(ranges_),
      near_heads_(static_cast<size_t>(kNearWindows) * ranges_),
      turns_(kWindows) {}

bool Queue::earlier(const Near& a, const Near& b) const {
  if (!by_owner_ && a.time != b.time) return a.time < b.time;
  return a.entry < b.entry;
}

void Queue::add_elsewhere(int64_t time, uint32_t owner, uint64_t what) {
  if (time >= limit_) return insert_later({time, owner, what});
  // Its range is still to come in this window.
  if (range_of(owner) > range_ && time >> shift_ == window_)
    return add_to_wheel(window_, owner, {key(time, owner), what});
  const Near added{{key(time, owner), what}, time};
  size_t at = near_.size();
  near_.push_back(added);
  for (; at > 0 && earlier(near_[at - 1], added); --at) near_[at] = near_[at - 1];
  near_[at] = added;
}

void Queue::insert_later(const Later& event) {
  const int64_t window = event.time >> shift_;
  const int64_t turns_ahead = (window >> kBits) - (window_ >> kBits);
  if (turns_ahead == 0) {
    add_to_wheel(window, event.owner, {key(event.time, event.owner), event.what});
  } else if (turns_ahead < kWindows) {
    const int64_t turn = (window >> kBits) & kMask;
    turns_[turn].push_back(event);
    mark(turn_marks_, turn);
  } else {
    far_.push(event);
  }
}

int64_t Queue::next_time() const {
  int64_t next = kNever;
  for (const Near& near : near_) next = std::min(next, near.time);
  if (next != kNever) return next;
  const int64_t index = first_mark(wheel_marks_, window_ & kMask);
  if (index >= 0) {
    uint64_t least = mask_;
    const auto look = [&](const Entry& entry) { least = std::min(least, offset(entry.key)); };
    const int64_t window = (window_ & ~kMask) | index;
    chunks_.for_each(heads_[index], look);
    if (window - window_ < kNearWindows) {
      const size_t first = static_cast<size_t>(window % kNearWindows) * ranges_;
      for (size_t range = 0; range < ranges_; ++range) chunks_.for_each(near_heads_[first + range], look);
    }
    return window << shift_ | static_cast<int64_t>(least);
  }
  if (!far_.empty()) next = far_.top().time;
  if (const int64_t turn = next_turn(); turn >= 0) {
    for (const Later& event : turns_[turn & kMask]) next = std::min(next, event.time);
  }
  return next;
}

bool Queue::open(int64_t until) {
  current_.clear();
  position_ = 0;
  if (!near_.empty()) return true;
  int64_t index = first_mark(wheel_marks_, window_ & kMask);
  if (index < 0) {
    const int64_t next = next_time();
    if (next >= until) return false;
    turn((next >> shift_) >> kBits);
    index = first_mark(wheel_marks_, 0);
  }
  const int64_t window = (window_ & ~kMask) | index;
  const int64_t begin = window << shift_;
  if (begin >= until) return false;
  window_ = window;
  limit_ = std::min(begin + static_cast<int64_t>(mask_) + 1, until);
  range_ = 0;
  if (ranges_ > 1 && heads_[index] != 0) spread();
  return open_range();
}

// Events added to this window while it was far are distributed to the lists of its ranges.
void Queue::spread() {
  const int64_t index = window_ & kMask;
  chunks_.take(heads_[index], current_);
  for (const Entry& entry : current_) add_to_wheel(window_, static_cast<uint32_t>(entry.key >> 32), entry);
  --lists_[index];
}

// Goes on to the next events of this window before limit_, which belong to one range of owners, from range_ on.
bool Queue::open_range() {
  const int64_t index = window_ & kMask;
  current_.clear();
  position_ = 0;
  for (; range_ < ranges_; ++range_) {
    uint32_t& head = ranges_ > 1 ? list(window_, range_) : heads_[index];
    if (head == 0) continue;
    chunks_.take(head, current_);
    if (limit_ >> shift_ == window_) {
      // Events at or after the limit stay.
      const auto kept = std::partition(current_.begin(), current_.end(),
                                       [&](const Entry& entry) { return time_of(entry.key) < limit_; });
      for (auto entry = kept; entry != current_.end(); ++entry) chunks_.add(head, *entry);
      current_.erase(kept, current_.end());
    }
    if (head == 0 && --lists_[index] == 0) unmark(wheel_marks_, index);
    if (current_.empty()) continue;
    sort_current();
    ++sorts_;
    // Meanwhile the events of the next range are fetched from memory.
    if (range_ + 1 < ranges_) chunks_.expect(list(window_, range_ + 1));
    return true;
  }
  return false;
}

void Queue::close_at(int64_t time) {
  if (time >= limit_) return;
  limit_ = time;
  // Both are in the order of time, of near_ the next one last.
  size_t kept = position_;
  while (kept < current_.size() && time_of(current_[kept].key) < time) ++kept;
  for (size_t i = kept; i < current_.size(); ++i)
    add_to_wheel(window_, static_cast<uint32_t>(current_[i].key), current_[i]);
  current_.resize(kept);
  const auto later = std::ranges::find_if(near_, [&](const Near& near) { return near.time < time; });
  for (auto near = near_.begin(); near != later; ++near)
    add_to_wheel(window_, static_cast<uint32_t>(near->entry.key), near->entry);
  near_.erase(near_.begin(), later);
}

std::span<const Entry> Queue::take() {
  if (!near_.empty()) return take_near(position_);
  if (position_ == current_.size()) {
    if (range_ >= ranges_) return {};
    ++range_;
    if (!open_range()) return {};
  }
  const size_t begin = position_;
  const uint64_t first = group(current_[begin].key);
  time_ = time_of(current_[begin].key);
  do ++position_;
  while (position_ < current_.size() && group(current_[position_].key) == first);
  return {current_.data() + begin, position_ - begin};
}

// Takes the next events of current_ and near_.
std::span<const Entry> Queue::take_near(size_t begin) {
  const Near first = near_.back();
  const uint64_t near_group = group(first.entry.key);
  bool both = false;
  if (begin < current_.size()) {
    const uint64_t other = group(current_[begin].key);
    const int64_t other_time = time_of(current_[begin].key);
    both = other == near_group && other_time == first.time;
    const bool sooner = by_owner_ ? other < near_group : other_time < first.time;
    if (both || sooner) {
      time_ = other_time;
      while (position_ < current_.size() && group(current_[position_].key) == other) ++position_;
      if (!both) return {current_.data() + begin, position_ - begin};
    }
  }
  time_ = first.time;
  taken_.assign(current_.begin() + static_cast<std::ptrdiff_t>(begin),
                current_.begin() + static_cast<std::ptrdiff_t>(position_));
  while (!near_.empty() && near_.back().time == time_ && group(near_.back().entry.key) == near_group) {
    taken_.push_back(near_.back().entry);
    near_.pop_back();
  }
  if (both) std::sort(taken_.begin(), taken_.end());
  return taken_;
}

int64_t Queue::first_mark(const Marks& marks, int64_t from) {
  for (int64_t word = from / 64; word < static_cast<int64_t>(marks.size()); ++word) {
    uint64_t bits = marks[word];
    if (word == from / 64) bits &= ~uint64_t{0} << (from & 63);
    if (bits != 0) return word * 64 + std::countr_zero(bits);
  }
  return -1;
}

// The next turn that has events, ignoring those in far_; -1 if none has.
int64_t Queue::next_turn() const {
  const int64_t now = window_ >> kBits;
  const int64_t here = now & kMask;
  if (const int64_t later = here + 1 < kWindows ? first_mark(turn_marks_, here + 1) : -1; later >= 0)
    return now + later - here;
  const int64_t wrapped = first_mark(turn_marks_, 0);
  return wrapped < 0 ? -1 : now + wrapped - here + kWindows;
}

// Goes on to turn `next`, and distributes its events over the wheel.
void Queue::turn(int64_t next) {
  window_ = next << kBits;
  limit_ = window_ << shift_;
  while (!far_.empty() && (far_.top().time >> shift_ >> kBits) - next < kWindows) {
    insert_later(far_.top());
    far_.pop();
  }
  std::vector<Later>& events = turns_[next & kMask];
  for (const Later& event : events) insert_later(event);
  events.clear();
  unmark(turn_marks_, next & kMask);
}

void Queue::sort_current() {
  const size_t count = current_.size();
  uint64_t differ = 0;
  for (const Entry& entry : current_) differ |= (entry.key ^ current_.front().key) >> 32;
  const int bits = std::bit_width(differ);
  const int widest = std::min(kMaxDigit, static_cast<int>(std::bit_width(count)) + 1);
  const int passes = (bits + widest - 1) / widest;
  const int digit = passes == 0 ? 0 : (bits + passes - 1) / passes;
  // The cost of moving and counting events, compared with that of an insertion.
  const size_t radix_cost = static_cast<size_t>(passes) * (kRadixCost * count + (size_t{1} << digit));
  if (radix_cost > count * count / 4) return sort(0, count);
  for (int pass = 0; pass < passes; ++pass) sort_by_digit(32 + pass * digit, digit);
  // Then those that agree in these digits are sorted: few, unless all hosts begin at once.
  for (size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && current_[end].key >> 32 == current_[begin].key >> 32) ++end;
    if (end - begin > 1) sort(begin, end);
  }
}

void Queue::sort_by_digit(int low, int digit) {
  spare_.resize(current_.size());
  std::array<uint32_t, (1 << kMaxDigit) + 1> starts;
  std::fill_n(starts.begin(), (size_t{1} << digit) + 1, 0);
  const uint64_t mask = (uint64_t{1} << digit) - 1;
  for (const Entry& entry : current_) ++starts[(entry.key >> low & mask) + 1];
  for (size_t i = 1; i < size_t{1} << digit; ++i) starts[i] += starts[i - 1];
  for (const Entry& entry : current_) spare_[starts[entry.key >> low & mask]++] = entry;
  current_.swap(spare_);
}

void Queue::sort(size_t begin, size_t end) {
  const auto first = current_.begin();
  if (end - begin > kInsertUpTo)
    return std::sort(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end));
  for (size_t i = begin + 1; i < end; ++i) {
    const Entry entry = current_[i];
    size_t j = i;
    for (; j > begin && entry < current_[j - 1]; --j) current_[j] = current_[j - 1];
    current_[j] = entry;
  }
}

}  // namespace fabrictwin::router::packet::event
