// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The accelerator in RTL beside the model of its numbers and that of its cycles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <utility>

#include "rtl/transactor/gemm/accelerator.h"
#include "tests/rtl/random_state_context.h"
#include "workloads/gemm/matrix.h"
#include "workloads/gemm/schedule.h"

namespace fabrictwin::test {
namespace {

/// The devices begin with random values.
const RandomDevices kRandomDevices;

gemm::Block block(gemm::Factor factor, int32_t rows, int32_t columns) {
  return gemm::gemm_block(factor, 0, 0, rows, columns);
}

/// Multiplies matrices of so many tiles and compares all bits and the cycles.
void compare(rtl::gemm::Accelerator& accelerator, const gemm::AcceleratorShape& shape, int32_t rows, int32_t columns,
             int32_t inner) {
  SCOPED_TRACE(::testing::Message() << rows << " x " << columns << " x " << inner << " tiles of " << shape.tile);
  const int32_t t = shape.tile;
  const gemm::Block a = block(gemm::Factor::kA, rows * t, inner * t);
  const gemm::Block b = block(gemm::Factor::kB, inner * t, columns * t);
  gemm::Block c = block(gemm::Factor::kA, rows * t, columns * t);
  gemm::Block expected = c;
  const auto cycles = accelerator.multiply(a.values, b.values, c.values, rows * t, columns * t, inner * t);
  ASSERT_TRUE(cycles.ok()) << cycles.status();
  gemm::gemm_multiply_in_lanes(a, b, expected, shape.lanes);
  EXPECT_EQ(std::memcmp(c.values.data(), expected.values.data(), 4 * c.values.size()), 0);
  EXPECT_EQ(*cycles,
            gemm::accelerator_cycles(shape, rtl::accel::gemm::gemm_command(rows * t, columns * t, inner * t, t)));
}

TEST(GemmAccelerator, NumbersAndCyclesAreThoseOfTheModel) {
  std::mt19937 random(5);
  for (const auto& [tile, lanes] : {std::pair(16, 4), std::pair(32, 8)}) {
    for (const int32_t latency : {1, 2, 30, 300}) {
      const gemm::AcceleratorShape shape{.tile = tile, .lanes = lanes, .memory_latency = latency};
      auto accelerator = rtl::gemm::Accelerator::create(tile, lanes, latency);
      ASSERT_TRUE(accelerator.ok()) << accelerator.status();
      compare(**accelerator, shape, 1, 1, 1);
      for (int i = 0; i < 4; ++i) {
        const auto rows = static_cast<int32_t>(1 + random() % 3);
        const auto columns = static_cast<int32_t>(1 + random() % 3);
        const auto inner = static_cast<int32_t>(1 + random() % 3);
        compare(**accelerator, shape, rows, columns, inner);
      }
    }
  }
}

TEST(GemmAccelerator, NamesShapesThatThereAre) {
  EXPECT_TRUE(rtl::gemm::has_accelerator(16, 4));
  EXPECT_FALSE(rtl::gemm::has_accelerator(16, 8));
  const auto accelerator = rtl::gemm::Accelerator::create(128, 128, 1);
  EXPECT_THAT(accelerator.status().message(),
              ::testing::HasSubstr("tiles of 128 with 128 lanes; there are tiles of 16"));
}

}  // namespace
}  // namespace fabrictwin::test
