// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/replay_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "workloads/trace/format/communicator_table.h"

namespace fabrictwin {
namespace {

using mpi::protocol::ReplayStep;
using StepKind = mpi::protocol::ReplayStep::Kind;

mpi::protocol::ReplayCosts costs_of(int32_t ranks) {
  mpi::protocol::ReplayCosts costs;
  costs.ranks = ranks;
  costs.request_overhead = Time::from_ns(1);
  costs.reduce_overhead = Time::from_ns(100);
  costs.buffer_overhead = Time::from_ns(10'000);
  costs.local = mpi::protocol::CopyCost::of_rate(Bandwidth{8'000'000});  // A byte in a microsecond.
  return costs;
}

std::vector<ReplayStep> steps_of(const trace::format::Event& event, const mpi::protocol::ReplayCosts& costs) {
  std::vector<ReplayStep> steps;
  trace::format::CommunicatorTable communicators(costs.rank, costs.ranks);
  mpi::protocol::make_steps(event, costs, communicators.of(event), steps);
  return steps;
}

Time busy(const std::vector<ReplayStep>& steps) {
  Time all;
  for (const ReplayStep& step : steps) {
    if (step.kind == StepKind::kBusy) all += step.duration;
  }
  return all;
}

trace::format::Event call_of(v1::TraceAction action, uint64_t count) {
  trace::format::Event event;
  event.action = action;
  event.count = count;
  event.datatype = v1::BYTE;
  return event;
}

TEST(ReplayStepTest, AnAllreducePaysABufferRequestsAndReductions) {
  const std::vector<ReplayStep> steps = steps_of(call_of(v1::ALLREDUCE, 3), costs_of(4));
  // Two exchanges of two requests, after each of which 3 bytes are reduced; 3 bytes are copied before.
  EXPECT_EQ(busy(steps), Time::from_ns(10'000 + 4 * 1 + 2 * 100) + Time::from_us(3 * 3));
  EXPECT_EQ(steps.front().duration, Time::from_ns(10'000) + Time::from_us(3));
  EXPECT_EQ(steps.back().duration, Time::from_ns(100) + Time::from_us(3));
}

TEST(ReplayStepTest, TheRootOfAReductionReducesWhatItReceivesAlone) {
  // From ranks 1 and 2; nothing is exchanged.
  EXPECT_EQ(busy(steps_of(call_of(v1::REDUCE, 3), costs_of(4))), Time::from_ns(10'000 + 2 * 100) + Time::from_us(9));
}

TEST(ReplayStepTest, OtherCollectivesPayRequestsOnly) {
  EXPECT_EQ(busy(steps_of(call_of(v1::BARRIER, 0), costs_of(4))), Time::from_ns(4));
  EXPECT_EQ(busy(steps_of(call_of(v1::BCAST, 3), costs_of(4))), Time::zero());
}

TEST(ReplayStepTest, SendrecvIsAnExchange) {
  trace::format::Event event = call_of(v1::SENDRECV, 3);
  event.peer = event.receive_peer = 1;
  EXPECT_EQ(busy(steps_of(event, costs_of(4))), Time::from_ns(2));
}

// Profiles without such costs have the steps that they always had.
TEST(ReplayStepTest, WithoutCostsNothingIsAdded) {
  mpi::protocol::ReplayCosts none;
  none.ranks = 4;
  for (const v1::TraceAction action : {v1::ALLREDUCE, v1::REDUCE, v1::BARRIER, v1::SCAN}) {
    const std::vector<ReplayStep> steps = steps_of(call_of(action, 3), none);
    EXPECT_TRUE(
        std::none_of(steps.begin(), steps.end(), [](const ReplayStep& step) { return step.kind == StepKind::kBusy; }));
  }
}

TEST(ReplayStepTest, HardwareMakesBarriersAndSmallReductions) {
  mpi::protocol::ReplayCosts costs;
  costs.ranks = 4;
  costs.accelerator = true;
  const auto reduces = [&](const trace::format::Event& event) {
    const std::vector<ReplayStep> steps = steps_of(event, costs);
    return std::any_of(steps.begin(), steps.end(),
                       [](const ReplayStep& step) { return step.kind == StepKind::kReduce; });
  };
  trace::format::Event vector = call_of(v1::ALLREDUCE, 4);
  vector.datatype = v1::DOUBLE;
  EXPECT_TRUE(reduces(vector));
  EXPECT_FALSE(reduces(call_of(v1::BARRIER, 0)));
  costs.accelerated_barrier = true;
  costs.most_integers = 8;
  costs.most_reals = 3;
  EXPECT_TRUE(reduces(call_of(v1::BARRIER, 0)));
  EXPECT_FALSE(reduces(vector));
  vector.count = 3;
  EXPECT_TRUE(reduces(vector));
  vector.datatype = v1::INT;
  vector.count = 8;
  EXPECT_TRUE(reduces(vector));
  vector.count = 9;
  EXPECT_FALSE(reduces(vector));
}

}  // namespace
}  // namespace fabrictwin
