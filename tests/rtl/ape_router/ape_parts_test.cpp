// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arbiter and the FIFO of the APErouter alone, at random, against references that look back at what has happened.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "VApeParts__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

class ApeParts : public ModuleTest<VApeParts> {
 protected:
  ApeParts() : ModuleTest(11) { reset(); }

  void reset() {
    model_.enable_i = 0;
    ModuleTest::reset();
  }
};

/// Who is granted, or -1. `beaten[a][b]`: a's group gives way to b's.
int expected_grant(int requests, uint32_t request, const std::vector<std::vector<bool>>& beaten, int last) {
  for (int i = 1; i <= requests; ++i) {
    const int candidate = (last + i) % requests;
    if ((request >> candidate & 1) == 0) continue;
    bool gives_way = false;
    for (int other = 0; other < requests; ++other) {
      if ((request >> other & 1) != 0 && beaten[candidate / 2][other / 2]) gives_way = true;
    }
    if (!gives_way) return candidate;
  }
  return -1;
}

TEST_F(ApeParts, ArbitersTakeTurnsAmongTheHighestRank) {
  std::array<int, 2> last = {3, 9};
  for (int step = 0; step < 60'000; ++step) {
    if (chance(1)) {
      reset();
      last = {3, 9};
    }
    const unsigned density = random_() % 100;
    std::array<uint32_t, 2> request{};
    std::array<int, 2> expected{};
    model_.enable_i = chance(90);
    for (size_t a = 0; a < 2; ++a) {
      const int requests = a == 0 ? 4 : 10, groups = requests / 2;
      for (int r = 0; r < requests; ++r) request[a] |= static_cast<uint32_t>(chance(density)) << r;
      // Plain, ranked by a number for each group, or anything, circles included.
      std::vector<std::vector<bool>> beaten(static_cast<size_t>(groups),
                                            std::vector<bool>(static_cast<size_t>(groups)));
      const unsigned kind = random_() % 3;
      std::vector<uint32_t> rank;
      for (int g = 0; g < groups; ++g) rank.push_back(random_() % 3);
      uint32_t bits = 0;
      for (int i = 0; i < groups; ++i) {
        for (int j = 0; j < groups; ++j) {
          const bool gives_way = kind == 1 ? rank[i] < rank[j] : kind == 2 && chance(20);
          beaten[i][j] = gives_way;
          bits |= static_cast<uint32_t>(gives_way) << (groups * i + j);
        }
      }
      if (a == 0) {
        model_.request4_i = static_cast<uint8_t>(request[a]);
        model_.beaten4_i = static_cast<uint8_t>(bits);
      } else {
        model_.request10_i = static_cast<uint16_t>(request[a]);
        model_.beaten10_i = bits;
      }
      expected[a] = model_.enable_i ? expected_grant(requests, request[a], beaten, last[a]) : -1;
      if (model_.enable_i && request[a] != 0) ++seen_[expected[a] < 0 ? "all beaten" : "granted"];
      if (expected[a] >= 0 && expected[a] <= last[a]) ++seen_["round the end"];
    }
    model_.eval();
    ASSERT_EQ(model_.grant4_o, expected[0] < 0 ? 0 : 1 << expected[0]) << step;
    ASSERT_EQ(model_.grant10_o, expected[1] < 0 ? 0 : 1 << expected[1]) << step;
    edge();
    for (size_t a = 0; a < 2; ++a) {
      if (expected[a] >= 0) last[a] = expected[a];
    }
  }
  for (const char* corner : {"granted", "all beaten", "round the end"}) EXPECT_GT(seen_[corner], 500) << corner;
}

TEST_F(ApeParts, EveryRequestGetsItsTurn) {
  model_.enable_i = 1;
  model_.request10_i = 0x3ff;
  model_.beaten10_i = 0;
  for (int step = 0; step < 40; ++step) {
    model_.eval();
    EXPECT_EQ(model_.grant10_o, 1 << step % 10);
    edge();
  }
}

}  // namespace
}  // namespace fabrictwin::test
