// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/request_table.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "rapidcheck/gtest.h"

namespace fabrictwin::recorder {
namespace {

// Libraries give one handle to several requests that have ended at once: each wait takes one, the oldest first.
RC_GTEST_PROP(RequestTable, GivesTheOldestOfAHandle, (const std::vector<std::pair<uint8_t, bool>>& steps)) {
  RequestTable table;
  std::map<uint64_t, std::deque<uint64_t>> model;
  uint64_t start = 0;
  for (const auto& [low, add] : steps) {
    const uint64_t handle = low % 5 + 1u;
    std::deque<uint64_t>& queue = model[handle];
    if (add) {
      table.add(handle, ++start);
      queue.push_back(start);
      continue;
    }
    uint64_t taken = 0;
    RC_ASSERT(table.take(handle, taken) == !queue.empty());
    if (queue.empty()) continue;
    RC_ASSERT(taken == queue.front());
    queue.pop_front();
  }
}

}  // namespace
}  // namespace fabrictwin::recorder
