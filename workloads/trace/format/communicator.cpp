// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/communicator.h"

#include <algorithm>

namespace fabrictwin::trace::format {

Communicator::Communicator(int32_t rank, const std::vector<uint64_t>& members)
    : size_(static_cast<int32_t>(members.size())) {
  bool plain = true;
  for (size_t i = 0; i < members.size(); ++i) plain = plain && members[i] == i;
  if (!plain) {
    members_.reserve(members.size());
    for (const uint64_t member : members) members_.push_back(static_cast<int32_t>(member));
    ascending_ = std::is_sorted(members_.begin(), members_.end());
  }
  self_ = number_of(rank).value_or(0);
}

std::optional<int32_t> Communicator::number_of(int32_t rank) const {
  if (members_.empty()) return rank >= 0 && rank < size_ ? std::optional(rank) : std::nullopt;
  const auto found = ascending_ ? std::lower_bound(members_.begin(), members_.end(), rank)
                                : std::find(members_.begin(), members_.end(), rank);
  if (found == members_.end() || *found != rank) return std::nullopt;
  return static_cast<int32_t>(found - members_.begin());
}

}  // namespace fabrictwin::trace::format
