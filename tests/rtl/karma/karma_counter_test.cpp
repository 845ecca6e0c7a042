// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The counter of the self-test against what its results are said to be, cycle by cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "VKarmaCounter__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

struct Expected {
  uint32_t begun = 0, packets = 0, errors = 0, cycles = 0, latency_min = ~0u, latency_max = 0;
  uint64_t bytes = 0, latency_sum = 0;
  uint32_t start = 0;

  // A packet whose first word was sent in cycle `born` and whose last one is taken in cycle `taken`.
  void packet(uint32_t born, uint32_t taken, bool wrong, uint32_t payload) {
    const uint32_t latency = taken - born + 1;
    latency_min = std::min(latency_min, latency);
    latency_max = std::max(latency_max, latency);
    latency_sum += latency;
    errors += wrong ? 1 : 0;
    if (packets++ == 0) {
      start = taken;
    } else {
      bytes += payload;
      cycles = taken - start;
    }
  }
};

class KarmaCounter : public ModuleTest<VKarmaCounter> {
 protected:
  KarmaCounter() : ModuleTest(31) {
    model_.clear_i = model_.first_i = model_.last_i = 0;
    reset();
  }

  // What the consumer took in cycle `now`, of which it tells in the next one.
  void step(uint32_t now, bool first, bool last) {
    const uint32_t born = now - static_cast<uint32_t>(draw(500));
    model_.first_i = first;
    model_.last_i = last;
    model_.wrong_i = chance(30);
    model_.payload_bytes_i = static_cast<uint16_t>(draw(513));
    model_.born_i = born;
    model_.now_i = now + 1;
    expected_.begun += first ? 1 : 0;
    if (last) expected_.packet(born, now, model_.wrong_i != 0, model_.payload_bytes_i);
    edge();
  }

  uint64_t two(int word) const { return model_.result_o[word] | uint64_t{model_.result_o[word + 1]} << 32; }
  void check() const {
    EXPECT_EQ(model_.result_o[0], expected_.begun);
    EXPECT_EQ(model_.result_o[1], expected_.packets);
    EXPECT_EQ(model_.result_o[2], expected_.errors);
    EXPECT_EQ(two(3), expected_.bytes);
    EXPECT_EQ(model_.result_o[5], expected_.cycles);
    EXPECT_EQ(model_.result_o[6], expected_.latency_min);
    EXPECT_EQ(model_.result_o[7], expected_.latency_max);
    EXPECT_EQ(two(8), expected_.latency_sum);
  }

  Expected expected_;
};

TEST_F(KarmaCounter, CountsWhatArrives) {
  check();
  uint32_t now = 0xffff'f000;  // Times wrap.
  for (int step_number = 0; step_number < 20'000 && !HasFailure(); ++step_number, ++now) {
    step(now, chance(20), chance(20));
    check();
    if (chance(1) && chance(20)) {
      model_.clear_i = 1;
      edge();
      model_.clear_i = 0;
      expected_ = {};
      ++now;
      ++seen_["clear"];
      check();
    }
  }
  EXPECT_GT(seen_["clear"], 10);
}

}  // namespace
}  // namespace fabrictwin::test
