// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/exanet/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/routing/lattice/torus_routing.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

// Router (1, 0) of a 4x2 torus: port 0 is the tile, 1 and 2 lead in X, 3 and 4 in Y. Clock and links: one word
// every 6.4 ns, latency none of its business.
class ExanetRouterTest : public ::testing::Test, public router::exanet::RouterLinks {
 protected:
  struct Sent {
    int32_t port;
    int64_t slot;
    uint8_t vc;
    uint8_t flags;
    bool operator==(const Sent&) const = default;
  };
  struct Returned {
    int32_t port;
    int64_t cycle;
    uint8_t vc;
    uint8_t count;
    bool operator==(const Returned&) const = default;
  };

  void SetUp() override {
    router::exanet::Router::Config config;
    config.routing =
        std::make_shared<routing::lattice::TorusRouting>(std::vector<int32_t>{4, 2}, std::vector<int32_t>{1, 0});
    config.clock = clock_;
    config.ports.assign(5, {true, clock_, 64});
    router_ = router::exanet::Router::create(std::move(config), *this);
  }
  void transmit(int32_t, int32_t port, int64_t slot, uint8_t vc, uint8_t flags, const link::Word&) override {
    sent_.push_back({port, slot, vc, flags});
  }
  void return_credit(int32_t, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) override {
    returned_.push_back({port, cycle, vc, count});
  }

  // A packet of `words` words whose header is sampled at `cycle`, the others in the cycles after it.
  void packet(int32_t port, int64_t cycle, int32_t x, int32_t y, int32_t words, uint8_t vc = 0, uint8_t ties = 0) {
    link::PacketHeader header;
    header.coordinates = {static_cast<uint8_t>(x), static_cast<uint8_t>(y), 0};
    header.ties = ties;
    header.payload_bytes = static_cast<uint16_t>((words - 2) * link::kWordBytes);
    for (int32_t i = 0; i < words; ++i) {
      const uint8_t flags = (i == 0 ? link::kStartOfPacket : 0) | (i == words - 1 ? link::kEndOfPacket : 0);
      router_->receive_word(port, clock_.edge(cycle + i), vc, flags, i == 0 ? header.encode() : link::Word{});
    }
  }
  void run() {
    int64_t last = -1;
    while (router_->next_cycle() != router::exanet::Router::kNever) {
      ASSERT_GT(router_->next_cycle(), last);
      last = router_->next_cycle();
      router_->step(last);
    }
  }

  const Clock clock_{Frequency{156'250'000}};
  std::unique_ptr<router::exanet::Router> router_;
  std::vector<Sent> sent_;
  std::vector<Returned> returned_;
};

TEST_F(ExanetRouterTest, ALonePacketTakesFourCycles) {
  packet(0, 10, 2, 0, 3);
  run();
  EXPECT_EQ(sent_,
            (std::vector<Sent>{{1, 14, 1, link::kStartOfPacket}, {1, 15, 1, 0}, {1, 16, 1, link::kEndOfPacket}}));
  // The footer leaves the FIFO at 15; its credits are loaded at 16 and on the link from 17.
  EXPECT_EQ(returned_, (std::vector<Returned>{{0, 17, 0, 3}}));
}

TEST_F(ExanetRouterTest, WrapsAroundOnTheLowerVc) {
  packet(0, 0, 0, 0, 2);
  packet(1, 0, 0, 0, 2);
  run();
  ASSERT_EQ(sent_.size(), 4u);
  EXPECT_EQ(sent_[0], (Sent{2, 4, 0, link::kStartOfPacket}));
}

TEST_F(ExanetRouterTest, AtItsDestinationAPacketKeepsItsVc) {
  packet(2, 0, 1, 0, 2, 1);
  run();
  ASSERT_EQ(sent_.size(), 2u);
  EXPECT_EQ(sent_[0], (Sent{0, 4, 1, link::kStartOfPacket}));
}

TEST_F(ExanetRouterTest, WithoutCreditsForAWholePacketNothingMoves) {
  for (int i = 0; i < 4; ++i) packet(0, i * 20, 2, 0, 18);
  run();
  // 64 credits are three packets of 18; 10 are left over.
  EXPECT_EQ(sent_.size(), 3u * 18);
  router_->receive_credit(1, clock_.edge(200), 1, 7);
  run();
  EXPECT_EQ(sent_.size(), 3u * 18) << "17 credits are one too few";
  router_->receive_credit(1, clock_.edge(300), 1, 1);
  run();
  ASSERT_EQ(sent_.size(), 4u * 18);
  EXPECT_EQ(sent_[54].slot, 303) << "sampled at 300, granted at 301, loaded at 302, sent at 303";
  EXPECT_GT(router_->credit_stall_cycles(1), 200u);
  EXPECT_EQ(router_->credit_stall_cycles(2), 0u);
}

// This is that router with an APElink of half the rate on port 2.
class ApelinkPortTest : public ExanetRouterTest {
 protected:
  void SetUp() override {
    router::exanet::Router::Config config;
    config.routing =
        std::make_shared<routing::lattice::TorusRouting>(std::vector<int32_t>{4, 2}, std::vector<int32_t>{1, 0});
    config.clock = clock_;
    config.ports.assign(5, {true, clock_, 64});
    config.ports[2] = {true, Clock(Frequency{78'125'000}), 128, true};
    router_ = router::exanet::Router::create(std::move(config), *this);
  }
};

TEST_F(ApelinkPortTest, ALonePacketLeavesAsSoonAsFromAnyPort) {
  packet(0, 10, 0, 0, 3);
  run();
  // From edge 14 on, in slots of two cycles.
  EXPECT_EQ(sent_, (std::vector<Sent>{{2, 7, 0, link::kStartOfPacket}, {2, 8, 0, 0}, {2, 9, 0, link::kEndOfPacket}}));
}

TEST_F(ApelinkPortTest, PacketsLeaveWholeAndVcsTakeTurns) {
  constexpr uint8_t kMinus = 1;
  for (int round = 0; round < 2; ++round) {
    packet(0, 20 * round, 0, 0, 6);
    packet(3, 20 * round, 3, 0, 6, 0, kMinus);
  }
  run();
  ASSERT_EQ(sent_.size(), 24u);
  for (size_t i = 0; i < sent_.size(); ++i) {
    EXPECT_EQ(sent_[i].vc, i / 6 % 2) << i;
    EXPECT_EQ(sent_[i].flags, i % 6 == 0 ? link::kStartOfPacket : i % 6 == 5 ? link::kEndOfPacket : 0) << i;
  }
}

// Magic, Start and CRC are three quarters of a word, and nothing is aligned while packets follow each other.
TEST_F(ApelinkPortTest, FramingTakesThreeSlotsOfFourPackets) {
  for (const int32_t port : {0, 1, 3}) packet(port, 0, 0, 0, 3);
  for (const int32_t port : {0, 1, 3}) packet(port, 3, 0, 0, 3);
  packet(0, 100, 0, 0, 3);
  packet(1, 100, 0, 0, 3);
  run();
  ASSERT_EQ(sent_.size(), 24u);
  std::vector<int64_t> gaps;
  for (size_t i = 3; i < sent_.size(); i += 3) gaps.push_back(sent_[i].slot - sent_[i - 1].slot - 1);
  // After a pause the first word is aligned again.
  EXPECT_THAT(gaps, ::testing::ElementsAre(0, 1, 1, 1, 0, ::testing::Gt(5), 0));
}

// What waits for the link no longer holds up what is behind it.
TEST_F(ApelinkPortTest, TheControllerTakesPacketsOutOfTheRouter) {
  for (int i = 0; i < 3; ++i) packet(0, 20 * i, 0, 0, 18);
  packet(0, 60, 2, 0, 2);
  run();
  const auto other = std::find_if(sent_.begin(), sent_.end(), [](const Sent& sent) { return sent.port == 1; });
  ASSERT_NE(other, sent_.end());
  EXPECT_LT(other->slot, 70) << "54 words take 108 cycles on the link";
}

// A routing block stands before the APElink of port 2 and behind it.
class RoutingBlockTest : public ExanetRouterTest {
 protected:
  static constexpr int32_t kBlock = 18;

  void SetUp() override {
    router::exanet::Router::Config config;
    config.routing =
        std::make_shared<routing::lattice::TorusRouting>(std::vector<int32_t>{4, 2}, std::vector<int32_t>{1, 0});
    config.clock = clock_;
    config.routing_block = kBlock;
    config.ports.assign(5, {true, clock_, 64});
    config.ports[2].apelink = true;
    router_ = router::exanet::Router::create(std::move(config), *this);
  }
  // The slots of the headers that left by a port.
  std::vector<int64_t> headers(int32_t port) const {
    std::vector<int64_t> slots;
    for (const Sent& sent : sent_) {
      if (sent.port == port && (sent.flags & link::kStartOfPacket) != 0) slots.push_back(sent.slot);
    }
    return slots;
  }
};

TEST_F(RoutingBlockTest, PacketsToALinkBetweenBoardsWait) {
  packet(0, 10, 0, 0, 3);
  run();
  EXPECT_EQ(headers(2), std::vector<int64_t>{14 + kBlock});
  // Its words have come meanwhile and follow without a gap.
  ASSERT_EQ(sent_.size(), 3u);
  EXPECT_EQ(sent_[2].slot, 14 + kBlock + 2);
}

TEST_F(RoutingBlockTest, PacketsFromALinkBetweenBoardsWait) {
  packet(2, 10, 1, 0, 3);
  run();
  EXPECT_EQ(headers(0), std::vector<int64_t>{14 + kBlock});
}

TEST_F(RoutingBlockTest, PacketsWithinABoardDoNot) {
  packet(0, 10, 2, 0, 3);
  packet(3, 10, 1, 0, 3);
  run();
  EXPECT_EQ(headers(1), std::vector<int64_t>{14});
  EXPECT_EQ(headers(0), std::vector<int64_t>{14});
}

// While one packet leaves, those behind it pass the block, so they follow it as closely as without one.
TEST_F(RoutingBlockTest, ItCostsNoThroughput) {
  for (int i = 0; i < 3; ++i) packet(2, 10 + 18 * i, 1, 0, 18);
  run();
  EXPECT_THAT(headers(0), ::testing::ElementsAre(14 + kBlock, 14 + kBlock + 20, 14 + kBlock + 40));
}

// A packet of the board waits behind one that is in the block, as they share a queue, but not in another VC, whose
// words come behind those of both.
TEST_F(RoutingBlockTest, TheOrderOfAnInputStays) {
  packet(0, 10, 0, 0, 2);
  packet(0, 12, 2, 0, 2);
  packet(0, 10, 2, 0, 2, 1);
  run();
  EXPECT_EQ(headers(2), std::vector<int64_t>{14 + kBlock});
  EXPECT_THAT(headers(1), ::testing::ElementsAre(18, ::testing::Gt(14 + kBlock)));
}

TEST_F(ExanetRouterTest, InputsTakeTurns) {
  // Three inputs want the same output VC for ever; after the first round each waits for the two others.
  for (int round = 0; round < 3; ++round) {
    for (const int32_t port : {0, 2, 3}) packet(port, round * 3, 2, 0, 3, 1);
  }
  run();
  ASSERT_EQ(sent_.size(), 27u);
  std::vector<int32_t> order;
  for (const Returned& credit : returned_) order.push_back(credit.port);
  EXPECT_EQ(order, (std::vector<int32_t>{0, 2, 3, 0, 2, 3, 0, 2, 3}));
}

TEST_F(ExanetRouterTest, TwoVcsShareALinkWordByWord) {
  packet(0, 0, 2, 0, 6);     // VC 1 of x+
  packet(3, 0, 2, 0, 6, 1);  // the same VC: waits
  packet(4, 0, 0, 0, 4);     // x-: does not interfere
  run();
  EXPECT_EQ(sent_.size(), 16u);
  EXPECT_EQ(std::count_if(sent_.begin(), sent_.end(), [](const Sent& word) { return word.port == 2; }), 4);
}

TEST_F(ExanetRouterTest, CountsTheWordsInThePortsBuffers) {
  packet(0, 8, 2, 0, 2, 1);
  packet(0, 10, 2, 0, 3);
  packet(3, 10, 2, 0, 3);
  while (router_->next_cycle() <= 10) router_->step(router_->next_cycle());
  EXPECT_EQ(router_->buffered_words(0), 2 + 1) << "of both VCs";
  EXPECT_EQ(router_->buffered_words(1), 0);
  EXPECT_EQ(router_->buffered_words(3), 1);
  EXPECT_EQ(router_->buffered_words(), 4);
  run();
  EXPECT_EQ(router_->buffered_words(0), 0);
}

TEST_F(ExanetRouterTest, AWordWithoutAHeaderIsAnError) {
  router_->receive_word(1, clock_.edge(3), 0, 0, {});
  run();
  EXPECT_THAT(router_->failure(), HasSubstr("port 1, VC 0: a packet begins without a header"));
}

TEST_F(ExanetRouterTest, WordsWithoutCreditAreAnError) {
  for (int i = 0; i < 65; ++i) router_->receive_word(1, clock_.edge(3 + i), 0, 0, {});
  for (int64_t cycle = 3; cycle < 80 && router_->failure().empty(); ++cycle) router_->step(cycle);
  EXPECT_FALSE(router_->failure().empty());
}

// To the port that is the destination, on the same VC.
class StarRouting : public routing::Routing {
 public:
  routing::Hop route(const link::PacketHeader& header, int32_t, int32_t in_vc) const override {
    return {static_cast<int32_t>(header.destination), in_vc};
  }
};

// As many ports as a router can have.
class LargeRouterTest : public ExanetRouterTest {
 protected:
  void SetUp() override { make(router::exanet::Router::kMaxPorts); }
  void make(int32_t ports) {
    router::exanet::Router::Config config;
    config.routing = std::make_shared<StarRouting>();
    config.clock = clock_;
    config.ports.assign(static_cast<size_t>(ports), {true, clock_, 64});
    router_ = router::exanet::Router::create(std::move(config), *this);
  }
  // Of two words.
  void send(int32_t port, uint8_t vc, int64_t cycle, int32_t to) {
    link::PacketHeader header;
    header.destination = static_cast<uint32_t>(to);
    router_->receive_word(port, clock_.edge(cycle), vc, link::kStartOfPacket, header.encode());
    router_->receive_word(port, clock_.edge(cycle + 1), vc, link::kEndOfPacket, {});
  }
  // Input VCs in the order in which their packets were through.
  std::vector<int32_t> order() const {
    std::vector<int32_t> inputs;
    for (const Returned& credit : returned_) inputs.push_back(credit.port * link::kVcs + credit.vc);
    return inputs;
  }
};

TEST_F(LargeRouterTest, TheLastPortIsLikeAnyOther) {
  send(63, 1, 10, 62);
  send(0, 0, 10, 63);
  run();
  EXPECT_EQ(sent_, (std::vector<Sent>{{62, 14, 1, link::kStartOfPacket},
                                      {63, 14, 0, link::kStartOfPacket},
                                      {62, 15, 1, link::kEndOfPacket},
                                      {63, 15, 0, link::kEndOfPacket}}));
  EXPECT_EQ(returned_, (std::vector<Returned>{{0, 16, 0, 2}, {63, 16, 1, 2}}));
}

TEST_F(LargeRouterTest, InputsTakeTurnsRoundTheEnd) {
  for (int32_t port = 0; port < router::exanet::Router::kMaxPorts; ++port) send(port, 1, 0, 63);
  run();
  std::vector<int32_t> all;
  for (int32_t port = 0; port < router::exanet::Router::kMaxPorts; ++port) all.push_back(port * link::kVcs + 1);
  // With 64 words of credit, and room for the largest packet asked for, 24 go.
  EXPECT_EQ(order(), std::vector<int32_t>(all.begin(), all.begin() + 24));
  for (int64_t cycle = 1000; cycle < 6000; cycle += 100) {
    router_->receive_credit(63, clock_.edge(cycle), 1, 2);
    run();
  }
  EXPECT_EQ(order(), all);
  // The last one was served last, so the others go first, from the least on.
  returned_.clear();
  for (const int32_t port : {63, 40, 31, 5}) send(port, 1, 10000, 63);
  run();
  EXPECT_EQ(order(), (std::vector<int32_t>{11, 63, 81, 127}));
}

TEST_F(LargeRouterTest, StallsOfHighPortsAreCounted) {
  for (int i = 0; i < 30; ++i) send(50, 0, 4 * i, 60);
  run();
  router_->receive_credit(60, clock_.edge(500), 0, 64);
  run();
  EXPECT_GT(router_->credit_stall_cycles(60), 300u);
  EXPECT_EQ(router_->credit_stall_cycles(28), 0u);
  EXPECT_EQ(sent_.size(), 60u);
}

TEST_F(LargeRouterTest, APortBeyondTheLastIsAnError) {
  make(40);
  send(39, 0, 0, 40);
  run();
  EXPECT_THAT(router_->failure(), HasSubstr("port 39, VC 0: a packet is routed to a port without a link"));
}

}  // namespace
}  // namespace fabrictwin
