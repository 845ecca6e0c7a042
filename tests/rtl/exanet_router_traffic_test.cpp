// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random traffic through all ports and both VCs, with random stalls on every interface, against a scoreboard.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "cosim/base/random.h"
#include "tests/rtl/pin_router.h"

namespace fabrictwin::test {
namespace {

constexpr int kBuffer = 64;
constexpr int kHosts = 50;

/// How often each interface is free, in percent.
struct Stalls {
  int rx;
  int ready;
  int credit;
};

/// One router among neighbours that keep the protocol, and everything that must hold of what they see. One with 7 ports
/// is in a torus, a wide one goes by a table of random routes.
template <class Router>
class Traffic {
 public:
  Traffic(uint64_t seed, Stalls stalls, int packets)
      : random_(seed, 0, RandomPurpose::kTest),
        stalls_(stalls),
        packets_(packets),
        routes_(make_routes()),
        router_(identity(routes_)) {
    for (auto& port : room_) port.fill(kBuffer);
  }

  /// Runs until all packets have come out.
  void run() {
    const int limit = 20'000 + packets_ * 400;
    for (int k = 0; k < limit; ++k) {
      drive_words();
      take_words();
      return_credits();
      router_.edge();
      take_credits();
      ASSERT_EQ(router_.errors(), 0) << "edge " << k;
      if (testing::Test::HasFatalFailure()) return;
      if (sent_ == packets_ && in_flight_ == 0 && router_.idle() && all_room_back()) break;
    }
    EXPECT_EQ(in_flight_, 0) << "packets lost";
    EXPECT_TRUE(router_.idle());
    EXPECT_TRUE(all_room_back()) << "credits lost";
    for (const auto& [flow, queue] : expected_) EXPECT_TRUE(queue.empty());
  }

 private:
  struct Source {
    std::vector<LinkWord> packet;
    size_t next = 0;
  };
  struct Sink {
    std::vector<LinkWord> packet;
    size_t next = 0;
    int held = 0;  ///< Words in the neighbour's buffer whose credits have not been returned.
  };

  std::vector<system::RouteTable::Entry> make_routes() {
    std::vector<system::RouteTable::Entry> routes;
    if (Router::kPorts == rtl::router::kRouterPorts) return routes;
    for (int i = 0; i < Router::kPorts * link::kVcs * kHosts; ++i) {
      const auto port = static_cast<int32_t>(random_.next_below(Router::kPorts));
      routes.push_back(system::RouteTable::entry(port, static_cast<int32_t>(random_.next_below(link::kVcs))));
    }
    return routes;
  }

  static rtl::router::Identity identity(const std::vector<system::RouteTable::Entry>& routes) {
    rtl::router::Identity identity = full_identity({2, 1, 0}, {4, 3, 2});
    identity.routes = routes;
    identity.route_destinations = kHosts;
    return identity;
  }

  bool chance(int percent) { return static_cast<int>(random_.next_below(100)) < percent; }

  void start_packet(int port, int vc) {
    link::PacketHeader header;
    header.coordinates = {static_cast<uint8_t>(random_.next_below(4)), static_cast<uint8_t>(random_.next_below(3)),
                          static_cast<uint8_t>(random_.next_below(2))};
    header.destination = static_cast<uint32_t>(random_.next_below(kHosts));
    header.payload_bytes = static_cast<uint16_t>(random_.next_below(257));
    header.ties = static_cast<uint8_t>(random_.next_below(8));
    header.source = static_cast<uint32_t>(2 * port + vc);
    header.sequence = static_cast<uint32_t>(sent_);
    Source& source = sources_[port][vc];
    source.packet = make_packet(header, vc, random_.next());
    source.next = 0;
    expected_[2 * port + vc].push_back(source.packet);
    ++sent_;
    ++in_flight_;
  }

  void drive_words() {
    for (int p = 0; p < Router::kPorts; ++p) {
      if (!chance(stalls_.rx)) continue;
      // Words of both VCs are mixed at random, as a link may mix them.
      const int vc = static_cast<int>(random_.next_below(2));
      Source& source = sources_[p][vc];
      if (room_[p][vc] == 0) continue;
      if (source.next == source.packet.size()) {
        if (sent_ == packets_) continue;
        start_packet(p, vc);
      }
      router_.rx(p, source.packet[source.next++]);
      --room_[p][vc];
    }
  }

  void take_words() {
    for (int p = 0; p < Router::kPorts; ++p) {
      if (!chance(stalls_.ready)) continue;
      router_.ready(p);
      if (!router_.tx_valid(p)) continue;
      check_word(p, router_.tx(p));
    }
  }

  void check_word(int port, LinkWord word) {
    Sink& sink = sinks_[port][word.vc];
    ASSERT_LT(sink.held, kBuffer) << "more words than credits";
    ++sink.held;
    if (sink.next == sink.packet.size()) {
      ASSERT_TRUE(word.sop);
      const link::PacketHeader header = link::PacketHeader::decode(word.word);
      // In order per flow: the packet must be the oldest of its input that leaves here. Packets of an input VC leave in
      // order altogether.
      auto& queue = expected_[static_cast<int>(header.source)];
      ASSERT_FALSE(queue.empty()) << "a packet twice, or one that nobody sent";
      if (!routes_.empty()) {
        ASSERT_EQ(system::RouteTable::entry(port, word.vc), routes_[header.source * kHosts + header.destination]);
      }
      sink.packet = queue.front();
      for (LinkWord& w : sink.packet) w.vc = word.vc;
      sink.next = 0;
      queue.pop_front();
    }
    ASSERT_EQ(word, sink.packet[sink.next]) << "words mixed or changed";
    if (++sink.next == sink.packet.size()) --in_flight_;
  }

  void return_credits() {
    for (int p = 0; p < Router::kPorts; ++p) {
      if (!chance(stalls_.credit)) continue;
      const int vc = static_cast<int>(random_.next_below(2));
      Sink& sink = sinks_[p][vc];
      if (sink.held == 0) continue;
      const int count = 1 + static_cast<int>(random_.next_below(static_cast<uint64_t>(sink.held)));
      router_.credit(p, {vc, count, 0});
      sink.held -= count;
    }
  }

  void take_credits() {
    for (int p = 0; p < Router::kPorts; ++p) {
      if (!router_.credit_valid(p)) continue;
      const LinkCredit credit = router_.credit(p);
      room_[p][credit.vc] += credit.count;
      ASSERT_LE(room_[p][credit.vc], kBuffer) << "credit for words that were not sent";
    }
  }

  bool all_room_back() const {
    for (const auto& port : room_) {
      for (int room : port) {
        if (room != kBuffer) return false;
      }
    }
    return true;
  }

  RandomStream random_;
  Stalls stalls_;
  int packets_;
  std::vector<system::RouteTable::Entry> routes_;  ///< As in rtl::router::Identity; empty on a torus.
  Router router_;
  std::array<std::array<int, link::kVcs>, Router::kPorts> room_;
  std::array<std::array<Source, link::kVcs>, Router::kPorts> sources_;
  std::array<std::array<Sink, link::kVcs>, Router::kPorts> sinks_;
  std::map<int, std::deque<std::vector<LinkWord>>> expected_;  ///< By input VC, in order of sending.
  int sent_ = 0;
  int in_flight_ = 0;
};

template <class Router>
class ExanetRouterTraffic : public testing::Test {};
using Routers = testing::Types<PinRouter, WidePinRouter>;
TYPED_TEST_SUITE(ExanetRouterTraffic, Routers);

TYPED_TEST(ExanetRouterTraffic, SaturatedWithoutStalls) { Traffic<TypeParam>(1, {100, 100, 100}, 5000).run(); }
TYPED_TEST(ExanetRouterTraffic, SlowCredits) { Traffic<TypeParam>(2, {90, 90, 4}, 1000).run(); }
TYPED_TEST(ExanetRouterTraffic, SlowLinks) { Traffic<TypeParam>(3, {90, 10, 50}, 1000).run(); }
TYPED_TEST(ExanetRouterTraffic, SparseInput) { Traffic<TypeParam>(4, {5, 90, 90}, 500).run(); }

template <class Router>
void check_any_stalls(uint64_t seed) {
  const Stalls stalls{*rc::gen::inRange(3, 101), *rc::gen::inRange(3, 101), *rc::gen::inRange(3, 101)};
  Traffic<Router>(seed, stalls, 150).run();
  RC_ASSERT(!testing::Test::HasFailure());
}

RC_GTEST_PROP(ExanetRouterStalls, HoldsUnderAny, (uint64_t seed)) { check_any_stalls<PinRouter>(seed); }
RC_GTEST_PROP(ExanetRouterStalls, WideHoldsUnderAny, (uint64_t seed)) { check_any_stalls<WidePinRouter>(seed); }

}  // namespace
}  // namespace fabrictwin::test
