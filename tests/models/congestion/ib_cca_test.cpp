// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/ib_cca.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fabrictwin::congestion {
namespace {

constexpr int64_t kTick = 150 * int64_t{1'024'000'000};
constexpr int64_t kRate = 100'000'000'000;
constexpr FlowControl::Path kFast{.line_rate = kRate, .round_trip = 8'000'000'000, .max_packet = 1048};

IbCcaSpec gran() {
  IbCcaSpec spec{.threshold = 15,
                 .buffer = 512 * 1024,
                 .marking_rate = 0,
                 .least_packet = 512,
                 .victim_mask = true,
                 .increase = 1,
                 .limit = 127,
                 .least = 0,
                 .timer = kTick};
  for (int i = 0; i <= spec.limit; ++i) spec.gaps.push_back(i);
  return spec;
}

// data/ibcca-vector.csv has the state after each event of a script, made by other code.
TEST(IbCca, StatesFollowTheReferenceVector) {
  std::ifstream file("tests/models/congestion/data/ibcca-vector.csv");
  ASSERT_TRUE(file) << "run it from the root of the project";
  const IbCcaSpec spec = gran();
  IbCcaFlow flow(spec, kFast);
  EXPECT_EQ(flow.rate(), 100e9);
  std::string line;
  int steps = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '"' || line.starts_with("step")) continue;
    std::vector<std::string> cells;
    std::istringstream cells_of(line);
    for (std::string cell; std::getline(cells_of, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 4u) << line;
    if (cells[1] == "BECN") {
      flow.raise();
    } else {
      ASSERT_EQ(cells[1], "TICK");
      flow.fall();
    }
    EXPECT_EQ(flow.index(), std::stoi(cells[2])) << line;
    EXPECT_NEAR(flow.rate() / 1e9, std::stod(cells[3]), 1e-6) << line;
    ++steps;
  }
  EXPECT_EQ(steps, 140);
}

// Nothing is lost: the index is what notices have added less what the timer has taken.
RC_GTEST_PROP(IbCca, IndexIsIncreasesLessDecreases, ()) {
  IbCcaSpec spec = gran();
  spec.increase = *rc::gen::inRange(1, 20);
  spec.least = *rc::gen::inRange(0, 10);
  const auto events = *rc::gen::container<std::vector<bool>>(rc::gen::arbitrary<bool>());
  IbCcaFlow flow(spec, kFast);
  int64_t now = 0;
  int64_t increases = 0;
  int64_t decreases = 0;
  for (const bool notice : events) {
    const int32_t before = flow.index();
    if (notice) {
      flow.notified(++now);
      increases += flow.index() - before;
      RC_ASSERT(flow.index() - before == spec.increase || flow.index() == spec.limit);
    } else if (flow.next_timer() != FlowControl::kNever) {
      now = flow.next_timer();
      flow.timer(now);
      decreases += before - flow.index();
      RC_ASSERT(before - flow.index() == 1);
    } else {
      RC_ASSERT(flow.index() == spec.least);
    }
    RC_ASSERT(flow.index() >= spec.least && flow.index() <= spec.limit);
    RC_ASSERT(flow.index() - spec.least == increases - decreases);
  }
}

// Whoever asks late sees the index that timers on time would have left.
RC_GTEST_PROP(CctIndex, AdvanceIsAllTimersUpToThen, ()) {
  const CctIndex::Bounds bounds{.increase = *rc::gen::inRange(1, 10),
                                .limit = *rc::gen::inRange(5, 100),
                                .least = *rc::gen::inRange(0, 5),
                                .timer = *rc::gen::inRange<int64_t>(1, 50)};
  CctIndex late(bounds);
  CctIndex prompt(bounds);
  int64_t now = 0;
  for (int i = *rc::gen::inRange(0, 60); i > 0; --i) {
    const int64_t then = now + *rc::gen::inRange<int64_t>(0, 200);
    for (; now < then; ++now) {
      if (prompt.next_timer() == now) prompt.timer(now);
    }
    if (prompt.next_timer() == now) prompt.timer(now);
    late.advance(now);
    RC_ASSERT(late.index() == prompt.index());
    RC_ASSERT(late.next_timer() == prompt.next_timer());
    if (*rc::gen::arbitrary<bool>()) {
      late.notified(now);
      prompt.notified(now);
    }
  }
}

TEST(IbCca, RecoveryFromTheLimitTakesLimitTimesTimer) {
  const IbCcaSpec spec = gran();
  IbCcaFlow flow(spec, kFast);
  EXPECT_EQ(flow.next_timer(), FlowControl::kNever) << "nothing limits a flow before its first notice";
  for (int i = 0; i < 200; ++i) flow.notified(1000);
  EXPECT_EQ(flow.index(), 127);
  int64_t now = 1000;
  while (flow.next_timer() != FlowControl::kNever) {
    now = flow.next_timer();
    flow.timer(now);
  }
  EXPECT_EQ(flow.rate(), 100e9);
  EXPECT_EQ(now - 1000, 127 * kTick);
}

TEST(CcaMarking, ThresholdsAreSixteenthsOfTheBuffer) {
  IbCcaSpec spec = gran();
  PortState port{.bits_per_second = kRate, .packet_bytes = 1048};
  for (int threshold = 0; threshold <= 15; ++threshold) {
    spec.threshold = threshold;
    const CcaMarking marking(spec, 1, kRate);
    port.queue_bytes = (16 - threshold) * 32 * 1024;
    EXPECT_FALSE(marking.marks(port));
    ++port.queue_bytes;
    EXPECT_EQ(marking.marks(port), threshold != 0);
    // A queue of the same duration at a faster port.
    port.bits_per_second = 4 * kRate;
    EXPECT_FALSE(marking.marks(port));
    port.queue_bytes *= 4;
    EXPECT_EQ(marking.marks(port), threshold != 0);
    port.bits_per_second = kRate;
  }
}

TEST(CcaMarking, SparesSmallPacketsAndVictims) {
  IbCcaSpec spec = gran();
  PortState port{.queue_bytes = 100'000, .bits_per_second = kRate, .packet_bytes = 511};
  const CcaMarking marking(spec, 1, kRate);
  EXPECT_FALSE(marking.marks(port));
  port.packet_bytes = 512;
  EXPECT_TRUE(marking.marks(port));
  port.blocked = true;
  EXPECT_FALSE(marking.marks(port)) << "what waits is the fault of another output";
  port.to_host = true;
  EXPECT_TRUE(marking.marks(port)) << "behind a host there is none";
  spec.victim_mask = false;
  EXPECT_FALSE(marking.marks(port));
  port.blocked = false;
  EXPECT_TRUE(marking.marks(port));
}

TEST(CcaMarking, MarksOneOfSoManyPackets) {
  IbCcaSpec spec = gran();
  spec.marking_rate = 9;
  PortState port{.element = 9, .port = 3, .queue_bytes = 100'000, .bits_per_second = kRate, .packet_bytes = 1048};
  int marked = 0;
  const CcaMarking marking(spec, 1, kRate);
  for (uint64_t i = 0; i < 100'000; ++i) {
    port.sent_packets = i;
    marked += marking.marks(port) ? 1 : 0;
  }
  // Five standard deviations of a binomial distribution with p = 0.1 are 474.
  EXPECT_NEAR(marked, 10'000, 474);
}

}  // namespace
}  // namespace fabrictwin::congestion
