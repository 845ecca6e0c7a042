// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/handle_table.h"

#include <gtest/gtest.h>

#include <map>

#include "rapidcheck/gtest.h"

namespace fabrictwin::recorder {
namespace {

// Few different handles, so that they meet each other.
RC_GTEST_PROP(HandleTable, HoldsWhatAMapHolds, (const std::vector<std::pair<uint8_t, int>>& steps)) {
  recorder::HandleTable<int> table;
  std::map<uint64_t, int> map;
  for (const auto& [low, value] : steps) {
    const uint64_t key = 0x7f0000000000u + 64 * (low + 1u);
    if (value % 3 == 0 && map.contains(key)) {
      table.erase(key);
      map.erase(key);
    } else {
      table[key] = value;
      map[key] = value;
    }
  }
  RC_ASSERT(table.size() == map.size());
  for (uint32_t low = 0; low < 256; ++low) {
    const uint64_t key = 0x7f0000000000u + 64 * (low + 1u);
    const int* const found = table.find(key);
    RC_ASSERT((found != nullptr) == map.contains(key));
    if (found != nullptr) RC_ASSERT(*found == map[key]);
  }
}

TEST(HandleTable, GrowsWithManyHandles) {
  recorder::HandleTable<uint64_t> table;
  for (uint64_t key = 1; key <= 10'000; ++key) table[key] = 3 * key;
  for (uint64_t key = 1; key <= 10'000; key += 2) table.erase(key);
  EXPECT_EQ(table.size(), 5000u);
  for (uint64_t key = 1; key <= 10'000; ++key) {
    const uint64_t* const found = table.find(key);
    ASSERT_EQ(found != nullptr, key % 2 == 0) << key;
    EXPECT_TRUE(found == nullptr || *found == 3 * key);
  }
}

}  // namespace
}  // namespace fabrictwin::recorder
