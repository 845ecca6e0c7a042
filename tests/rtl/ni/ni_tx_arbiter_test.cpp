// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What puts packets on the tile port, alone: a packet goes as soon as the neighbour has room for all of it.
#include <gtest/gtest.h>

#include <cstdint>

#include "VNiTxArbiter__inputs.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

constexpr int kCredits = 32;

class NiTxArbiter : public ::testing::Test {
 protected:
  NiTxArbiter() {
    zero_inputs(model_);
    model_.initial_credits_i = kCredits;
    model_.tx_ready_i = 1;
    model_.credit_valid_i = 0;
    rtl::rising_edge_in_two(model_);
    model_.rst_ni = 1;
  }

  /// One sender offers a packet of so many words on a VC; words that came out before it was done or did not move.
  int send(int words, int vc) {
    model_.valid_i = 1;
    model_.vc_i = static_cast<uint8_t>(vc);
    model_.data_i[1] = static_cast<uint32_t>(16 * (words - 2)) << 16;
    int taken = 0;
    int out = 0;
    for (int edge = 0; edge < 40; ++edge) {
      model_.clk_i = 0;
      model_.eval();
      if (model_.valid_i && (model_.ready_o & 1) != 0) ++taken;
      if (model_.tx_valid_o) {
        EXPECT_EQ(model_.tx_vc_o, vc);
        EXPECT_EQ(model_.tx_sop_o != 0, out == 0);
        EXPECT_EQ(model_.tx_eop_o != 0, out == words - 1);
        ++out;
      }
      if (taken == 0) {
        EXPECT_EQ(model_.credit_stall_o, 1 << vc);
      }
      model_.clk_i = 1;
      model_.eval();
      if (taken == words) model_.valid_i = 0;
    }
    model_.valid_i = 0;
    return out;
  }

  void credit(int vc, int count) {
    model_.credit_valid_i = 1;
    model_.credit_vc_i = static_cast<uint8_t>(vc);
    model_.credit_count_i = static_cast<uint8_t>(count);
    rtl::rising_edge_in_two(model_);
    model_.credit_valid_i = 0;
  }

  RandomStateContext context_;
  VNiTxArbiter model_{&context_};
};

TEST_F(NiTxArbiter, SendsWhatJustFits) {
  for (int vc = 0; vc < 2; ++vc) {
    EXPECT_EQ(send(18, vc), 18);
    EXPECT_EQ(send(15, vc), 0) << "14 words are left";
    EXPECT_EQ(send(14, vc), 14);
    EXPECT_EQ(send(2, vc), 0);
    credit(vc, 1);
    EXPECT_EQ(send(2, vc), 0);
    credit(vc, 1);
    EXPECT_EQ(send(2, vc), 2);
  }
}

TEST_F(NiTxArbiter, AVcDoesNotWaitForTheOther) {
  EXPECT_EQ(send(18, 0), 18);
  EXPECT_EQ(send(14, 0), 14);
  EXPECT_EQ(send(2, 0), 0);
  EXPECT_EQ(send(18, 1), 18);
}

// More credits than there were, on either VC, are an error that stays.
TEST_F(NiTxArbiter, SaysThatCreditsWereMadeUp) {
  EXPECT_EQ(send(2, 1), 2);
  credit(1, 2);
  EXPECT_EQ(model_.error_o, 0);
  credit(1, 1);
  EXPECT_EQ(model_.error_o, 1);
  EXPECT_EQ(send(18, 1), 18);
  EXPECT_EQ(model_.error_o, 1);
}

}  // namespace
}  // namespace fabrictwin::test
