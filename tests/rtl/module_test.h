// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests of one module at its pins, with random inputs.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {

template <class Model>
class ModuleTest : public ::testing::Test {
 protected:
  /// `Model` is that of a header PREFIX__inputs.h. Its inputs begin with zeros, its state with random values.
  explicit ModuleTest(uint32_t seed) : random_(seed) { zero_inputs(model_); }

  /// Two edges of reset, with the inputs that are set.
  void reset() {
    model_.rst_ni = 0;
    edge();
    edge();
    model_.rst_ni = 1;
    model_.eval();
  }
  void edge() { rtl::rising_edge_in_two(model_); }
  /// True with a chance of `percent`.
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  int draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  RandomStateContext context_;
  Model model_{&context_};
  std::mt19937 random_;
  std::map<std::string, int> seen_;  ///< How often what has happened.
};

}  // namespace fabrictwin::test
