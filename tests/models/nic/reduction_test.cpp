// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/reduction.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace fabrictwin::nic {
namespace {

uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

TEST(Reduction, Integers) {
  const auto reduce = [](ReduceOperation operation, int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(
        reduce_elements(operation, ReduceType::kInt32, static_cast<uint32_t>(a), static_cast<uint32_t>(b))));
  };
  EXPECT_EQ(reduce(ReduceOperation::kSum, 3, -5), -2);
  EXPECT_EQ(reduce(ReduceOperation::kSum, std::numeric_limits<int32_t>::max(), 1), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(reduce(ReduceOperation::kMin, 3, -5), -5);
  EXPECT_EQ(reduce(ReduceOperation::kMax, 3, -5), 3);
}

TEST(Reduction, NansAndZeros) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto operation : {ReduceOperation::kSum, ReduceOperation::kMin, ReduceOperation::kMax}) {
    EXPECT_EQ(reduce_elements(operation, ReduceType::kDouble, 0xfff0000000000123, bits(1.0)), bits(kNan));
    EXPECT_EQ(reduce_elements(operation, ReduceType::kFloat, bits(1.0F), 0xff800001), 0x7fc00000U);
  }
  EXPECT_EQ(reduce_elements(ReduceOperation::kSum, ReduceType::kDouble, bits(kInfinity), bits(-kInfinity)), bits(kNan));
  EXPECT_EQ(reduce_elements(ReduceOperation::kMin, ReduceType::kDouble, bits(0.0), bits(-0.0)), bits(-0.0));
  EXPECT_EQ(reduce_elements(ReduceOperation::kMax, ReduceType::kDouble, bits(-0.0), bits(0.0)), bits(0.0));
  EXPECT_EQ(reduce_elements(ReduceOperation::kSum, ReduceType::kDouble, bits(-0.0), bits(0.0)), bits(0.0));
}

RC_GTEST_PROP(Reduction, LeastAndGreatestAreThoseOfTheLibrary, (float a, float b)) {
  EXPECT_EQ(reduce_elements(ReduceOperation::kMin, ReduceType::kFloat, bits(a), bits(b)), bits(std::fmin(a, b)));
  EXPECT_EQ(reduce_elements(ReduceOperation::kMax, ReduceType::kFloat, bits(a), bits(b)), bits(std::fmax(a, b)));
  EXPECT_EQ(reduce_elements(ReduceOperation::kSum, ReduceType::kFloat, bits(a), bits(b)), bits(a + b));
}

// The order of the accelerators, written out for two boards.
TEST(Reduction, OrderOfOperands) {
  std::array<std::array<float, 4>, 8> vectors{};
  for (int32_t rank = 0; rank < 8; ++rank)
    make_operand(ReduceType::kFloat, 77, rank, 5,
                 std::as_writable_bytes(std::span(vectors[static_cast<size_t>(rank)])));
  std::array<float, 4> reduced{};
  make_reduced(ReduceOperation::kSum, ReduceType::kFloat, 77, 8, 5, std::as_writable_bytes(std::span(reduced)));
  for (size_t i = 0; i < reduced.size(); ++i) {
    const auto of = [&](size_t rank) { return vectors[rank][i]; };
    EXPECT_EQ(reduced[i], (((of(0) + of(1)) + of(2)) + of(3)) + (((of(4) + of(5)) + of(6)) + of(7)));
    EXPECT_GE(std::abs(of(0)), 1.0F / 256);
    EXPECT_LT(std::abs(of(0)), 256.0F);
  }
  // A vector is the same whether it is made at once or in parts.
  std::array<float, 2> part{};
  make_reduced(ReduceOperation::kSum, ReduceType::kFloat, 77, 8, 7, std::as_writable_bytes(std::span(part)));
  EXPECT_EQ(part[0], reduced[2]);
  EXPECT_EQ(part[1], reduced[3]);
}

}  // namespace
}  // namespace fabrictwin::nic
