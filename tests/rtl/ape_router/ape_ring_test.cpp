// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Rings of Verilated routers with buffers for one packet, saturated: they never stop, unless the VC is chosen by
// direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "cosim/base/random.h"
#include "tests/rtl/ape_router/ape_reference.h"

namespace fabrictwin::test {
namespace {

constexpr int kTile = 0;
constexpr int kPlus = 1;
constexpr int kMinus = 2;

enum class Pattern { kAllToAll, kTornado };

class Ring {
 public:
  Ring(int size, Pattern pattern, bool by_direction, uint64_t seed)
      : size_(size), pattern_(pattern), random_(seed, static_cast<uint64_t>(size), RandomPurpose::kTest), hosts_(size) {
    for (int n = 0; n < size; ++n) {
      routers_.push_back(make_ape_model(ApeVariant::kRing));
      ApeConfig config = ape_config(routers_.back()->shape(), {size, 1, 1}, {n, 0, 0});
      config.vc_by_direction = by_direction;
      routers_.back()->reset(config);
      for (int vc = 0; vc < 2; ++vc) hosts_[n].room[vc] = {16, 2};
    }
  }

  /// Edges; the largest number of edges in which no packet arrived anywhere. Returns packets that arrived.
  int run(int edges, int* longest_pause) {
    int arrived = 0;
    int pause = 0;
    *longest_pause = 0;
    for (int k = 0; k < edges; ++k) {
      const int now = step();
      arrived += now;
      pause = now != 0 ? 0 : pause + 1;
      *longest_pause = std::max(*longest_pause, pause);
    }
    return arrived;
  }

  /// Sends nothing new; true if everything that was begun arrives.
  bool drain() {
    draining_ = true;
    for (int k = 0; k < 20'000; ++k) {
      step();
      if (empty()) return true;
    }
    return false;
  }

  int smallest_share() const {
    int least = hosts_[0].received;
    for (const Host& host : hosts_) least = std::min(least, host.received);
    return least;
  }

 private:
  bool empty() const {
    int received = 0;
    for (const Host& host : hosts_) received += host.received;
    return received == begun_ && std::all_of(routers_.begin(), routers_.end(), [](const auto& r) { return r->idle(); });
  }

  struct Room {
    int words = 0;
    int packets = 0;
  };
  struct Host {
    std::array<std::vector<ApeWord>, 2> packet;
    std::array<size_t, 2> next{};
    std::array<Room, 2> room;
    int turn = 0;
    int received = 0;
  };

  int destination(int from) {
    // Half way round, less one: all packets go the same way and as far as possible.
    if (pattern_ == Pattern::kTornado) return (from + std::max(1, size_ / 2)) % size_;
    return static_cast<int>((static_cast<uint64_t>(from) + 1 + random_.next_below(static_cast<uint64_t>(size_ - 1))) %
                            static_cast<uint64_t>(size_));
  }

  void drive(int n) {
    Host& host = hosts_[n];
    for (int i = 0; i < 2; ++i) {
      const int vc = (host.turn + i) % 2;
      if (host.next[vc] == host.packet[vc].size()) {
        if (draining_) continue;
        ++begun_;
        ApeHeader header;
        header.to = {destination(n), 0, 0};
        header.payload_bytes = 256;
        header.ties = pattern_ == Pattern::kTornado ? 0 : static_cast<int>(random_.next_below(2));
        host.packet[vc] = make_ape_packet(routers_[n]->shape(), header, vc, random_.next());
        host.next[vc] = 0;
      }
      const ApeWord& word = host.packet[vc][host.next[vc]];
      int none = 1;
      int& credits = word.sop ? host.room[vc].packets : word.eop ? none : host.room[vc].words;
      if (credits == 0) continue;
      --credits;
      routers_[n]->rx(kTile, word);
      ++host.next[vc];
      host.turn = 1 - vc;
      return;
    }
  }

  // One edge of all routers: what they show goes to their neighbours, always ready.
  int step() {
    int arrived = 0;
    for (int n = 0; n < size_; ++n) {
      ApeModel& router = *routers_[n];
      drive(n);
      for (const int port : {kTile, kPlus, kMinus}) router.ready(port);
      if (router.tx_valid(kTile)) {
        const ApeWord word = router.tx(kTile);
        router.credit(kTile, {word.vc, word.sop || word.eop ? 0 : 1, word.eop ? 1 : 0});
        if (word.eop) {
          ++arrived;
          ++hosts_[n].received;
        }
      }
      if (router.credit_valid(kTile)) {
        const ApeCredit credit = router.credit(kTile);
        hosts_[n].room[credit.vc].words += credit.words;
        hosts_[n].room[credit.vc].packets += credit.packets;
      }
      for (const int port : {kPlus, kMinus}) {
        ApeModel& neighbour = *routers_[(n + (port == kPlus ? 1 : size_ - 1)) % size_];
        const int theirs = port == kPlus ? kMinus : kPlus;
        if (router.tx_valid(port)) neighbour.rx(theirs, router.tx(port));
        if (router.credit_valid(port)) neighbour.credit(theirs, router.credit(port));
      }
    }
    for (auto& router : routers_) {
      router->edge();
      EXPECT_EQ(router->errors(), 0u);
    }
    return arrived;
  }

  int size_;
  Pattern pattern_;
  RandomStream random_;
  std::vector<std::unique_ptr<ApeModel>> routers_;
  std::vector<Host> hosts_;
  bool draining_ = false;
  int begun_ = 0;  ///< Packets.
};

class ApeRingOfSize : public testing::TestWithParam<int> {};

TEST_P(ApeRingOfSize, NeverStopsUnderSaturation) {
  const int size = GetParam();
  for (const Pattern pattern : {Pattern::kAllToAll, Pattern::kTornado}) {
    Ring ring(size, pattern, false, 1);
    int pause = 0;
    const int arrived = ring.run(20'000, &pause);
    std::cout << "ring of " << size << (pattern == Pattern::kTornado ? ", tornado: " : ", all to all: ") << arrived
              << " packets, longest pause " << pause << " edges, least at a node " << ring.smallest_share() << "\n";
    EXPECT_GT(arrived, 500);
    EXPECT_LT(pause, 500);
    // Turns at every router are fair between its inputs, not between sources: one far from its destination gets
    // little under tornado.
    if (pattern == Pattern::kAllToAll) {
      EXPECT_GT(ring.smallest_share(), 50);
    }
    EXPECT_TRUE(ring.drain()) << "packets are stuck";
  }
}

INSTANTIATE_TEST_SUITE_P(Some, ApeRingOfSize, testing::Values(2, 5));
INSTANTIATE_TEST_SUITE_P(More, ApeRingOfSize, testing::Values(3, 4, 6, 7, 8));

TEST(ApeRing, StopsForGoodWhereTheVcFollowsTheDirection) {
  Ring ring(5, Pattern::kTornado, true, 1);
  int pause = 0;
  ring.run(20'000, &pause);
  EXPECT_EQ(ring.run(5'000, &pause), 0);
}

}  // namespace
}  // namespace fabrictwin::test
