// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/deadlock_search.h"

#include <utility>

namespace fabrictwin::engine {

bool DeadlockSearch::look() {
  const bool possible = read();
  const bool certain = possible && now_ == before_;
  std::swap(now_, before_);
  if (!possible) before_.clear();
  return certain;
}

bool DeadlockSearch::read() {
  now_.clear();
  bool waits = false;
  int64_t under_way = 0;
  for (int32_t partition = 0; partition < table_.partitions(); ++partition) {
    if (!table_.read(partition, row_)) return false;
    const Foreground& foreground = row_.foreground;
    if (foreground.state != Foreground::State::kWaits && foreground.state != Foreground::State::kOver) return false;
    waits = waits || foreground.state == Foreground::State::kWaits;
    under_way += foreground.under_way;
    now_.push_back(foreground);
  }
  return waits && under_way == 0;
}

}  // namespace fabrictwin::engine
