// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that wait in vain, and what a rank must not be given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/mpi/test_network.h"
#include "workloads/mpi/rank_engine.h"
#include "workloads/mpi/wait_circles.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

TEST(RankEngineFaults, SaysWhatItWaitsFor) {
  Program program(3);
  program[0] = {event_of(v1::INIT), message(v1::RECV, 1, 99, 8)};
  program[1] = {event_of(v1::INIT), message(v1::SEND, 2, 7, 5000)};
  program[2] = {event_of(v1::INIT), event_of(v1::BARRIER)};
  TestNetwork network(program, {});
  EXPECT_FALSE(network.run());
  EXPECT_EQ(network.failures(), "");
  EXPECT_EQ(network.engine(0).waits_for(),
            "rank 0 waits in event 1 (recv) for a message from rank 1, tag 99, started in event 1 (recv)");
  EXPECT_EQ(
      network.engine(1).waits_for(),
      "rank 1 waits in event 1 (send) for rank 2, tag 7 to receive a message of 5000 bytes, started in event 1 (send)");
  EXPECT_EQ(network.engine(2).waits_for(),
            "rank 2 waits in event 1 (barrier) for a message from rank 1, collective 0, started in event 1 (barrier)");
}

TEST(RankEngineFaults, RanksThatWaitForEachOtherAreACircle) {
  // 0 -> 2 -> 1 -> 0; 3 waits for one of them; 4 waits for itself; 5 and 6 in a collective and a message; 7 for any
  // rank.
  const Program program = {{message(v1::RECV, 2, 1, 8)},
                           {compute_for(Time::from_us(1)), message(v1::SSEND, 0, 1, 8)},
                           {message(v1::PROBE, 1, 1)},
                           {message(v1::RECV, 0, 1, 8)},
                           {message(v1::SSEND, 4, 1, 8)},
                           {make_communicator(1, {5, 6}), in(1, event_of(v1::IBARRIER)), event_of(v1::WAITALL)},
                           {make_communicator(1, {5, 6}), message(v1::RECV, 5, 1, 8)},
                           {message(v1::RECV, trace::format::kAnySource, 1, 8)}};
  TestNetwork network(program, {});
  EXPECT_FALSE(network.run());
  std::vector<const mpi::RankEngine*> engines;
  for (size_t rank = 0; rank < program.size(); ++rank) engines.push_back(&network.engine(rank));
  EXPECT_THAT(mpi::wait_circles(engines),
              testing::ElementsAre(
                  "deadlock: rank 0, event 0 (recv) -> rank 2, event 0 (probe) -> rank 1, event 1 (ssend) -> rank 0",
                  "deadlock: rank 4, event 0 (ssend) -> rank 4",
                  "deadlock: rank 5, event 2 (waitall) -> rank 6, event 1 (recv) -> rank 5"));
}

TEST(RankEngineFaults, MistakesOfATraceAreNamed) {
  TestNetwork wait({{message(v1::WAIT_RECV, 0, 3)}}, {});
  EXPECT_FALSE(wait.run());
  EXPECT_EQ(wait.failures(), "rank 0, event 0 (wait_recv): there is no outstanding receive from rank 0, tag 3");
  TestNetwork size({{message(v1::SEND, 1, 5, 16)}, {message(v1::RECV, 0, 5, 8)}}, {});
  EXPECT_FALSE(size.run());
  EXPECT_THAT(size.failures(), HasSubstr("rank 1, event 0 (recv): a message of 16 bytes from rank 0, tag 5 does not "
                                         "fit the recv of event 0, which takes 8 bytes"));
  TestNetwork forever({{compute_for(Time::from_fs(Time::never().fs() - 1)), compute_for(Time::from_us(1))}}, {});
  EXPECT_FALSE(forever.run());
  EXPECT_THAT(forever.failures(), HasSubstr("lasts longer than simulated time can"));
}

// One message into an engine whose program is a receive.
std::string failure_after(const nic::IncomingMessage& incoming) {
  observe::EndpointDigest digest;
  mpi::RankEngine::Options options;
  options.costs = {.rank = 1, .ranks = 2, .compute_scale = 1, .send_overhead = Time::zero()};
  options.costs.eager_limit = 32;
  mpi::RankEngine engine(options, std::make_unique<ListProgram>(std::vector{message(v1::RECV, 0, 5, 8)}), &digest);
  const auto send = [](const nic::OutgoingMessage&) {};
  engine.decide(Time::zero(), send);
  engine.on_message(incoming);
  engine.decide(Time::from_us(1), send);
  EXPECT_EQ(engine.finished(), engine.failure().empty());
  return engine.failure();
}

nic::IncomingMessage sound_message(mpi::protocol::MpiMessageKind kind = mpi::protocol::MpiMessageKind::kEager,
                                   uint32_t sequence = 0) {
  nic::IncomingMessage incoming;
  const auto words =
      mpi::protocol::MpiHeader{.kind = kind, .collective = false, .sequence = sequence, .tag = 5, .bytes = 8}.encode();
  std::copy(words.begin(), words.end(), incoming.envelope.user);
  incoming.envelope.payload_key = nic::payload_key(0, 1, sequence);
  incoming.envelope.bytes = 8;
  return incoming;
}

TEST(RankEngineFaults, ChecksWhatArrives) {
  EXPECT_EQ(failure_after(sound_message()), "");
  nic::IncomingMessage damaged = sound_message();
  damaged.intact = false;
  EXPECT_EQ(failure_after(damaged), "rank 1, event 0 (recv): message 0 from rank 0 has a wrong byte");
  nic::IncomingMessage other = sound_message();
  other.envelope.payload_key = nic::payload_key(0, 1, 1);
  EXPECT_EQ(failure_after(other), "rank 1, event 0 (recv): message 0 from rank 0 has a wrong byte")
      << "intact, but the body of another message";
  nic::IncomingMessage cut = sound_message();
  cut.envelope.bytes = 7;
  EXPECT_EQ(failure_after(cut), "rank 1, event 0 (recv): message 0 from rank 0 has 7 bytes instead of 8");
  EXPECT_EQ(failure_after(sound_message(mpi::protocol::MpiMessageKind::kEager, 1)),
            "rank 1, event 0 (recv): message 1 of rank 0 arrived where message 0 was expected");
  EXPECT_EQ(failure_after(sound_message(mpi::protocol::MpiMessageKind::kData)),
            "rank 1, event 0 (recv): message 0 of rank 0 was not asked for");
  EXPECT_EQ(failure_after(sound_message(mpi::protocol::MpiMessageKind::kClearToSend)),
            "rank 1, event 0 (recv): rank 0 asks for message 0, which was not announced");
  EXPECT_EQ(failure_after(sound_message(static_cast<mpi::protocol::MpiMessageKind>(7))),
            "rank 1, event 0 (recv): rank 0 sent a message of unknown kind 7");
  EXPECT_EQ(failure_after(sound_message(mpi::protocol::MpiMessageKind::kReduction)),
            "rank 1, event 0 (recv): collective 5 was reduced, which nobody has asked for");
  EXPECT_EQ(failure_after(sound_message(mpi::protocol::MpiMessageKind::kAcknowledgement)),
            "rank 1, event 0 (recv): rank 0 acknowledges message 0, which does not want it");
}

}  // namespace
}  // namespace fabrictwin
