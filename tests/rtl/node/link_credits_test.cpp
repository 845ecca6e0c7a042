// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The translators between a router's credits and a link's, against plain sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "VNodeParts__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr size_t kPackets = 4;  // Under way on a VC.
constexpr int kEnough = 16;     // Words that a neighbour gets back without a packet's end.

/// Credits on a wire in one cycle.
struct Credit {
  int vc = 0;
  int words = 0;
};

class LinkCredits : public ModuleTest<VNodeParts> {
 protected:
  LinkCredits() : ModuleTest(23) {
    clear();
    reset();
  }
  void clear() {
    model_.tx_valid_i = 0;
    model_.free_valid_i = 0;
    model_.return_valid_i = 0;
  }
};

// Towards the router: a packet's credits come back when the freed words cover it, oldest first, one packet a cycle.
TEST_F(LinkCredits, WordsBecomePackets) {
  struct Lane {
    std::deque<int> packets;  // Payload words of each that is under way.
    int freed = 0;            // Words of these that are free.
    int unfreed = 0;          // Words sent that are not.
  };
  std::array<Lane, 2> lanes;
  int last_vc = 1;
  unsigned send = 50, free = 50;
  for (int step = 0; step < 80'000; ++step) {
    if (step % 40 == 0) {
      send = random_() % 3 * 49 + 2;
      free = random_() % 3 * 49 + 2;
    }
    // What the state before the edge says is on the wires after it.
    std::optional<Credit> expected;
    const auto due = [&](int vc) {
      const Lane& lane = lanes[static_cast<size_t>(vc)];
      return !lane.packets.empty() && lane.freed >= lane.packets.front() + 2;
    };
    const int turn = 1 - last_vc;
    if (due(turn) || due(1 - turn)) {
      if (due(0) && due(1)) ++seen_["both due"];
      last_vc = due(turn) ? turn : 1 - turn;
      Lane& lane = lanes[static_cast<size_t>(last_vc)];
      expected = {last_vc, lane.packets.front()};
      if (lane.freed == lane.packets.front() + 2) ++seen_["just covered"];
      if (lane.packets.size() == kPackets) ++seen_["of a full list"];
    }

    clear();
    const int vc = draw(2);
    Lane& lane = lanes[static_cast<size_t>(vc)];
    model_.tx_vc_i = static_cast<uint8_t>(vc);
    model_.tx_sop_i = chance(60);
    model_.tx_ready_i = chance(70);
    const int bytes = chance(20) ? 0 : draw(513);
    model_.tx_payload_bytes_i = static_cast<uint16_t>(bytes);
    // A header only when the router has a packet's credit. Words that are not taken or no headers count nothing.
    const bool room = lane.packets.size() < kPackets;
    model_.tx_valid_i = chance(send) && (room || !model_.tx_sop_i || !model_.tx_ready_i);
    const bool header = model_.tx_valid_i && model_.tx_sop_i && model_.tx_ready_i;
    const int free_vc = draw(2);
    Lane& freeing = lanes[static_cast<size_t>(free_vc)];
    int freed = 0;
    if (freeing.unfreed > 0 && chance(free)) {
      freed = 1 + draw(std::min(freeing.unfreed, 100));
      model_.free_valid_i = 1;
      model_.free_vc_i = static_cast<uint8_t>(free_vc);
      model_.free_count_i = static_cast<uint8_t>(freed);
    }
    model_.eval();
    edge();
    if (expected.has_value()) {
      Lane& returned = lanes[static_cast<size_t>(expected->vc)];
      returned.freed -= expected->words + 2;
      returned.packets.pop_front();
    }
    freeing.freed += freed;
    freeing.unfreed -= freed;
    if (header) {
      lane.packets.push_back((bytes + 15) / 16);
      lane.unfreed += (bytes + 15) / 16 + 2;
      ++seen_["packets"];
    }
    const bool idle = !due(0) && !due(1) && !expected.has_value();
    for (unsigned t = 0; t < 2; ++t) {
      ASSERT_EQ(model_.credit_valid_o >> t & 1, expected.has_value()) << step;
      ASSERT_EQ(model_.credits_idle_o >> t & 1, idle) << step;
      if (!expected.has_value()) continue;
      ASSERT_EQ(model_.credit_vc_o >> t & 1, expected->vc) << step;
      ASSERT_EQ(model_.credit_words_o >> (8 * t) & 0xff, expected->words) << step;
      ASSERT_EQ(model_.credit_packets_o >> (4 * t) & 0xf, 1) << step;
    }
  }
  for (const char* corner : {"both due", "just covered", "of a full list", "packets"})
    EXPECT_GT(seen_[corner], 500) << corner;
}

// Towards the neighbour: header and footer go with the packet; a link is told at once, a tile by whole packets.
TEST_F(LinkCredits, CreditsBecomeWords) {
  std::array<int, 2> kept{};
  std::optional<Credit> tile_next;  // On the tile's wires after the next edge.
  std::array<int, 2> given{}, told{};
  for (int step = 0; step < 40'000; ++step) {
    clear();
    std::optional<Credit> link, tile_later;
    if (chance(step / 100 % 2 != 0 ? 95 : 30)) {
      const int vc = draw(2), words = chance(30) ? draw(33) : draw(3), packets = chance(20) ? 1 + draw(2) : 0;
      model_.return_valid_i = 1;
      model_.return_vc_i = static_cast<uint8_t>(vc);
      model_.return_words_i = static_cast<uint8_t>(words);
      model_.return_packets_i = static_cast<uint8_t>(packets);
      link = {vc, words + 2 * packets};
      int& sum = kept[static_cast<size_t>(vc)];
      sum += link->words;
      given[static_cast<size_t>(vc)] += link->words;
      if (packets != 0 || sum >= kEnough) {
        ++seen_[packets != 0 ? "a packet's end" : sum == kEnough ? "just enough" : "more than enough"];
        if (packets != 0 && sum > link->words) ++seen_["kept words with a packet"];
        tile_later = {vc, sum};
        sum = 0;
      } else {
        ++seen_["kept"];
      }
    }
    model_.eval();
    edge();
    ASSERT_EQ(model_.freed_valid_o & 1, link.has_value()) << step;
    if (link.has_value()) {
      ASSERT_EQ(model_.freed_vc_o & 1, link->vc) << step;
      ASSERT_EQ(model_.freed_count_o & 0xff, link->words) << step;
    }
    ASSERT_EQ(model_.freed_valid_o >> 1 & 1, tile_next.has_value()) << step;
    if (tile_next.has_value()) {
      ASSERT_EQ(model_.freed_vc_o >> 1 & 1, tile_next->vc) << step;
      ASSERT_EQ(model_.freed_count_o >> 8, tile_next->words) << step;
      told[static_cast<size_t>(tile_next->vc)] += tile_next->words;
    }
    ASSERT_EQ(model_.credits_idle_o & 1, !link.has_value()) << step;
    ASSERT_EQ(model_.credits_idle_o >> 1 & 1, !link.has_value() && !tile_next.has_value()) << step;
    tile_next = tile_later;
  }
  if (tile_next.has_value()) told[static_cast<size_t>(tile_next->vc)] += tile_next->words;
  for (size_t vc = 0; vc < 2; ++vc) EXPECT_EQ(told[vc] + kept[vc], given[vc]) << "VC " << vc;
  for (const char* corner : {"a packet's end", "just enough", "more than enough", "kept", "kept words with a packet"})
    EXPECT_GT(seen_[corner], 100) << corner;
}

// Both translators and their neighbours begin anew: no credit on the wires, no packet, no freed word and no kept word
// of the time before.
TEST_F(LinkCredits, ResetForgetsWhatWasUnderWay) {
  for (int round = 0; round < 300; ++round) {
    std::array<int, 2> packets{}, unfreed{};
    // With more words freed than one packet has, several credits in a row are due.
    for (int steps = 4 + draw(20); steps > 0; --steps) {
      clear();
      const size_t vc = static_cast<size_t>(draw(2));
      model_.tx_vc_i = static_cast<uint8_t>(vc);
      model_.tx_sop_i = model_.tx_ready_i = 1;
      model_.tx_payload_bytes_i = static_cast<uint16_t>(16 * draw(4));
      model_.tx_valid_i = packets[vc] < static_cast<int>(kPackets);
      if (model_.tx_valid_i != 0) {
        ++packets[vc];
        unfreed[vc] += model_.tx_payload_bytes_i / 16 + 2;
      }
      const size_t free_vc = 1 - vc;
      if (unfreed[free_vc] > 0 && chance(60)) {
        const int freed = 1 + draw(unfreed[free_vc]);
        model_.free_valid_i = 1;
        model_.free_vc_i = static_cast<uint8_t>(free_vc);
        model_.free_count_i = static_cast<uint8_t>(freed);
        unfreed[free_vc] -= freed;
      }
      model_.return_valid_i = chance(60);
      model_.return_vc_i = static_cast<uint8_t>(draw(2));
      model_.return_words_i = static_cast<uint8_t>(draw(6));
      model_.return_packets_i = chance(20) ? 1 : 0;
      edge();
    }
    if (model_.credit_valid_o != 0) ++seen_["credit on the wires"];
    if (model_.freed_valid_o != 0) ++seen_["freed words on the wires"];
    if (unfreed[0] + unfreed[1] > 0) ++seen_["packets under way"];
    clear();
    reset();

    const auto expect_quiet = [&] {
      EXPECT_EQ(model_.credit_valid_o, 0) << round;
      EXPECT_EQ(model_.freed_valid_o, 0) << round;
      EXPECT_EQ(model_.credits_idle_o, 3) << round;
    };
    expect_quiet();
    for (int vc : {0, 1}) {
      // A new packet of three words is the oldest, and all of its words must be freed.
      model_.tx_valid_i = 1;
      model_.tx_vc_i = static_cast<uint8_t>(vc);
      model_.tx_sop_i = model_.tx_ready_i = 1;
      model_.tx_payload_bytes_i = 48;
      edge();
      clear();
      const auto free = [&](int words) {
        model_.free_valid_i = 1;
        model_.free_vc_i = static_cast<uint8_t>(vc);
        model_.free_count_i = static_cast<uint8_t>(words);
        edge();
        clear();
        edge();
      };
      free(4);
      expect_quiet();
      free(1);
      EXPECT_EQ(model_.credit_valid_o, 3) << round;
      EXPECT_EQ(model_.credit_vc_o, 3 * vc) << round;
      EXPECT_EQ(model_.credit_words_o, 0x0303) << round;
      edge();
      expect_quiet();
      // The tile is told of words without a packet's end when there are enough, of which none are from before.
      const auto give_back = [&](int words) {
        model_.return_valid_i = 1;
        model_.return_vc_i = static_cast<uint8_t>(vc);
        model_.return_words_i = static_cast<uint8_t>(words);
        model_.return_packets_i = 0;
        edge();
        clear();
        edge();
      };
      give_back(kEnough - 1);
      expect_quiet();
      give_back(1);
      EXPECT_EQ(model_.freed_valid_o, 2) << round;
      EXPECT_EQ(model_.freed_count_o >> 8, kEnough) << round;
      edge();
      expect_quiet();
    }
    if (HasFailure()) return;
  }
  for (const char* corner : {"credit on the wires", "freed words on the wires", "packets under way"})
    EXPECT_GT(seen_[corner], 50) << corner;
}

}  // namespace
}  // namespace fabrictwin::test
