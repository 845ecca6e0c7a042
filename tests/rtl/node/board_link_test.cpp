// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ends of a board link alone: what comes out against what went in, and credits against plain sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "VNodeParts__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr int kBuffer = 32;  // Words of each VC, as in node_parts_top.

using Data = std::array<uint32_t, 4>;

struct LinkWord {
  Data data{};
  bool sop = false;
  bool eop = false;
  bool stray = false;  ///< Begins no packet, where one must begin.
};

class BoardLink : public ModuleTest<VNodeParts> {
 protected:
  BoardLink() : ModuleTest(31) { reset(); }
  void reset() {
    clear();
    ModuleTest::reset();
  }
  void clear() {
    model_.rx_valid_i = 0;
    model_.ready_i = 0;
    model_.valid_i = 0;
    model_.link_credit_valid_i = 0;
  }
  Data any() {
    return {static_cast<uint32_t>(random_()), static_cast<uint32_t>(random_()), static_cast<uint32_t>(random_()),
            static_cast<uint32_t>(random_())};
  }
  /// A header with this length, and anything in its other fields.
  Data header(int bytes) {
    Data data = any();
    data[1] = (data[1] & ~(0x3ffu << 16)) | static_cast<uint32_t>(bytes) << 16;
    return data;
  }
  std::vector<LinkWord> packet() {
    const int bytes = chance(15) ? 0 : chance(15) ? 256 : draw(257);
    const int words = (bytes + 15) / 16 + 2;
    std::vector<LinkWord> packet;
    for (int w = 0; w < words; ++w) packet.push_back({w == 0 ? header(bytes) : any(), w == 0, w == words - 1, false});
    return packet;
  }
  void put_rx(int vc, const LinkWord& word) {
    model_.rx_valid_i = 1;
    model_.rx_vc_i = static_cast<uint8_t>(vc);
    model_.rx_sop_i = word.sop;
    model_.rx_eop_i = word.eop;
    for (size_t u = 0; u < 4; ++u) model_.rx_data_i[u] = word.data[u];
  }
  Data out() const { return {model_.data_o[0], model_.data_o[1], model_.data_o[2], model_.data_o[3]}; }

  /// Packets on both VCs, word by word in any mixture. With `damage`, words that begin no packet come in between, and
  /// flags are wrong.
  void receive(bool damage);
};

void BoardLink::receive(bool damage) {
  struct Lane {
    std::deque<LinkWord> to_send;
    std::deque<LinkWord> inside;  // Sent, and not yet out or dropped.
    int credits = kBuffer;
    int strays = 0;  // Sent, no credit yet.
  };
  std::array<Lane, 2> lanes;
  std::optional<size_t> current;  // VC of the packet that comes out.
  size_t last = 2;
  int left = 0, length = 0;
  std::optional<std::pair<size_t, int>> credit;
  constexpr int kSteps = 40'000, kDrain = 1000;
  unsigned send = 50, take = 50;
  for (int step = 0; step < kSteps + kDrain; ++step) {
    if (step % 60 == 0) {
      send = random_() % 3 * 49 + 2;
      take = random_() % 3 * 49 + 2;
    }
    const bool draining = step >= kSteps;
    clear();
    // Credits of the last edge.
    if (model_.rx_credit_valid_o) {
      Lane& lane = lanes[model_.rx_credit_vc_o];
      lane.credits += model_.rx_credit_count_o;
      if (!credit.has_value()) {
        ASSERT_GT(lane.strays, 0) << step << ": credits for nothing";
        ASSERT_EQ(model_.rx_credit_count_o, 1) << step;
        --lane.strays;
        // The dropped word was the oldest one.
        ASSERT_FALSE(lane.inside.empty());
        lane.inside.pop_front();
        last = model_.rx_credit_vc_o;
      } else {
        ASSERT_EQ(model_.rx_credit_vc_o, credit->first) << step;
        ASSERT_EQ(model_.rx_credit_count_o, credit->second) << step;
      }
    } else {
      ASSERT_FALSE(credit.has_value()) << step << ": no credits for a packet that has left";
    }
    ASSERT_EQ(model_.rx_idle_o,
              lanes[0].inside.empty() && lanes[1].inside.empty() && !current.has_value() && !model_.rx_credit_valid_o)
        << step;
    credit.reset();

    // Words that are dropped at the end of a cycle still count in it.
    for (size_t vc = 0; vc < 2; ++vc) {
      const auto inside = static_cast<int>(lanes[vc].inside.size());
      const int queued = static_cast<int>(model_.rx_queued_o >> (6 * vc) & 0x3f);
      ASSERT_LE(queued, inside) << step << " VC " << vc;
      ASSERT_GE(queued, inside - (damage ? lanes[vc].strays : 0)) << step << " VC " << vc;
    }

    // The consumer's side, of the words that were there before this edge.
    model_.ready_i = draining || chance(take);
    model_.eval();
    std::optional<size_t> taken;
    if (model_.valid_o) {
      if (!current.has_value()) {
        ASSERT_TRUE(model_.sop_o) << step;
        for (size_t vc = 0; vc < 2; ++vc) {
          if (!lanes[vc].inside.empty() && lanes[vc].inside.front().data == out()) taken = vc;
        }
        ASSERT_TRUE(taken.has_value()) << step << ": a header that nobody sent, or out of order";
        if (!damage && *taken == last) {
          ASSERT_TRUE(lanes[1 - last].inside.empty()) << step << ": it is the other VC's turn";
        }
        if (last < 2 && *taken != last) ++seen_["turn"];
        left = length = static_cast<int>((((out()[1] >> 16) & 0x3ff) + 15) / 16 + 2);
      } else {
        taken = current;
        ASSERT_FALSE(model_.sop_o) << step;
        ASSERT_FALSE(lanes[*taken].inside.empty()) << step;
        ASSERT_EQ(out(), lanes[*taken].inside.front().data) << step << ": packets mix";
      }
      ASSERT_EQ(model_.eop_o, left == 1) << step;
      if (!model_.ready_i) {
        taken.reset();
        ++seen_["held up"];
      }
    }

    // The link's side.
    const size_t vc = random_() & 1;
    Lane& lane = lanes[vc];
    if (!draining && lane.to_send.empty()) {
      const std::vector<LinkWord> next = packet();
      lane.to_send.insert(lane.to_send.end(), next.begin(), next.end());
      if (damage && chance(10)) lane.to_send[static_cast<size_t>(draw(static_cast<int>(next.size())))].eop ^= true;
      if (damage && chance(20)) {
        // In front of it: no header, or one that announces too much.
        const bool too_long = chance(50);
        lane.to_send.push_front({header(too_long ? 257 + draw(700) : 32), too_long, chance(50), true});
      }
    }
    std::optional<LinkWord> sent;
    if (!lane.to_send.empty() && lane.credits > 0 && (draining || chance(send))) {
      sent = lane.to_send.front();
      lane.to_send.pop_front();
      --lane.credits;
      if (lane.credits == 0) ++seen_["buffer full"];
      put_rx(static_cast<int>(vc), *sent);
      model_.eval();
    }
    if (model_.rx_drop_o) ++seen_["drops"];
    edge();
    if (taken.has_value()) {
      lanes[*taken].inside.pop_front();
      current = taken;
      last = *taken;
      if (--left == 0) {
        credit = {*taken, length};
        current.reset();
        ++seen_["packets"];
      }
    }
    if (sent.has_value()) {
      lane.inside.push_back(*sent);
      if (sent->stray) {
        ++lane.strays;
        ++seen_["strays"];
      }
    }
  }
  for (size_t vc = 0; vc < 2; ++vc) {
    EXPECT_TRUE(lanes[vc].to_send.empty() && lanes[vc].inside.empty()) << "words are left on VC " << vc;
    EXPECT_EQ(lanes[vc].credits, kBuffer) << "VC " << vc;
  }
  EXPECT_TRUE(model_.rx_idle_o);
  EXPECT_EQ(model_.rx_error_o, damage);
}

TEST_F(BoardLink, ReceiverMergesWholePacketsInTurns) {
  receive(false);
  EXPECT_EQ(seen_["drops"], 0);
  for (const char* corner : {"packets", "turn", "held up", "buffer full"}) EXPECT_GT(seen_[corner], 200) << corner;
}

TEST_F(BoardLink, ReceiverDropsWhatBeginsNoPacket) {
  receive(true);
  for (const char* corner : {"packets", "strays"}) EXPECT_GT(seen_[corner], 200) << corner;
  EXPECT_EQ(seen_["drops"], seen_["strays"]);
}

TEST_F(BoardLink, ReceiverReportsFlagsThatDoNotFrameThePacket) {
  enum class Fault { kNone, kEndMissing, kEarlyEnd, kSecondStart };
  for (const Fault fault : {Fault::kNone, Fault::kEndMissing, Fault::kEarlyEnd, Fault::kSecondStart}) {
    reset();
    for (int w = 0; w < 4; ++w) {
      put_rx(0, {w == 0 ? header(32) : any(), w == 0 || (w == 2 && fault == Fault::kSecondStart),
                 (w == 3 && fault != Fault::kEndMissing) || (w == 1 && fault == Fault::kEarlyEnd), false});
      edge();
    }
    clear();
    // The length decides all the same.
    for (int w = 0; w < 4; ++w) {
      model_.ready_i = 1;
      model_.eval();
      EXPECT_TRUE(model_.valid_o);
      EXPECT_EQ(model_.sop_o, w == 0);
      EXPECT_EQ(model_.eop_o, w == 3);
      edge();
    }
    clear();
    model_.eval();
    EXPECT_EQ(model_.rx_error_o, fault != Fault::kNone) << static_cast<int>(fault);
  }
}

TEST_F(BoardLink, ReceiverReportsWordsThatItHasNoRoomFor) {
  for (int w = 0; w < kBuffer; ++w) {
    put_rx(1, {w == 0 ? header(256) : any(), w == 0, false, false});
    edge();
  }
  clear();
  edge();
  EXPECT_FALSE(model_.rx_error_o);
  put_rx(1, {any(), false, false, false});
  edge();
  clear();
  // The buffer says so first, then it becomes the end's own.
  edge();
  EXPECT_TRUE(model_.rx_error_o);
  reset();
  EXPECT_FALSE(model_.rx_error_o);
}

TEST_F(BoardLink, SenderLetsAPacketBeginWhenAllOfItHasRoom) {
  std::deque<LinkWord> words;
  int used = 0;    // Words of the far buffer, from the header on.
  int coming = 0;  // Length of the packet under way.
  int back = 0;    // Credits that can come back.
  for (int step = 0; step < 40'000; ++step) {
    clear();
    if (words.empty() && chance(70)) {
      const std::vector<LinkWord> next = packet();
      words.insert(words.end(), next.begin(), next.end());
    }
    model_.link_ready_i = chance(80);
    if (!words.empty()) {
      model_.valid_i = 1;
      model_.sop_i = words.front().sop;
      model_.eop_i = words.front().eop;
      for (size_t u = 0; u < 4; ++u) model_.data_i[u] = words.front().data[u];
    }
    int returned = 0;
    if (back > 0 && chance(step / 200 % 2 != 0 ? 10 : 60)) {
      returned = 1 + draw(back);
      model_.link_credit_valid_i = 1;
      model_.link_credit_vc_i = 0;
      model_.link_credit_count_i = static_cast<uint8_t>(returned);
    }
    model_.eval();
    const bool valid = !words.empty();
    const int length = valid && words.front().sop ? static_cast<int>(words.size()) : 0;
    const bool allowed = valid && used + length <= kBuffer;
    if (valid && length > 0 && used + length == kBuffer) ++seen_["just fits"];
    if (valid && !allowed) ++seen_["waits"];
    ASSERT_EQ(model_.link_valid_o, allowed) << step;
    ASSERT_EQ(model_.credit_stall_o, valid && !allowed) << step;
    ASSERT_EQ(model_.tx_used_o, used) << step;
    const bool moves = allowed && model_.link_ready_i;
    if (valid) {
      ASSERT_EQ(model_.ready_o, moves) << step;
    }
    if (allowed) {
      ASSERT_EQ(model_.link_vc_o, 0);
      ASSERT_EQ(model_.link_sop_o, words.front().sop) << step;
      ASSERT_EQ(model_.link_eop_o, words.front().eop) << step;
      for (size_t u = 0; u < 4; ++u) ASSERT_EQ(model_.link_data_o[u], words.front().data[u]) << step;
    }
    edge();
    used -= returned;
    back -= returned;
    if (moves) {
      if (length > 0) {
        used += length;
        coming = length;
      }
      words.pop_front();
      if (words.empty()) {
        back += coming;
        ++seen_["packets"];
      }
    }
    ASSERT_FALSE(model_.tx_error_o) << step;
  }
  for (const char* corner : {"just fits", "waits", "packets"}) EXPECT_GT(seen_[corner], 100) << corner;
}

TEST_F(BoardLink, SenderReportsCreditsThatAreNotInUse) {
  // Sends packets of two words until it must wait; returns how many began.
  const auto begins = [&] {
    int count = 0;
    for (int step = 0; step < 100; ++step) {
      clear();
      model_.valid_i = 1;
      model_.link_ready_i = 1;
      const Data data = step % 2 == 0 ? header(0) : any();
      model_.sop_i = step % 2 == 0;
      model_.eop_i = step % 2 != 0;
      for (size_t u = 0; u < 4; ++u) model_.data_i[u] = data[u];
      model_.eval();
      if (!model_.ready_o) break;
      count += model_.sop_i;
      edge();
    }
    clear();
    return count;
  };
  const auto give = [&](int vc, int count) {
    model_.link_credit_valid_i = 1;
    model_.link_credit_vc_i = static_cast<uint8_t>(vc);
    model_.link_credit_count_i = static_cast<uint8_t>(count);
    edge();
    clear();
    model_.eval();
  };
  EXPECT_EQ(begins(), kBuffer / 2);
  give(0, kBuffer);
  EXPECT_FALSE(model_.tx_error_o);
  give(0, 4);
  EXPECT_TRUE(model_.tx_error_o);
  EXPECT_EQ(begins(), kBuffer / 2) << "more than the far buffer holds";
  reset();
  EXPECT_FALSE(model_.tx_error_o);
  EXPECT_EQ(begins(), kBuffer / 2);
  give(1, 10);
  EXPECT_TRUE(model_.tx_error_o) << "credits of a VC that is not used";
  EXPECT_EQ(begins(), 0);
}

}  // namespace
}  // namespace fabrictwin::test
