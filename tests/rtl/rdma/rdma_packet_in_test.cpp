// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What takes RDMA packets apart, alone: no bit of a packet may be wrong.
#include <gtest/gtest.h>

#include <vector>

#include "VRdmaPacketIn__inputs.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/random_state_context.h"
#include "tests/rtl/rdma/rdma_packet.h"

namespace fabrictwin::test {
namespace {

constexpr uint32_t kNode = 5;

class RdmaPacketIn : public ::testing::Test {
 protected:
  RdmaPacketIn() {
    zero_inputs(model_);
    model_.node_i = kNode;
    rtl::rising_edge_in_two(model_);
    rtl::rising_edge_in_two(model_);
    model_.rst_ni = 1;
  }

  static std::vector<FlitWord> notification() {
    RdmaPacket packet{.kind = RdmaPacket::kNotify, .source = 7, .destination = kNode, .bytes = 16};
    packet.payload.push_back(make_word(0x0123456789abcdef, 0xfedcba9876543210));
    return packet.encode();
  }

  /// Whether the packet is refused.
  bool refused(const std::vector<FlitWord>& words) {
    bool dropped = false;
    for (const FlitWord& word : words) {
      model_.valid_i = 1;
      model_.sop_i = word.sop;
      model_.eop_i = word.eop;
      for (size_t i = 0; i < 4; ++i) model_.data_i[i] = word.data[i];
      model_.clk_i = 0;
      model_.eval();
      EXPECT_TRUE(model_.ready_o);
      dropped = dropped || (model_.dropped_o & 1) != 0;
      model_.clk_i = 1;
      model_.eval();
    }
    model_.valid_i = 0;
    model_.clk_i = 0;
    model_.eval();
    EXPECT_EQ(model_.cell_valid_o != 0, !dropped);
    return dropped;
  }

  RandomStateContext context_;
  VRdmaPacketIn model_{&context_};
};

TEST_F(RdmaPacketIn, RefusesAPacketWithAnyWrongBit) {
  const std::vector<FlitWord> good = notification();
  ASSERT_EQ(good.size(), 3u);
  for (size_t w = 1; w < good.size(); ++w) {
    for (size_t bit = 0; bit < 128; ++bit) {
      if (w == good.size() - 1 && bit == 96) continue;  // A router may set the mark.
      std::vector<FlitWord> words = good;
      words[w].data[bit / 32] ^= 1u << (bit % 32);
      EXPECT_TRUE(refused(words)) << "word " << w << ", bit " << bit;
    }
  }
  EXPECT_FALSE(refused(good));
}

TEST_F(RdmaPacketIn, TakesAMarkAsNoDamage) {
  std::vector<FlitWord> words = notification();
  RdmaPacket::mark(words);
  EXPECT_FALSE(refused(words));
}

}  // namespace
}  // namespace fabrictwin::test
