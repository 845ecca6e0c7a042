// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The network IP as software sees it: set up and observed through registers, with packets from tile to tile.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "VControlledNetwork__inputs.h"
#include "rtl/control/target_registers.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin {
namespace {

namespace regs = rtl::control::target_registers;

constexpr uint32_t place(uint32_t x, uint32_t y, uint32_t z) { return x | y << 8 | z << 16; }
constexpr uint32_t of_port(uint32_t offset, uint32_t port) { return offset + regs::kStride * port; }

class ControlledNetwork : public ::testing::Test {
 protected:
  ControlledNetwork() {
    zero_inputs(model_);
    model_.tx_ready_i = 7;
    model_.m_tready_i = 3;
    model_.bready_i = 1;
    model_.rready_i = 1;
    {
      const test::WithoutAssertions reset(context_);
      edges(3);
    }
    model_.rst_ni = 1;
    edges(3);
  }

  void edge() {
    model_.clk_i = 0;
    model_.eval();
    // A word leaves at an edge with valid and ready. In the first edges of a reset, outputs are what registers began
    // with.
    for (int p = 0; p < 3 && model_.rst_ni != 0; ++p) {
      if ((model_.tx_valid_o & model_.tx_sop_o & model_.tx_ready_i) >> p & 1) {
        ++packets_out_[p];
        last_vc_[p] = model_.tx_vc_o >> p & 1;
      }
    }
    model_.clk_i = 1;
    model_.eval();
  }
  void edges(int count) {
    for (int i = 0; i < count; ++i) edge();
  }

  void write(uint32_t address, uint32_t data) {
    model_.awvalid_i = model_.wvalid_i = 1;
    model_.awaddr_i = address;
    model_.wdata_i = data;
    model_.wstrb_i = 15;
    edge();
    model_.awvalid_i = model_.wvalid_i = 0;
    int waited = 0;
    for (; model_.bvalid_o == 0 && waited < 10; ++waited) edge();
    ASSERT_LT(waited, 10);
    EXPECT_EQ(model_.bresp_o, 0);
    edge();
  }
  uint32_t read(uint32_t address) {
    model_.arvalid_i = 1;
    model_.araddr_i = address;
    edge();
    model_.arvalid_i = 0;
    int waited = 0;
    for (; model_.rvalid_o == 0 && waited < 10; ++waited) edge();
    EXPECT_LT(waited, 10);
    EXPECT_EQ(model_.rresp_o, 0);
    const uint32_t data = model_.rdata_o;
    edge();
    return data;
  }

  void send_word(bool sop, bool eop, const std::array<uint32_t, 4>& word) {
    model_.rx_valid_i = 1;
    model_.rx_sop_i = sop ? 1 : 0;
    model_.rx_eop_i = eop ? 1 : 0;
    for (int i = 0; i < 4; ++i) model_.rx_data_i[i] = word[i];
    edge();
    model_.rx_valid_i = 0;
  }
  /// A packet without payload from tile port 0, and time for it to arrive.
  void send(uint32_t coordinates, uint32_t tile_port) {
    send_word(true, false, {coordinates, tile_port << 26, 0, 0});
    send_word(false, true, {0, 0, 0, 0});
    edges(40);
  }
  void set_up(uint32_t coordinates) {
    write(regs::kControlOffset, 1);
    write(regs::kCoordinatesOffset, coordinates);
    write(regs::kLatticeOffset, place(7, 7, 7));
    write(regs::kControlOffset, 0);
    edges(5);
    EXPECT_EQ(read(regs::kStatusOffset) >> regs::kStatusInResetLow & 1, 0u);
  }

  test::RandomStateContext context_;
  VControlledNetwork model_{&context_};
  std::array<int, 3> packets_out_{}, last_vc_{};
};

TEST_F(ControlledNetwork, StaysInResetUntilSoftwareIsReady) {
  EXPECT_EQ(read(regs::kStatusOffset) >> regs::kStatusInResetLow & 1, 1u);
  send(0, 1);
  EXPECT_EQ(packets_out_[1], 0);
  set_up(place(3, 4, 5));
  EXPECT_EQ(read(regs::kStatusOffset), 1u << regs::kStatusIdleLow);
}

TEST_F(ControlledNetwork, RegistersDecideWherePacketsGoAndCountThem) {
  set_up(place(3, 4, 5));
  send(place(3, 4, 5), 1);
  EXPECT_EQ(packets_out_[1], 1);
  EXPECT_EQ(read(of_port(regs::kSentOffset, 1)), 1u);
  EXPECT_EQ(read(of_port(regs::kSentOffset, 0)), 0u);

  send(place(8, 4, 5), 1);
  send(place(3, 4, 200), 1);
  EXPECT_EQ(read(of_port(regs::kRouteDropsOffset, 0)), 2u);
  EXPECT_EQ(read(of_port(regs::kPortEventsOffset, 0)), 1u << regs::kPortEventsRouteDropLow);
  EXPECT_EQ(read(regs::kStatusOffset), 1u << regs::kStatusIdleLow | 1u << regs::kStatusPortEventsLow);
  write(of_port(regs::kPortEventsOffset, 0), 1u << regs::kPortEventsRouteDropLow);
  EXPECT_EQ(read(regs::kStatusOffset), 1u << regs::kStatusIdleLow);

  write(of_port(regs::kPortControlOffset, 2), 0);
  send(place(3, 4, 5), 2);
  EXPECT_EQ(packets_out_[2], 0);
  EXPECT_EQ(read(of_port(regs::kDisabledDropsOffset, 0)), 1u);
  EXPECT_EQ(read(of_port(regs::kPortEventsOffset, 0)), 1u << regs::kPortEventsDisabledDropLow);
  write(of_port(regs::kPortControlOffset, 2), 1u << regs::kPortControlEnableLow);
  send(place(3, 4, 5), 2);
  EXPECT_EQ(packets_out_[2], 1);

  send_word(false, false, {1, 2, 3, 4});
  edges(5);
  EXPECT_EQ(read(of_port(regs::kMalformedOffset, 0)), 1u);
}

TEST_F(ControlledNetwork, NewCoordinatesTakeEffectWithSoftReset) {
  set_up(place(3, 4, 5));
  write(regs::kCoordinatesOffset, place(1, 1, 1));
  send(place(3, 4, 5), 1);
  EXPECT_EQ(packets_out_[1], 1);
  send(place(8, 0, 0), 1);
  EXPECT_EQ(read(of_port(regs::kRouteDropsOffset, 0)), 1u);
  write(regs::kControlOffset, 1);
  write(regs::kControlOffset, 0);
  edges(5);
  // Counters begin again, and what has happened is still known.
  EXPECT_EQ(read(of_port(regs::kRouteDropsOffset, 0)), 0u);
  EXPECT_EQ(read(of_port(regs::kPortEventsOffset, 0)), 1u << regs::kPortEventsRouteDropLow);
  send(place(1, 1, 1), 1);
  EXPECT_EQ(packets_out_[1], 2);
  EXPECT_EQ(read(of_port(regs::kSentOffset, 1)), 1u);
}

// A packet for another node leaves through its link and uses words of the far buffer.
TEST_F(ControlledNetwork, LinksAreSeen) {
  set_up(place(3, 4, 5));
  constexpr uint32_t kUp = 1u << regs::kLinkStatusUpLow;
  EXPECT_EQ(read(regs::kLinkStatusOffset), kUp);
  send(place(4, 4, 5), 1);
  EXPECT_EQ(read(of_port(regs::kSentOffset, 3)), 1u);
  // Header and footer on the upper VC, since the way leads up.
  EXPECT_EQ(read(regs::kLinkUsedOffset), 2u << regs::kLinkUsedVc1Low);
  EXPECT_EQ(read(regs::kLinkStatusOffset), kUp);
  EXPECT_EQ(read(of_port(regs::kLinkStatusOffset, 1)), kUp);
  EXPECT_EQ(read(of_port(regs::kLinkUsedOffset, 1)), 0u);
}

// Packets that wait for a link that takes nothing fill its FIFOs, then those of the input that they came by.
TEST_F(ControlledNetwork, FifosAreSeen) {
  set_up(place(3, 4, 5));
  EXPECT_EQ(read(regs::kFifoShapeOffset), 7u << regs::kFifoShapeInterWordsLow | 6u << regs::kFifoShapeIntraWordsLow |
                                              4u << regs::kFifoShapePacketsLow | 7u << regs::kFifoShapeLinkWordsLow);
  EXPECT_EQ(read(regs::kInputVc0Offset), 0u);
  EXPECT_EQ(read(regs::kLinkWaitingOffset), 0u);
  model_.m_tready_i = 0;
  // The router has credits for 16 packets on a link; a word may be on its way out of the link's FIFO.
  for (int i = 0; i < 20; ++i) send(place(4, 4, 5), 1);
  const uint32_t waiting = read(regs::kLinkWaitingOffset) >> regs::kLinkWaitingVc1Low;
  EXPECT_GT(waiting, 20u);
  EXPECT_LE(waiting, 32u);
  const uint32_t input = read(of_port(regs::kInputVc0Offset, 0));
  EXPECT_EQ(input >> regs::kInputVc0PacketsLow & 0xFF, 4u);
  EXPECT_EQ(input & 0x1FFF, 8u);
  EXPECT_EQ(read(of_port(regs::kInputVc1Offset, 0)), 0u);
}

// Edges of an idle node may be left out. A packet that waits in a link is reason enough for none to be.
TEST_F(ControlledNetwork, IsIdleWhenNothingIsOnItsWay) {
  set_up(place(3, 4, 5));
  edges(100);
  EXPECT_EQ(model_.idle_o, 1);
  for (const uint32_t x : {4u, 2u}) {
    model_.m_tready_i = 0;
    send(place(x, 4, 5), 1);
    edges(100);
    EXPECT_EQ(read(regs::kStatusOffset) >> regs::kStatusIdleLow & 1, 1u) << "the router itself has nothing to do";
    edges(20);
    EXPECT_EQ(model_.idle_o, 0) << "towards " << x;
    model_.m_tready_i = 3;
    edges(100);
    EXPECT_EQ(model_.idle_o, 1) << "towards " << x;
  }
}

// Registers that follow others see a change up to three edges after all else is at rest.
TEST_F(ControlledNetwork, IsIdleThreeEdgesAfterTheLastAccess) {
  set_up(place(3, 4, 5));
  // The links tell a new health, but nothing of one that stays.
  write(regs::kHealthOffset, 5);
  edges(100);
  ASSERT_EQ(model_.idle_o, 1);
  for (int round = 0; round < 3; ++round) {
    // Returns at the edge that takes the answer.
    write(regs::kHealthOffset, 5);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(model_.idle_o, 0) << i;
      edge();
    }
    edges(round);
    EXPECT_EQ(model_.idle_o, 1);
  }
}

// Credits of a tile say nothing of a health.
TEST_F(ControlledNetwork, ATilePortHasNoHealthOfANeighbour) {
  set_up(place(3, 4, 5));
  write(regs::kHealthOffset, 5);
  for (uint32_t p = 0; p < 3; ++p) {
    send(place(3, 4, 5), p);
    ASSERT_EQ(packets_out_[p], 1);
    model_.credit_valid_i = static_cast<uint8_t>(1u << p);
    model_.credit_vc_i = static_cast<uint8_t>(last_vc_[p] << p);
    model_.credit_packets_i = static_cast<uint16_t>(1u << (4 * p));
    edge();
    model_.credit_valid_i = 0;
    edges(3);
    EXPECT_EQ(read(of_port(regs::kPortStatusOffset, p)), 0u) << "port " << p;
  }
}

}  // namespace
}  // namespace fabrictwin
