// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/rank_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rapidcheck/gtest.h"
#include "tests/workloads/mpi/test_network.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

TEST(RankEngine, AnEagerMessageTakesItsOverheadsAndItsDelay) {
  TestNetwork network({{message(v1::SEND, 1, 5, 32)}, {message(v1::RECV, 0, 5, 32)}}, {});
  ASSERT_TRUE(network.run()) << network.waits() << network.failures();
  // Sender: overhead, then until the last word has left. Receiver: overhead, delay, overhead.
  EXPECT_EQ(network.engine(0).finish_time(), Time::from_ns(400 + 500));
  EXPECT_EQ(network.engine(1).finish_time(), Time::from_ns(400 + 500 + 400));
  EXPECT_EQ(network.messages(), 1u);
  EXPECT_EQ(network.engine(0).totals().messages_sent, 1u);
  EXPECT_EQ(network.engine(0).totals().bytes_sent, 32u);
}

TEST(RankEngine, OnlyEagerMessagesAreCopied) {
  // 1 GB/s: a nanosecond a byte.
  const TestNetwork::Options options{.copy_rate = Bandwidth{8'000'000'000}};
  TestNetwork eager({{message(v1::SEND, 1, 5, 32)}, {message(v1::RECV, 0, 5, 100)}}, options);
  ASSERT_TRUE(eager.run());
  EXPECT_EQ(eager.engine(0).finish_time(), Time::from_ns(400 + 32 + 500));
  EXPECT_EQ(eager.engine(1).finish_time(), Time::from_ns(400 + 32 + 500 + 400 + 32));
  TestNetwork rendezvous({{message(v1::SEND, 1, 5, 33)}, {message(v1::RECV, 0, 5, 33)}}, options);
  ASSERT_TRUE(rendezvous.run());
  EXPECT_EQ(rendezvous.engine(1).finish_time(), Time::from_ns(400 + 500 + 500 + 500 + 400));
}

TEST(RankEngine, ALongMessageGoesByRendezvous) {
  TestNetwork network({{message(v1::SEND, 1, 5, 33)}, {message(v1::RECV, 0, 5, 33)}}, {});
  ASSERT_TRUE(network.run()) << network.waits() << network.failures();
  EXPECT_EQ(network.messages(), 3u) << "request to send, clear to send, data";
  EXPECT_EQ(network.engine(0).finish_time(), Time::from_ns(400 + 500 + 500 + 500));
  EXPECT_EQ(network.engine(1).finish_time(), Time::from_ns(400 + 500 + 500 + 500 + 400));
  EXPECT_EQ(network.engine(0).totals().messages_sent, 1u) << "control messages are not user messages";
}

TEST(RankEngine, ARendezvousWaitsForItsReceive) {
  TestNetwork network(
      {{message(v1::SEND, 1, 5, 1000)}, {compute_for(Time::from_us(10)), message(v1::RECV, 0, 5, 1000)}}, {});
  ASSERT_TRUE(network.run());
  EXPECT_EQ(network.engine(0).finish_time(), Time::from_ns(10'000 + 500 + 500));
  EXPECT_EQ(network.engine(1).finish_time(), Time::from_ns(10'000 + 500 + 500 + 400));
  EXPECT_EQ(network.engine(1).totals().compute, Time::from_us(10));
}

// What calls take by themselves is no waiting, nor is what happens beside a computation.
TEST(RankEngine, WaitingIsNeitherComputingNorSoftware) {
  TestNetwork eager({{message(v1::SEND, 1, 5, 32)}, {message(v1::RECV, 0, 5, 32)}},
                    {.copy_rate = Bandwidth{8'000'000'000}});
  ASSERT_TRUE(eager.run());
  EXPECT_EQ(eager.engine(0).waited(), Time::from_ns(500)) << "until the last word has left";
  EXPECT_EQ(eager.engine(1).waited(), Time::from_ns(400 + 32 + 500)) << "from the call to the arrival";
  TestNetwork late({{message(v1::SEND, 1, 5, 1000)}, {compute_for(Time::from_us(10)), message(v1::RECV, 0, 5, 1000)}},
                   {});
  ASSERT_TRUE(late.run());
  EXPECT_EQ(late.engine(0).waited(), Time::from_ns(10'000 + 500 + 500 - 400));
  EXPECT_EQ(late.engine(1).waited(), Time::from_ns(500 + 500));
  TestNetwork searched({{compute_for(Time::from_us(10)), message(v1::SEND, 1, 3, 8)},
                        {message(v1::IRECV, 0, 1, 8), message(v1::PROBE, 0, 3), message(v1::RECV, 0, 3, 8)}},
                       {.match_overhead = Time::from_ns(30)});
  ASSERT_TRUE(searched.run());
  const mpi::RankEngine& receiver = searched.engine(1);
  EXPECT_EQ(receiver.waited(), Time::from_ns(10'000 + 400 + 500));
  EXPECT_GT(receiver.finish_time(), receiver.waited() + Time::from_ns(400));
  Program beside(2);
  for (auto& events : beside) events = {event_of(v1::IBARRIER), compute_for(Time::from_us(20)), wait_after(0)};
  TestNetwork hidden(beside, {});
  ASSERT_TRUE(hidden.run());
  EXPECT_EQ(hidden.engine(0).waited(), Time::zero()) << "all hidden behind the computation";
}

// The end of such a computation is not known, and what arrives meanwhile is looked at.
TEST(RankEngine, AComputationWithSharedMemoryIsNoWaiting) {
  trace::format::Event computation = compute_for(Time::from_us(8));
  computation.count = 1000;
  TestNetwork network({{computation}}, {});
  mpi::RankEngine& engine = network.engine(0);
  engine.share_memory([](Time, uint64_t) {});
  const auto send = [](const nic::OutgoingMessage&) {};
  engine.decide(Time::from_us(1), send);
  engine.decide(Time::from_us(6), send);
  EXPECT_EQ(engine.computed(), Time::from_us(5));
  EXPECT_EQ(engine.waited(), Time::from_us(1)) << "before the first decision";
  engine.on_computed(Time::from_us(11));
  engine.decide(Time::from_us(11), send);
  ASSERT_TRUE(engine.finished());
  EXPECT_EQ(engine.computed(), Time::from_us(10));
  EXPECT_EQ(engine.waited(), Time::from_us(1));
}

TEST(RankEngine, SoftwareThatIsBeingRunIsNoWaiting) {
  mpi::RankEngine::Options options;
  options.costs.ranks = 2;
  options.costs.send_overhead = Time::from_ns(400);
  observe::EndpointDigest digest;
  mpi::RankEngine engine(
      options, std::make_unique<ListProgram>(std::vector{message(v1::SEND, 1, 5, 0), message(v1::SEND, 1, 5, 0)}),
      &digest);
  uint64_t cookie = 0;
  const auto send = [&](const nic::OutgoingMessage& message) { cookie = message.cookie; };
  EXPECT_EQ(engine.decide(Time::zero(), send), Time::from_ns(400));
  EXPECT_EQ(engine.waited(), Time::zero());
  EXPECT_TRUE(engine.decide(Time::from_ns(400), send).is_never());
  EXPECT_EQ(engine.waited(), Time::zero()) << "it begins to wait";
  engine.on_sent(cookie);
  EXPECT_EQ(engine.decide(Time::from_ns(1000), send), Time::from_ns(1400));
  EXPECT_EQ(engine.waited(), Time::from_ns(600)) << "and is in the software of the next call";
}

TEST(RankEngine, AComputationCountsUpToTheLimit) {
  mpi::RankEngine::Options options;
  options.limit = Time::from_us(5);
  observe::EndpointDigest digest;
  mpi::RankEngine engine(options,
                         std::make_unique<ListProgram>(
                             std::vector{compute_for(Time::from_us(3)), compute_for(Time::from_us(10))}, nullptr),
                         &digest);
  const auto send = [](const nic::OutgoingMessage&) {};
  EXPECT_EQ(engine.decide(Time::zero(), send), Time::from_us(3));
  EXPECT_EQ(engine.ran_until(), Time::from_us(3));
  EXPECT_EQ(engine.computed(), Time::from_us(3));
  EXPECT_EQ(engine.decide(Time::from_us(3), send), Time::from_us(13));
  EXPECT_EQ(engine.ran_until(), Time::from_us(5));
  EXPECT_EQ(engine.computed(), Time::from_us(5));
}

TEST(RankEngine, ComputationIsScaled) {
  const Program program = {{compute_for(Time::from_us(10)), compute_for(Time::from_us(4))}};
  TestNetwork half(program, {.compute_scale = 0.5});
  ASSERT_TRUE(half.run());
  EXPECT_EQ(half.engine(0).finish_time(), Time::from_us(7));
  TestNetwork none(program, {.compute_scale = 0});
  ASSERT_TRUE(none.run());
  EXPECT_EQ(none.engine(0).finish_time(), Time::zero());
  EXPECT_EQ(none.engine(0).totals().events.get(), 2u);
}

TEST(RankEngine, ProgramsAreToldTheTimeAtWhichTheEventBeforeHasEnded) {
  std::vector<Time> times;
  mpi::RankEngine::Options options;
  observe::EndpointDigest digest;
  mpi::RankEngine engine(
      options,
      std::make_unique<ListProgram>(
          std::vector{compute_for(Time::from_us(3)), event_of(v1::BARRIER), compute_for(Time::from_us(1))}, &times),
      &digest);
  const auto send = [](const nic::OutgoingMessage&) {};
  Time now;
  while (!now.is_never()) now = engine.decide(now, send);
  EXPECT_EQ(times, (std::vector{Time::zero(), Time::from_us(3), Time::from_us(3), Time::from_us(4)}));
}

TEST(RankEngine, MessagesToOneselfStayAtHome) {
  Program program = {{message(v1::SEND, 0, 1, 100'000), message(v1::RECV, 0, 1, 100'000), message(v1::IRECV, 0, 2, 8),
                      message(v1::ISEND, 0, 2, 8), message(v1::WAIT_RECV, 0, 2), message(v1::WAIT_RECV, 0, 2),
                      event_of(v1::FINALIZE)}};
  TestNetwork network(program, {});
  ASSERT_TRUE(network.run()) << network.waits() << network.failures();
  EXPECT_EQ(network.messages(), 0u);
}

TEST(RankEngine, WildcardsTakeWhatComesFirstAndTiesGoToTheLowerRank) {
  trace::format::Event first = message(v1::RECV, trace::format::kAnySource, 1, 8);
  Program program(3);
  program[0] = {first, message(v1::RECV, 2, 1, 8)};
  program[1] = {message(v1::SEND, 0, 1, 8)};
  program[2] = {message(v1::SEND, 0, 1, 8)};
  // Both messages arrive at the same time. Had the wildcard taken that of rank 2, the second receive would wait for
  // ever.
  TestNetwork network(program, {});
  EXPECT_TRUE(network.run()) << network.waits() << network.failures();
}

/// One engine whose messages the test carries.
struct LoneRank {
  LoneRank(int32_t rank, int32_t ranks, std::vector<trace::format::Event> events) {
    mpi::RankEngine::Options options;
    options.costs = {.rank = rank, .ranks = ranks};
    options.costs.eager_limit = 32;
    engine = std::make_unique<mpi::RankEngine>(options, std::make_unique<ListProgram>(std::move(events)), &digest);
  }
  /// What it sends.
  std::vector<nic::OutgoingMessage> decide() {
    std::vector<nic::OutgoingMessage> sent;
    engine->decide(Time::from_us(1), [&](const nic::OutgoingMessage& message) { sent.push_back(message); });
    EXPECT_EQ(engine->failure(), "");
    return sent;
  }
  void receive(int32_t source, const nic::OutgoingMessage& message) {
    engine->on_message({.source = source, .envelope = message.envelope});
  }

  observe::EndpointDigest digest;
  std::unique_ptr<mpi::RankEngine> engine;
};

TEST(RankEngine, InWhichOrderSourcesOfOneTimeAreHeardDoesNotMatter) {
  for (const auto& order : {std::vector{1, 2}, std::vector{2, 1}}) {
    LoneRank receiver(0, 3, {message(v1::RECV, trace::format::kAnySource, 1, 8), message(v1::RECV, 2, 1, 8)});
    for (const int32_t source : order) {
      LoneRank sender(source, 3, {message(v1::SEND, 0, 1, 8)});
      const std::vector<nic::OutgoingMessage> sent = sender.decide();
      ASSERT_EQ(sent.size(), 1u);
      receiver.receive(source, sent[0]);
    }
    receiver.decide();
    EXPECT_TRUE(receiver.engine->finished()) << "the first receive has taken the message of the second";
  }
}

TEST(RankEngine, AMessageThatComesTwiceIsNoticed) {
  LoneRank sender(0, 2, {message(v1::SEND, 1, 5, 8)});
  const std::vector<nic::OutgoingMessage> sent = sender.decide();
  ASSERT_EQ(sent.size(), 1u);
  LoneRank receiver(1, 2, {message(v1::RECV, 0, 5, 8), message(v1::RECV, 0, 5, 8)});
  for (int i = 0; i < 2; ++i) receiver.receive(0, sent[0]);
  receiver.engine->decide(Time::from_us(1), [](const nic::OutgoingMessage&) {});
  EXPECT_THAT(receiver.engine->failure(), HasSubstr("message 0 of rank 0 arrived where message 1 was expected"));
}

TEST(RankEngine, ASynchronousSendEndsWhenItHasLeftAndIsAcknowledged) {
  for (const bool acknowledged_first : {false, true}) {
    LoneRank sender(0, 2, {message(v1::SSEND, 1, 5, 8)});
    const std::vector<nic::OutgoingMessage> sent = sender.decide();
    ASSERT_EQ(sent.size(), 1u);
    LoneRank receiver(1, 2, {message(v1::RECV, 0, 5, 8)});
    receiver.receive(0, sent[0]);
    const std::vector<nic::OutgoingMessage> answer = receiver.decide();
    ASSERT_EQ(answer.size(), 1u);
    for (const bool acknowledges : {acknowledged_first, !acknowledged_first}) {
      EXPECT_FALSE(sender.engine->finished());
      if (acknowledges) {
        sender.receive(1, answer[0]);
      } else {
        sender.engine->on_sent(sent[0].cookie);
      }
      sender.decide();
    }
    EXPECT_TRUE(sender.engine->finished());
  }
}

TEST(RankEngine, WaitsInTheOrderOfTheTriple) {
  Program program(2);
  program[0] = {message(v1::ISEND, 1, 1, 8),  message(v1::ISEND, 1, 2, 800), message(v1::ISEND, 1, 1, 16),
                message(v1::WAIT_SEND, 1, 1), message(v1::WAIT_SEND, 1, 2),  message(v1::WAIT_SEND, 1, 1)};
  program[1] = {
      message(v1::IRECV, 0, 2, 800), message(v1::IRECV, trace::format::kAnySource, 1, 8),  message(v1::IRECV, 0, 1, 16),
      message(v1::WAIT_RECV, 0, 1),  message(v1::WAIT_RECV, trace::format::kAnySource, 1), event_of(v1::WAITALL)};
  TestNetwork network(program, {});
  EXPECT_TRUE(network.run()) << network.waits() << network.failures();
}

TEST(RankEngine, ASynchronousSendEndsWhenItsReceiveHasMatched) {
  TestNetwork network({{message(v1::SSEND, 1, 5, 8)}, {compute_for(Time::from_us(10)), message(v1::RECV, 0, 5, 8)}},
                      {});
  ASSERT_TRUE(network.run()) << network.waits() << network.failures();
  EXPECT_EQ(network.messages(), 2u) << "eager, acknowledgement";
  EXPECT_EQ(network.engine(0).finish_time(), Time::from_ns(10'000 + 500));
  EXPECT_EQ(network.engine(1).finish_time(), Time::from_ns(10'000 + 400));
  TestNetwork large({{message(v1::SSEND, 1, 5, 800)}, {message(v1::RECV, 0, 5, 800)}}, {});
  ASSERT_TRUE(large.run());
  EXPECT_EQ(large.messages(), 3u) << "a rendezvous is synchronous";
  // To oneself, too.
  TestNetwork own({{message(v1::ISSEND, 0, 5, 8), message(v1::RECV, 0, 5, 8), wait_after(0)}}, {});
  EXPECT_TRUE(own.run()) << own.waits();
  TestNetwork never({{message(v1::SSEND, 0, 5, 8), message(v1::RECV, 0, 5, 8)}}, {});
  EXPECT_FALSE(never.run());
  EXPECT_EQ(never.engine(0).waits_for(),
            "rank 0 waits in event 0 (ssend) for rank 0, tag 5 to receive a message of 8 bytes, started in event 0 "
            "(ssend)");
}

TEST(RankEngine, ABufferedSendEndsAtOnceAndIsCopied) {
  const TestNetwork::Options options{.copy_rate = Bandwidth{8'000'000'000}};
  TestNetwork network({{message(v1::BSEND, 1, 5, 1000), message(v1::IBSEND, 1, 6, 1000), wait_after(0)},
                       {compute_for(Time::from_us(50)), message(v1::RECV, 0, 5, 1000), message(v1::RECV, 0, 6, 1000)}},
                      options);
  ASSERT_TRUE(network.run()) << network.waits() << network.failures();
  EXPECT_EQ(network.engine(0).finish_time(), Time::from_ns(2 * (400 + 1000)));
  // The rank's end waits until the buffer is empty.
  TestNetwork end({{message(v1::BSEND, 1, 5, 1000), event_of(v1::FINALIZE)},
                   {compute_for(Time::from_us(50)), message(v1::RECV, 0, 5, 1000)}},
                  options);
  ASSERT_TRUE(end.run());
  EXPECT_GT(end.engine(0).finish_time(), Time::from_us(50));
}

TEST(RankEngine, AProbeWaitsForTheMessageAndLeavesIt) {
  TestNetwork network({{compute_for(Time::from_us(10)), message(v1::SEND, 1, 5, 8)},
                       {message(v1::PROBE, trace::format::kAnySource, trace::format::kAnyTag),
                        message(v1::RECV, trace::format::kAnySource, trace::format::kAnyTag, 8)}},
                      {});
  ASSERT_TRUE(network.run()) << network.waits() << network.failures();
  EXPECT_EQ(network.engine(1).finish_time(), Time::from_ns(10'000 + 400 + 500 + 400));
  TestNetwork never({{message(v1::PROBE, 0, 5)}}, {});
  EXPECT_FALSE(never.run());
  EXPECT_EQ(never.engine(0).waits_for(), "rank 0 waits in event 0 (probe) for a message from rank 0, tag 5");
}

TEST(RankEngine, QueueEntriesThatAreLookedAtTakeTime) {
  const auto end_of = [](const std::vector<int32_t>& order) {
    Program program(2);
    for (const int32_t tag : {1, 2, 3}) program[0].push_back(message(v1::SEND, 1, tag, 8));
    program[1] = {compute_for(Time::from_us(10))};
    for (const int32_t tag : order) program[1].push_back(message(v1::RECV, 0, tag, 8));
    TestNetwork network(program, {.match_overhead = Time::from_ns(30)});
    EXPECT_TRUE(network.run());
    return network.engine(1).finish_time();
  };
  EXPECT_EQ(end_of({1, 2, 3}), Time::from_ns(10'000 + 3 * 400 + 3 * 30));
  EXPECT_EQ(end_of({3, 2, 1}), Time::from_ns(10'000 + 3 * 400 + (3 + 2 + 1) * 30)) << "unexpected messages";
  // Receives that are there when the message comes: the last of three.
  TestNetwork posted({{compute_for(Time::from_us(10)), message(v1::SEND, 1, 3, 8)},
                      {message(v1::IRECV, 0, 1, 8), message(v1::IRECV, 0, 2, 8), message(v1::RECV, 0, 3, 8)}},
                     {.match_overhead = Time::from_ns(30)});
  ASSERT_TRUE(posted.run());
  EXPECT_EQ(posted.engine(1).finish_time(), Time::from_ns(10'000 + 400 + 500 + 400 + 3 * 30));
}

TEST(RankEngine, CommunicatorsKeepMessagesAndCollectivesApart) {
  const trace::format::Event make = make_communicator(7, {2, 0});
  Program program(3);
  program[0] = {make,
                in(7, message(v1::ISEND, 2, 5, 8)),
                message(v1::ISEND, 2, 5, 16),
                in(7, event_of(v1::BARRIER)),
                event_of(v1::BARRIER),
                event_of(v1::WAITALL)};
  program[1] = {event_of(v1::BARRIER)};
  program[2] = {make, message(v1::RECV, 0, 5, 16), in(7, message(v1::RECV, 0, trace::format::kAnyTag, 8)),
                in(7, event_of(v1::BARRIER)), event_of(v1::BARRIER)};
  TestNetwork network(program, {});
  EXPECT_TRUE(network.run()) << network.waits() << network.failures();
  const auto failure = [](const trace::format::Event& event) {
    TestNetwork wrong({{event}}, {});
    EXPECT_FALSE(wrong.run());
    return wrong.failures();
  };
  EXPECT_EQ(failure(in(2, event_of(v1::BARRIER))), "rank 0, event 0 (barrier): there is no communicator 2");
  EXPECT_EQ(failure(make_communicator(1, {1})),
            "rank 0, event 0 (comm_create): rank 0 is no member of its communicator 1");
}

TEST(RankEngine, CollectivesThatDoNotBlockGoOnBesideTheirRank) {
  Program program(2);
  for (auto& events : program)
    events = {event_of(v1::IBARRIER), collective(v1::IALLREDUCE, 8), compute_for(Time::from_us(20)), wait_after(1),
              wait_after(0)};
  TestNetwork network(program, {});
  ASSERT_TRUE(network.run()) << network.waits() << network.failures();
  EXPECT_EQ(network.engine(0).finish_time(), Time::from_us(20)) << "all hidden behind the computation";
  EXPECT_EQ(network.messages(), 4u);
  Program late = program;
  late[1].insert(late[1].begin(), compute_for(Time::from_us(100)));
  TestNetwork waits(late, {});
  ASSERT_TRUE(waits.run());
  EXPECT_GT(waits.engine(0).finish_time(), Time::from_us(100));
  TestNetwork alone({{event_of(v1::IBARRIER), event_of(v1::FINALIZE)}, {message(v1::RECV, 0, 1, 8)}}, {});
  EXPECT_FALSE(alone.run());
  EXPECT_EQ(alone.engine(0).waits_for(),
            "rank 0 waits in event 1 (finalize) for a message from rank 1, collective 0, started in event 0 "
            "(ibarrier)");
  EXPECT_EQ(alone.engine(0).waits_for_rank(), 1);
}

// A sound program: in each round some pairs exchange messages in any mode, or the members of a communicator call a
// collective, blocking or not.
Program random_program(int32_t ranks) {
  Program program(ranks);
  // All ranks the other way round, and those with even and with odd numbers, which share a number.
  std::vector<std::vector<uint64_t>> halves(2);
  std::vector<uint64_t> reverse;
  for (int32_t rank = 0; rank < ranks; ++rank) halves[rank % 2].push_back(static_cast<uint64_t>(rank));
  for (int32_t rank = ranks; rank > 0; --rank) reverse.push_back(static_cast<uint64_t>(rank - 1));
  for (int32_t rank = 0; rank < ranks; ++rank) {
    program[rank].push_back(make_communicator(1, reverse));
    program[rank].push_back(make_communicator(2, halves[rank % 2]));
  }
  const std::vector<v1::TraceAction> sends = {v1::SEND, v1::ISEND, v1::SSEND, v1::ISSEND, v1::BSEND, v1::IBSEND};
  const int rounds = *rc::gen::inRange(1, 8);
  for (int round = 0; round < rounds; ++round) {
    const v1::TraceDatatype datatype = *rc::gen::element(v1::BYTE, v1::DOUBLE);
    const uint64_t count = *rc::gen::element<uint64_t>(0, 1, 4, 5, 100, 300, 20'000);
    const int32_t root = *rc::gen::inRange(0, ranks);
    const uint32_t communicator = *rc::gen::element(0u, 1u, 2u);
    const int kind = *rc::gen::inRange(0, 10);
    if (kind < 7) {
      const v1::TraceAction blocking =
          *rc::gen::element(v1::BARRIER, v1::BCAST, v1::REDUCE, v1::ALLREDUCE, v1::ALLGATHER, v1::ALLTOALL, v1::SCAN,
                            v1::EXSCAN, v1::GATHER, v1::SCATTER, v1::REDUCE_SCATTER, v1::ALLGATHERV);
      const bool beside = *rc::gen::arbitrary<bool>();
      const auto action = beside ? static_cast<v1::TraceAction>(blocking - v1::BARRIER + v1::IBARRIER) : blocking;
      const bool ends = *rc::gen::arbitrary<bool>();
      for (int32_t rank = 0; rank < ranks; ++rank) {
        // A root that is a member: of its half, the rank itself decides nothing.
        const int32_t its_root = communicator == 2 ? rank % 2 : root;
        trace::format::Event event = in(communicator, collective(action, count, datatype, its_root));
        const size_t size = communicator == 2 ? halves[rank % 2].size() : static_cast<size_t>(ranks);
        if (blocking == v1::REDUCE_SCATTER) event.send_counts.assign(size, count);
        if (blocking == v1::ALLGATHERV) event.receive_counts.assign(size, count);
        program[rank].push_back(event);
        if (beside && ends) program[rank].push_back(wait_after(0));
      }
      continue;
    }
    std::vector<std::pair<int32_t, int32_t>> pairs;
    for (int32_t from = 0; from < ranks; ++from) {
      for (int32_t to = 0; to < ranks; ++to) {
        if (*rc::gen::inRange(0, 3) == 0) pairs.push_back({from, to});
      }
    }
    const uint32_t of = communicator == 2 ? 1 : communicator;
    // Any tag would do for one message of a pair in a round; but others may still be under way in the communicator.
    for (const auto& [from, to] : pairs) program[to].push_back(in(of, message(v1::IRECV, from, round, count)));
    for (const auto& [from, to] : pairs)
      program[from].push_back(in(of, message(*rc::gen::elementOf(sends), to, round, count)));
    for (auto& events : program) events.push_back(event_of(v1::WAITALL));
    for (auto& events : program) events.push_back(compute_for(Time::from_ns(*rc::gen::inRange(0, 2000))));
  }
  for (auto& events : program) events.push_back(event_of(v1::WAITALL));
  for (auto& events : program) events.push_back(event_of(v1::FINALIZE));
  return program;
}

RC_GTEST_PROP(RankEngine, SoundProgramsEndWithTheSamePayloadWhateverTheTiming, ()) {
  const int32_t ranks = *rc::gen::inRange(1, 10);
  const Program program = random_program(ranks);
  TestNetwork reference(program, {});
  RC_ASSERT(reference.run());
  RC_ASSERT(reference.failures() == "");
  TestNetwork again(program, {});
  RC_ASSERT(again.run());
  for (int32_t rank = 0; rank < ranks; ++rank)
    RC_ASSERT(again.engine(rank).finish_time() == reference.engine(rank).finish_time());
  for (int32_t rank = 0; rank < ranks; ++rank) {
    const mpi::RankEngine& engine = reference.engine(rank);
    RC_ASSERT(engine.computed() + engine.totals().software + engine.waited() == engine.finish_time());
  }
  for (const uint64_t eager_limit : {uint64_t{0}, uint64_t{32}, trace::format::kMaxMessageBytes}) {
    TestNetwork other(program, {.eager_limit = eager_limit,
                                .seed = *rc::gen::inRange<uint64_t>(1, 1000),
                                .compute_scale = 0.3,
                                .match_overhead = Time::from_ns(30)});
    RC_ASSERT(other.run());
    RC_ASSERT(other.failures() == "");
    RC_ASSERT(other.payload() == reference.payload());
  }
}

}  // namespace
}  // namespace fabrictwin
