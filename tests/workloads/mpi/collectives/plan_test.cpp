// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/collectives/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "rapidcheck/gtest.h"
#include "tests/workloads/mpi/collectives/collective_simulator.h"
#include "workloads/mpi/collectives/algorithms.h"

namespace fabrictwin {
namespace {

using Kind = mpi::collectives::CollectiveOp::Kind;
using Simulator = CollectiveSimulator;

TEST(CollectivePlan, BarrierHearsFromEveryone) {
  for_all(v1::BARRIER, false, [](const Simulator& simulator, const trace::format::Event&, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(simulator.known(rank), everyone(ranks));
      EXPECT_EQ(simulator.sends(rank), static_cast<size_t>(std::bit_width(static_cast<uint32_t>(ranks - 1))));
      EXPECT_EQ(simulator.sent(rank), 0u);
    }
  });
}

TEST(CollectivePlan, BcastReachesEveryoneWithEveryByte) {
  for_all(v1::BCAST, true,
          [](const Simulator& simulator, const trace::format::Event& event, int32_t ranks, int32_t root) {
            for (int32_t rank = 0; rank < ranks; ++rank) {
              EXPECT_TRUE((simulator.known(rank) >> root & 1) != 0);
              if (rank != root) {
                EXPECT_GE(simulator.received(rank), trace::format::event_bytes(event));
              }
            }
          });
}

TEST(CollectivePlan, ReduceHasEveryContributionAtTheRoot) {
  for_all(v1::REDUCE, true,
          [](const Simulator& simulator, const trace::format::Event& event, int32_t ranks, int32_t root) {
            EXPECT_EQ(simulator.known(root), everyone(ranks));
            uint64_t sent = 0;
            for (int32_t rank = 0; rank < ranks; ++rank) sent += simulator.sent(rank);
            EXPECT_GE(sent, trace::format::event_bytes(event) * static_cast<uint64_t>(ranks - 1))
                << "every other rank's vector has to be sent once at least";
          });
}

TEST(CollectivePlan, AllreduceHasEveryContributionEverywhere) {
  for_all(v1::ALLREDUCE, false,
          [](const Simulator& simulator, const trace::format::Event& event, int32_t ranks, int32_t) {
            for (int32_t rank = 0; rank < ranks; ++rank) {
              EXPECT_EQ(simulator.known(rank), everyone(ranks));
              if (ranks > 1) {
                EXPECT_GE(simulator.received(rank), trace::format::event_bytes(event));
              }
            }
          });
}

TEST(CollectivePlan, ScanHasTheContributionsOfAllBefore) {
  for_all(v1::SCAN, false, [](const Simulator& simulator, const trace::format::Event&, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank)
      EXPECT_EQ(simulator.known(rank) & everyone(rank + 1), everyone(rank + 1));
  });
}

TEST(CollectivePlan, AllgatherReceivesEachPartOnce) {
  for_all(v1::ALLGATHER, false,
          [](const Simulator& simulator, const trace::format::Event& event, int32_t ranks, int32_t) {
            for (int32_t rank = 0; rank < ranks; ++rank) {
              EXPECT_EQ(simulator.known(rank), everyone(ranks));
              EXPECT_EQ(simulator.received(rank), trace::format::event_bytes(event) * static_cast<uint64_t>(ranks - 1));
            }
          });
}

TEST(CollectivePlan, AlltoallHearsFromEveryone) {
  for_all(
      v1::ALLTOALL, false, [](const Simulator& simulator, const trace::format::Event& event, int32_t ranks, int32_t) {
        for (int32_t rank = 0; rank < ranks; ++rank) {
          EXPECT_EQ(simulator.known(rank), everyone(ranks));
          if (ranks > 1) {
            EXPECT_GE(simulator.received(rank), trace::format::event_bytes(event) * static_cast<uint64_t>(ranks - 1));
          }
        }
      });
}

TEST(CollectivePlan, BruckAlltoallSendsHalfOfItInEachStep) {
  Simulator eight(collective(v1::ALLTOALL, 16), 8, false);
  ASSERT_EQ(eight.run(), "");
  EXPECT_EQ(eight.sent(3), 16u * (4 + 4 + 4));
  // Of parts 1 to 10: five odd ones, 2, 3, 6, 7 and 10, 4 to 7, 8 to 10.
  Simulator eleven(collective(v1::ALLTOALL, 16), 11, false);
  ASSERT_EQ(eleven.run(), "");
  EXPECT_EQ(eleven.sent(3), 16u * (5 + 5 + 4 + 3));
}

// As MPICH does: a power of two of ranks change partners by exclusive or, others send ahead and receive from behind.
TEST(CollectivePlan, PairwiseAlltoallMeetsItsPartnersInTurn) {
  for (const int32_t ranks : {2, 3, 6, 7, 8, 12}) {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      std::vector<mpi::collectives::CollectiveOp> ops;
      mpi::collectives::OpList list(rank, ranks, ops);
      mpi::collectives::alltoall_pairwise(list, 100);
      ASSERT_EQ(ops.size(), 3u * static_cast<size_t>(ranks - 1));
      for (int32_t i = 1; i < ranks; ++i) {
        const bool power = std::has_single_bit(static_cast<uint32_t>(ranks));
        const auto step = static_cast<size_t>(3 * (i - 1));
        EXPECT_EQ(ops[step].kind, Kind::kReceive);
        EXPECT_EQ(ops[step].peer, power ? rank ^ i : (rank - i + ranks) % ranks);
        EXPECT_EQ(ops[step + 1].kind, Kind::kSend);
        EXPECT_EQ(ops[step + 1].peer, power ? rank ^ i : (rank + i) % ranks);
      }
    }
  }
}

RC_GTEST_PROP(CollectivePlan, AlltoallvMovesWhatIsAsked, ()) {
  const int32_t ranks = *rc::gen::inRange(2, 41);
  std::vector<trace::format::Event> events(ranks, event_of(v1::ALLTOALLV));
  for (auto& event : events) event.send_counts.resize(ranks), event.receive_counts.resize(ranks);
  std::vector<uint64_t> expected(ranks);
  for (int32_t from = 0; from < ranks; ++from) {
    for (int32_t to = 0; to < ranks; ++to) {
      const uint64_t count = *rc::gen::inRange<uint64_t>(0, 3) * 100;
      events[from].send_counts[to] = count;
      events[to].receive_counts[from] = count;
      expected[to] += count;
    }
  }
  Simulator simulator(events, *rc::gen::arbitrary<bool>());
  RC_ASSERT(simulator.run() == "");
  for (int32_t rank = 0; rank < ranks; ++rank) RC_ASSERT(simulator.received(rank) == expected[rank]);
}

TEST(CollectivePlan, ExscanHasTheContributionsOfAllBefore) {
  for_all(v1::EXSCAN, false, [](const Simulator& simulator, const trace::format::Event&, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank) EXPECT_EQ(simulator.known(rank) & everyone(rank), everyone(rank));
  });
}

TEST(CollectivePlan, NothingIsSentForNothing) {
  for (const v1::TraceAction action : {v1::BCAST, v1::REDUCE, v1::ALLREDUCE, v1::SCAN, v1::EXSCAN, v1::ALLGATHER,
                                       v1::ALLTOALL, v1::GATHER, v1::SCATTER}) {
    Simulator simulator(collective(action, 0), 8, false);
    for (int32_t rank = 0; rank < 8; ++rank)
      EXPECT_TRUE(simulator.ops(rank).empty()) << trace::format::action_name(action);
  }
}

// Numbers of messages tell the algorithms apart: switch-over points are those of MPICH 3.2.1.
size_t sends(v1::TraceAction action, uint64_t bytes, int32_t ranks, int32_t rank = 0) {
  return Simulator(collective(action, bytes), ranks, false).sends(rank);
}

TEST(CollectivePlan, SwitchesOverWhereMpichDoes) {
  EXPECT_EQ(sends(v1::BCAST, 12'287, 16), 4u) << "binomial";
  EXPECT_EQ(sends(v1::BCAST, 12'288, 16), 8u) << "scatter and recursive doubling";
  EXPECT_EQ(sends(v1::BCAST, 524'287, 16), 8u);
  EXPECT_EQ(sends(v1::BCAST, 524'288, 16), 19u) << "scatter and ring";
  EXPECT_EQ(sends(v1::BCAST, 12'288, 12), 15u) << "ring: not a power of two";
  EXPECT_EQ(sends(v1::BCAST, 1'000'000, 7), 3u) << "few ranks: binomial";
  EXPECT_EQ(sends(v1::ALLREDUCE, 2048, 8), 3u) << "recursive doubling";
  EXPECT_EQ(sends(v1::ALLREDUCE, 2049, 8), 6u) << "reduce-scatter and allgather";
  EXPECT_EQ(sends(v1::ALLREDUCE, 2048, 6, 0), 1u) << "folded away";
  EXPECT_EQ(sends(v1::ALLREDUCE, 2048, 6, 1), 3u) << "two steps and the result for the rank that left";
  EXPECT_EQ(sends(v1::REDUCE, 2048, 8, 1), 1u) << "binomial";
  EXPECT_EQ(sends(v1::REDUCE, 2049, 8, 0), 3u) << "the root takes part in the reduce-scatter";
  EXPECT_EQ(sends(v1::ALLGATHER, 524'287 / 8, 8), 3u) << "recursive doubling below 512 KiB in all";
  EXPECT_EQ(sends(v1::ALLGATHER, 524'288 / 8, 8), 7u) << "ring";
  EXPECT_EQ(sends(v1::ALLGATHER, 81'918 / 6, 6), 3u) << "Bruck below 80 KiB in all";
  EXPECT_EQ(sends(v1::ALLGATHER, 81'924 / 6, 6), 5u) << "ring";
  EXPECT_EQ(sends(v1::ALLTOALL, 256, 8), 3u) << "Bruck";
  EXPECT_EQ(sends(v1::ALLTOALL, 256, 7), 7u) << "scattered, itself included";
  EXPECT_EQ(sends(v1::ALLTOALL, 257, 8), 8u);
  EXPECT_EQ(sends(v1::ALLTOALL, 32'768, 8), 8u);
  EXPECT_EQ(sends(v1::ALLTOALL, 32'769, 8), 7u) << "pairwise";
  trace::format::Event parts = event_of(v1::REDUCE_SCATTER);
  parts.send_counts.assign(8, 65'535);
  EXPECT_EQ(Simulator(std::vector(8, parts), false).sends(0), 3u) << "recursive halving below 512 KiB in all";
  parts.send_counts[7] += 8;
  EXPECT_EQ(Simulator(std::vector(8, parts), false).sends(0), 7u) << "pairwise";
  trace::format::Event all = event_of(v1::ALLGATHERV);
  all.receive_counts.assign(8, 65'535);
  EXPECT_EQ(Simulator(std::vector(8, all), false).sends(0), 3u) << "recursive doubling below 512 KiB in all";
  all.receive_counts[7] += 8;
  EXPECT_EQ(Simulator(std::vector(8, all), false).sends(0), 7u + 1u) << "ring, the larger part in two pieces";
  all.receive_counts.assign(6, 13'653);
  EXPECT_EQ(Simulator(std::vector(6, all), false).sends(0), 3u) << "Bruck below 80 KiB in all";
  all.receive_counts[5] += 2;
  EXPECT_EQ(Simulator(std::vector(6, all), false).sends(0), 5u) << "ring";
  all.receive_counts = {100'000, 0, 0, 0, 0, 0};
  EXPECT_EQ(Simulator(std::vector(6, all), false).sends(0), 4u) << "one part, in pieces of 32 KiB";
  for (const int32_t ranks : {31, 32}) {
    trace::format::Event gather = event_of(v1::GATHERV);
    gather.count = 8;
    gather.receive_counts.assign(static_cast<size_t>(ranks), 8);
    EXPECT_EQ(Simulator(std::vector(static_cast<size_t>(ranks), gather), false).ops(1)[0].kind,
              ranks == 31 ? Kind::kSend : Kind::kSynchronousSend);
  }
  // A vector of fewer elements than ranks cannot be split.
  EXPECT_EQ(Simulator(collective(v1::ALLREDUCE, 1000, v1::DOUBLE), 16, false).sends(0), 8u);
  trace::format::Event few = collective(v1::ALLREDUCE, 7, v1::DOUBLE);
  EXPECT_EQ(Simulator(few, 16, false).sends(0), 4u);
}

TEST(CollectivePlan, KnownExamples) {
  using ::testing::ElementsAre;
  const auto send = [](int32_t peer, uint64_t bytes) {
    return mpi::collectives::CollectiveOp{Kind::kSend, peer, bytes};
  };
  const auto receive = [](int32_t peer, uint64_t bytes) {
    return mpi::collectives::CollectiveOp{Kind::kReceive, peer, bytes};
  };
  const auto reduced = [](int32_t peer, uint64_t bytes) {
    return mpi::collectives::CollectiveOp{Kind::kReceive, peer, bytes, true};
  };
  const mpi::collectives::CollectiveOp wait;
  // Recursive doubling on 8 ranks, one double: what HPCG does all the time.
  EXPECT_THAT(
      Simulator(collective(v1::ALLREDUCE, 1, v1::DOUBLE), 8, false).ops(5),
      ElementsAre(reduced(4, 8), send(4, 8), wait, reduced(7, 8), send(7, 8), wait, reduced(1, 8), send(1, 8), wait));
  // 5 ranks: rank 0 hands its vector to rank 1 and gets the result from it.
  EXPECT_THAT(Simulator(collective(v1::ALLREDUCE, 8), 5, false).ops(0),
              ElementsAre(send(1, 8), wait, receive(1, 8), wait));
  EXPECT_THAT(Simulator(collective(v1::BARRIER, 0), 3, false).ops(2),
              ElementsAre(receive(1, 0), send(0, 0), wait, receive(0, 0), send(1, 0), wait));
  // Binomial tree from root 2 of 4: 2 sends to 0 (half the tree) and 3.
  EXPECT_THAT(Simulator(collective(v1::BCAST, 9, v1::BYTE, 2), 4, false).ops(2),
              ElementsAre(send(0, 9), wait, send(3, 9), wait));
  EXPECT_THAT(Simulator(collective(v1::BCAST, 9, v1::BYTE, 2), 4, false).ops(0),
              ElementsAre(receive(2, 9), wait, send(1, 9), wait));
}

}  // namespace
}  // namespace fabrictwin
