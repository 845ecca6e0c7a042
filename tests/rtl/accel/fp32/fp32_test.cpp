// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Multiplier and adder of binary32 beside the arithmetic of this computer.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "VFp32Lanes.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kLatency = 6;  // Both units take so many cycles (fp32_pkg.sv).
constexpr uint32_t kNan = 0x7fc0'0000;

struct Operands {
  uint32_t a = 0;
  uint32_t b = 0;
};

uint32_t bits_of(float value) { return std::isnan(value) ? kNan : std::bit_cast<uint32_t>(value); }

/// Numbers of xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016):
/// their cost must not exceed that of what is tested.
class Numbers {
 public:
  explicit Numbers(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545'f491'4f6c'dd1d;
  }

 private:
  uint64_t state_;
};

/// Operands of many kinds: any bits, close exponents, products or sums near subnormal numbers or infinity, few bits in
/// the significands so that ties are frequent.
Operands draw(Numbers& numbers) {
  const uint64_t bits = numbers.next();
  const uint64_t choice = numbers.next() >> 32;
  Operands out{static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
  const auto with_exponent = [](uint32_t value, uint32_t exponent) {
    return (value & 0x807f'ffff) | (exponent & 255) << 23;
  };
  const uint32_t exponent = out.a >> 23 & 255;
  const auto spread = static_cast<uint32_t>(choice >> 8 & 63);
  switch (choice & 7) {
    case 0:
      break;
    case 1:
    case 2:
      out.b = with_exponent(out.b, exponent + spread % 4 - 1);
      break;
    case 3:
      out.b = with_exponent(out.b, exponent + spread % 32);
      break;
    case 4:  // The product is near the smallest numbers.
      out.b = with_exponent(out.b, 127 - 32 + spread - exponent);
      break;
    case 5:  // The product is near infinity.
      out.b = with_exponent(out.b, 127 + 254 - 2 - exponent + spread % 4);
      break;
    case 6:
      out.a = with_exponent(out.a, spread % 3);
      if ((choice & 0x8000) != 0) out.b = with_exponent(out.b, choice >> 16 & 31);
      break;
    default: {
      const uint32_t mask = ~uint32_t{0} << (spread % 24);
      out.a &= mask;
      out.b &= ~uint32_t{0} << (choice >> 16) % 24;
      if ((choice & 0x8000) != 0) out.b = with_exponent(out.b, exponent + spread % 32);
      break;
    }
  }
  return out;
}

class Fp32 : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(std::fegetround(), FE_TONEAREST); }

  /// One cycle with an operand pair for each lane. What comes out is compared with the operands of `kLatency` cycles
  /// before.
  void cycle(const std::array<Operands, kLanes>& operands) {
    for (size_t l = 0; l < kLanes; ++l) {
      model_.a_i[l] = operands[l].a;
      model_.b_i[l] = operands[l].b;
    }
    history_[cycle_ % kLatency] = operands;
    rtl::rising_edge_in_two(model_);
    ++cycle_;
    if (cycle_ < kLatency) return;
    const std::array<Operands, kLanes>& old = history_[cycle_ % kLatency];
    for (size_t l = 0; l < kLanes; ++l) {
      const auto a = std::bit_cast<float>(old[l].a);
      const auto b = std::bit_cast<float>(old[l].b);
      const uint32_t product = bits_of(a * b);
      const uint32_t sum = bits_of(a + b);
      if (model_.product_o[l] != product || model_.sum_o[l] != sum) {
        ADD_FAILURE() << std::hex << old[l].a << " and " << old[l].b << ": product " << model_.product_o[l]
                      << " instead of " << product << ", sum " << model_.sum_o[l] << " instead of " << sum;
      }
    }
    compared_ += kLanes;
  }

  void run(const std::vector<Operands>& all) {
    std::array<Operands, kLanes> operands{};
    for (size_t i = 0; i < all.size() + kLanes * kLatency; ++i) {
      operands[i % kLanes] = i < all.size() ? all[i] : Operands();
      if (i % kLanes == kLanes - 1) cycle(operands);
      if (HasFailure()) return;
    }
  }

  void run_random(uint64_t seed, uint64_t pairs) {
    Numbers numbers(seed);
    std::array<Operands, kLanes> operands{};
    while (compared_ < pairs && !HasFailure()) {
      for (Operands& pair : operands) pair = draw(numbers);
      cycle(operands);
    }
  }

  uint64_t compared_ = 0;

 private:
  RandomStateContext context_;
  VFp32Lanes model_{&context_};
  std::array<std::array<Operands, kLanes>, kLatency> history_{};
  size_t cycle_ = 0;
};

/// Zeros, ends and middles of subnormal and normal numbers, infinity, NaNs, and powers of two with neighbours, of both
/// signs.
std::vector<uint32_t> special_values() {
  std::vector<uint32_t> values = {0,           1,           2,           3,           0x003f'ffff, 0x0040'0000,
                                  0x0040'0001, 0x007f'fffe, 0x007f'ffff, 0x7f7f'ffff, 0x7f7f'fffe, 0x7f80'0000,
                                  0x7f80'0001, 0x7fbf'ffff, 0x7fc0'0000, 0x7fff'ffff};
  for (const uint32_t exponent : {1,   2,   3,   23,  24,  25,  26,  27,  63,  64,  102, 103, 104, 105,
                                  126, 127, 128, 129, 150, 151, 152, 153, 190, 191, 230, 252, 253, 254}) {
    for (const uint32_t fraction : {0x0u, 0x1u, 0x2u, 0x3f'ffffu, 0x40'0000u, 0x40'0001u, 0x7f'fffeu, 0x7f'ffffu})
      values.push_back(exponent << 23 | fraction);
  }
  const size_t positive = values.size();
  for (size_t i = 0; i < positive; ++i) values.push_back(values[i] | 0x8000'0000);
  return values;
}

TEST_F(Fp32, AllPairsOfSpecialValues) {
  const std::vector<uint32_t> values = special_values();
  std::vector<Operands> pairs;
  for (const uint32_t a : values) {
    for (const uint32_t b : values) pairs.push_back({a, b});
  }
  run(pairs);
  EXPECT_GE(compared_, pairs.size());
}

// One number is half a unit in the last place of the other, or just less or more, with all distances of exponents.
TEST_F(Fp32, SumsHalfWay) {
  std::vector<Operands> pairs;
  for (uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (uint32_t distance = 0; distance <= 28 && distance <= exponent; ++distance) {
      for (const uint32_t fraction : {0x0u, 0x1u, 0x2u, 0x7f'fffeu, 0x7f'ffffu}) {
        for (const uint32_t other : {0x0u, 0x1u, 0x40'0000u, 0x7f'ffffu}) {
          for (const uint32_t sign : {0x0u, 0x8000'0000u})
            pairs.push_back({exponent << 23 | fraction, sign | (exponent - distance) << 23 | other});
        }
      }
    }
  }
  run(pairs);
}

// Products whose digits below the last one are a half or next to it: odd numbers of 12 and 13 bits, and those whose
// results are subnormal, where the last place is further up.
TEST_F(Fp32, ProductsHalfWay) {
  std::vector<Operands> pairs;
  for (uint32_t a = 0x0fff; a > 0x0fff - 64; a -= 2) {
    for (uint32_t b = 0x1fff; b > 0x1fff - 64; b -= 2) {
      for (const int scale : {-160, -150, -149, -148, -140, -130, -126, -100, 0, 100, 103}) {
        const float left = std::ldexp(static_cast<float>(a), -12);
        const float right = std::ldexp(static_cast<float>(b), scale / 2 - 12);
        pairs.push_back({bits_of(std::ldexp(left, scale - scale / 2)), bits_of(right)});
      }
    }
  }
  // A subnormal number by any power of two.
  for (uint32_t a = 1; a < 0x80'0000; a = a * 2 + 1) {
    for (uint32_t exponent = 0; exponent < 255; ++exponent) {
      for (const uint32_t low : {0u, 1u, 0x40'0000u}) pairs.push_back({a, exponent << 23 | low});
    }
  }
  run(pairs);
}

TEST_F(Fp32, AMillionRandomPairs) { run_random(1, 1'000'000); }
TEST_F(Fp32, HundredMillionRandomPairs) { run_random(2, 100'000'000); }

}  // namespace
}  // namespace fabrictwin::test
