// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One evaluation a clock edge is as good as two: two routers, the same random pins, the same outputs and registers at
// every edge.
#include "rtl/transactor/verilated_clock.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cosim/base/random.h"
#include "cosim/observe/digest.h"
#include "tests/rtl/pin_router.h"

namespace fabrictwin::test {
namespace {

/// Half good packets, half noise, so that error paths are walked too.
void drive(rtl::router::Model& model, RandomStream random) {
  const rtl::router::Pins& pins = model.pins();
  *pins.rx_valid_i = static_cast<uint8_t>(random.next() & random.next() & 0x7f);
  *pins.rx_vc_i = static_cast<uint8_t>(random.next() & 0x7f);
  *pins.rx_sop_i = static_cast<uint8_t>(random.next() & 0x7f);
  *pins.rx_eop_i = static_cast<uint8_t>(random.next() & 0x7f);
  for (int i = 0; i < 4 * rtl::router::kRouterPorts; ++i) pins.rx_data_i[i] = static_cast<uint32_t>(random.next());
  for (int p = 0; p < rtl::router::kRouterPorts; ++p) {
    // Coordinates inside the lattice and short payloads most of the time.
    pins.rx_data_i[4 * p] &= 0xff030303;
    pins.rx_data_i[4 * p + 1] &= random.next_below(8) == 0 ? 0xffffffff : 0xfc00ffff | random.next_below(64) << 16;
  }
  *pins.tx_ready_i = static_cast<uint8_t>(random.next() & 0x7f);
  *pins.credit_valid_i = static_cast<uint8_t>(random.next() & 0x7f);
  *pins.credit_vc_i = static_cast<uint8_t>(random.next() & 0x7f);
  *pins.credit_count_i = random.next() & 0x0303030303030303;
}

uint64_t outputs(const rtl::router::Model& model) {
  const rtl::router::Pins& pins = model.pins();
  uint64_t values[] = {*pins.credit_valid_o,
                       *pins.credit_vc_o,
                       *pins.credit_count_o,
                       *pins.credit_health_o,
                       *pins.tx_valid_o,
                       *pins.tx_vc_o,
                       *pins.tx_sop_o,
                       *pins.tx_eop_o,
                       *pins.idle_o,
                       *pins.credit_stall_o,
                       *pins.error_o,
                       *pins.neighbour_health_o,
                       observe::hash_bytes(std::as_bytes(std::span(pins.tx_data_o, 4 * rtl::router::kRouterPorts)))};
  return observe::hash_values(values);
}

TEST(VerilatedClock, OneEvaluationEqualsTwo) {
  auto one = rtl::router::make_router_model();
  auto two = rtl::router::make_router_model();
  one->reset(full_identity({1, 2, 3}, {4, 4, 4}));
  two->reset(full_identity({1, 2, 3}, {4, 4, 4}));
  uint64_t different = 0;
  uint64_t last = 0;
  for (uint64_t k = 0; k < 200'000; ++k) {
    const RandomStream random(7, k, RandomPurpose::kTest);
    drive(*one, random);
    drive(*two, random);
    one->edge();
    two->edge_in_two();
    ASSERT_EQ(outputs(*one), outputs(*two)) << "edge " << k;
    if (outputs(*one) != last) ++different;
    last = outputs(*one);
  }
  // The pins must have done something for this to mean anything.
  EXPECT_GT(different, 50'000u);
}

TEST(VerilatedClock, AnEdgeIsSeenAlthoughTheClockNeverFell) {
  auto model = rtl::router::make_router_model();
  model->reset(full_identity({0, 0, 0}, {4, 4, 4}));
  // The guard of the test above, which two routers that ignore their clock would pass.
  link::PacketHeader header;
  header.coordinates = {1, 0, 0};
  const link::Word word = header.encode();
  *model->pins().rx_valid_i = 1;
  *model->pins().rx_sop_i = 1;
  std::memcpy(model->pins().rx_data_i, &word, sizeof(word));
  ASSERT_EQ(*model->pins().idle_o, 1);
  model->edge();
  EXPECT_EQ(*model->pins().idle_o, 0);
}

}  // namespace
}  // namespace fabrictwin::test
