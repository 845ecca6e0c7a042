// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/collective_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <map>
#include <optional>

#include "rapidcheck/gtest.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using Kind = CollectiveOp::Kind;

// Runs the operations of all ranks. Each message carries what its sender knew when it began to send: the set of ranks
// whose contribution has reached it.
class Simulator {
 public:
  // `synchronous`: a wait for a send ends only when the receive has been posted, as in a rendezvous.
  Simulator(const TraceEvent& event, int32_t ranks, bool synchronous)
      : Simulator(std::vector<TraceEvent>(ranks, event), synchronous) {}
  Simulator(const std::vector<TraceEvent>& events, bool synchronous)
      : ranks_(static_cast<int32_t>(events.size())), synchronous_(synchronous) {
    for (int32_t rank = 0; rank < ranks_; ++rank) {
      Rank& state = states_.emplace_back();
      plan_collective(events[rank], rank, ranks_, state.ops);
      state.known = uint64_t{1} << rank;
    }
  }

  // Empty if every rank comes to its end and nothing is left over.
  std::string run() {
    bool moved = true;
    while (moved) {
      moved = false;
      for (int32_t rank = 0; rank < ranks_; ++rank) moved = step(rank) || moved;
    }
    for (int32_t rank = 0; rank < ranks_; ++rank) {
      if (states_[rank].next < states_[rank].ops.size()) return "rank " + std::to_string(rank) + " does not end";
      if (!states_[rank].ops.empty() && states_[rank].ops.back().kind != Kind::kWait)
        return "rank " + std::to_string(rank) + " does not wait at its end";
    }
    for (const auto& [flow, messages] : flows_) {
      if (!messages.empty()) return "a message is left over";
    }
    return failure_;
  }

  uint64_t known(int32_t rank) const { return states_[rank].known; }
  uint64_t received(int32_t rank) const { return states_[rank].received; }
  uint64_t sent(int32_t rank) const { return states_[rank].sent; }
  size_t sends(int32_t rank) const {
    return static_cast<size_t>(std::count_if(states_[rank].ops.begin(), states_[rank].ops.end(), [](const auto& op) {
      return op.kind == Kind::kSend || op.kind == Kind::kSynchronousSend;
    }));
  }
  const std::vector<CollectiveOp>& ops(int32_t rank) const { return states_[rank].ops; }

 private:
  struct Message {
    uint64_t bytes;
    uint64_t known;
  };
  struct Rank {
    std::vector<CollectiveOp> ops;
    size_t next = 0;
    uint64_t known = 0;
    uint64_t received = 0;
    uint64_t sent = 0;
    std::vector<CollectiveOp> receives;
    std::vector<int32_t> sends;
  };

  bool step(int32_t rank) {
    Rank& state = states_[rank];
    take(rank);
    if (state.next == state.ops.size()) return false;
    const CollectiveOp& op = state.ops[state.next];
    if (op.kind == Kind::kWait) {
      if (!state.receives.empty()) return false;
      for (const int32_t peer : state.sends) {
        if (!flows_[{rank, peer}].empty()) return false;
      }
      state.sends.clear();
    } else {
      if (op.peer < 0 || op.peer >= ranks_) failure_ = "a peer that does not exist";
      if (op.kind != Kind::kReceive) {
        flows_[{rank, op.peer}].push_back({op.bytes, state.known});
        if (synchronous_ || op.kind == Kind::kSynchronousSend) state.sends.push_back(op.peer);
        state.sent += op.bytes;
      } else {
        state.receives.push_back(op);
      }
    }
    ++state.next;
    return true;
  }

  void take(int32_t rank) {
    Rank& state = states_[rank];
    for (size_t i = 0; i < state.receives.size();) {
      std::deque<Message>& flow = flows_[{state.receives[i].peer, rank}];
      if (flow.empty()) {
        ++i;
        continue;
      }
      if (flow.front().bytes != state.receives[i].bytes)
        failure_ = "rank " + std::to_string(rank) + " receives another size than was sent";
      state.known |= flow.front().known;
      state.received += flow.front().bytes;
      flow.pop_front();
      state.receives.erase(state.receives.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  int32_t ranks_;
  bool synchronous_;
  std::vector<Rank> states_;
  std::map<std::pair<int32_t, int32_t>, std::deque<Message>> flows_;
  std::string failure_;
};

constexpr int32_t kMaxTestRanks = 17;
uint64_t everyone(int32_t ranks) { return (uint64_t{1} << ranks) - 1; }

// Sizes on both sides of every switch-over point.
const std::vector<uint64_t> kSizes = {1,      3,      8,      16,     17,      256,     257,
                                      2047,   2048,   2049,   4096,   12'287,  12'288,  12'300,
                                      32'768, 32'769, 81'919, 81'920, 524'287, 524'288, 1'000'003};

template <typename Check>
void for_all(v1::TraceAction action, bool rooted, Check check) {
  for (int32_t ranks = 1; ranks <= kMaxTestRanks; ++ranks) {
    for (const uint64_t size : kSizes) {
      for (const v1::TraceDatatype datatype : {v1::BYTE, v1::DOUBLE}) {
        for (int32_t root = 0; root < (rooted ? ranks : 1); ++root) {
          for (const bool synchronous : {false, true}) {
            SCOPED_TRACE(testing::Message()
                         << action_name(action) << " of " << size << " x " << datatype_bytes(datatype) << " bytes on "
                         << ranks << " ranks, root " << root);
            const TraceEvent event = collective(action, size, datatype, root);
            Simulator simulator(event, ranks, synchronous);
            ASSERT_EQ(simulator.run(), "");
            check(simulator, event, ranks, root);
            if (testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST(CollectivePlan, BarrierHearsFromEveryone) {
  for_all(v1::BARRIER, false, [](const Simulator& simulator, const TraceEvent&, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(simulator.known(rank), everyone(ranks));
      EXPECT_EQ(simulator.sends(rank), static_cast<size_t>(std::bit_width(static_cast<uint32_t>(ranks - 1))));
      EXPECT_EQ(simulator.sent(rank), 0u);
    }
  });
}

TEST(CollectivePlan, BcastReachesEveryoneWithEveryByte) {
  for_all(v1::BCAST, true, [](const Simulator& simulator, const TraceEvent& event, int32_t ranks, int32_t root) {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      EXPECT_TRUE((simulator.known(rank) >> root & 1) != 0);
      if (rank != root) {
        EXPECT_GE(simulator.received(rank), event_bytes(event));
      }
    }
  });
}

TEST(CollectivePlan, ReduceHasEveryContributionAtTheRoot) {
  for_all(v1::REDUCE, true, [](const Simulator& simulator, const TraceEvent& event, int32_t ranks, int32_t root) {
    EXPECT_EQ(simulator.known(root), everyone(ranks));
    uint64_t sent = 0;
    for (int32_t rank = 0; rank < ranks; ++rank) sent += simulator.sent(rank);
    EXPECT_GE(sent, event_bytes(event) * static_cast<uint64_t>(ranks - 1))
        << "every other rank's vector has to be sent once at least";
  });
}

TEST(CollectivePlan, AllreduceHasEveryContributionEverywhere) {
  for_all(v1::ALLREDUCE, false, [](const Simulator& simulator, const TraceEvent& event, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(simulator.known(rank), everyone(ranks));
      if (ranks > 1) {
        EXPECT_GE(simulator.received(rank), event_bytes(event));
      }
    }
  });
}

TEST(CollectivePlan, ScanHasTheContributionsOfAllBefore) {
  for_all(v1::SCAN, false, [](const Simulator& simulator, const TraceEvent&, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank)
      EXPECT_EQ(simulator.known(rank) & everyone(rank + 1), everyone(rank + 1));
  });
}

TEST(CollectivePlan, AllgatherReceivesEachPartOnce) {
  for_all(v1::ALLGATHER, false, [](const Simulator& simulator, const TraceEvent& event, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(simulator.known(rank), everyone(ranks));
      EXPECT_EQ(simulator.received(rank), event_bytes(event) * static_cast<uint64_t>(ranks - 1));
    }
  });
}

TEST(CollectivePlan, AlltoallHearsFromEveryone) {
  for_all(v1::ALLTOALL, false, [](const Simulator& simulator, const TraceEvent& event, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(simulator.known(rank), everyone(ranks));
      if (ranks > 1) {
        EXPECT_GE(simulator.received(rank), event_bytes(event) * static_cast<uint64_t>(ranks - 1));
      }
    }
  });
}

RC_GTEST_PROP(CollectivePlan, AlltoallvMovesWhatIsAsked, ()) {
  const int32_t ranks = *rc::gen::inRange(2, 41);
  std::vector<TraceEvent> events(ranks, event_of(v1::ALLTOALLV));
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
  for_all(v1::EXSCAN, false, [](const Simulator& simulator, const TraceEvent&, int32_t ranks, int32_t) {
    for (int32_t rank = 0; rank < ranks; ++rank) EXPECT_EQ(simulator.known(rank) & everyone(rank), everyone(rank));
  });
}

TEST(CollectivePlan, GatherBringsEachPartOnceToTheRoot) {
  for_all(v1::GATHER, true, [](const Simulator& simulator, const TraceEvent& event, int32_t ranks, int32_t root) {
    EXPECT_EQ(simulator.known(root), everyone(ranks));
    EXPECT_EQ(simulator.received(root), event_bytes(event) * static_cast<uint64_t>(ranks - 1));
    for (int32_t rank = 0; rank < ranks; ++rank) EXPECT_EQ(simulator.sends(rank), rank == root ? 0u : 1u);
  });
}

TEST(CollectivePlan, ScatterGivesEachItsPart) {
  for_all(v1::SCATTER, true, [](const Simulator& simulator, const TraceEvent& event, int32_t ranks, int32_t root) {
    EXPECT_EQ(simulator.sent(root), event_bytes(event) * static_cast<uint64_t>(ranks - 1));
    for (int32_t rank = 0; rank < ranks; ++rank) {
      EXPECT_TRUE((simulator.known(rank) >> root & 1) != 0);
      // What comes and does not go on is the rank's own part.
      if (rank != root) {
        EXPECT_EQ(simulator.received(rank) - simulator.sent(rank), event_bytes(event));
      }
    }
  });
}

TEST(CollectivePlan, RootsKnowWhatTheyTakeAndTheOthersWhatTheyGive) {
  // Sizes that only count on the other side, as of buffers in place, are not looked at.
  std::vector<TraceEvent> events(5, collective(v1::GATHER, 8, v1::BYTE, 2));
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

RC_GTEST_PROP(CollectivePlan, AllgathervReceivesEachPartOnce, ()) {
  const int32_t ranks = *rc::gen::inRange(1, 34);
  TraceEvent event = event_of(*rc::gen::element(v1::ALLGATHERV, v1::IALLGATHERV));
  event.receive_counts = random_parts(ranks);
  event.receive_datatype = *rc::gen::element(v1::BYTE, v1::DOUBLE);
  std::vector<TraceEvent> events(static_cast<size_t>(ranks), event);
  for (int32_t rank = 0; rank < ranks; ++rank) events[rank].count = event.receive_counts[rank];
  Simulator simulator(events, *rc::gen::arbitrary<bool>());
  RC_ASSERT(simulator.run() == "");
  uint64_t total = 0;
  for (const uint64_t part : event.receive_counts) total += part * datatype_bytes(event.receive_datatype);
  uint64_t giving = 0;
  for (int32_t rank = 0; rank < ranks; ++rank) giving |= event.receive_counts[rank] > 0 ? uint64_t{1} << rank : 0;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    RC_ASSERT((simulator.known(rank) & giving) == giving);
    RC_ASSERT(simulator.received(rank) == total - event.receive_counts[rank] * datatype_bytes(event.receive_datatype));
  }
}

RC_GTEST_PROP(CollectivePlan, GathervAndScattervMoveEachPartOnce, ()) {
  const int32_t ranks = *rc::gen::inRange(1, 50);
  const int32_t root = *rc::gen::inRange(0, ranks);
  const bool gathers = *rc::gen::arbitrary<bool>();
  const std::vector<uint64_t> parts = random_parts(ranks);
  std::vector<TraceEvent> events(static_cast<size_t>(ranks), event_of(gathers ? v1::GATHERV : v1::SCATTERV));
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

RC_GTEST_PROP(CollectivePlan, ReduceScatterHasEveryContributionWhereItBelongs, ()) {
  const int32_t ranks = *rc::gen::inRange(1, 40);
  TraceEvent event = event_of(v1::REDUCE_SCATTER);
  event.send_counts = random_parts(ranks);
  Simulator simulator(std::vector<TraceEvent>(static_cast<size_t>(ranks), event), *rc::gen::arbitrary<bool>());
  RC_ASSERT(simulator.run() == "");
  for (int32_t rank = 0; rank < ranks; ++rank) {
    if (event.send_counts[rank] == 0) continue;
    RC_ASSERT(simulator.known(rank) == everyone(ranks));
    RC_ASSERT(ranks == 1 || simulator.received(rank) >= event.send_counts[rank]);
  }
}

// On any communicator the plans are those of as many ranks, with roots by their numbers.
RC_GTEST_PROP(CollectivePlan, CommunicatorsOnlyRenameRanks, ()) {
  std::vector<uint64_t> members = *rc::gen::unique<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(0, 100));
  RC_PRE(!members.empty());
  const int32_t size = static_cast<int32_t>(members.size());
  const int32_t root = *rc::gen::inRange(0, size);
  const v1::TraceAction action = *rc::gen::element(v1::BCAST, v1::REDUCE, v1::ALLREDUCE, v1::GATHER, v1::IBCAST);
  const uint64_t count = *rc::gen::element<uint64_t>(1, 100, 3000, 600'000);
  for (int32_t number = 0; number < size; ++number) {
    const Communicator communicator(static_cast<int32_t>(members[number]), members);
    std::vector<CollectiveOp> renamed;
    std::vector<CollectiveOp> plain;
    plan_collective(collective(action, count, v1::INT, static_cast<int32_t>(members[root])), communicator, renamed);
    plan_collective(collective(action, count, v1::INT, root), number, size, plain);
    RC_ASSERT(renamed == plain);
  }
}

TEST(CollectivePlan, NothingIsSentForNothing) {
  for (const v1::TraceAction action : {v1::BCAST, v1::REDUCE, v1::ALLREDUCE, v1::SCAN, v1::EXSCAN, v1::ALLGATHER,
                                       v1::ALLTOALL, v1::GATHER, v1::SCATTER}) {
    Simulator simulator(collective(action, 0), 8, false);
    for (int32_t rank = 0; rank < 8; ++rank) EXPECT_TRUE(simulator.ops(rank).empty()) << action_name(action);
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
  EXPECT_EQ(sends(v1::ALLTOALL, 32'769, 8), 7u) << "pairwise";
  TraceEvent parts = event_of(v1::REDUCE_SCATTER);
  parts.send_counts.assign(8, 65'535);
  EXPECT_EQ(Simulator(std::vector(8, parts), false).sends(0), 3u) << "recursive halving below 512 KiB in all";
  parts.send_counts[7] += 8;
  EXPECT_EQ(Simulator(std::vector(8, parts), false).sends(0), 7u) << "pairwise";
  TraceEvent all = event_of(v1::ALLGATHERV);
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
    TraceEvent gather = event_of(v1::GATHERV);
    gather.count = 8;
    gather.receive_counts.assign(static_cast<size_t>(ranks), 8);
    EXPECT_EQ(Simulator(std::vector(static_cast<size_t>(ranks), gather), false).ops(1)[0].kind,
              ranks == 31 ? Kind::kSend : Kind::kSynchronousSend);
  }
  // A vector of fewer elements than ranks cannot be split.
  EXPECT_EQ(Simulator(collective(v1::ALLREDUCE, 1000, v1::DOUBLE), 16, false).sends(0), 8u);
  TraceEvent few = collective(v1::ALLREDUCE, 7, v1::DOUBLE);
  EXPECT_EQ(Simulator(few, 16, false).sends(0), 4u);
}

TEST(CollectivePlan, KnownExamples) {
  using ::testing::ElementsAre;
  const auto send = [](int32_t peer, uint64_t bytes) { return CollectiveOp{Kind::kSend, peer, bytes}; };
  const auto receive = [](int32_t peer, uint64_t bytes) { return CollectiveOp{Kind::kReceive, peer, bytes}; };
  const CollectiveOp wait;
  // Recursive doubling on 8 ranks, one double: what HPCG does all the time.
  EXPECT_THAT(
      Simulator(collective(v1::ALLREDUCE, 1, v1::DOUBLE), 8, false).ops(5),
      ElementsAre(receive(4, 8), send(4, 8), wait, receive(7, 8), send(7, 8), wait, receive(1, 8), send(1, 8), wait));
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
