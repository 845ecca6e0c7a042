// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiver of a link alone, against a reference that reads the wire unit by unit: right packets, packets with one
// mistake each, noise, and a link that goes down at every cycle of a packet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "VApelinkRx__inputs.h"
#include "tests/rtl/apelink/receiver_reference.h"
#include "tests/rtl/apelink/wire_reference.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

/// The parameter of the model: a header that says more is beyond repair.
constexpr int kMaxPayloadBytes = 64;

uint64_t with_crc8(uint64_t frame) {
  frame &= 0xFF'FFFF'FFFF'FFFF;
  return frame | uint64_t{crc8_of(frame)} << 56;
}

class ApelinkRx : public ModuleTest<VApelinkRx> {
 protected:
  ApelinkRx() : ModuleTest(31) { restart(); }

  void restart() {
    model_.s_tvalid_i = 0;
    model_.down_i = 0;
    reset();
    heard_ = {};
    inside_ = false;
  }

  Word random_word() {
    return {static_cast<uint32_t>(random_()), static_cast<uint32_t>(random_()), static_cast<uint32_t>(random_()),
            static_cast<uint32_t>(random_())};
  }

  Word header(int payload_bytes) {
    Word word = random_word();
    word[1] = (word[1] & ~(0x3FFU << 16)) | static_cast<uint32_t>(payload_bytes) << 16;
    return word;
  }

  /// A frame of a packet with this header, or of a credit; without its CRC.
  uint64_t frame(bool credit, uint32_t check, uint32_t link = 0) {
    const uint64_t counts = uint64_t{random_()} << 32;
    const uint64_t health = random_() % 8;
    const uint64_t vc = random_() % 2;
    return (counts & 0xFF'FFFF'0000'0000) | uint64_t{link} << 30 | health << 27 | uint64_t{check} << 18 | vc << 17 |
           uint64_t{credit} << 16 | kMagic;
  }

  static void put(std::vector<uint32_t>& units, uint64_t frame) {
    units.push_back(static_cast<uint32_t>(frame));
    units.push_back(static_cast<uint32_t>(frame >> 32));
  }

  /// A right packet: frame, words and CRC.
  std::vector<uint32_t> packet(int payload_bytes) {
    std::vector<Word> words = {header(payload_bytes)};
    const int count = (payload_bytes + 15) / 16 + 2;
    while (static_cast<int>(words.size()) < count) words.push_back(random_word());
    words.back()[3] &= ~(1U << 31);
    std::vector<uint32_t> units;
    put(units, with_crc8(frame(false, secded_of(words[0]))));
    for (const Word& word : words) units.insert(units.end(), word.begin(), word.end());
    units.push_back(crc32_of(words));
    return units;
  }

  std::vector<uint32_t> credit(uint32_t link = 0) {
    std::vector<uint32_t> units;
    put(units, with_crc8(frame(true, random_() % 512, link)));
    return units;
  }

  /// Packets, credits and idle units, some of them damaged.
  std::vector<uint32_t> stream(int pieces, unsigned damage) {
    std::vector<uint32_t> units;
    for (int i = 0; i < pieces; ++i) {
      std::vector<uint32_t> piece;
      if (chance(60)) {
        piece = packet(draw(chance(10) ? 1024 : kMaxPayloadBytes + 1));
        if (piece.size() > 60) piece.resize(6 + random_() % 30);  // Nobody sends so long a packet whole.
      } else if (chance(70)) {
        piece = credit(chance(20) ? random_() % 4 : 0);
      } else {
        piece.assign(random_() % 6, kIdle);
      }
      if (!piece.empty() && chance(damage)) spoil(piece);
      units.insert(units.end(), piece.begin(), piece.end());
    }
    return units;
  }

  void spoil(std::vector<uint32_t>& piece) {
    const size_t at = random_() % piece.size();
    switch (draw(5)) {
      case 0:
        piece.erase(piece.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        piece.insert(piece.begin() + static_cast<std::ptrdiff_t>(at), chance(50) ? kMagic : random_());
        break;
      case 2:
        piece[at] ^= 1U << random_() % 32;
        [[fallthrough]];
      default:
        piece[random_() % std::min<size_t>(piece.size(), 6)] ^= 1U << random_() % 32;
    }
  }

  /// Looks at the outputs of a cycle, which ends.
  void look() {
    model_.eval();
    Said said;
    if (model_.frame_valid_o != 0) {
      said.frame = model_.frame_o;
      said.resync = model_.resync_event_o != 0;
    }
    if (model_.deliver_o != 0) {
      said.deliver = true;
      said.corrected = model_.corrected_event_o != 0;
      said.vc = model_.deliver_vc_o;
      said.words = model_.deliver_words_o;
      EXPECT_EQ(model_.down_i, 0);
      EXPECT_FALSE(inside_);
      inside_ = true;
    }
    EXPECT_TRUE(model_.resync_event_o == 0 || model_.frame_valid_o != 0);
    EXPECT_TRUE(model_.corrected_event_o == 0 || model_.deliver_o != 0);
    if (model_.down_i != 0) {
      EXPECT_TRUE(model_.frame_valid_o == 0 || (model_.frame_o >> 16 & 1) != 0);
      EXPECT_EQ(model_.crc_event_o, model_.packet_event_o);
    }
    said.packet = model_.packet_event_o != 0;
    said.crc = model_.crc_event_o != 0;
    said.uncorrectable = model_.uncorrectable_event_o != 0;
    said.length = model_.length_event_o != 0;
    if (said != Said()) heard_.said.push_back(said);
    if (model_.rx_valid_o != 0) {
      Taken word{
          .vc = model_.rx_vc_o, .sop = model_.rx_sop_o != 0, .eop = model_.rx_eop_o != 0, .bad = model_.rx_bad_o != 0};
      for (int u = 0; u < 4; ++u) word.data[u] = model_.rx_data_o[u];
      heard_.words.push_back(word);
    }
    // A packet that has begun, and a word at the output, are inside.
    EXPECT_FALSE((inside_ || model_.rx_valid_o != 0) && model_.idle_o != 0);
    if (said.packet) inside_ = false;
    edge();
  }

  /// Sends units, after which come idle ones, and waits until nothing is inside. The link is down from cycle `from` on
  /// for `cycles` cycles.
  void send(std::vector<uint32_t> units, unsigned valid_chance, int from = -1, int cycles = 0) {
    do {
      units.push_back(kIdle);
    } while (units.size() % 4 != 0);
    size_t at = 0;
    int cycle = 0;
    for (int rest = 0; rest < 8; ++cycle) {
      ASSERT_LT(cycle, 100'000);
      model_.down_i = cycle >= from && cycle < from + cycles;
      model_.s_tvalid_i = at < units.size() && chance(valid_chance);
      for (size_t u = 0; u < 4; ++u) model_.s_tdata_i[u] = model_.s_tvalid_i != 0 ? units[at + u] : random_();
      model_.eval();
      if (model_.s_tvalid_i != 0 && model_.s_tready_o != 0) at += 4;
      if (at == units.size() && model_.s_tvalid_i == 0 && cycle >= from + cycles) ++rest;
      look();
    }
    EXPECT_EQ(model_.idle_o, 1);
  }

  void expect(const Heard& heard) {
    ASSERT_EQ(heard_.words.size(), heard.words.size());
    for (size_t i = 0; i < heard.words.size(); ++i) ASSERT_EQ(heard_.words[i], heard.words[i]) << "word " << i;
    ASSERT_EQ(heard_.said.size(), heard.said.size());
    for (size_t i = 0; i < heard.said.size(); ++i) ASSERT_EQ(heard_.said[i], heard.said[i]) << "event " << i;
  }

  /// Sends units and compares.
  void check(const std::vector<uint32_t>& units, unsigned valid_chance) {
    std::vector<uint32_t> all = units;
    all.insert(all.end(), 4, kIdle);
    const Heard heard = ReceiverReference(all, kMaxPayloadBytes, model_.supervise_i != 0).read();
    send(units, valid_chance);
    expect(heard);
  }

  /// Words of a packet, or of its part before the link went down with zeros for the rest. Counts what has happened.
  void expect_packet(const std::vector<Taken>& words, const std::vector<uint32_t>& units) {
    const size_t count = (units.size() - 3) / 4;
    ASSERT_EQ(words.size(), count);
    size_t at = 0;
    for (size_t i = 0; i < count; ++i) {
      Word right{};
      for (size_t u = 0; u < 4; ++u) right[u] = units[2 + 4 * at + u];
      const bool last = i + 1 == count;
      Word data = words[i].data;
      ASSERT_EQ(words[i].eop, last);
      ASSERT_EQ(words[i].sop, i == 0);
      ASSERT_EQ(words[i].vc, units[0] >> 17 & 1);
      ASSERT_TRUE(last || !words[i].bad);
      if (last) {
        ASSERT_EQ(data[3] >> 31, words[i].bad ? 1u : 0u);
        data[3] &= ~(1U << 31);
        right[3] &= ~(1U << 31);
      }
      if (data == right) {
        ++at;
      } else {
        ASSERT_EQ(data, Word{}) << "word " << i;
      }
    }
    const bool bad = words.back().bad;
    ASSERT_TRUE(bad || at == count);
    ++seen_[!bad ? "right" : at == count ? "cut off at its CRC" : "cut off"];
  }

  /// What has come are packets of these in their order, the last of them for certain and right.
  void expect_whole(const std::vector<std::vector<uint32_t>>& packets) {
    size_t packet = 0;
    for (size_t i = 0; i < heard_.words.size(); ++packet) {
      ASSERT_LT(packet, packets.size());
      const auto& header = heard_.words[i].data;
      if (!std::equal(header.begin(), header.end(), packets[packet].begin() + 2)) {
        ++seen_["left out"];
        continue;
      }
      std::vector<Taken> words;
      do {
        words.push_back(heard_.words[i]);
      } while (!heard_.words[i++].eop && i < heard_.words.size());
      ASSERT_NO_FATAL_FAILURE(expect_packet(words, packets[packet]));
    }
    ASSERT_EQ(packet, packets.size());
    EXPECT_FALSE(heard_.words.back().bad);
  }

  Heard heard_;
  bool inside_ = false;
};

TEST_F(ApelinkRx, ReadsAnyWire) {
  std::map<std::string, int> seen;
  for (int run = 0; run < 400; ++run) {
    restart();
    model_.supervise_i = chance(50);
    // What follows the damage is long enough to be found again.
    std::vector<uint32_t> units = stream(20, run % 4 == 0 ? 0 : 25);
    units.insert(units.end(), 48, kIdle);
    for (int i = 0; i < 2; ++i) {
      const std::vector<uint32_t> last = packet(draw(kMaxPayloadBytes + 1));
      units.insert(units.end(), last.begin(), last.end());
    }
    ASSERT_NO_FATAL_FAILURE(check(units, run % 3 == 0 ? 100 : 20 + random_() % 70)) << "run " << run;
    for (const Said& said : heard_.said) {
      seen["resync"] += said.resync ? 1 : 0;
      seen["corrected"] += said.corrected ? 1 : 0;
      seen["uncorrectable"] += said.uncorrectable ? 1 : 0;
      seen["length"] += said.length ? 1 : 0;
      seen["crc"] += said.crc ? 1 : 0;
      seen["packet"] += said.packet && !said.crc ? 1 : 0;
    }
  }
  for (const char* what : {"resync", "corrected", "uncorrectable", "length", "crc", "packet"})
    EXPECT_GT(seen[what], 20) << what;
}

TEST_F(ApelinkRx, SeesEveryWrongBitOfFramesAndOfTheCrc) {
  for (int bit = 0; bit < 64 + 128 + 32; ++bit) {
    restart();
    std::vector<uint32_t> units = packet(0);
    // Frame, header, footer, CRC.
    ASSERT_EQ(units.size(), 11u);
    const int unit = bit < 192 ? bit / 32 : 10;
    units[static_cast<size_t>(unit)] ^= 1U << bit % 32;
    const std::vector<uint32_t> right = packet(20);
    units.insert(units.end(), 8, kIdle);
    units.insert(units.end(), right.begin(), right.end());
    ASSERT_NO_FATAL_FAILURE(check(units, 100)) << "bit " << bit;
    ASSERT_EQ(heard_.words.back().bad, false) << "bit " << bit;
    // A header is corrected; a frame is not, and its packet is no packet.
    EXPECT_EQ(heard_.words.size(), bit < 64 ? 4u : 6u) << "bit " << bit;
    if (bit >= 192) {
      EXPECT_TRUE(heard_.words[1].bad) << "bit " << bit;
    }
  }
}

TEST_F(ApelinkRx, TakesEveryLengthUpToTheLongest) {
  for (int bytes = 0; bytes < 1024; ++bytes) {
    restart();
    std::vector<uint32_t> units = packet(bytes);
    // The words of one that is too long would be noise.
    if (bytes > kMaxPayloadBytes) units.resize(6);
    const std::vector<uint32_t> next = packet(bytes % (kMaxPayloadBytes + 1));
    units.insert(units.end(), next.begin(), next.end());
    ASSERT_NO_FATAL_FAILURE(check(units, 100)) << bytes << " bytes";
  }
}

TEST_F(ApelinkRx, OnlyCreditsOfASupervisedLinkThatIsNotUpAreFrames) {
  for (const bool supervise : {false, true}) {
    for (uint32_t link = 0; link < 4; ++link) {
      restart();
      model_.supervise_i = supervise;
      std::vector<uint32_t> units = credit(link);
      const Word first = header(0);
      put(units, with_crc8(frame(false, secded_of(first), link)));
      units.insert(units.end(), first.begin(), first.end());
      const std::vector<uint32_t> right = packet(20);
      units.insert(units.end(), 8, kIdle);
      units.insert(units.end(), right.begin(), right.end());
      if (link != 0) {
        ASSERT_NO_FATAL_FAILURE(check(units, 100)) << "link " << link;
        EXPECT_EQ(heard_.words.size(), 4u);
        EXPECT_EQ(heard_.said.size(), supervise ? 4u : 3u);
      } else {
        send(credit(link), 100);
        EXPECT_EQ(heard_.said.size(), 1u);
      }
    }
  }
}

// It goes down at every cycle, for as long as a part of a packet or for more than one.
TEST_F(ApelinkRx, ALinkThatGoesDownEndsItsPacketAndBeginsNone) {
  for (const unsigned valid : {100U, 60U}) {
    for (const int cycles : {1, 2, 3, 9, 40}) {
      for (int from = 0; from < 60; ++from) {
        restart();
        std::vector<uint32_t> units(from % 4, kIdle);
        std::vector<std::vector<uint32_t>> packets;
        for (const int bytes : {40, 0, 64, 16}) {
          packets.push_back(packet(bytes));
          units.insert(units.end(), packets.back().begin(), packets.back().end());
          const std::vector<uint32_t> more = credit();
          units.insert(units.end(), more.begin(), more.end());
        }
        // This one comes when the link has long been up again.
        units.insert(units.end(), 400, kIdle);
        packets.push_back(packet(32));
        units.insert(units.end(), packets.back().begin(), packets.back().end());
        ASSERT_NO_FATAL_FAILURE(send(units, valid, from, cycles));
        const std::string what = "down for " + std::to_string(cycles) + " cycles at " + std::to_string(from);
        ASSERT_NO_FATAL_FAILURE(expect_whole(packets)) << what;
        ASSERT_FALSE(HasFailure()) << what;
      }
    }
  }
  EXPECT_GT(seen_["right"], 100);
  EXPECT_GT(seen_["cut off"], 100);
  EXPECT_GT(seen_["cut off at its CRC"], 10);
  EXPECT_GT(seen_["left out"], 100);
}

// The far end may have nothing else to send.
TEST_F(ApelinkRx, AFrameWaitsForNothingThatFollows) {
  for (int before = 0; before < 3; ++before) {
    restart();
    std::vector<uint32_t> units(static_cast<size_t>(before), kIdle);
    const std::vector<uint32_t> more = credit();
    units.insert(units.end(), more.begin(), more.end());
    units.resize(4, kIdle);
    for (size_t u = 0; u < 4; ++u) model_.s_tdata_i[u] = units[u];
    model_.s_tvalid_i = 1;
    look();
    model_.s_tvalid_i = 0;
    for (int cycle = 0; cycle < 6; ++cycle) look();
    ASSERT_EQ(heard_.said.size(), 1u) << before;
    EXPECT_EQ(heard_.said[0].frame, more[0] | uint64_t{more[1]} << 32);
    EXPECT_EQ(model_.idle_o, 1);
  }
}

TEST_F(ApelinkRx, OnlyCreditsAreFramesWhileTheLinkIsDown) {
  std::vector<uint32_t> units = packet(0);
  const std::vector<uint32_t> more = credit();
  units.insert(units.end(), more.begin(), more.end());
  ASSERT_NO_FATAL_FAILURE(send(units, 100, 0, 60));
  ASSERT_EQ(heard_.said.size(), 1u);
  EXPECT_EQ(heard_.said[0].frame, more[0] | uint64_t{more[1]} << 32);
  EXPECT_TRUE(heard_.said[0].resync) << "the packet was not what should have come";
  EXPECT_TRUE(heard_.words.empty());
}

}  // namespace
}  // namespace fabrictwin::test
