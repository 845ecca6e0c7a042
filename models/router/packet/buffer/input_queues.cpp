// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/buffer/input_queues.h"

#include <algorithm>
#include <tuple>

namespace fabrictwin::router::packet::buffer {

uint32_t VcQueues::slot_of(int32_t number, int64_t now) {
  uint32_t unused = static_cast<uint32_t>(queues_.size());
  for (uint32_t slot = 0; slot < queues_.size(); ++slot) {
    const InputQueue& queue = queues_[slot];
    if (queue.number == number) return slot;
    if (unused == queues_.size() && queue.packets == 0 && queue.gate <= now) unused = slot;
  }
  if (unused == queues_.size()) queues_.emplace_back();
  queues_[unused] = {};
  queues_[unused].number = number;
  return unused;
}

int32_t QueueCredits::held(int32_t number, int64_t now) {
  for (; !credits_.empty() && credits_.front().time <= now; credits_.pop_front()) {
    const Credit& credit = credits_.front();
    const auto of = std::ranges::find(held_, credit.number, &Held::number);
    if (of == held_.end()) continue;
    of->bytes -= credit.bytes;
    if (of->bytes > 0) continue;
    *of = held_.back();
    held_.pop_back();
  }
  const auto of = std::ranges::find(held_, number, &Held::number);
  return of == held_.end() ? 0 : of->bytes;
}

void QueueCredits::sent(int32_t number, int32_t bytes) {
  const auto of = std::ranges::find(held_, number, &Held::number);
  if (of == held_.end()) {
    held_.push_back({number, bytes});
  } else {
    of->bytes += bytes;
  }
}

// Of one time, queues are released before others are made.
void SetAsideCount::add(std::vector<SetAsideChange>& changes) {
  std::ranges::sort(changes, [](const SetAsideChange& a, const SetAsideChange& b) {
    return std::tie(a.time, a.change) < std::tie(b.time, b.change);
  });
  if (keeps_) kept_.insert(kept_.end(), changes.begin(), changes.end());
  for (const SetAsideChange& change : changes) {
    in_use_ += change.change;
    most_ = std::max(most_, in_use_);
    if (change.change < 0) released_ = change.time;
  }
  changes.clear();
}

}  // namespace fabrictwin::router::packet::buffer
