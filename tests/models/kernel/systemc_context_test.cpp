// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/systemc_context.h"

#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

/// Counts how often its method has run.
class Counter : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Counter);
  explicit Counter(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(count);
    sensitive << event;
    dont_initialize();
  }
  void count() { ++counted; }
  sc_core::sc_event event;
  int counted = 0;
};

TEST(SystemcContext, MethodsThatHaveEndedNeverRunAgain) {
  const auto context = kernel::SystemcContext::create();
  ASSERT_TRUE(context.ok()) << context.status();
  Counter first("first");
  Counter second("second");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  first.event.notify();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  ASSERT_EQ(first.counted, 1);
  first.event.notify(1, sc_core::SC_NS);
  second.event.notify(sc_core::SC_ZERO_TIME);
  kernel::SystemcContext::end_methods();
  sc_core::sc_start(2, sc_core::SC_NS);
  EXPECT_EQ(first.counted, 1);
  EXPECT_EQ(second.counted, 0);
}

TEST(SystemcContext, BeforeTheBeginningNothingEnds) {
  const auto context = kernel::SystemcContext::create();
  ASSERT_TRUE(context.ok()) << context.status();
  Counter counter("counter");
  kernel::SystemcContext::end_methods();
  counter.event.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_EQ(counter.counted, 1);
}

TEST(SystemcContext, ThereIsOneAtATime) {
  auto context = kernel::SystemcContext::create();
  ASSERT_TRUE(context.ok()) << context.status();
  EXPECT_FALSE(kernel::SystemcContext::create().ok());
  context->reset();
  EXPECT_TRUE(kernel::SystemcContext::create().ok());
}

}  // namespace
}  // namespace fabrictwin
