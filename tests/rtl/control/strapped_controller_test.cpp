// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Target Controller with strap pins: its network IP works without software.
#include <gtest/gtest.h>

#include <cstdint>

#include "VStrappedController__inputs.h"
#include "rtl/control/target_registers.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

namespace regs = rtl::control::target_registers;

constexpr uint32_t kPorts = 5;

struct Straps {
  uint32_t coordinates, last, enable, words, packets;
  bool operator==(const Straps&) const = default;
};

class StrappedController : public ModuleTest<VStrappedController> {
 protected:
  StrappedController() : ModuleTest(51) { model_.bready_i = 1; }

  Straps any() {
    const auto bits = [this](int width) { return static_cast<uint32_t>(random_()) & ((1u << width) - 1); };
    return {bits(24), bits(24), bits(kPorts), bits(regs::kTileCreditsWordsWidth), bits(regs::kTileCreditsPacketsWidth)};
  }
  void strap(const Straps& straps) {
    model_.strap_coordinates_i = straps.coordinates;
    model_.strap_last_i = straps.last;
    model_.strap_port_enable_i = static_cast<uint8_t>(straps.enable);
    model_.strap_tile_words_i = static_cast<uint16_t>(straps.words);
    model_.strap_tile_packets_i = static_cast<uint8_t>(straps.packets);
  }
  Straps settings() const {
    return {model_.coordinates_o, model_.last_o, model_.port_enable_o, model_.tile_words_o, model_.tile_packets_o};
  }
  void write(uint32_t address, uint32_t data) {
    model_.awvalid_i = model_.wvalid_i = 1;
    model_.awaddr_i = static_cast<uint16_t>(address);
    model_.wdata_i = data;
    model_.wstrb_i = 15;
    edge();
    model_.awvalid_i = model_.wvalid_i = 0;
    for (int waited = 0; model_.bvalid_o == 0 && waited < 10; ++waited) edge();
    EXPECT_EQ(model_.bvalid_o, 1);
    EXPECT_EQ(model_.bresp_o, 0);
    edge();
  }
};

TEST_F(StrappedController, BeginsAsItsStrapsSay) {
  for (int round = 0; round < 200; ++round) {
    const Straps straps = any();
    strap(straps);
    reset();
    EXPECT_EQ(model_.network_rst_no, 0);
    // From then on they may be anything.
    int edges_in_reset = 0;
    for (; model_.network_rst_no == 0 && edges_in_reset < 10; ++edges_in_reset) {
      strap(any());
      edge();
    }
    EXPECT_EQ(model_.network_rst_no, 1) << "waits for software";
    EXPECT_GE(edges_in_reset, 2);
    EXPECT_EQ(settings(), straps) << round;
    // Software may say something else.
    write(regs::kCoordinatesOffset, 0x030201);
    write(regs::kLatticeOffset, 0x060504);
    write(regs::kTileCreditsOffset, 7u << regs::kTileCreditsWordsLow | 3u << regs::kTileCreditsPacketsLow);
    for (uint32_t p = 0; p < kPorts; ++p) {
      write(regs::kPortControlOffset + regs::kStride * p, (p % 2) << regs::kPortControlEnableLow);
    }
    EXPECT_EQ(settings(), (Straps{0x030201, 0x060504, 0b01010, 7, 3})) << round;
    EXPECT_EQ(model_.network_rst_no, 1);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace fabrictwin::test
