// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/models/exanet-router.md, sentence by sentence, at the pins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/rtl/pin_router.h"

namespace fabrictwin::test {
namespace {

constexpr int kTile = 0;
constexpr int kXPlus = 1;
constexpr int kYPlus = 3;

link::PacketHeader header_to(std::array<uint8_t, 3> coordinates, int payload_bytes = 0) {
  link::PacketHeader header;
  header.coordinates = coordinates;
  header.payload_bytes = static_cast<uint16_t>(payload_bytes);
  return header;
}

/// Routes by walking: which way reaches the destination in fewer steps? Shares nothing with the RTL's arithmetic.
struct Output {
  int port;
  int vc;
  bool operator==(const Output&) const = default;
};
Output walk(std::array<uint8_t, 3> here, std::array<uint8_t, 3> to, std::array<uint16_t, 3> dims, int ties, int vc) {
  for (int d = 2; d >= 0; --d) {
    if (here[d] == to[d]) continue;
    int plus = here[d], minus = here[d];
    while (true) {
      plus = plus + 1 == dims[d] ? 0 : plus + 1;
      minus = minus == 0 ? dims[d] - 1 : minus - 1;
      if (plus == to[d] || minus == to[d]) break;
    }
    const bool go_minus = plus == to[d] && minus == to[d] ? (ties >> d & 1) != 0 : minus == to[d];
    return {1 + 2 * d + (go_minus ? 1 : 0), to[d] > here[d] ? 1 : 0};
  }
  return {kTile, vc};
}

/// Sends a whole packet and returns where its header comes out; edges, not simulated time, bound the wait.
template <class Router>
Output route_of(Router& router, int port, int vc, const link::PacketHeader& header) {
  const std::vector<LinkWord> packet = make_packet(header, vc, 7);
  Output output{-1, -1};
  size_t sent = 0;
  for (int k = 0; k < 60; ++k) {
    if (sent < packet.size()) router.rx(port, packet[sent++]);
    for (int p = 0; p < Router::kPorts; ++p) {
      if (router.tx_valid(p) && router.tx(p).sop) output = {p, router.tx(p).vc};
      // A neighbour with no end of room.
      if (router.tx_valid(p)) router.credit(p, {router.tx(p).vc, 1, 0});
    }
    router.ready_all();
    router.edge();
    if (sent == packet.size() && router.idle()) break;
  }
  return output;
}

/// With 7 ports and with 16: on a torus both do the same.
template <class Router>
class ExanetRouter : public testing::Test {};
using Routers = testing::Types<PinRouter, WidePinRouter>;
TYPED_TEST_SUITE(ExanetRouter, Routers);

TYPED_TEST(ExanetRouter, LonePacketTakesFourCyclesForTheHeaderAndTwoForALaterWord) {
  TypeParam router(full_identity({0, 0, 0}, {4, 4, 4}));
  const std::vector<LinkWord> packet = make_packet(header_to({1, 0, 0}, 16), 0, 3);
  // Word i is sampled at edge 10 * i.
  std::vector<int> accepted;
  for (int k = 0; k < 40; ++k) {
    if (k % 10 == 0 && k / 10 < 3) router.rx(kTile, packet[k / 10]);
    router.ready_all();
    if (router.tx_valid(kXPlus)) {
      // Sample what the edge takes. VC 1, for the destination's coordinate is greater.
      LinkWord expected = packet[accepted.size()];
      expected.vc = 1;
      EXPECT_EQ(router.tx(kXPlus), expected);
      accepted.push_back(k);
    }
    router.edge();
  }
  EXPECT_THAT(accepted, testing::ElementsAre(4, 12, 22));
  EXPECT_TRUE(router.idle());
  EXPECT_EQ(router.errors(), 0);
}

TYPED_TEST(ExanetRouter, StreamsOneWordACycleAndReturnsTheCreditsOfAPacketAtOnce) {
  TypeParam router(full_identity({0, 0, 0}, {4, 4, 4}));
  const std::vector<LinkWord> packet = make_packet(header_to({0, 1, 0}, 256), 1, 3);
  ASSERT_EQ(packet.size(), 18u);
  std::vector<int> accepted, credited;
  for (int k = 0; k < 40; ++k) {
    if (k < 18) router.rx(kTile, packet[k]);
    router.ready_all();
    if (router.tx_valid(kYPlus)) accepted.push_back(k);
    if (router.credit_valid(kTile)) {
      credited.push_back(k);
      EXPECT_EQ(router.credit(kTile), (LinkCredit{1, 18, 0}));
    }
    router.edge();
  }
  ASSERT_EQ(accepted.size(), 18u);
  EXPECT_EQ(accepted.front(), 4);
  EXPECT_EQ(accepted.back(), 21);
  // The footer leaves the FIFO at edge 20, the credit register is loaded at 21 and on the link at 22.
  EXPECT_THAT(credited, testing::ElementsAre(22));
}

TYPED_TEST(ExanetRouter, RoutesLikeAWalkerForEveryPairOfSmallLattices) {
  for (const std::array<uint16_t, 3>& dims : {std::array<uint16_t, 3>{2, 3, 4}, {5, 1, 2}, {4, 4, 1}}) {
    const int nodes = dims[0] * dims[1] * dims[2];
    const auto place = [&](int n) {
      return std::array<uint8_t, 3>{static_cast<uint8_t>(n % dims[0]), static_cast<uint8_t>(n / dims[0] % dims[1]),
                                    static_cast<uint8_t>(n / dims[0] / dims[1])};
    };
    for (int here = 0; here < nodes; ++here) {
      TypeParam router(full_identity(place(here), dims));
      for (int to = 0; to < nodes; ++to) {
        for (int ties : {0, 7}) {
          link::PacketHeader header = header_to(place(to));
          header.ties = static_cast<uint8_t>(ties);
          const int vc = (to + ties) & 1;
          EXPECT_EQ(route_of(router, to % TypeParam::kPorts, vc, header), walk(place(here), place(to), dims, ties, vc))
              << here << " to " << to;
        }
      }
      EXPECT_EQ(router.errors(), 0);
    }
  }
}

TYPED_TEST(ExanetRouter, RoutesInTheLargestLattice) {
  const std::array<uint16_t, 3> dims{256, 256, 256};
  for (const auto& [here, to] :
       std::vector<std::pair<std::array<uint8_t, 3>, std::array<uint8_t, 3>>>{{{0, 0, 0}, {0, 0, 128}},
                                                                              {{0, 0, 0}, {0, 0, 129}},
                                                                              {{255, 0, 0}, {0, 0, 0}},
                                                                              {{0, 255, 9}, {0, 127, 9}},
                                                                              {{0, 254, 9}, {0, 127, 9}}}) {
    TypeParam router(full_identity(here, dims));
    EXPECT_EQ(route_of(router, kTile, 0, header_to(to)), walk(here, to, dims, 0, 0));
  }
}

TYPED_TEST(ExanetRouter, GivesAnOutputVcRoundRobinOverInputVcs) {
  TypeParam router(full_identity({0, 0, 0}, {4, 4, 4}));
  // Five inputs hold packets for X+ VC 1, two deep each; who comes out is told by the source field.
  const std::vector<int> inputs = {1, 4, 5, 8, 13};
  std::vector<std::vector<LinkWord>> streams(TypeParam::kPorts);
  std::vector<int> order;
  for (int i : inputs) {
    for (int n = 0; n < 2; ++n) {
      link::PacketHeader header = header_to({1, 0, 0});
      header.source = static_cast<uint32_t>(i);
      for (const LinkWord& word : make_packet(header, i % 2, 1)) streams[i / 2].push_back(word);
    }
  }
  for (int k = 0; k < 80; ++k) {
    for (int p = 0; p < TypeParam::kPorts; ++p) {
      if (k < static_cast<int>(streams[p].size())) router.rx(p, streams[p][k]);
    }
    if (router.tx_valid(kXPlus) && router.tx(kXPlus).sop)
      order.push_back(static_cast<int>(link::PacketHeader::decode(router.tx(kXPlus).word).source));
    router.ready_all();
    router.edge();
  }
  EXPECT_THAT(order, testing::ElementsAre(1, 4, 5, 8, 13, 1, 4, 5, 8, 13));
}

TYPED_TEST(ExanetRouter, AlternatesBetweenTheVcsOfAnOutput) {
  TypeParam router(full_identity({0, 3, 0}, {4, 4, 4}));
  // At the tile a packet keeps its VC.
  const std::vector<LinkWord> zero = make_packet(header_to({0, 3, 0}, 256), 0, 1);
  const std::vector<LinkWord> one = make_packet(header_to({0, 3, 0}, 256), 1, 2);
  std::vector<int> vcs;
  for (int k = 0; k < 60; ++k) {
    if (k < 18) {
      router.rx(1, zero[k]);
      router.rx(2, one[k]);
    }
    if (router.tx_valid(kTile)) vcs.push_back(router.tx(kTile).vc);
    router.ready_all();
    router.edge();
  }
  ASSERT_EQ(vcs.size(), 36u);
  for (size_t i = 0; i < vcs.size(); ++i) EXPECT_EQ(vcs[i], static_cast<int>(i % 2)) << i;
}

TYPED_TEST(ExanetRouter, WaitsForRoomForTheLargestPacketAndSaysSo) {
  rtl::router::Identity identity = full_identity({0, 0, 0}, {4, 4, 4});
  identity.initial_credits.fill(20);
  TypeParam router(identity);
  const std::vector<LinkWord> packet = make_packet(header_to({1, 0, 0}, 16), 0, 1);
  int stalled_edges = 0;
  std::vector<int> headers;
  for (int k = 0; k < 40; ++k) {
    if (k < 6) router.rx(kTile, packet[k % 3]);
    // 3 of 20 credits are used by the first packet; one credit more makes 18.
    if (k == 30) router.credit(kXPlus, {1, 1, 0});
    if (router.stalled(kXPlus)) ++stalled_edges;
    if (router.tx_valid(kXPlus) && router.tx(kXPlus).sop) headers.push_back(k);
    router.ready_all();
    router.edge();
  }
  // Credits sampled at 30 are counted after it: granted at 31, loaded at 32, accepted at 33. The stall is seen from
  // edge 7 (routed at 6) to edge 30.
  EXPECT_THAT(headers, testing::ElementsAre(4, 33));
  EXPECT_EQ(stalled_edges, 24);
}

TYPED_TEST(ExanetRouter, HoldsItsOutputUntilTheLinkIsReady) {
  TypeParam router(full_identity({0, 0, 0}, {4, 4, 4}));
  const std::vector<LinkWord> packet = make_packet(header_to({1, 0, 0}), 0, 1);
  for (int k = 0; k < 20; ++k) {
    if (k < 2) router.rx(kTile, packet[k]);
    router.edge();
    if (k >= 3) {
      ASSERT_TRUE(router.tx_valid(kXPlus));
      EXPECT_EQ(router.tx(kXPlus).word, packet[0].word);
    }
  }
  router.ready(kXPlus);
  router.edge();
  EXPECT_EQ(router.tx(kXPlus).word, packet[1].word);
  EXPECT_FALSE(router.idle());
}

TYPED_TEST(ExanetRouter, KeepsTheNeighboursHealth) {
  TypeParam router(full_identity({0, 0, 0}, {4, 4, 4}));
  *router.model().pins().health_i = 5;
  const std::vector<LinkWord> packet = make_packet(header_to({1, 0, 0}), 0, 1);
  bool seen = false;
  for (int k = 0; k < 20; ++k) {
    if (k < 2) router.rx(kTile, packet[k]);
    if (router.credit_valid(kTile)) {
      EXPECT_EQ(router.credit(kTile), (LinkCredit{0, 2, 5}));
      seen = true;
    }
    // Credits for the two words that went out.
    if (k == 12) router.credit(kXPlus, {1, 2, 3});
    router.ready_all();
    router.edge();
  }
  EXPECT_TRUE(seen);
  EXPECT_EQ(*router.model().pins().neighbour_health_o, 3u << (3 * kXPlus));
  EXPECT_EQ(router.errors(), 0);
}

}  // namespace
}  // namespace fabrictwin::test
