// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/packet/event_queue.h"

#include <algorithm>
#include <bit>

namespace fabrictwin {
namespace {

/// Up to this many events are sorted by insertion, below the second bound by comparison, above it by radix.
constexpr size_t kInsertUpTo = 24;
constexpr size_t kRadixFrom = 384;

}  // namespace

EventQueue::EventQueue(int shift) : shift_(shift), mask_((uint64_t{1} << shift) - 1), turns_(kBuckets) {}

void EventQueue::add_elsewhere(const PacketEvent& event) {
  if (event.time >> shift_ <= bucket_) {
    near_.push(event);
  } else {
    place(event);
  }
}

void EventQueue::place(const PacketEvent& event) {
  const int64_t bucket = event.time >> shift_;
  const int64_t turns_ahead = (bucket >> kBits) - (bucket_ >> kBits);
  if (turns_ahead == 0) {
    chunks_.add(heads_[bucket & kMask], EventEntry(static_cast<uint64_t>(event.time) & mask_, event.what));
    mark(wheel_marks_, bucket & kMask);
  } else if (turns_ahead < kBuckets) {
    const int64_t turn = (bucket >> kBits) & kMask;
    turns_[turn].push_back(event);
    mark(turn_marks_, turn);
  } else {
    far_.push(event);
  }
}

std::span<const EventEntry> EventQueue::take() {
  const int64_t time = next_time();
  const size_t begin = position_;
  if (position_ < current_.size() && time_of(current_[position_]) == time) {
    const uint64_t offset = current_[position_].offset();
    do ++position_;
    while (position_ < current_.size() && current_[position_].offset() == offset);
  }
  const std::span<const EventEntry> sorted(current_.data() + begin, position_ - begin);
  sorted_ = current_.size() - begin;
  if (near_.empty() || near_.top().time != time) return sorted;
  taken_.assign(sorted.begin(), sorted.end());
  while (!near_.empty() && near_.top().time == time) {
    taken_.emplace_back(0, near_.top().what);
    near_.pop();
  }
  sorted_ = taken_.size();
  return taken_;
}

int64_t EventQueue::first_mark(const Marks& marks, int64_t from) {
  for (int64_t word = from / 64; word < static_cast<int64_t>(marks.size()); ++word) {
    uint64_t bits = marks[word];
    if (word == from / 64) bits &= ~uint64_t{0} << (from & 63);
    if (bits != 0) return word * 64 + std::countr_zero(bits);
  }
  return -1;
}

// Makes the next bucket that has events the current one.
void EventQueue::refill() {
  current_.clear();
  position_ = 0;
  int64_t index = first_mark(wheel_marks_, (bucket_ & kMask));
  while (index < 0) {
    if (!turn()) return;
    index = first_mark(wheel_marks_, 0);
  }
  bucket_ = (bucket_ & ~kMask) | index;
  chunks_.take(heads_[index], current_);
  unmark(wheel_marks_, index);
  sort_current();
}

// Goes on to the next turn that has events, and spreads them over the wheel. False if there is none.
bool EventQueue::turn() {
  const int64_t now = bucket_ >> kBits;
  int64_t next = kNever;
  const int64_t here = now & kMask;
  if (const int64_t later = here + 1 < kBuckets ? first_mark(turn_marks_, here + 1) : -1; later >= 0) {
    next = now + later - here;
  } else if (const int64_t wrapped = first_mark(turn_marks_, 0); wrapped >= 0) {
    next = now + wrapped - here + kBuckets;
  }
  if (!far_.empty()) next = std::min(next, far_.top().time >> shift_ >> kBits);
  if (next == kNever) return false;
  bucket_ = next << kBits;
  while (!far_.empty() && (far_.top().time >> shift_ >> kBits) - next < kBuckets) {
    place(far_.top());
    far_.pop();
  }
  std::vector<PacketEvent>& events = turns_[next & kMask];
  for (const PacketEvent& event : events) place(event);
  events.clear();
  unmark(turn_marks_, next & kMask);
  return true;
}

void EventQueue::sort_current() {
  if (current_.size() <= kInsertUpTo) {
    for (size_t i = 1; i < current_.size(); ++i) {
      const EventEntry entry = current_[i];
      size_t j = i;
      for (; j > 0 && entry < current_[j - 1]; --j) current_[j] = current_[j - 1];
      current_[j] = entry;
    }
    return;
  }
  if (current_.size() < kRadixFrom) return std::sort(current_.begin(), current_.end());
  const uint64_t first = current_.front().offset();
  if (std::all_of(current_.begin(), current_.end(), [&](EventEntry e) { return e.offset() == first; })) return;
  spare_.resize(current_.size());
  constexpr int kDigit = 11;
  for (int low = 0; low < shift_; low += kDigit) {
    std::array<uint32_t, (1 << kDigit) + 1> starts{};
    const auto digit = [&](EventEntry e) { return e.offset() >> low & ((1 << kDigit) - 1); };
    for (const EventEntry entry : current_) ++starts[digit(entry) + 1];
    for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const EventEntry entry : current_) spare_[starts[digit(entry)]++] = entry;
    current_.swap(spare_);
  }
}

}  // namespace fabrictwin
