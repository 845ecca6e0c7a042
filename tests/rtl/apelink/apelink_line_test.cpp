// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ end of a wire against the transmission control logic, and against the wire's reference.
#include "rtl/transactor/apelink_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "VApelinkTclDeep___024root.h"
#include "VApelinkTclDeep__inputs.h"
#include "VApelinkTcl___024root.h"
#include "VApelinkTcl__inputs.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/apelink/wire_reference.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

using LineWord = rtl::ApelinkLine::PacketWord;
using ::testing::HasSubstr;

// Buffers of each VC of either end, and the bits of the logic's counts.
struct Shallow {
  using Model = VApelinkTcl;
  static constexpr int kBufferWords = 128;
  static constexpr int kCountBits = 8;
};
struct Deep {
  using Model = VApelinkTclDeep;
  static constexpr int kBufferWords = 1152;
  static constexpr int kCountBits = 11;
};

Word units_of(const fabrictwin::link::Word& word) {
  return {static_cast<uint32_t>(word.lo), static_cast<uint32_t>(word.lo >> 32), static_cast<uint32_t>(word.hi),
          static_cast<uint32_t>(word.hi >> 32)};
}

std::vector<LineWord> random_packet(std::mt19937_64& random, int vc, int max_payload = 512) {
  const auto payload = static_cast<uint64_t>(random() % (max_payload + 1));
  std::vector<LineWord> words((payload + 15) / 16 + 2);
  for (LineWord& word : words) word = {{random(), random()}, static_cast<uint8_t>(vc), 0};
  words[0].word.lo = (words[0].word.lo & ~(uint64_t{0x3ff} << 48)) | payload << 48;
  // The mark of a damaged packet is not sent.
  words.back().word.hi &= ~uint64_t{0} >> 1;
  words[0].flags |= link::kStartOfPacket;
  words.back().flags |= link::kEndOfPacket;
  return words;
}

// What one end of the link sends and gets, with the credits that routers keep.
struct End {
  std::array<std::vector<LineWord>, link::kVcs> sent, received;
  std::array<std::deque<LineWord>, link::kVcs> to_send;
  std::array<int, link::kVcs> room{};
  std::array<int, link::kVcs> held{};  // Words received whose credit is to be returned.

  // Words that may go now; whole packets wait for room as routers do.
  bool may_send(int vc) const {
    if (to_send[vc].empty()) return false;
    const LineWord& word = to_send[vc].front();
    return (word.flags & link::kStartOfPacket) == 0 || rtl::apelink_packet_words(word.word) <= room[vc];
  }
  LineWord take(int vc) {
    const LineWord word = to_send[vc].front();
    if ((word.flags & link::kStartOfPacket) != 0) room[vc] -= rtl::apelink_packet_words(word.word);
    to_send[vc].pop_front();
    sent[vc].push_back(word);
    return word;
  }
  bool finished() const { return to_send[0].empty() && to_send[1].empty() && held[0] + held[1] == 0; }
};

template <class Shape>
class LineAndLogic {
 public:
  // With `one_way` the logic alone sends, on VC 0 alone, and nothing else ever changes.
  LineAndLogic(uint64_t seed, int packets, int stalls, bool one_way = false)
      : random_(seed), stalls_(stalls), one_way_(one_way) {
    zero_inputs(model_);
    model_.tred_i = Shape::kBufferWords << Shape::kCountBits | Shape::kBufferWords;
    for (int i = 0; i < 3; ++i) rtl::rising_edge_in_two(model_);
    model_.rst_ni = 1;
    for (End* end : {&logic_, &line_}) {
      end->room = {Shape::kBufferWords, Shape::kBufferWords};
      for (int i = 0; i < packets && !(one_way && end == &line_); ++i) {
        const int vc = one_way ? 0 : static_cast<int>(random_() & 1);
        for (const LineWord& word : random_packet(random_, vc)) end->to_send[vc].push_back(word);
      }
    }
  }

  bool stalled() { return static_cast<int>(random_() % 100) < stalls_; }

  void cycle() {
    drive_router();
    drive_line();
    model_.clk_i = 0;
    model_.eval();
    sample();
    model_.clk_i = 1;
    model_.eval();
    collect();
    ++cycle_;
  }

  void run() {
    for (int quiet = 0; quiet < 300 && cycle_ < 400'000; ++quiet) {
      cycle();
      if (!logic_.finished() || !line_.finished() || !wire_.idle() || line_word_held_) quiet = 0;
      ASSERT_TRUE(status_.ok()) << status_ << " in cycle " << cycle_;
    }
    ASSERT_LT(cycle_, 400'000);
  }

  void check() {
    for (int vc = 0; vc < link::kVcs; ++vc) {
      EXPECT_TRUE(line_.received[vc] == logic_.sent[vc]) << "VC " << vc;
      EXPECT_TRUE(logic_.received[vc] == line_.sent[vc]) << "VC " << vc;
      EXPECT_EQ(logic_.room[vc], Shape::kBufferWords) << "all credits are back";
      EXPECT_EQ(line_.room[vc], Shape::kBufferWords) << "all credits are back";
    }
    EXPECT_EQ(model_.used_o, 0);
    EXPECT_EQ(model_.error_o, 0);
    EXPECT_EQ(model_.crc_errors_o + model_.dropped_packets_o + model_.resyncs_o + model_.corrected_headers_o, 0);
    EXPECT_EQ(from_logic_.error, "");
    EXPECT_EQ(from_line_.error, "");
    EXPECT_EQ(wire_.far_health(), router_health_);
    EXPECT_EQ(model_.credit_health_o, line_health_);
  }

  // The other end says its health, with or without a change, and nothing else.
  void say_health(uint8_t health) {
    line_health_ = health;
    wire_.send_credit(0, 0, health);
  }
  // The line sends nothing for every other 1000 cycles, while much is freed.
  void pause_line() { pauses_ = true; }
  // What credits of no words have told the router.
  const std::vector<int>& announced() const { return announced_; }
  const std::vector<WireFrame>& frames() const { return from_logic_.frames; }
  int cycles() const { return cycle_; }
  int line_words() const { return line_words_; }
  // From the logic, and from the other end.
  int long_frames() const { return from_logic_.long_frames; }
  int line_long_frames() const { return from_line_.long_frames; }

 private:
  // The router's side of the logic.
  void drive_router() {
    if (!one_way_ && random_() % 500 == 0) router_health_ = static_cast<uint8_t>(random_() % 8);
    model_.credit_health_i = router_health_;
    model_.credit_valid_i = 0;
    const auto vc = static_cast<int>(random_() & 1);
    if (logic_.held[vc] > 0 && !stalled()) {
      model_.credit_valid_i = 1;
      model_.credit_vc_i = static_cast<uint8_t>(vc);
      const int count = 1 + static_cast<int>(random_() % static_cast<uint64_t>(logic_.held[vc]));
      model_.credit_count_i = static_cast<std::remove_reference_t<decltype(model_.credit_count_i)>>(count);
      logic_.held[vc] -= count;
    }
    if (!router_word_.has_value() && !stalled()) {
      const auto first = static_cast<int>(random_() & 1);
      for (const int v : {first, 1 - first}) {
        if (!router_word_.has_value() && logic_.may_send(v)) router_word_ = logic_.take(v);
      }
    }
    model_.tx_valid_i = router_word_.has_value();
    if (router_word_.has_value()) {
      model_.tx_vc_i = router_word_->vc;
      model_.tx_sop_i = (router_word_->flags & link::kStartOfPacket) != 0;
      model_.tx_eop_i = (router_word_->flags & link::kEndOfPacket) != 0;
      const Word units = units_of(router_word_->word);
      for (int u = 0; u < 4; ++u) model_.tx_data_i[u] = units[u];
    }
  }

  void drive_line() {
    const auto first = static_cast<int>(random_() & 1);
    for (const int vc : {first, 1 - first}) {
      if (line_.may_send(vc) && !stalled()) status_.Update(wire_.send_word(line_.take(vc)));
      if (line_.held[vc] > 0 && !stalled()) {
        if (!one_way_ && random_() % 50 == 0) line_health_ = static_cast<uint8_t>(random_() % 8);
        // Credits of routers come by up to 255.
        const int count = 1 + static_cast<int>(random_() % static_cast<uint64_t>(std::min(line_.held[vc], 255)));
        line_.held[vc] -= count;
        wire_.send_credit(static_cast<uint8_t>(vc), static_cast<uint8_t>(count), line_health_);
      }
    }
    const bool pause = pauses_ && cycle_ / 1000 % 2 == 1;
    if (!line_word_held_ && cycle_ % 2 == 0 && !stalled() && !pause) {
      const bool can_send = wire_.can_send();
      fabrictwin::link::Word word;
      line_word_held_ = wire_.next(word);
      EXPECT_EQ(line_word_held_, can_send);
      if (line_word_held_) {
        const Word units = units_of(word);
        from_line_.parse(units);
        for (int u = 0; u < 4; ++u) model_.s_tdata_i[u] = units[u];
        ++line_words_;
      }
    }
    model_.s_tvalid_i = line_word_held_;
    model_.m_tready_i = cycle_ % 2 == 0 && !stalled();
  }

  void sample() {
    if (router_word_.has_value() && model_.tx_ready_o != 0) router_word_.reset();
    if (model_.s_tready_o != 0) line_word_held_ = false;
    if (model_.m_tvalid_o == 0 || model_.m_tready_i == 0) return;
    from_logic_.parse({model_.m_tdata_o[0], model_.m_tdata_o[1], model_.m_tdata_o[2], model_.m_tdata_o[3]});
    rtl::ApelinkLine::Arrived arrived;
    status_.Update(wire_.take({model_.m_tdata_o[0] | uint64_t{model_.m_tdata_o[1]} << 32,
                               model_.m_tdata_o[2] | uint64_t{model_.m_tdata_o[3]} << 32},
                              arrived));
    if (arrived.has_word) {
      line_.received[arrived.word.vc].push_back(arrived.word);
      ++line_.held[arrived.word.vc];
    }
    for (int vc = 0; vc < link::kVcs; ++vc) line_.room[vc] += arrived.freed[vc];
  }

  void collect() {
    if (model_.rx_valid_o != 0) {
      EXPECT_EQ(model_.rx_bad_o, 0);
      const auto vc = static_cast<uint8_t>(model_.rx_vc_o);
      const auto flags = static_cast<uint8_t>((model_.rx_sop_o != 0 ? link::kStartOfPacket : 0) |
                                              (model_.rx_eop_o != 0 ? link::kEndOfPacket : 0));
      logic_.received[vc].push_back({{model_.rx_data_o[0] | uint64_t{model_.rx_data_o[1]} << 32,
                                      model_.rx_data_o[2] | uint64_t{model_.rx_data_o[3]} << 32},
                                     vc,
                                     flags});
      ++logic_.held[vc];
    }
    if (model_.credit_valid_o == 0) return;
    logic_.room[model_.credit_vc_o] += model_.credit_count_o;
    if (model_.credit_count_o == 0) announced_.push_back(model_.credit_health_o);
  }

  std::mt19937_64 random_;
  int stalls_;
  bool one_way_;
  bool pauses_ = false;
  RandomStateContext context_;
  typename Shape::Model model_{&context_};
  rtl::ApelinkLine wire_;
  End logic_, line_;
  std::optional<LineWord> router_word_;
  bool line_word_held_ = false;
  uint8_t router_health_ = 0;
  uint8_t line_health_ = 0;
  std::vector<int> announced_;
  WireParser from_logic_, from_line_;
  absl::Status status_;
  int cycle_ = 0;
  int line_words_ = 0;
};

TEST(ApelinkLine, CarriesEverythingBothWays) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    LineAndLogic<Shallow> link(seed, 300, static_cast<int>(seed % 4) * 25);
    link.run();
    link.check();
    EXPECT_EQ(link.long_frames() + link.line_long_frames(), 0);
  }
}

TEST(ApelinkLine, CarriesEverythingOverADeepLink) {
  int long_frames = 0, line_long_frames = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    LineAndLogic<Deep> link(seed, 300, static_cast<int>(seed % 4) * 25);
    if (seed % 2 == 0) link.pause_line();
    link.run();
    link.check();
    long_frames += link.long_frames();
    line_long_frames += link.line_long_frames();
  }
  EXPECT_GT(long_frames, 0);
  EXPECT_GT(line_long_frames, 0);
}

// The logic does so at once, long before it repeats what it has said.
TEST(ApelinkTcl, SaysAllOfACountFrom128Words) {
  for (const int count : {127, 128}) {
    RandomStateContext context;
    VApelinkTclDeep model(&context);
    zero_inputs(model);
    WireParser parser;
    const auto edges = [&](int number) {
      for (int i = 0; i < number; ++i) {
        model.eval();
        if (model.m_tvalid_o != 0)
          parser.parse({model.m_tdata_o[0], model.m_tdata_o[1], model.m_tdata_o[2], model.m_tdata_o[3]});
        rtl::rising_edge_in_two(model);
        model.credit_valid_i = 0;
      }
    };
    model.m_tready_i = 1;
    model.rst_ni = 0;
    edges(3);
    model.rst_ni = 1;
    edges(20);
    parser = {};
    model.credit_valid_i = 1;
    model.credit_vc_i = 1;
    model.credit_count_i = static_cast<uint16_t>(count);
    edges(100);
    EXPECT_EQ(parser.error, "");
    ASSERT_FALSE(parser.frames.empty());
    EXPECT_EQ(parser.long_frames, count == 128 ? 1 : 0);
    EXPECT_EQ(parser.frames[0].freed1, count);
  }
}

// More than short counts say has been freed at the far end of a wire that a packet holds up. Half of what they say may
// be less than before.
TEST(ApelinkLine, SaysAllOfACountFrom128Words) {
  for (const int count : {127, 128}) {
    rtl::ApelinkLine line;
    WireParser parser;
    fabrictwin::link::Word word;
    line.send_credit(1, static_cast<uint8_t>(count), 0);
    while (line.next(word)) parser.parse(units_of(word));
    EXPECT_EQ(parser.long_frames, count == 128 ? 1 : 0);
    EXPECT_EQ(parser.frames.at(0).freed1, count);
  }
}

TEST(ApelinkLine, SaysAllOfACountWhereLowBitsAreNotEnough) {
  rtl::ApelinkLine line;
  WireParser parser;
  fabrictwin::link::Word word;
  for (const int count : {255, 45}) line.send_credit(1, static_cast<uint8_t>(count), 0);
  line.send_credit(0, 3, 0);
  while (line.next(word)) parser.parse(units_of(word));
  ASSERT_EQ(parser.error, "");
  ASSERT_EQ(parser.frames.size(), 2u);
  EXPECT_EQ(parser.long_frames, 1);
  EXPECT_EQ(parser.frames[0].freed1, 300);
  EXPECT_EQ(parser.frames[1].freed0, 3);
  EXPECT_EQ(parser.frames[1].freed1, 300 % 256);
  EXPECT_TRUE(line.idle());
}

TEST(ApelinkLine, KeepsTheWireFull) {
  LineAndLogic<Shallow> link(9, 1000, 0);
  link.run();
  link.check();
  // Both ends have 1000 packets, and the wire carries a word in two cycles.
  EXPECT_LT(link.cycles(), 2 * link.line_words() + 3000);
}

// The count of a VC without packets is said again although packets of the other one never pause.
TEST(ApelinkTcl, RefreshesTheCountOfOneVcWhileTheOtherIsBusy) {
  constexpr int kRefreshCycles = 4096;
  LineAndLogic<Shallow> link(10, 600, 0, true);
  link.run();
  link.check();
  ASSERT_GT(link.cycles(), 4 * kRefreshCycles);
  const auto refreshed =
      std::count_if(link.frames().begin(), link.frames().end(), [](const WireFrame& frame) { return frame.is_credit; });
  EXPECT_GE(refreshed, link.cycles() / (2 * kRefreshCycles));
}

// The router hears of a change of health at once, and of nothing else.
TEST(ApelinkTcl, AnnouncesEachChangeOfHealthOnce) {
  LineAndLogic<Shallow> link(11, 0, 0, true);
  for (const int health : {5, 5, 2, 0, 0, 7}) {
    link.say_health(static_cast<uint8_t>(health));
    link.run();
  }
  link.check();
  EXPECT_EQ(link.announced(), (std::vector<int>{5, 2, 0, 7}));
}

// The end `far`, which sends nothing, tells `line` of words that have left its buffer.
void free_words(rtl::ApelinkLine& line, rtl::ApelinkLine& far, uint8_t vc, int count) {
  far.send_credit(vc, static_cast<uint8_t>(count), 0);
  fabrictwin::link::Word word;
  rtl::ApelinkLine::Arrived arrived;
  int freed = 0;
  while (far.next(word)) {
    ASSERT_TRUE(line.take(word, arrived).ok());
    freed += arrived.freed[vc];
  }
  EXPECT_EQ(freed, count);
}

// Credits count words alone, and packets of two words are many; logic has slots for 64 packets of a VC.
TEST(ApelinkLine, NeverHasMorePacketsUnderWayThanTheLogicHasSlots) {
  std::mt19937_64 random(8);
  rtl::ApelinkLine line, far;
  WireParser parser;
  fabrictwin::link::Word word;
  const auto send = [&](int vc, int packets, int payload) {
    for (int i = 0; i < packets; ++i) {
      for (const LineWord& w : random_packet(random, vc, payload)) ASSERT_TRUE(line.send_word(w).ok());
    }
  };
  const auto drain = [&] {
    while (line.next(word)) parser.parse(units_of(word));
    EXPECT_FALSE(line.can_send());
    return std::exchange(parser.packets, {}).size();
  };
  send(0, 100, 0);
  EXPECT_EQ(drain(), 64u);
  EXPECT_FALSE(line.idle()) << "36 wait";
  free_words(line, far, 0, 1);
  EXPECT_EQ(drain(), 0u) << "half a packet";
  free_words(line, far, 0, 4);
  EXPECT_EQ(drain(), 2u);
  send(1, 70, 0);
  EXPECT_EQ(drain(), 64u) << "the other VC has slots of its own";
  free_words(line, far, 1, 128);
  EXPECT_EQ(drain(), 6u);
  free_words(line, far, 0, 123);
  EXPECT_EQ(drain(), 34u);
  EXPECT_TRUE(line.idle());
  EXPECT_EQ(parser.error, "");
}

// A wire that only the reference reads: frames, codes, totals and order.
TEST(ApelinkLine, SendsWhatTheReferenceReads) {
  std::mt19937_64 random(5);
  rtl::ApelinkLine line, far;
  WireParser parser;
  fabrictwin::link::Word word;
  EXPECT_FALSE(line.next(word)) << "nothing has changed since reset";
  std::array<unsigned, link::kVcs> sent{};
  std::vector<std::vector<LineWord>> packets;
  unsigned freed = 0;
  size_t emptied = 0;
  const auto pull = [&] {
    if (!line.next(word)) return false;
    parser.parse(units_of(word));
    for (; emptied + 1 < parser.packets.size(); ++emptied)
      free_words(line, far, 0, static_cast<int>(parser.packets[emptied].words.size()));
    return true;
  };
  for (int i = 0; i < 200; ++i) {
    packets.push_back(random_packet(random, 0, 256));
    for (const LineWord& w : packets.back()) ASSERT_TRUE(line.send_word(w).ok());
    if (random() % 3 == 0) {
      line.send_credit(1, 20, 5);
      freed += 20;
    }
    while (random() % 8 != 0 && pull()) continue;
  }
  while (pull()) continue;
  EXPECT_TRUE(line.idle());
  ASSERT_EQ(parser.error, "");
  ASSERT_EQ(parser.packets.size(), packets.size());
  size_t frame = 0;
  for (size_t i = 0; i < packets.size(); ++i, ++frame) {
    while (parser.frames[frame].is_credit) {
      EXPECT_EQ(parser.frames[frame].sent0, static_cast<uint8_t>(sent[0]));
      EXPECT_EQ(parser.frames[frame].sent1, 0);
      ++frame;
    }
    EXPECT_EQ(parser.frames[frame].sent0, static_cast<uint8_t>(sent[0]));
    ASSERT_EQ(parser.packets[i].words.size(), packets[i].size());
    for (size_t w = 0; w < packets[i].size(); ++w) EXPECT_EQ(parser.packets[i].words[w], units_of(packets[i][w].word));
    sent[0] += static_cast<unsigned>(packets[i].size());
  }
  EXPECT_EQ(parser.frames.back().freed1, static_cast<uint8_t>(freed));
  EXPECT_EQ(parser.frames.back().health, 5);
}

TEST(ApelinkLine, SendsCreditsAloneWhereNoPacketTakesThem) {
  rtl::ApelinkLine line;
  WireParser parser;
  line.send_credit(0, 7, 0);
  EXPECT_FALSE(line.idle());
  fabrictwin::link::Word word;
  ASSERT_TRUE(line.next(word));
  parser.parse(units_of(word));
  EXPECT_EQ(parser.error, "");
  ASSERT_EQ(parser.frames.size(), 1u);
  EXPECT_TRUE(parser.frames[0].is_credit);
  EXPECT_EQ(parser.frames[0].freed0, 7);
  EXPECT_EQ(parser.idle_units, 2);
  EXPECT_TRUE(line.idle());
  EXPECT_FALSE(line.next(word));
}

// Each bit of a packet and a credit word matters, wherever they lie.
TEST(ApelinkLine, FindsEveryWrongBit) {
  std::mt19937_64 random(6);
  rtl::ApelinkLine sender;
  for (const LineWord& word : random_packet(random, 1, 64)) ASSERT_TRUE(sender.send_word(word).ok());
  std::vector<fabrictwin::link::Word> wire(1);
  while (sender.next(wire.back())) wire.emplace_back();
  wire.back() = {};
  sender.send_credit(0, 0, 3);
  ASSERT_TRUE(sender.next(wire.back()));
  const auto first_error = [&](size_t bit) {
    rtl::ApelinkLine receiver;
    rtl::ApelinkLine::Arrived arrived;
    for (size_t i = 0; i < wire.size(); ++i) {
      fabrictwin::link::Word word = wire[i];
      if (bit / 128 == i) (bit % 128 < 64 ? word.lo : word.hi) ^= uint64_t{1} << (bit % 64);
      if (const absl::Status status = receiver.take(word, arrived); !status.ok()) return status;
    }
    return absl::OkStatus();
  };
  ASSERT_TRUE(first_error(wire.size() * 128).ok());
  for (size_t bit = 0; bit < wire.size() * 128; ++bit) {
    EXPECT_EQ(first_error(bit).code(), absl::StatusCode::kDataLoss) << "bit " << bit;
  }
}

TEST(ApelinkLine, RefusesWordsThatAreNoPacket) {
  rtl::ApelinkLine line;
  EXPECT_THAT(std::string(line.send_word({{}, 0, 0}).message()), HasSubstr("belongs to no packet"));
  EXPECT_THAT(std::string(line.send_word({{uint64_t{513} << 48, 0}, 0, link::kStartOfPacket}).message()),
              HasSubstr("513"));
  ASSERT_TRUE(line.send_word({{}, 1, link::kStartOfPacket}).ok());
  EXPECT_THAT(std::string(line.send_word({{}, 1, link::kStartOfPacket}).message()), HasSubstr("1 words early"));
  ASSERT_TRUE(line.send_word({{uint64_t{16} << 48, 0}, 0, link::kStartOfPacket}).ok());
  EXPECT_THAT(std::string(line.send_word({{}, 0, link::kEndOfPacket}).message()), HasSubstr("1 words are left"));
}

TEST(ApelinkLine, RefusesCreditsThatWereNotInUse) {
  rtl::ApelinkLine far, near;
  far.send_credit(1, 3, 0);
  fabrictwin::link::Word word;
  ASSERT_TRUE(far.next(word));
  rtl::ApelinkLine::Arrived arrived;
  EXPECT_THAT(std::string(near.take(word, arrived).message()), HasSubstr("frees 3 words of VC 1, but 0 are in use"));
}

}  // namespace
}  // namespace fabrictwin::test
