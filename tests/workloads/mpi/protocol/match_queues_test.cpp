// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/match_queues.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "rapidcheck/gtest.h"
#include "workloads/mpi/protocol/mpi_header.h"

namespace fabrictwin {
namespace {

mpi::protocol::MatchQueues::Message from(int32_t source, uint32_t tag, uint32_t sequence, bool collective = false) {
  return {.key = {.source = source, .tag = tag, .collective = collective},
          .sequence = sequence,
          .bytes = 0,
          .announced = false};
}

std::optional<uint32_t> arrive(mpi::protocol::MatchQueues& queues, mpi::protocol::MatchQueues::Message message) {
  return queues.arrive(message);
}
std::optional<mpi::protocol::MatchQueues::Message> post(mpi::protocol::MatchQueues& queues,
                                                        const mpi::protocol::MatchKey& key, uint32_t request) {
  uint32_t looked = 0;
  return queues.post(key, request, looked);
}

TEST(MatchQueues, NoTagOfACollectiveIsAny) {
  mpi::protocol::MatchQueues queues;
  EXPECT_FALSE(arrive(queues, from(1, 5, 0, true)));
  EXPECT_FALSE(post(queues, {.source = 1, .tag = mpi::protocol::MatchKey::kAny, .collective = true}, 10));
  EXPECT_FALSE(post(queues, {.source = 1, .tag = mpi::protocol::MatchKey::kAny}, 11)) << "nor is it one of a message";
  EXPECT_EQ(arrive(queues, from(1, mpi::protocol::MatchKey::kAny, 1, true)), 10u);
  EXPECT_EQ(arrive(queues, from(1, 7, 2)), 11u);
}

TEST(MatchQueues, TakesTheOldest) {
  mpi::protocol::MatchQueues queues;
  EXPECT_FALSE(arrive(queues, from(1, 5, 0)));
  EXPECT_FALSE(arrive(queues, from(2, 5, 0)));
  EXPECT_FALSE(arrive(queues, from(1, 5, 1)));
  EXPECT_EQ(post(queues, {.source = 1, .tag = 5}, 10)->sequence, 0u);
  EXPECT_EQ(post(queues, {.source = trace::format::kAnySource, .tag = 5}, 11)->key.source, 2);
  EXPECT_EQ(post(queues, {.source = trace::format::kAnySource, .tag = 5}, 12)->sequence, 1u);
  EXPECT_FALSE(post(queues, {.source = trace::format::kAnySource, .tag = 5}, 13));
  EXPECT_FALSE(post(queues, {.source = 1, .tag = 5}, 14));
  EXPECT_EQ(arrive(queues, from(1, 5, 2)), 13u) << "the wildcard was posted first";
}

TEST(MatchQueues, KeepsTagsAndContextsApart) {
  mpi::protocol::MatchQueues queues;
  EXPECT_FALSE(post(queues, {.source = 1, .tag = 5}, 0));
  EXPECT_FALSE(post(queues, {.source = trace::format::kAnySource, .tag = 5, .collective = true}, 1));
  EXPECT_FALSE(arrive(queues, from(1, 6, 0)));
  EXPECT_EQ(arrive(queues, from(1, 5, 1, true)), 1u);
  EXPECT_FALSE(arrive(queues, from(2, 5, 0)));
  EXPECT_EQ(arrive(queues, from(1, 5, 2)), 0u);
  EXPECT_EQ(queues.waiting_messages(), 2u);
  EXPECT_EQ(queues.waiting_receives(), 0u);
}

// MPI's rule, said directly: messages of one source and tag are taken in the order in which they were sent, and never
// is there both a message and a receive that fit.
RC_GTEST_PROP(MatchQueues, NeverOvertakesAndNeverLeavesAPair, ()) {
  mpi::protocol::MatchQueues queues;
  std::map<std::pair<int32_t, uint32_t>, uint32_t> sent;
  std::map<std::pair<int32_t, uint32_t>, uint32_t> taken;
  std::vector<mpi::protocol::MatchKey> receives;
  std::vector<bool> open;
  std::vector<mpi::protocol::MatchQueues::Message> unexpected;
  const int steps = *rc::gen::inRange(1, 100);
  for (int i = 0; i < steps; ++i) {
    const uint32_t tag = *rc::gen::inRange<uint32_t>(0, 2);
    mpi::protocol::MatchQueues::Message message;
    uint32_t request = 0;
    bool matched = false;
    if (*rc::gen::arbitrary<bool>()) {
      const int32_t source = *rc::gen::inRange(0, 3);
      message = from(source, tag, sent[{source, tag}]++);
      if (const auto found = arrive(queues, message)) {
        matched = true;
        request = *found;
      } else {
        unexpected.push_back(message);
      }
    } else {
      request = static_cast<uint32_t>(receives.size());
      receives.push_back({.source = *rc::gen::inRange(-1, 3), .tag = tag});
      open.push_back(true);
      if (const auto found = post(queues, receives.back(), request)) {
        matched = true;
        message = *found;
        std::erase_if(unexpected, [&](const auto& m) {
          return m.key.source == message.key.source && m.key.tag == message.key.tag && m.sequence == message.sequence;
        });
      }
    }
    if (matched) {
      RC_ASSERT(receives[request].accepts(message.key));
      RC_ASSERT(open[request]);
      open[request] = false;
      const uint32_t expected = taken[{message.key.source, message.key.tag}]++;
      RC_ASSERT(message.sequence == expected);
    }
    for (size_t r = 0; r < receives.size(); ++r) {
      for (const auto& m : unexpected) RC_ASSERT(!open[r] || !receives[r].accepts(m.key));
    }
  }
  RC_ASSERT(queues.waiting_messages() == unexpected.size());
}

RC_GTEST_PROP(MpiHeader, IsDecodedAsEncoded, ()) {
  const mpi::protocol::MpiHeader header{
      .kind = static_cast<mpi::protocol::MpiMessageKind>(*rc::gen::inRange(0, 6)),
      .collective = *rc::gen::arbitrary<bool>(),
      .background = *rc::gen::arbitrary<bool>(),
      .sequence = *rc::gen::inRange<uint32_t>(0, mpi::protocol::MpiHeader::kMaxSequence + 1),
      .tag = *rc::gen::arbitrary<uint32_t>(),
      .communicator = *rc::gen::inRange<uint32_t>(0, mpi::protocol::MpiHeader::kMaxCommunicator + 1),
      .source_slot = *rc::gen::inRange<uint32_t>(0, mpi::protocol::MpiHeader::kMaxSlot + 1),
      .destination_slot = *rc::gen::inRange<uint32_t>(0, mpi::protocol::MpiHeader::kMaxSlot + 1),
      .bytes = *rc::gen::inRange<uint64_t>(0, mpi::protocol::MpiHeader::kMaxBytes + 1)};
  const std::array<uint64_t, 2> words = header.encode();
  const uint64_t user[2] = {words[0], words[1]};
  RC_ASSERT(mpi::protocol::MpiHeader::decode(user) == header);
}

}  // namespace
}  // namespace fabrictwin
