// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/pin_thread.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace fabrictwin::engine {
namespace {

cpu_set_t cores() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  return set;
}

// Each thread inherits the cores of this one.
TEST(PinThread, TakesTheCoresInTurn) {
  const cpu_set_t allowed = cores();
  const int count = CPU_COUNT(&allowed);
  cpu_set_t taken;
  CPU_ZERO(&taken);
  const auto pin = [&](int index) {
    pin_thread(index);
    const cpu_set_t own = cores();
    EXPECT_EQ(CPU_COUNT(&own), 1);
    CPU_OR(&taken, &taken, &own);
  };
  for (int index = count; index < 2 * count; ++index) std::thread(pin, index).join();
  EXPECT_TRUE(CPU_EQUAL(&taken, &allowed));
}

}  // namespace
}  // namespace fabrictwin::engine
