// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The buffer of whole packets for the RDMA units, against two plain queues.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>

#include "VNiRxBuffer__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr size_t kDepth = 32;  // As the test's model has.

using Data = std::array<uint32_t, 4>;

class NiRxBuffer : public ModuleTest<VNiRxBuffer> {
 protected:
  NiRxBuffer() : ModuleTest(61) { reset(); }
  void reset() {
    model_.push_i = model_.pop_i = model_.commit_i = model_.rollback_i = 0;
    ModuleTest::reset();
  }
};

TEST_F(NiRxBuffer, GivesOutCommittedWordsInOrder) {
  std::deque<Data> committed, pending;
  unsigned push = 50, pop = 50;
  for (int step = 0; step < 60'000; ++step) {
    if (step % 80 == 0) {
      push = random_() % 3 * 49 + 2;
      pop = random_() % 3 * 49 + 2;
    }
    if (chance(1) && chance(20)) {
      reset();
      committed.clear();
      pending.clear();
      ++seen_["reset"];
    }
    const bool full = committed.size() + pending.size() == kDepth;
    const Data data = {static_cast<uint32_t>(random_()), static_cast<uint32_t>(random_()),
                       static_cast<uint32_t>(random_()), static_cast<uint32_t>(random_())};
    for (size_t u = 0; u < 4; ++u) model_.data_i[u] = data[u];
    model_.push_i = chance(push);
    model_.rollback_i = chance(3);
    model_.commit_i = !model_.rollback_i && chance(12);
    model_.pop_i = !committed.empty() && chance(pop);
    model_.eval();
    ASSERT_EQ(model_.full_o, full) << step;
    ASSERT_EQ(model_.valid_o, !committed.empty()) << step;
    if (!committed.empty()) {
      for (size_t u = 0; u < 4; ++u) ASSERT_EQ(model_.data_o[u], committed.front()[u]) << step;
    }
    if (full && model_.push_i) ++seen_[model_.rollback_i ? "lost beside words that are taken back" : "lost"];
    if (!pending.empty() && model_.rollback_i) ++seen_[model_.push_i ? "taken back before a word" : "taken back"];
    if (model_.commit_i && model_.push_i && !full) ++seen_["committed with its last word"];
    edge();
    if (model_.pop_i) committed.pop_front();
    if (model_.rollback_i) pending.clear();
    if (model_.push_i && !full) pending.push_back(data);
    if (model_.commit_i) {
      committed.insert(committed.end(), pending.begin(), pending.end());
      pending.clear();
    }
  }
  for (const char* corner : {"reset", "lost", "lost beside words that are taken back", "taken back before a word",
                             "taken back", "committed with its last word"})
    EXPECT_GT(seen_[corner], 20) << corner;
}

}  // namespace
}  // namespace fabrictwin::test
