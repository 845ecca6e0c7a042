// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Supervised links between two routers that keep the protocol: ends are reset alone, cables are pulled, senders stand
// still within a packet.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include "VApelinkLinkDeep__inputs.h"
#include "VApelinkSessionDeep__inputs.h"
#include "VApelinkSessionFar__inputs.h"
#include "VApelinkSession__inputs.h"
#include "tests/rtl/apelink/session_bench.h"

namespace fabrictwin::test {
namespace {

constexpr int kPatience = 20'000;

template <class Model>
class ApelinkSession : public testing::Test {
 protected:
  static constexpr bool kDeep = std::is_same_v<Model, VApelinkSessionDeep>;

  std::unique_ptr<SessionBench> make(uint64_t seed) {
    return std::make_unique<SessionBench>(std::make_unique<SessionModel<Model>>(kDeep ? 1152 : 64), seed);
  }
};

using Models = testing::Types<VApelinkSession, VApelinkSessionFar, VApelinkSessionDeep>;
TYPED_TEST_SUITE(ApelinkSession, Models);

/// All that is sent from now on arrives whole, and all credits come back.
void expect_health(SessionBench& bench) {
  bench.plan = {};
  ASSERT_TRUE(bench.run_until([&] { return bench.up(0) && bench.up(1); }, kPatience)) << "the link does not come up";
  ASSERT_TRUE(bench.run_until([&] { return bench.settled(); }, kPatience)) << "credits do not come back";
  const auto before = bench.totals();
  bench.send(20);
  ASSERT_TRUE(bench.run_until([&] { return bench.settled(); }, kPatience)) << "packets do not arrive";
  const auto after = bench.totals();
  EXPECT_EQ(after.good - before.good, 80);
  EXPECT_EQ(after.bad, before.bad);
  EXPECT_EQ(after.errors, 0);
}

void add(std::map<std::string, int>& seen, const SessionBench& bench) {
  for (const auto& [what, times] : bench.seen) seen[what] += times;
  seen["lost packet"] += bench.lost();
}

TYPED_TEST(ApelinkSession, ComesUpAndCarriesPackets) {
  const auto bench = this->make(1);
  EXPECT_FALSE(bench->up(0));
  expect_health(*bench);
}

TYPED_TEST(ApelinkSession, OneEndWaitsForTheOther) {
  const auto bench = this->make(2);
  bench->hold_in_reset(1, true);
  bench->send(5);
  bench->run(5'000);
  EXPECT_FALSE(bench->up(0));
  EXPECT_EQ(bench->totals().good, 0);
  bench->hold_in_reset(1, false);
  expect_health(*bench);
}

TYPED_TEST(ApelinkSession, OneEndIsResetAloneWithinPackets) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const auto bench = this->make(100 + seed);
    // Slow drains leave words of the old life in the far buffer.
    bench->plan = {.send = 90, .drain = seed % 3 == 0 ? 3 : 60};
    for (int life = 0; life < 4; ++life) {
      bench->send(200);
      ASSERT_TRUE(bench->run_until([&] { return bench->up(0) && bench->up(1); }, kPatience)) << seed;
      bench->run((this->kDeep ? 8 : 1) * (200 + 37 * static_cast<int>(seed)));
      if (bench->sending(0)) ++seen["cut while a packet was sent"];
      bench->reset_side(life % 2 == 0 ? 0 : static_cast<int>(seed) % 2);
      ASSERT_TRUE(bench->run_until([&] { return !bench->up(0) && !bench->up(1); }, kPatience)) << seed;
    }
    bench->drop_unsent();
    expect_health(*bench);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
    add(seen, *bench);
  }
  for (const char* corner : {"cut while a packet was sent", "bad packet", "lost packet", "reset while words wait"}) {
    EXPECT_GT(seen[corner], 3) << corner;
  }
  if (!this->kDeep) return;
  for (const char* corner :
       {"more in use at a reset than low bits count", "more in use at a far reset than low bits count"}) {
    EXPECT_GT(seen[corner], 3) << corner;
  }
}

TYPED_TEST(ApelinkSession, CompletesThePacketOfACableThatIsPulled) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const auto bench = this->make(200 + seed);
    bench->plan = {.send = 90, .drain = 60};
    bench->send(60);
    ASSERT_TRUE(bench->run_until([&] { return bench->up(0) && bench->up(1); }, kPatience));
    bench->run(150 + 7 * static_cast<int>(seed));
    const bool within = bench->receiving(1);
    if (within) ++seen["pulled within a packet"];
    const int downs = bench->downs(0) + bench->downs(1);
    // One way, or both; with a transceiver that tells or one that does not.
    bench->cut(0, true);
    if (seed % 2 == 0) bench->cut(1, true);
    if (seed % 3 == 0) bench->darken(1, true);
    ASSERT_TRUE(bench->run_until([&] { return !bench->up(0) && !bench->up(1); }, kPatience)) << "nobody notices";
    EXPECT_EQ(bench->downs(0) + bench->downs(1), downs + 2);
    bench->run(200);
    EXPECT_FALSE(bench->receiving(1)) << "the VC is not free";
    bench->run(1'000);
    for (int s = 0; s < 2; ++s) {
      bench->cut(s, false);
      bench->darken(s, false);
    }
    expect_health(*bench);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
    add(seen, *bench);
  }
  for (const char* corner : {"pulled within a packet", "bad packet"}) EXPECT_GT(seen[corner], 3) << corner;
}

TYPED_TEST(ApelinkSession, CutsThePacketOfASenderThatStandsStill) {
  const auto bench = this->make(3);
  ASSERT_TRUE(bench->run_until([&] { return bench->up(0) && bench->up(1); }, kPatience));
  for (int round = 0; round < 10; ++round) {
    bench->send(2);
    ASSERT_TRUE(bench->run_until([&] { return bench->sending(0); }, kPatience));
    const int aborted = bench->aborted(0);
    bench->run(5 + round);
    bench->plan = {.send = 0};
    bench->run(3'000);
    EXPECT_TRUE(bench->up(0) && bench->up(1)) << "the link is not to blame";
    EXPECT_LE(bench->aborted(0), aborted + 2) << "one of each VC";
    bench->plan = {};
    ASSERT_TRUE(bench->run_until([&] { return bench->settled(); }, kPatience));
  }
  EXPECT_GT(bench->aborted(0), 3);
  expect_health(*bench);
}

// Everything at once, and errors on the wire.
TYPED_TEST(ApelinkSession, RecoversFromAnything) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const auto bench = this->make(300 + seed);
    bench->error_rate(seed % 2 == 0 ? 0 : 5'000'000);
    bench->plan = {.send = 70, .drain = 40, .reset = 4, .cut = 6, .pause = 4};
    for (int round = 0; round < 30; ++round) {
      bench->send(10);
      bench->run(1'000);
      if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", cycle " << bench->cycles;
    }
    bench->calm();
    bench->error_rate(0);
    bench->drop_unsent();
    expect_health(*bench);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
    add(seen, *bench);
  }
  for (const char* corner : {"bad packet", "lost packet", "reset", "cut", "reset while words wait"}) {
    EXPECT_GT(seen[corner], 5) << corner;
  }
}

// Others are taken for the header, which says more words than the packet has. Then the far count falls behind what was
// delivered, and its low bits look like one far ahead. A buffer that fills up later shows credits that nobody gave.
TEST(DeepSession, WordsLostBehindFramesMakeNoCredits) {
  int wrong_headers = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    // Long credit words are rare.
    const auto bench =
        std::make_unique<SessionBench>(std::make_unique<SessionModel<VApelinkLinkDeep>>(1152), 400 + seed);
    bench->send(2'000);
    ASSERT_TRUE(bench->run_until([&] { return bench->up(0) && bench->up(1); }, kPatience));
    bench->plan = {.send = 100, .drain = 2};
    ASSERT_TRUE(bench->run_until([&] { return bench->used(0, 0) > 500 && bench->used(0, 1) > 500; }, kPatience));
    for (int lost = 0; lost < 120; ++lost) {
      bench->plan.drain = bench->used(0, 0) + bench->used(0, 1) > 1'200 ? 40 : 5;
      bench->cut(0, true);
      bench->run(2);
      bench->cut(0, false);
      bench->run(97 + lost);
    }
    EXPECT_GT(bench->used(0, 0), 255) << "all would be refused";
    EXPECT_GT(bench->used(0, 1), 255);
    wrong_headers += bench->seen["wrong header"];
    bench->plan = {.send = 100, .drain = 0};
    bench->run(5'000);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(wrong_headers, 5);
}

}  // namespace
}  // namespace fabrictwin::test
