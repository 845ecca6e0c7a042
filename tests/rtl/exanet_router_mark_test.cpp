// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion marks at the pins: docs/models/exanet-congestion.md, section "Marking".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "cosim/link/packet_mark.h"
#include "tests/rtl/pin_router.h"

namespace fabrictwin::test {
namespace {

constexpr int kTile = 0;
constexpr int kSenders = 3;  ///< Ports 1 to 3 send to the tile.
constexpr int kWords = 3;    ///< Of each packet.

/// Each sender has `packets` packets of three words for the tile, all of which are in the buffers before the first word
/// is taken. Says which footers are marked, in the order in which they leave.
template <class Router>
std::vector<bool> marks(const link::PacketMarking& marking, int packets = 1, uint8_t credits = 64) {
  rtl::router::Identity identity = full_identity({0, 0, 0}, {4, 4, 4});
  identity.initial_credits.fill(credits);
  identity.marking = marking;
  identity.host_ports = 1u << kTile;
  Router router(identity);
  link::PacketHeader header;
  header.payload_bytes = 16;
  for (int i = 0; i < packets * kWords; ++i) {
    for (int port = 1; port <= kSenders; ++port) {
      header.source = static_cast<uint32_t>(port);
      router.rx(port, make_packet(header, 0, static_cast<uint64_t>(port))[static_cast<size_t>(i % kWords)]);
    }
    router.edge();
  }
  for (int i = 0; i < 6; ++i) router.edge();
  std::vector<bool> marked;
  for (int i = 0; i < 100; ++i) {
    if (router.tx_valid(kTile)) {
      const LinkWord word = router.tx(kTile);
      if (word.eop) marked.push_back(link::is_marked(word.word));
      // Mark or not, the rest of the footer is what came in.
      if (word.eop && marked.back()) {
        link::Word without = word.word;
        without.hi &= ~link::kMarkBit;
        EXPECT_TRUE(without.lo == ~without.hi && without.hi >= 1 && without.hi <= kSenders);
      }
      router.ready(kTile);
      router.credit(kTile, {word.vc, 1, 0});
    }
    router.edge();
  }
  EXPECT_EQ(router.errors(), 0);
  EXPECT_TRUE(router.idle());
  return marked;
}

template <class Router>
class ExanetMarks : public testing::Test {};
using Routers = testing::Types<PinRouter, WidePinRouter>;
TYPED_TEST_SUITE(ExanetMarks, Routers);

using testing::ElementsAre;

// When the first footer leaves, it and two packets of three words wait: seven; then four, then one.
TYPED_TEST(ExanetMarks, WhereMoreWordsWaitThanTheThreshold) {
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 7}), ElementsAre(false, false, false));
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 6}), ElementsAre(true, false, false));
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 4}), ElementsAre(true, false, false));
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 3}), ElementsAre(true, true, false));
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 1}), ElementsAre(true, true, false));
}

TYPED_TEST(ExanetMarks, NothingIsMarkedWithoutAThreshold) {
  EXPECT_THAT(marks<TypeParam>({}), ElementsAre(false, false, false));
}

TYPED_TEST(ExanetMarks, OneOfSoManyThatCouldBe) {
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 1, .marking_rate = 1}, 2),
              ElementsAre(true, false, true, false, true, false));
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 1, .marking_rate = 2}, 2),
              ElementsAre(true, false, false, true, false, false));
}

TYPED_TEST(ExanetMarks, SmallPacketsAreNot) {
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 1, .least_words = kWords}), ElementsAre(true, true, false));
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 1, .least_words = kWords + 1}), ElementsAre(false, false, false));
}

// With 20 credits a packet under way leaves 17, less than a largest packet needs; what its words have given back counts
// when its footer leaves.
TYPED_TEST(ExanetMarks, AnOutputWithoutCreditsIsNoRootUnlessItLeadsToAHost) {
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 1, .hosts = false}, 1, 20), ElementsAre(true, true, false));
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 1, .hosts = false}, 1, 19), ElementsAre(false, false, false));
  EXPECT_THAT(marks<TypeParam>({.threshold_words = 1, .hosts = true}, 1, 19), ElementsAre(true, true, false));
}

}  // namespace
}  // namespace fabrictwin::test
