// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "rapidcheck/gtest.h"
#include "tests/workloads/mpi/collectives/collective_simulator.h"
#include "workloads/mpi/collectives/algorithms.h"

namespace fabrictwin {
namespace {

using Simulator = CollectiveSimulator;

TEST(GatherPlan, GatherBringsEachPartOnceToTheRoot) {
  for_all(v1::GATHER, true,
          [](const Simulator& simulator, const trace::format::Event& event, int32_t ranks, int32_t root) {
            EXPECT_EQ(simulator.known(root), everyone(ranks));
            EXPECT_EQ(simulator.received(root), trace::format::event_bytes(event) * static_cast<uint64_t>(ranks - 1));
            for (int32_t rank = 0; rank < ranks; ++rank) EXPECT_EQ(simulator.sends(rank), rank == root ? 0u : 1u);
          });
}

TEST(GatherPlan, ScatterGivesEachItsPart) {
  for_all(v1::SCATTER, true,
          [](const Simulator& simulator, const trace::format::Event& event, int32_t ranks, int32_t root) {
            EXPECT_EQ(simulator.sent(root), trace::format::event_bytes(event) * static_cast<uint64_t>(ranks - 1));
            for (int32_t rank = 0; rank < ranks; ++rank) {
              EXPECT_TRUE((simulator.known(rank) >> root & 1) != 0);
              // What comes and does not go on is the rank's own part.
              if (rank != root) {
                EXPECT_EQ(simulator.received(rank) - simulator.sent(rank), trace::format::event_bytes(event));
              }
            }
          });
}

TEST(GatherPlan, RootsKnowWhatTheyTakeAndTheOthersWhatTheyGive) {
  // Sizes that only count on the other side, as of buffers in place, are not looked at.
  std::vector<trace::format::Event> events(5, collective(v1::GATHER, 8, v1::BYTE, 2));
  for (int32_t rank = 0; rank < 5; ++rank) (rank == 2 ? events[rank].count : events[rank].receive_count) = 0;
  Simulator gather(events, false);
  EXPECT_EQ(gather.run(), "");
  EXPECT_EQ(gather.received(2), 32u);
  for (auto& event : events) event.action = v1::SCATTER;
  for (auto& event : events) std::swap(event.count, event.receive_count);
  Simulator scatter(events, false);
  EXPECT_EQ(scatter.run(), "");
  EXPECT_EQ(scatter.sent(2), 32u);
}

std::vector<uint64_t> random_parts(int32_t ranks) {
  std::vector<uint64_t> parts(static_cast<size_t>(ranks));
  for (uint64_t& part : parts) part = *rc::gen::element<uint64_t>(0, 0, 1, 100, 4096, 40'000, 200'000);
  return parts;
}

RC_GTEST_PROP(GatherPlan, AllgathervReceivesEachPartOnce, ()) {
  const int32_t ranks = *rc::gen::inRange(1, 34);
  trace::format::Event event = event_of(*rc::gen::element(v1::ALLGATHERV, v1::IALLGATHERV));
  event.receive_counts = random_parts(ranks);
  event.receive_datatype = *rc::gen::element(v1::BYTE, v1::DOUBLE);
  std::vector<trace::format::Event> events(static_cast<size_t>(ranks), event);
  for (int32_t rank = 0; rank < ranks; ++rank) events[rank].count = event.receive_counts[rank];
  Simulator simulator(events, *rc::gen::arbitrary<bool>());
  RC_ASSERT(simulator.run() == "");
  uint64_t total = 0;
  for (const uint64_t part : event.receive_counts)
    total += part * trace::format::datatype_bytes(event.receive_datatype);
  uint64_t giving = 0;
  for (int32_t rank = 0; rank < ranks; ++rank) giving |= event.receive_counts[rank] > 0 ? uint64_t{1} << rank : 0;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    RC_ASSERT((simulator.known(rank) & giving) == giving);
    RC_ASSERT(simulator.received(rank) ==
              total - event.receive_counts[rank] * trace::format::datatype_bytes(event.receive_datatype));
  }
}

// In Bruck's allgather a rank has the parts from its own on, and a message of so many bytes is the first of them.
template <typename Plan>
void expect_bruck_to_gather(const std::vector<uint64_t>& sizes, Plan plan) {
  const int32_t ranks = static_cast<int32_t>(sizes.size());
  std::vector<std::vector<mpi::collectives::CollectiveOp>> ops(sizes.size());
  std::vector<std::vector<int32_t>> parts(sizes.size());
  for (int32_t rank = 0; rank < ranks; ++rank) {
    mpi::collectives::OpList list(rank, ranks, ops[rank]);
    plan(list);
    parts[rank] = {rank};
    ASSERT_EQ(ops[rank].size(), ops[0].size());
  }
  // Each step is a receive, a send and a wait.
  for (size_t step = 0; step + 2 < ops[0].size(); step += 3) {
    const std::vector<std::vector<int32_t>> before = parts;
    for (int32_t rank = 0; rank < ranks; ++rank) {
      const int32_t from = ops[rank][step].peer;
      ASSERT_EQ(ops[from][step + 1].peer, rank);
      uint64_t left = ops[from][step + 1].bytes;
      for (size_t i = 0; i < before[from].size() && left >= sizes[before[from][i]]; ++i) {
        parts[rank].push_back(before[from][i]);
        left -= sizes[before[from][i]];
      }
      ASSERT_EQ(left, 0u) << "rank " << from << " sends what it does not have";
    }
  }
  for (int32_t rank = 0; rank < ranks; ++rank) {
    std::vector<int32_t> all(sizes.size());
    for (int32_t i = 0; i < ranks; ++i) all[i] = (rank + i) % ranks;
    EXPECT_EQ(parts[rank], all) << "rank " << rank << " of " << ranks;
  }
}

TEST(GatherPlan, BruckBringsEachPartToEveryRankOnce) {
  for (int32_t ranks = 2; ranks <= kMaxTestRanks; ++ranks) {
    const std::vector<uint64_t> equal(static_cast<size_t>(ranks), 8);
    expect_bruck_to_gather(equal, [](mpi::collectives::OpList& list) { mpi::collectives::allgather_bruck(list, 8); });
    std::vector<uint64_t> different;
    for (int32_t rank = 0; rank < ranks; ++rank) different.push_back(static_cast<uint64_t>(rank * rank % 7 + 1));
    expect_bruck_to_gather(
        different, [&](mpi::collectives::OpList& list) { mpi::collectives::allgatherv_bruck(list, different); });
  }
}

RC_GTEST_PROP(GatherPlan, GathervAndScattervMoveEachPartOnce, ()) {
  const int32_t ranks = *rc::gen::inRange(1, 50);
  const int32_t root = *rc::gen::inRange(0, ranks);
  const bool gathers = *rc::gen::arbitrary<bool>();
  const std::vector<uint64_t> parts = random_parts(ranks);
  std::vector<trace::format::Event> events(static_cast<size_t>(ranks), event_of(gathers ? v1::GATHERV : v1::SCATTERV));
  uint64_t total = 0;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    events[rank].peer = root;
    (gathers ? events[rank].receive_counts : events[rank].send_counts) = parts;
    (gathers ? events[rank].count : events[rank].receive_count) = parts[rank];
    if (rank != root) total += parts[rank];
  }
  Simulator simulator(events, *rc::gen::arbitrary<bool>());
  RC_ASSERT(simulator.run() == "");
  RC_ASSERT((gathers ? simulator.received(root) : simulator.sent(root)) == total);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    if (rank != root) RC_ASSERT((gathers ? simulator.sent(rank) : simulator.received(rank)) == parts[rank]);
  }
}

RC_GTEST_PROP(GatherPlan, ReduceScatterHasEveryContributionWhereItBelongs, ()) {
  const int32_t ranks = *rc::gen::inRange(1, 40);
  trace::format::Event event = event_of(v1::REDUCE_SCATTER);
  event.send_counts = random_parts(ranks);
  Simulator simulator(std::vector<trace::format::Event>(static_cast<size_t>(ranks), event),
                      *rc::gen::arbitrary<bool>());
  RC_ASSERT(simulator.run() == "");
  for (int32_t rank = 0; rank < ranks; ++rank) {
    if (event.send_counts[rank] == 0) continue;
    RC_ASSERT(simulator.known(rank) == everyone(ranks));
    RC_ASSERT(ranks == 1 || simulator.received(rank) >= event.send_counts[rank]);
  }
}

// On any communicator the plans are those of as many ranks, with roots by their numbers.
RC_GTEST_PROP(GatherPlan, CommunicatorsOnlyRenameRanks, ()) {
  std::vector<uint64_t> members = *rc::gen::unique<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(0, 100));
  RC_PRE(!members.empty());
  const int32_t size = static_cast<int32_t>(members.size());
  const int32_t root = *rc::gen::inRange(0, size);
  const v1::TraceAction action = *rc::gen::element(v1::BCAST, v1::REDUCE, v1::ALLREDUCE, v1::GATHER, v1::IBCAST);
  const uint64_t count = *rc::gen::element<uint64_t>(1, 100, 3000, 600'000);
  for (int32_t number = 0; number < size; ++number) {
    const trace::format::Communicator communicator(static_cast<int32_t>(members[number]), members);
    std::vector<mpi::collectives::CollectiveOp> renamed;
    std::vector<mpi::collectives::CollectiveOp> plain;
    mpi::collectives::plan_collective(collective(action, count, v1::INT, static_cast<int32_t>(members[root])),
                                      communicator, renamed);
    mpi::collectives::plan_collective(collective(action, count, v1::INT, root), number, size, plain);
    RC_ASSERT(renamed == plain);
  }
}

}  // namespace
}  // namespace fabrictwin
