// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/call_clock.h"

#include <gtest/gtest.h>

namespace fabrictwin::recorder {
namespace {

// A thread whose time tests decide.
struct Fake {
  int64_t wall = 1000;
  int64_t own = 500;
  bool calm = true;
  int asked = 0;  ///< How often the CPU time was asked for.

  /// On its processor.
  void run(int64_t time) {
    wall += time;
    own += time;
  }
  /// Off it.
  void wait(int64_t time) {
    wall += time;
    calm = false;
  }
};

struct FakeSource {
  Fake* fake;
  int64_t now() const { return fake->wall; }
  int64_t cpu() const {
    ++fake->asked;
    return fake->own;
  }
  void mark() const { fake->calm = true; }
  bool undisturbed() const { return fake->calm; }
};

class CallClockTest : public testing::Test {
 protected:
  CallClockTest() { clock.start(); }

  // What enter() says after the thread has run, waited, and run.
  int64_t compute(int64_t before, int64_t off, int64_t after = 0) {
    fake.run(before);
    if (off > 0) fake.wait(off);
    fake.run(after);
    return clock.enter();
  }

  Fake fake;
  recorder::CallClock<FakeSource> clock{FakeSource{&fake}};
};

TEST_F(CallClockTest, AsksTheKernelOnlyAfterADisturbance) {
  ASSERT_EQ(fake.asked, 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(compute(30'000, 0), 30'000);
    fake.run(10'000);
    clock.leave();
  }
  EXPECT_EQ(fake.asked, 1);
  EXPECT_EQ(compute(100'000, 700'000, 50'000), 150'000);
  EXPECT_EQ(fake.asked, 2);
}

TEST_F(CallClockTest, DoesNotCountWhatACallTakes) {
  EXPECT_EQ(compute(5'000, 0), 5'000);
  fake.run(40'000);
  fake.wait(3'000'000);
  clock.leave();
  EXPECT_EQ(compute(7'000, 0), 7'000);
  fake.run(3'000'000);
  clock.leave();
  EXPECT_EQ(compute(2'000'000, 0), 2'000'000);
}

// The kernel may not say that a thread slept by itself: what is long is measured all the same.
TEST_F(CallClockTest, BelievesNoLongStretch) {
  fake.run(10'000);
  fake.wall += 2'000'000;
  EXPECT_EQ(clock.enter(), 10'000);
}

TEST_F(CallClockTest, IsNeverNegativeNorLongerThanWhatPassed) {
  // A short stretch was off the processor unseen: it is taken off where the CPU time is asked for next, as far as there
  // is some.
  fake.wall += 1'500;
  EXPECT_EQ(clock.enter(), 1'500);
  clock.leave();
  EXPECT_EQ(compute(500, 100'000), 0);
}

}  // namespace
}  // namespace fabrictwin::recorder
