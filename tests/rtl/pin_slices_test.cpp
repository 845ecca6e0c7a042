// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/pin_slices.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "rtl/transactor/router/model.h"

namespace fabrictwin {
namespace {

constexpr int kPorts = rtl::router::kLargeRouterPorts;

/// Different for neighbours, and never the same for a port and its complement.
uint8_t health_of(int port, int round) { return static_cast<uint8_t>((port * 5 + round) % 8); }

TEST(PinSlices, HealthOfAnyPortLiesInOneWordOrTwo) {
  std::array<uint32_t, 3 * kPorts / 32> words{};
  for (int round = 0; round < 8; ++round) {
    for (int p = 0; p < kPorts; ++p) rtl::set_pin_health(words.data(), p, health_of(p, round));
    for (int p = 0; p < kPorts; ++p) {
      EXPECT_EQ(rtl::pin_health(words.data(), p), health_of(p, round)) << p;
      for (int b = 0; b < 3; ++b) {
        const int at = 3 * p + b;
        EXPECT_EQ(words[at / 32] >> (at % 32) & 1, static_cast<uint32_t>(health_of(p, round) >> b & 1)) << p;
      }
    }
  }
}

TEST(PinSlices, OneNumberOrManyWordsAreTheSame) {
  uint64_t number = 0;
  std::array<uint32_t, 2> words{};
  for (int p = 0; p < 21; ++p) {
    rtl::set_pin_health(&number, p, health_of(p, 3));
    rtl::set_pin_health(words.data(), p, health_of(p, 3));
    EXPECT_EQ(rtl::pin_health(&number, p), rtl::pin_health(words.data(), p));
  }
  EXPECT_EQ(number, words[0] | uint64_t{words[1]} << 32);
}

// What Verilator makes of the vectors is what the slices say.
TEST(PinSlices, TheLargestRouterKeepsTheHealthOfAllItsNeighbours) {
  const auto model = rtl::router::make_large_router_model();
  rtl::router::Identity identity;
  identity.port_enable = ~uint64_t{0};
  identity.initial_credits.fill(64);
  model->reset(identity);
  const rtl::router::LargePins& pins = model->pins();
  *pins.credit_valid_i = ~uint64_t{0};
  for (int round = 0; round < 2; ++round) {
    for (int p = 0; p < kPorts; ++p) rtl::set_pin_health(pins.credit_health_i, p, health_of(p, round));
    model->edge();
    for (int p = 0; p < kPorts; ++p) EXPECT_EQ(rtl::pin_health(pins.neighbour_health_o, p), health_of(p, round)) << p;
  }
  EXPECT_EQ(*pins.error_o, 0u);
  // A port that is not connected does not listen.
  identity.port_enable = ~(uint64_t{1} << 42);
  model->reset(identity);
  *pins.credit_valid_i = ~uint64_t{0};
  for (int p = 0; p < kPorts; ++p) rtl::set_pin_health(pins.credit_health_i, p, 7);
  model->edge();
  for (int p = 0; p < kPorts; ++p) EXPECT_EQ(rtl::pin_health(pins.neighbour_health_o, p), p == 42 ? 0 : 7) << p;
}

}  // namespace
}  // namespace fabrictwin
