// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/shared_pool.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace fabrictwin {
namespace {

struct Item {
  uint64_t value = 7;
  uint32_t next = 0;
};
using Items = kernel::SharedPool<Item>;

TEST(SharedPoolTest, GivesEachNumberOnceUntilItIsDropped) {
  std::vector<Items> pools = Items::create(3);
  std::set<uint32_t> numbers;
  std::vector<const Item*> places;
  for (int i = 0; i < 3000; ++i) {
    const uint32_t id = pools[static_cast<size_t>(i % 3)].make();
    EXPECT_NE(id, Items::kNone);
    EXPECT_TRUE(numbers.insert(id).second);
    EXPECT_EQ(pools[0][id].value, 7u);
    pools[0][id].value = id;
    places.push_back(&pools[1][id]);
  }
  size_t i = 0;
  for (const Item* place : places) EXPECT_EQ(&pools[2][static_cast<uint32_t>(place->value)], places[i++]);
  // Whoever drops a record, it is that of its maker again.
  for (const uint32_t id : numbers) pools[1].drop(id);
  std::set<uint32_t> again;
  for (int made = 0; made < 3000; ++made) again.insert(pools[static_cast<size_t>(made % 3)].make());
  EXPECT_EQ(again, numbers);
}

TEST(SharedPoolTest, OthersDropWhileTheOwnerMakes) {
  std::vector<Items> pools = Items::create(3);
  constexpr int kRounds = 50;
  constexpr int kItems = 400;
  std::vector<uint32_t> handed;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<uint32_t> made;
    {
      std::vector<std::jthread> droppers;
      for (size_t other = 1; other < pools.size(); ++other) {
        droppers.emplace_back([&, other] {
          for (size_t i = other - 1; i < handed.size(); i += 2) {
            EXPECT_EQ(pools[other][handed[i]].value, i);
            pools[other].drop(handed[i]);
          }
        });
      }
      for (size_t i = 0; i < kItems; ++i) {
        made.push_back(pools[0].make());
        pools[0][made.back()].value = i;
      }
    }
    handed = made;
    EXPECT_EQ(std::set<uint32_t>(made.begin(), made.end()).size(), made.size());
    // Those of two rounds at most are in use.
    for (const uint32_t id : made) EXPECT_LE(id, 2u * kItems);
  }
}

}  // namespace
}  // namespace fabrictwin
