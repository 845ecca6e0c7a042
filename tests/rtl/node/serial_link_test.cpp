// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two FPGAs joined by a serial board link: transceivers with clocks of their own, routers that keep the protocol, lanes
// and ends that fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "VSerialLink__inputs.h"
#include "tests/rtl/apelink/session_bench.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

constexpr int kPatience = 20'000;

/// Logic at 156.25 MHz, transceivers at 250 MHz, 200 ppm apart.
class SerialLink : public SessionPins, public LinkPins {
 public:
  SerialLink() {
    zero_inputs(model_);
    reset();
  }

  LinkPins& link() override { return *this; }
  int max_payload() const override { return 256; }
  void side_reset(int side, bool low) override { put(model_.side_reset_i, side, low); }
  void cut(int lane, bool cut) override { put(model_.cut_i, lane, cut); }
  void darken(int side, bool dark) override { put(model_.dark_i, side, dark); }
  bool up(int side) const override { return (model_.up_o >> side & 1) != 0; }
  int downs(int side) const override { return static_cast<int>(model_.downs_o >> (16 * side) & 0xFFFF); }
  int aborted(int /*side*/) const override { return 0; }
  int crc_errors(int side) const { return static_cast<int>(model_.crc_errors_o >> (16 * side) & 0xFFFF); }
  /// Turns over a bit of the lane's block from now on, or none.
  void stick(int lane, std::optional<int> bit) {
    model_.flip_i[2 * lane] = model_.flip_i[2 * lane + 1] = 0;
    if (bit) model_.flip_i[2 * lane + *bit / 32] = 1U << (*bit % 32);
  }

  /// Periods of the clocks of the transmitters from now on, in fs.
  void set_lines(const std::array<uint64_t, 2>& periods) { lines_ = periods; }

  void reset() override {
    model_.rst_ni = 0;
    for (int i = 0; i < 4; ++i) edge();
    model_.rst_ni = 1;
  }
  void tx(int side, const RouterWord& word) override {
    put(model_.tx_valid_i, side, true);
    put(model_.tx_vc_i, side, word.vc != 0);
    put(model_.tx_sop_i, side, word.sop);
    put(model_.tx_eop_i, side, word.eop);
    for (int u = 0; u < 4; ++u) model_.tx_data_i[4 * side + u] = word.data[u];
  }
  void credit(int side, int vc, int count) override {
    put(model_.credit_valid_i, side, true);
    put(model_.credit_vc_i, side, vc != 0);
    const unsigned mask = 0xFFU << (8 * side);
    model_.credit_count_i =
        static_cast<uint16_t>((model_.credit_count_i & ~mask) | static_cast<unsigned>(count) << (8 * side));
  }
  void settle() override { model_.eval(); }
  bool tx_ready(int side) const override { return (model_.tx_ready_o >> side & 1) != 0; }
  void edge() override {
    now_ += kClock;
    for (;;) {
      const int lane = next_[1] < next_[0] ? 1 : 0;
      if (next_[lane] >= now_) break;
      next_[lane] += lines_[lane];
      model_.line_clk_i = static_cast<uint8_t>(1U << lane);
      model_.eval();
      model_.line_clk_i = 0;
      model_.eval();
    }
    model_.clk_i = 1;
    model_.eval();
    model_.clk_i = 0;
    model_.tx_valid_i = 0;
    model_.credit_valid_i = 0;
    model_.eval();
  }
  std::optional<RouterWord> rx(int side) const override {
    if ((model_.rx_valid_o >> side & 1) == 0) return std::nullopt;
    RouterWord word{
        model_.rx_vc_o >> side & 1, (model_.rx_sop_o >> side & 1) != 0, (model_.rx_eop_o >> side & 1) != 0, false, {}};
    for (int u = 0; u < 4; ++u) word.data[u] = model_.rx_data_o[4 * side + u];
    return word;
  }
  std::optional<RouterCredit> credit_out(int side) const override {
    if ((model_.credit_valid_o >> side & 1) == 0) return std::nullopt;
    return RouterCredit{model_.credit_vc_o >> side & 1, model_.credit_count_o >> (8 * side) & 0xFF, 0};
  }
  bool error(int side) const override { return (model_.error_o >> side & 1) != 0; }

  // What a board link does not have.
  void health(int /*side*/, int /*bits*/) override {}
  void tred(int /*side*/, int /*vc*/, int /*words*/) override {}
  void stall(int /*side*/, bool /*into*/, bool /*out_of*/) override {}
  void error_rate(uint32_t /*rate*/) override {}
  std::optional<Word> wire(int /*side*/) const override { return std::nullopt; }
  void flip(int /*side*/, int /*bit*/) override {}
  int used(int /*side*/, int /*vc*/) const override { return 0; }
  int high_water(int /*side*/) const override { return 0; }
  uint32_t random_errors(int /*side*/) const override { return 0; }
  LinkCounters counters(int /*side*/) const override { return {}; }

 private:
  static constexpr uint64_t kClock = 6'400'000;

  static void put(uint8_t& port, int bit, bool value) {
    port = static_cast<uint8_t>((port & ~(1U << bit)) | (static_cast<unsigned>(value) << bit));
  }

  RandomStateContext context_;
  VSerialLink model_{&context_};
  uint64_t now_ = 0;
  std::array<uint64_t, 2> lines_ = {4'000'400, 3'999'600};
  std::array<uint64_t, 2> next_ = {100, 200};
};

class SerialBoardLink : public testing::Test {
 protected:
  explicit SerialBoardLink(uint64_t seed = 1) {
    auto pins = std::make_unique<SerialLink>();
    pins_ = pins.get();
    bench_ = std::make_unique<SessionBench>(std::move(pins), seed);
  }
  bool come_up() {
    return bench_->run_until([this] { return bench_->up(0) && bench_->up(1); }, kPatience);
  }
  /// All that is sent from now on arrives whole, and all credits come back.
  void expect_health() {
    bench_->plan = {};
    ASSERT_TRUE(come_up());
    ASSERT_TRUE(bench_->run_until([this] { return bench_->settled(); }, kPatience));
    const auto before = bench_->totals();
    bench_->send(50);
    ASSERT_TRUE(bench_->run_until([this] { return bench_->settled(); }, kPatience));
    EXPECT_EQ(bench_->totals().good - before.good, 200);
    EXPECT_EQ(bench_->totals().bad, before.bad);
  }

  SerialLink* pins_;
  std::unique_ptr<SessionBench> bench_;
};

TEST_F(SerialBoardLink, CarriesPacketsBothWays) {
  expect_health();
  EXPECT_EQ(bench_->lost(), 0);
  EXPECT_EQ(bench_->totals().errors, 0);
}

// 16 Gb/s: a word in 1.25 cycles of 6.4 ns, less framing, and a word of idle blocks in 1000.
TEST_F(SerialBoardLink, HasThePublishedRate) {
  bench_->plan = {.send = 100, .drain = 100};
  ASSERT_TRUE(come_up());
  const int begin = bench_->cycles;
  bench_->send(500);
  ASSERT_TRUE(bench_->run_until([this] { return bench_->settled(); }, 100'000));
  const int words = bench_->words_received();
  // Two directions; a packet of 10 words on average has three quarters of a word more.
  const double rate = static_cast<double>(words) / 2 * 128 / ((bench_->cycles - begin) * 6.4);
  EXPECT_GT(rate, 14.0) << "Gb/s";
  EXPECT_LT(rate, 16.0);
  RecordProperty("gigabits_per_second", std::to_string(rate));
}

TEST_F(SerialBoardLink, MarksDamagedPackets) {
  ASSERT_TRUE(come_up());
  for (int round = 0; round < 20; ++round) {
    bench_->send(5);
    ASSERT_TRUE(bench_->run_until([this] { return bench_->receiving(1); }, kPatience));
    pins_->stick(0, round * 3);
    bench_->run(2);
    pins_->stick(0, std::nullopt);
    bench_->run(300);
  }
  EXPECT_GT(pins_->crc_errors(1), 3);
  EXPECT_GT(bench_->totals().bad, 3);
  bench_->run(2'000);
  expect_health();
  EXPECT_EQ(bench_->totals().errors, 0);
}

TEST_F(SerialBoardLink, ComesUpAgainAfterAResetOrALaneThatIsGone) {
  for (int round = 0; round < 6; ++round) {
    bench_->plan = {.send = 90, .drain = 50};
    bench_->send(100);
    ASSERT_TRUE(come_up());
    bench_->run(150 + 11 * round);
    if (round % 2 == 0) {
      bench_->reset_side(round / 2 % 2);
    } else {
      bench_->cut(0, true);
      bench_->darken(1, true);
    }
    ASSERT_TRUE(bench_->run_until([this] { return !bench_->up(0) && !bench_->up(1); }, kPatience));
    bench_->run(100);
    EXPECT_FALSE(bench_->receiving(0) || bench_->receiving(1)) << "a packet is not completed";
    bench_->cut(0, false);
    bench_->darken(1, false);
    bench_->drop_unsent();
    expect_health();
    if (HasFailure()) FAIL() << "round " << round;
  }
}

// What a side gives back, the other one must have sent.
TEST_F(SerialBoardLink, ReportsCreditsThatWereMadeUp) {
  for (const int from : {0, 1}) {
    pins_->reset();
    const auto edges_until = [&](const auto& done) {
      int edges = 0;
      for (; !done() && edges < kPatience; ++edges) pins_->edge();
      return edges < kPatience;
    };
    ASSERT_TRUE(edges_until([this] { return pins_->up(0) && pins_->up(1); }));
    for (int i = 0; i < 500; ++i) pins_->edge();
    EXPECT_FALSE(pins_->error(0) || pins_->error(1));
    pins_->credit(from, 0, 20);
    EXPECT_TRUE(edges_until([&] { return pins_->error(1 - from); })) << "from side " << from;
    EXPECT_FALSE(pins_->error(from));
  }
}

// Four in a hundred, of which idle blocks make up one in a thousand. Blocks are lost at the end with the slower clock,
// and at the other one there is nothing where a block should be.
TEST_F(SerialBoardLink, ReportsClocksThatAreTooFarApart) {
  bench_->plan = {.send = 100, .drain = 100};
  ASSERT_TRUE(come_up());
  bench_->send(500);
  bench_->run(500);
  ASSERT_EQ(bench_->totals().errors, 0);
  pins_->set_lines({4'080'000, 3'920'000});
  EXPECT_TRUE(bench_->run_until([this] { return pins_->error(0) && pins_->error(1); }, kPatience));
}

}  // namespace
}  // namespace fabrictwin::test
