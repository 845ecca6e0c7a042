// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/cca_throttle.h"

#include <algorithm>

namespace fabrictwin::nic::exanet {

link::Word CcaSettings::register_value() const {
  const auto at = [](int32_t value, int shift) { return static_cast<uint64_t>(value) << shift; };
  return {at(timer, 24) | at(enabled ? 1 : 0, 23) | at(shift, 21) | at(least, 14) | at(limit, 7) | at(increase, 0), 0};
}

link::Word CcaSettings::entries(int32_t first) const {
  link::Word word;
  for (int32_t i = 0; i < kEntriesOfWrite; ++i) {
    const uint64_t entry = table[static_cast<size_t>(first + i)];
    (i < 4 ? word.lo : word.hi) |= entry << (16 * (i % 4));
  }
  return word;
}

// Takes all expiries up to and in `cycle`.
void CcaThrottle::advance(int64_t cycle) {
  while (highest_ > settings_.least && next_expiry_ <= cycle) {
    ++expiries_;
    --highest_;
    next_expiry_ += period();
  }
}

int32_t CcaThrottle::current(const Entry& entry) const {
  const auto age = static_cast<int32_t>(std::min<uint64_t>(expiries_ - entry.expiries, CcaSettings::kEntries));
  return std::max(entry.index - age, settings_.least);
}

void CcaThrottle::notice(Node node, int64_t cycle) {
  if (!settings_.enabled) return;
  advance(cycle);
  Entry& entry = entries_[entry_of(node)];
  entry.index = std::min(current(entry) + settings_.increase, settings_.limit);
  entry.expiries = expiries_;
  if (entry.index <= highest_) return;
  // The timer begins with the first index that rises.
  if (highest_ <= settings_.least) next_expiry_ = cycle + period();
  highest_ = entry.index;
}

int32_t CcaThrottle::index(Node node, int64_t cycle) {
  advance(cycle - 1);
  return current(entries_[entry_of(node)]);
}

int64_t CcaThrottle::sent(Node node, int payload_words, int64_t cycle) {
  if (!settings_.enabled) return 0;
  const int32_t now = index(node, cycle);
  if (now == 0) return 0;
  // The logic knows a gap after four cycles.
  const int64_t words = std::max(payload_words + 2, 6);
  return cycle + words + (words * settings_.table[static_cast<size_t>(now)] >> settings_.shift);
}

bool CcaThrottle::settled(int64_t cycle) {
  advance(cycle - 1);
  return highest_ <= settings_.least;
}

}  // namespace fabrictwin::nic::exanet
