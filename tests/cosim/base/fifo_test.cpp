// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/fifo.h"

#include <gtest/gtest.h>

#include <deque>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

TEST(Fifo, StartsEmpty) {
  const Fifo<int> fifo;
  EXPECT_TRUE(fifo.empty());
  EXPECT_EQ(fifo.size(), 0u);
}

RC_GTEST_PROP(Fifo, IsADeque, ()) {
  Fifo<int> fifo;
  std::deque<int> model;
  const auto steps = *rc::gen::container<std::vector<int>>(*rc::gen::inRange(0, 200), rc::gen::inRange(-40, 60));
  for (const int step : steps) {
    // What is positive goes in, in two ways; the rest takes something out.
    if (step > 30) {
      fifo.append() = step;
      model.push_back(step);
    } else if (step > 0) {
      fifo.push_back(step);
      model.push_back(step);
    } else if (!model.empty()) {
      fifo.pop_front();
      model.pop_front();
    }
    RC_ASSERT(fifo.size() == model.size());
    RC_ASSERT(fifo.empty() == model.empty());
    for (size_t i = 0; i < model.size(); ++i) RC_ASSERT(fifo[i] == model[i]);
    if (!model.empty()) {
      RC_ASSERT(fifo.front() == model.front());
      RC_ASSERT(fifo.back() == model.back());
    }
  }
}

}  // namespace
}  // namespace fabrictwin
