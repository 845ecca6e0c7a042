// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/dcqcn.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fabrictwin::congestion {
namespace {

constexpr int64_t kUs = 1'000'000'000;

DcqcnSpec paper() {
  return {.kmin = 400'000,
          .kmax = 1'600'000,
          .pmax = 0.2,
          .notice_interval = 50 * kUs,
          .alpha_timer = 55 * kUs,
          .increase_timer = 55 * kUs,
          .byte_counter = 10'000'000,
          .gain = 1.0 / 256,
          .fast_recovery = 5,
          .additive_increase = 40e6,
          .hyper_increase = 400e6,
          .least_rate = 1e6,
          .cut_interval = 0,
          .clamp_target = true};
}

constexpr FlowControl::Path kPath{.line_rate = 100'000'000'000, .round_trip = 8 * kUs, .max_packet = 1048};

// data/dcqcn-vector.csv has the state after each event of a script, as Zhu et al. define it, made by other code.
TEST(Dcqcn, StatesFollowTheReferenceVector) {
  std::ifstream file("tests/models/congestion/data/dcqcn-vector.csv");
  ASSERT_TRUE(file) << "run it from the root of the project";
  const DcqcnSpec spec = paper();
  DcqcnFlow flow(spec, kPath);
  // The script starts before any notice.
  std::string line;
  int steps = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '"' || line.starts_with("step")) continue;
    std::vector<std::string> cells;
    std::istringstream cells_of(line);
    for (std::string cell; std::getline(cells_of, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 7u) << line;
    if (cells[1] == "CNP") {
      flow.cut();
    } else if (cells[1] == "ALPHA") {
      flow.decay();
    } else if (cells[1] == "TIMER") {
      flow.increase_by_timer();
    } else {
      ASSERT_EQ(cells[1], "BYTES");
      flow.increase_by_bytes();
    }
    EXPECT_NEAR(flow.rate() / 1e9, std::stod(cells[2]), 1e-6) << line;
    EXPECT_NEAR(flow.target() / 1e9, std::stod(cells[3]), 1e-6) << line;
    EXPECT_NEAR(flow.alpha(), std::stod(cells[4]), 1e-6) << line;
    ++steps;
  }
  EXPECT_EQ(steps, 34);
}

TEST(Dcqcn, TimersAndBytesCauseTheSteps) {
  const DcqcnSpec spec = paper();
  DcqcnFlow flow(spec, kPath);
  EXPECT_EQ(flow.next_timer(), FlowControl::kNever) << "nothing limits a flow before its first notice";
  flow.sent(0, 1000, 50'000'000);
  EXPECT_EQ(flow.rate(), 100e9);
  flow.notified(7 * kUs);
  EXPECT_EQ(flow.rate(), 50e9);
  EXPECT_EQ(flow.next_timer(), 62 * kUs);
  flow.timer(62 * kUs);
  // Alpha has decayed, and the rate is half-way back.
  EXPECT_EQ(flow.rate(), 75e9);
  EXPECT_DOUBLE_EQ(flow.alpha(), 1 - 1.0 / 256);
  flow.sent(63 * kUs, 1000, 9'999'999);
  EXPECT_EQ(flow.rate(), 75e9);
  flow.sent(64 * kUs, 1000, 1);
  EXPECT_EQ(flow.rate(), 87.5e9) << "the byte counter has run out";
  flow.notified(65 * kUs);
  EXPECT_EQ(flow.next_timer(), 120 * kUs) << "a notice sets both timers anew";
}

TEST(Dcqcn, AdaptersCutOncePerInterval) {
  DcqcnSpec spec = paper();
  spec.cut_interval = 50 * kUs;
  DcqcnFlow flow(spec, kPath);
  flow.notified(10 * kUs);
  EXPECT_EQ(flow.rate(), 100e9);
  EXPECT_EQ(flow.next_timer(), 60 * kUs);
  flow.notified(20 * kUs);
  flow.timer(60 * kUs);
  EXPECT_EQ(flow.rate(), 50e9) << "one cut for both notices";
  // The next interval ends at 110 us, although its notice comes at 100 us.
  flow.notified(100 * kUs);
  EXPECT_EQ(flow.next_timer(), 110 * kUs);
}

TEST(Dcqcn, TargetStaysInARowOfCutsUnlessItIsClamped) {
  DcqcnSpec spec = paper();
  for (const bool clamp : {false, true}) {
    spec.clamp_target = clamp;
    DcqcnFlow flow(spec, kPath);
    flow.notified(kUs);
    flow.notified(2 * kUs);
    EXPECT_EQ(flow.target(), clamp ? 50e9 : 100e9);
    flow.increase_by_timer();
    const double rate = flow.rate();
    flow.notified(3 * kUs);
    EXPECT_EQ(flow.target(), rate) << "after an increase, the rate is the target in any case";
  }
}

TEST(Dcqcn, WithoutByteCounterTheTimerReachesHyperIncrease) {
  DcqcnSpec spec = paper();
  spec.byte_counter = 0;
  DcqcnFlow flow(spec, kPath);
  flow.cut();
  flow.cut();
  const double target = flow.target();
  for (int i = 0; i < 4; ++i) flow.increase_by_timer();
  EXPECT_EQ(flow.target(), target);
  flow.increase_by_timer();
  EXPECT_EQ(flow.target(), target + 40e6);
  flow.increase_by_timer();
  flow.increase_by_timer();
  EXPECT_EQ(flow.target(), target + 40e6 + 2 * 400e6);
}

TEST(Dcqcn, NoFlowIsSlowerThanTheLeastRate) {
  DcqcnSpec spec = paper();
  spec.least_rate = 100e6;
  DcqcnFlow flow(spec, kPath);
  for (int i = 0; i < 100; ++i) flow.cut();
  EXPECT_EQ(flow.rate(), 100e6);
}

TEST(RedMarking, ProbabilityRisesBetweenThresholds) {
  const DcqcnSpec spec = paper();
  const RedMarking marking(spec, 1, 100'000'000'000);
  EXPECT_EQ(marking.probability(400'000, 100'000'000'000), 0);
  EXPECT_DOUBLE_EQ(marking.probability(1'000'000, 100'000'000'000), 0.1);
  EXPECT_EQ(marking.probability(1'600'000, 100'000'000'000), 1);
  // A queue of the same duration at a faster port; a slower one has the same thresholds.
  EXPECT_DOUBLE_EQ(marking.probability(4'000'000, 400'000'000'000), 0.1);
  EXPECT_DOUBLE_EQ(marking.probability(1'000'000, 10'000'000'000), 0.1);
}

TEST(RedMarking, MarksTheShareThatItShould) {
  const DcqcnSpec spec = paper();
  const RedMarking marking(spec, 1, 100'000'000'000);
  PortState port{.element = 9, .port = 3, .queue_bytes = 1'000'000, .bits_per_second = 100'000'000'000};
  int marked = 0;
  constexpr int kPackets = 100'000;
  for (int i = 0; i < kPackets; ++i) {
    port.sent_packets = static_cast<uint64_t>(i);
    marked += marking.marks(port) ? 1 : 0;
  }
  // Five standard deviations of a binomial distribution with p = 0.1 are 474.
  EXPECT_NEAR(marked, 10'000, 474);
  const RedMarking other(spec, 2, 100'000'000'000);
  int equal = 0;
  for (int i = 0; i < 1000; ++i) {
    port.sent_packets = static_cast<uint64_t>(i);
    equal += marking.marks(port) == other.marks(port) ? 1 : 0;
  }
  EXPECT_LT(equal, 1000) << "the seed decides which packets are marked";
}

}  // namespace
}  // namespace fabrictwin::congestion
