// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/line_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace fabrictwin {
namespace {

uintptr_t place_of(const LineVector<uint16_t>& values) { return reinterpret_cast<uintptr_t>(values.data()); }

TEST(LineVector, BeginsWithALineOrAHugePage) {
  for (const size_t size : {size_t{1}, size_t{33}, size_t{5000}})
    EXPECT_EQ(place_of(LineVector<uint16_t>(size)) % 64, 0u);
  EXPECT_EQ(place_of(LineVector<uint16_t>(size_t{1} << 20)) % (size_t{2} << 20), 0u);
}

TEST(LineVector, KeepsItsValuesFromLinesToHugePages) {
  LineVector<uint16_t> values;
  for (size_t i = 0; i < (size_t{3} << 20) / sizeof(uint16_t); ++i) values.push_back(static_cast<uint16_t>(i * i));
  const LineVector<uint16_t> copy = values;
  values.clear();
  values.shrink_to_fit();
  for (size_t i = 0; i < copy.size(); ++i) ASSERT_EQ(copy[i], static_cast<uint16_t>(i * i)) << i;
}

}  // namespace
}  // namespace fabrictwin
