// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/packet/event_queue.h"

#include <algorithm>
#include <bit>

namespace fabrictwin {
namespace {

/// Below this many events sorting by comparison is faster than by radix.
constexpr size_t kRadixFrom = 192;

}  // namespace

EventQueue::EventQueue(int shift) : shift_(shift), wheel_(kBuckets), turns_(kBuckets) {}

void EventQueue::add(int64_t time, uint32_t kind, uint32_t id) {
  const PacketEvent event{time, kind, id};
  if (time >> shift_ <= bucket_) {
    near_.push(event);
  } else {
    place(event);
  }
}

void EventQueue::place(const PacketEvent& event) {
  const int64_t bucket = event.time >> shift_;
  const int64_t turns_ahead = (bucket >> kBits) - (bucket_ >> kBits);
  if (turns_ahead == 0) {
    wheel_[bucket & kMask].push_back(event);
    mark(wheel_marks_, bucket & kMask);
  } else if (turns_ahead < kBuckets) {
    const int64_t turn = (bucket >> kBits) & kMask;
    turns_[turn].push_back(event);
    mark(turn_marks_, turn);
  } else {
    far_.push(event);
  }
}

int64_t EventQueue::next_time() {
  if (position_ == current_.size() && near_.empty()) refill();
  const int64_t sorted = position_ < current_.size() ? current_[position_].time : kNever;
  return near_.empty() ? sorted : std::min(sorted, near_.top().time);
}

std::span<const PacketEvent> EventQueue::take() {
  const int64_t time = next_time();
  const size_t begin = position_;
  while (position_ < current_.size() && current_[position_].time == time) ++position_;
  const std::span<const PacketEvent> sorted(current_.data() + begin, position_ - begin);
  sorted_ = current_.size() - begin;
  if (near_.empty() || near_.top().time != time) return sorted;
  taken_.assign(sorted.begin(), sorted.end());
  while (!near_.empty() && near_.top().time == time) {
    taken_.push_back(near_.top());
    near_.pop();
  }
  sorted_ = taken_.size();
  return taken_;
}

// The first marked index that is not below `from`, or -1.
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
  current_.swap(wheel_[index]);
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
  Bucket& events = turns_[next & kMask];
  for (const PacketEvent& event : events) place(event);
  events.clear();
  unmark(turn_marks_, next & kMask);
  return true;
}

void EventQueue::sort_current() {
  if (current_.size() < 2) return;
  const auto earlier = [](const PacketEvent& a, const PacketEvent& b) { return a.time < b.time; };
  if (current_.size() < kRadixFrom) return std::sort(current_.begin(), current_.end(), earlier);
  const int64_t first = current_.front().time;
  if (std::all_of(current_.begin(), current_.end(), [&](const PacketEvent& e) { return e.time == first; })) return;
  spare_.resize(current_.size());
  constexpr int kDigit = 11;
  for (int low = 0; low < shift_; low += kDigit) {
    std::array<uint32_t, (1 << kDigit) + 1> starts{};
    const auto digit = [&](const PacketEvent& e) {
      const int64_t inside = e.time & ((int64_t{1} << shift_) - 1);
      return inside >> low & ((1 << kDigit) - 1);
    };
    for (const PacketEvent& event : current_) ++starts[digit(event) + 1];
    for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const PacketEvent& event : current_) spare_[starts[digit(event)]++] = event;
    current_.swap(spare_);
  }
}

}  // namespace fabrictwin
