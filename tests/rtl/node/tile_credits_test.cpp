// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The translation of credits at a tile port against plain arithmetic, in both directions at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "VTileCredits.h"
#include "rtl/single_thread_context.h"
#include "rtl/verilated_clock.h"
#include "tests/rtl/rdma/random_source.h"

namespace fabrictwin::test {
namespace {

/// Towards the neighbour the words of a packet come together, or when there are as many as this.
constexpr int kEnough = 16;

struct Count {
  int vc = 0;
  int words = 0;
};

struct Load {
  unsigned packets;  ///< Per cent of cycles with a packet from the router.
  unsigned freed;    ///< With words that the neighbour has freed.
  unsigned returned;
};

class TileCredits : public ::testing::Test {
 protected:
  TileCredits() {
    clear();
    model_.rst_ni = 0;
    rising_edge_in_two(model_);
    rising_edge_in_two(model_);
    model_.rst_ni = 1;
  }

  // Nothing is valid; what comes with it is anything.
  void clear() {
    model_.tx_valid_i = 0;
    model_.tx_ready_i = random_.percent(50);
    model_.tx_sop_i = random_.percent(50);
    model_.tx_vc_i = random_.percent(50);
    model_.tx_payload_bytes_i = static_cast<uint16_t>(random_.below(257));
    model_.credit_valid_i = 0;
    model_.credit_vc_i = random_.percent(50);
    model_.credit_count_i = static_cast<uint8_t>(random_.below(256));
    model_.router_credit_valid_i = 0;
    model_.router_credit_vc_i = random_.percent(50);
    model_.router_credit_words_i = static_cast<uint8_t>(random_.below(33));
    model_.router_credit_packets_i = static_cast<uint8_t>(random_.below(3));
  }

  void drive(const Load& load) {
    clear();
    if (random_.percent(load.packets)) {
      const int vc = model_.tx_vc_i;
      const int words = (model_.tx_payload_bytes_i + 15) / 16;
      model_.tx_valid_i = 1;
      // The router has credits for 128 words and 32 packets.
      if (away_[vc] + words + 2 > 128 || packets_[vc].size() == 32) model_.tx_ready_i = 0;
      if (model_.tx_ready_i && model_.tx_sop_i) {
        sent_ = {vc, words};
        away_[vc] += words + 2;
      }
    }
    if (random_.percent(load.freed)) {
      const int vc = model_.credit_vc_i;
      if (kept_[vc] > 0) {
        const int most = std::min(kept_[vc], 40);
        model_.credit_valid_i = 1;
        model_.credit_count_i = static_cast<uint8_t>(random_.between(1, static_cast<uint64_t>(most)));
        freed_now_ = {vc, model_.credit_count_i};
        kept_[vc] -= model_.credit_count_i;
      }
    }
    if (random_.percent(load.returned)) {
      model_.router_credit_valid_i = 1;
      returned_ = {model_.router_credit_vc_i, model_.router_credit_words_i + 2 * model_.router_credit_packets_i};
      whole_ = model_.router_credit_packets_i != 0;
    }
  }

  // One edge, with what must come of it.
  void edge() {
    std::array<bool, 2> due{};
    for (size_t v = 0; v < 2; ++v) due[v] = !packets_[v].empty() && free_[v] >= packets_[v].front() + 2;
    if (due[0] && due[1]) ++seen_["both due"];
    const bool idle = model_.idle_o != 0;
    const bool quiet = !sent_ && !freed_now_ && !returned_;
    rising_edge_in_two(model_);
    if (idle && quiet) {
      ASSERT_TRUE(!model_.credit_valid_o && !model_.router_credit_valid_o) << "something came out of an idle one";
    }
    // To the router.
    ASSERT_EQ(model_.router_credit_valid_o != 0, due[0] || due[1]);
    if (model_.router_credit_valid_o) {
      const int vc = model_.router_credit_vc_o;
      ASSERT_TRUE(due[vc]);
      if (due[0] && due[1]) ASSERT_NE(vc, last_) << "it was the turn of the other VC";
      last_ = vc;
      const int words = packets_[vc].front();
      ASSERT_EQ(model_.router_credit_words_o, words);
      ASSERT_EQ(model_.router_credit_packets_o, 1);
      packets_[vc].pop_front();
      free_[vc] -= words + 2;
      away_[vc] -= words + 2;
    }
    if (sent_) {
      packets_[sent_->vc].push_back(sent_->words);
      kept_[sent_->vc] += sent_->words + 2;
    }
    if (freed_now_) free_[freed_now_->vc] += freed_now_->words;
    // To the neighbour, a cycle after its translation.
    ASSERT_EQ(model_.credit_valid_o != 0, next_.has_value());
    if (next_) {
      ASSERT_EQ(model_.credit_vc_o, next_->vc);
      ASSERT_EQ(model_.credit_count_o, next_->words);
    }
    next_.reset();
    if (returned_) {
      int& pending = pending_[returned_->vc];
      pending += returned_->words;
      ++seen_[whole_               ? "with a packet's end"
              : pending > kEnough  ? "more than enough"
              : pending == kEnough ? "just enough"
                                   : "not enough"];
      if (whole_ || pending >= kEnough) {
        next_ = {returned_->vc, pending};
        pending = 0;
      }
    }
    sent_.reset();
    freed_now_.reset();
    returned_.reset();
  }

  void run(const Load& load, int steps) {
    for (int step = 0; step < steps; ++step) {
      drive(load);
      ASSERT_NO_FATAL_FAILURE(edge()) << step;
    }
    // All words come back.
    for (int step = 0; step < 1000; ++step) {
      drive({0, 100, 0});
      ASSERT_NO_FATAL_FAILURE(edge());
    }
    for (size_t v = 0; v < 2; ++v) ASSERT_TRUE(packets_[v].empty());
    EXPECT_TRUE(model_.idle_o);
  }

  void expect_corners() {
    for (const char* corner : {"both due", "with a packet's end", "just enough", "more than enough", "not enough"}) {
      EXPECT_GT(seen_[corner], 20) << corner;
    }
  }

  SingleThreadContext context_;
  VTileCredits model_{&context_};
  RandomSource random_{1};
  std::map<std::string, int> seen_;
  // Towards the router: payload words of packets under way, words freed for them, words the neighbour still has.
  std::array<std::deque<int>, 2> packets_;
  std::array<int, 2> free_{};
  std::array<int, 2> kept_{};
  std::array<int, 2> away_{};
  int last_ = 1;
  std::optional<Count> sent_;
  std::optional<Count> freed_now_;
  // Towards the neighbour.
  std::array<int, 2> pending_{};
  std::optional<Count> returned_;
  bool whole_ = false;
  std::optional<Count> next_;
};

TEST_F(TileCredits, CountAsPlainArithmeticDoes) {
  run({50, 20, 40}, 100'000);
  expect_corners();
}

TEST_F(TileCredits, CountWithoutGaps) {
  run({100, 100, 100}, 50'000);
  expect_corners();
}

TEST_F(TileCredits, CountWhatIsRare) { run({3, 3, 3}, 50'000); }

}  // namespace
}  // namespace fabrictwin::test
