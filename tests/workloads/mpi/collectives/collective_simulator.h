// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The plans of a collective, run without time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/workloads/trace_helpers.h"
#include "workloads/mpi/collectives/plan.h"

namespace fabrictwin {

/// Runs the operations of all ranks. Each message carries what its sender knew when it began to send: the set of ranks
/// whose contribution has reached it.
class CollectiveSimulator {
 public:
  // `synchronous`: a wait for a send ends only when the receive has been posted, as in a rendezvous.
  CollectiveSimulator(const trace::format::Event& event, int32_t ranks, bool synchronous)
      : CollectiveSimulator(std::vector<trace::format::Event>(ranks, event), synchronous) {}
  CollectiveSimulator(const std::vector<trace::format::Event>& events, bool synchronous)
      : ranks_(static_cast<int32_t>(events.size())), synchronous_(synchronous) {
    for (int32_t rank = 0; rank < ranks_; ++rank) {
      Rank& state = states_.emplace_back();
      mpi::collectives::plan_collective(events[rank], rank, ranks_, state.ops);
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
      if (!states_[rank].ops.empty() && states_[rank].ops.back().kind != mpi::collectives::CollectiveOp::Kind::kWait)
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
      return op.kind == mpi::collectives::CollectiveOp::Kind::kSend ||
             op.kind == mpi::collectives::CollectiveOp::Kind::kSynchronousSend;
    }));
  }
  const std::vector<mpi::collectives::CollectiveOp>& ops(int32_t rank) const { return states_[rank].ops; }

 private:
  struct Message {
    uint64_t bytes;
    uint64_t known;
  };
  struct Rank {
    std::vector<mpi::collectives::CollectiveOp> ops;
    size_t next = 0;
    uint64_t known = 0;
    uint64_t received = 0;
    uint64_t sent = 0;
    std::vector<mpi::collectives::CollectiveOp> receives;
    std::vector<int32_t> sends;
  };

  bool step(int32_t rank) {
    Rank& state = states_[rank];
    take(rank);
    if (state.next == state.ops.size()) return false;
    const mpi::collectives::CollectiveOp& op = state.ops[state.next];
    if (op.kind == mpi::collectives::CollectiveOp::Kind::kWait) {
      if (!state.receives.empty()) return false;
      for (const int32_t peer : state.sends) {
        if (!flows_[{rank, peer}].empty()) return false;
      }
      state.sends.clear();
    } else {
      if (op.peer < 0 || op.peer >= ranks_) failure_ = "a peer that does not exist";
      if (op.kind != mpi::collectives::CollectiveOp::Kind::kReceive) {
        flows_[{rank, op.peer}].push_back({op.bytes, state.known});
        if (synchronous_ || op.kind == mpi::collectives::CollectiveOp::Kind::kSynchronousSend)
          state.sends.push_back(op.peer);
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

inline constexpr int32_t kMaxTestRanks = 17;
inline uint64_t everyone(int32_t ranks) { return (uint64_t{1} << ranks) - 1; }

// Sizes on both sides of every switch-over point.
inline const std::vector<uint64_t> kSizes = {1,      3,      8,      16,     17,      256,     257,
                                             2047,   2048,   2049,   4096,   12'287,  12'288,  12'300,
                                             32'768, 32'769, 81'919, 81'920, 524'287, 524'288, 1'000'003};

template <typename Check>
void for_all(v1::TraceAction action, bool rooted, Check check) {
  for (int32_t ranks = 1; ranks <= kMaxTestRanks; ++ranks) {
    for (const uint64_t size : kSizes) {
      for (const v1::TraceDatatype datatype : {v1::BYTE, v1::DOUBLE}) {
        for (int32_t root = 0; root < (rooted ? ranks : 1); ++root) {
          for (const bool synchronous : {false, true}) {
            SCOPED_TRACE(testing::Message() << trace::format::action_name(action) << " of " << size << " x "
                                            << trace::format::datatype_bytes(datatype) << " bytes on " << ranks
                                            << " ranks, root " << root);
            const trace::format::Event event = collective(action, size, datatype, root);
            CollectiveSimulator simulator(event, ranks, synchronous);
            ASSERT_EQ(simulator.run(), "");
            check(simulator, event, ranks, root);
            if (testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
}

}  // namespace fabrictwin
