// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/request_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace fabrictwin {
namespace {

uint32_t make(mpi::protocol::RequestTable& table, uint32_t sequence) { return table.make({.sequence = sequence}); }

uint32_t take(mpi::protocol::RequestTable& table, mpi::protocol::RequestTable::Queue& queue, uint32_t sequence) {
  return table.take(queue, [&](const mpi::protocol::MpiRequest& request) { return request.sequence == sequence; });
}

TEST(RequestTable, NumbersAreUsedAgain) {
  mpi::protocol::RequestTable table;
  const uint32_t first = make(table, 1);
  EXPECT_NE(first, mpi::protocol::RequestTable::kNone);
  EXPECT_EQ(table[first].state, mpi::protocol::MpiRequest::State::kStarted);
  table.complete(first);
  EXPECT_EQ(table[first].state, mpi::protocol::MpiRequest::State::kDone);
  table.release(first);
  EXPECT_EQ(make(table, 2), first);
  EXPECT_EQ(table[first].sequence, 2U);
}

TEST(RequestTable, ARequestCanBeMadeLikeAnother) {
  mpi::protocol::RequestTable table;
  uint32_t last = make(table, 7);
  for (int i = 0; i < 100; ++i) last = table.make(table[last]);
  EXPECT_EQ(table[last].sequence, 7U);
}

TEST(RequestTable, QueuesGiveTheOldestThatFits) {
  mpi::protocol::RequestTable table;
  mpi::protocol::RequestTable::Queue queue;
  EXPECT_EQ(take(table, queue, 0), mpi::protocol::RequestTable::kNone);
  std::vector<uint32_t> ids;
  for (const uint32_t sequence : {0U, 1U, 2U, 1U, 3U}) {
    ids.push_back(make(table, sequence));
    table.append(queue, ids.back());
  }
  EXPECT_EQ(take(table, queue, 4), mpi::protocol::RequestTable::kNone);
  EXPECT_EQ(take(table, queue, 1), ids[1]);
  EXPECT_EQ(take(table, queue, 1), ids[3]);
  EXPECT_EQ(take(table, queue, 1), mpi::protocol::RequestTable::kNone);
  // The last one, then one behind it.
  EXPECT_EQ(take(table, queue, 3), ids[4]);
  table.append(queue, ids[3]);
  EXPECT_EQ(take(table, queue, 1), ids[3]);
  // The first one, and all.
  EXPECT_EQ(take(table, queue, 0), ids[0]);
  EXPECT_EQ(take(table, queue, 2), ids[2]);
  EXPECT_EQ(queue.first, mpi::protocol::RequestTable::kNone);
  EXPECT_EQ(queue.last, mpi::protocol::RequestTable::kNone);
  table.append(queue, ids[0]);
  EXPECT_EQ(take(table, queue, 0), ids[0]);
}

}  // namespace
}  // namespace fabrictwin
