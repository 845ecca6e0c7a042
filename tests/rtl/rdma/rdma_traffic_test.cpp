// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random transfers under everything that a memory and a network can do, and that each of these has happened.
#include "tests/rtl/rdma/rdma_traffic.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>

#include "VRdmaUnitSmall__inputs.h"
#include "VRdmaUnit__inputs.h"

namespace fabrictwin::test {
namespace {

template <class Model = VRdmaUnit>
Coverage run(const Scenario& scenario) {
  RdmaTraffic<Model> traffic(scenario);
  const Coverage c = traffic.run();
  std::printf("transfers %lu bytes %lu cycles %lu bursts %d/%d faults %d/%d |", c.transfers, c.bytes, c.cycles,
              c.max_reads, c.max_writes, c.sender_faults, c.receiver_faults);
  for (uint64_t value : c.counters) std::printf(" %lu", value);
  std::printf("\n");
  return c;
}

TEST(RdmaTraffic, PerfectNetwork) {
  const Coverage c = run({.seed = 1, .transfers = 300, .timeout = 2000});
  EXPECT_EQ(c.at(Counter::kMalformed), 0u);
  EXPECT_LT(c.at(Counter::kTimeouts), 10u);  // Of reads that take long.
  EXPECT_EQ(c.at(Counter::kDuplicateCells), 0u);
  EXPECT_EQ(c.at(Counter::kLateCells), 0u);
  EXPECT_GE(c.max_reads, 8);
}

TEST(RdmaTraffic, SlowMemory) {
  const Coverage c = run({.seed = 2,
                          .transfers = 150,
                          .timeout = 2000,
                          .memory = {.latency = 150, .jitter = 100, .stall_percent = 50},
                          .network = {.stall_percent = 10, .gap_percent = 10}});
  EXPECT_EQ(c.max_reads, 8);
  EXPECT_EQ(c.max_writes, 8);
}

TEST(RdmaTraffic, StalledNetwork) {
  run({.seed = 3,
       .transfers = 150,
       .host_stalls = 50,
       .timeout = 2000,
       .network = {.jitter = 300, .stall_percent = 60, .gap_percent = 60}});
}

TEST(RdmaTraffic, LossyNetwork) {
  const Coverage c = run({.seed = 4, .transfers = 300, .network = {.jitter = 200, .drop_permille = 10}});
  EXPECT_GT(c.at(Counter::kTimeouts), 50u);
  EXPECT_GT(c.at(Counter::kDuplicateCells), 50u);
  EXPECT_GT(c.at(Counter::kLateCells), 0u);
}

TEST(RdmaTraffic, DoublingNetwork) {
  const Coverage c = run({.seed = 5, .transfers = 300, .network = {.jitter = 100, .duplicate_permille = 100}});
  EXPECT_GT(c.at(Counter::kDuplicateCells), 50u);
  EXPECT_GT(c.at(Counter::kLateCells), 50u) << "no cell came after its block was complete";
  EXPECT_GT(c.at(Counter::kLateAnswers), 5u);
}

TEST(RdmaTraffic, DamagingNetwork) {
  const Coverage c = run({.seed = 6, .transfers = 300, .network = {.damage_permille = 20}});
  EXPECT_GT(c.at(Counter::kMalformed), 100u);
  EXPECT_GT(c.at(Counter::kTimeouts), 50u);
}

TEST(RdmaTraffic, AbsentPages) {
  const Coverage c = run({.seed = 7, .transfers = 300, .absent_percent = 40});
  EXPECT_GT(c.sender_faults, 50);
  EXPECT_GT(c.receiver_faults, 50);
  EXPECT_GT(c.at(Counter::kRefusals), 50u);
  EXPECT_GT(c.at(Counter::kLocalFaults), 50u);
}

Scenario everything(uint64_t seed) {
  return {.seed = seed,
          .nodes = 3,
          .transfers = 150,
          .parallel = 30,
          .absent_percent = 15,
          .host_stalls = 20,
          .timeout = 400,
          .backoff = 200,
          .memory = {.latency = 30, .jitter = 40, .stall_percent = 10},
          .network = {.jitter = 300,
                      .drop_permille = 3,
                      .duplicate_permille = 20,
                      .damage_permille = 3,
                      .stall_percent = 10,
                      .gap_percent = 10}};
}

TEST(RdmaTraffic, EverythingAtOnce) {
  Coverage all;
  for (uint64_t seed = 10; seed < 12; ++seed) all.add(run(everything(seed)));
  for (Counter counter : {Counter::kMalformed, Counter::kTimeouts, Counter::kRefusals, Counter::kLocalFaults,
                          Counter::kLateAnswers, Counter::kDuplicateCells, Counter::kLateCells, Counter::kFaults}) {
    EXPECT_GT(all.at(counter), 10u) << "counter " << static_cast<int>(counter);
  }
  EXPECT_GE(all.max_reads, 8);
}

TEST(RdmaTraffic, FewContextsAndBursts) {
  Scenario scenario = everything(20);
  scenario.transfers = 60;
  scenario.parallel = 2;
  scenario.backoff = 300;
  scenario.network.drop_permille = 1;
  scenario.network.damage_permille = 1;
  const Coverage c = run<VRdmaUnitSmall>(scenario);
  EXPECT_EQ(c.max_reads, 2);
  EXPECT_EQ(c.max_writes, 2);
  EXPECT_GT(c.at(Counter::kRefused), 20u) << "no transfer found all contexts in use";
}

/// The same with edges left out while a unit is idle. Time comes round, and to the half of its range, in the midst of
/// it.
class RdmaIdleEdges : public testing::TestWithParam<uint32_t> {};

TEST_P(RdmaIdleEdges, ChangeNothing) {
  Scenario scenario = everything(32);
  scenario.nodes = 2;
  scenario.transfers = 30;
  scenario.batch = 6;
  scenario.max_pause = 60000;
  scenario.twins = true;
  scenario.start_time = GetParam();
  scenario.network.late_duplicate_delay = 40000;
  RdmaTraffic<VRdmaUnit> traffic(scenario);
  const Coverage c = traffic.run();
  for (int n = 0; n < 2; ++n) {
    EXPECT_GT(traffic.net().node(n).skipped(), 100000) << "of " << c.cycles << " edges";
  }
  std::printf("edges %lu, left out %ld and %ld\n", c.cycles, traffic.net().node(0).skipped(),
              traffic.net().node(1).skipped());
}

INSTANTIATE_TEST_SUITE_P(Wrapped, RdmaIdleEdges, testing::Values(0u - 250000u));
INSTANTIATE_TEST_SUITE_P(More, RdmaIdleEdges, testing::Values(0u, 0x80000000u - 250000u));

RC_GTEST_PROP(RdmaTraffic, HoldsForAnyFaults, (uint64_t seed)) {
  Scenario scenario = everything(seed);
  scenario.nodes = *rc::gen::inRange(2, 4);
  scenario.transfers = 12;
  scenario.max_length = static_cast<uint32_t>(*rc::gen::inRange(1, 60000));
  scenario.memory.stall_percent = static_cast<unsigned>(*rc::gen::inRange(0, 60));
  scenario.memory.latency = static_cast<unsigned>(*rc::gen::inRange(1, 100));
  scenario.network.stall_percent = static_cast<unsigned>(*rc::gen::inRange(0, 60));
  scenario.network.duplicate_permille = static_cast<unsigned>(*rc::gen::inRange(0, 100));
  RdmaTraffic<VRdmaUnit>(scenario).run();
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace fabrictwin::test
