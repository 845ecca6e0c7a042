// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// fp_adder against the floating-point arithmetic of the host, on directed and on random operands.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <type_traits>
#include <vector>

#include "VFpAdderDouble__inputs.h"
#include "VFpAdderFloat__inputs.h"
#include "models/nic/reduction.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr size_t kLatency = 5;

struct Binary32 {
  using Model = VFpAdderFloat;
  static constexpr nic::ReduceType kType = nic::ReduceType::kFloat;
  static constexpr int kExponent = 8;
  static constexpr int kFraction = 23;
};
struct Binary64 {
  using Model = VFpAdderDouble;
  static constexpr nic::ReduceType kType = nic::ReduceType::kDouble;
  static constexpr int kExponent = 11;
  static constexpr int kFraction = 52;
};

template <class Format>
class FpAdder : public ModuleTest<typename Format::Model> {
 protected:
  static constexpr int kBits = 1 + Format::kExponent + Format::kFraction;
  static constexpr uint64_t kFractionMask = (uint64_t{1} << Format::kFraction) - 1;
  static constexpr uint64_t kMaxExponent = (uint64_t{1} << Format::kExponent) - 1;

  FpAdder() : ModuleTest<typename Format::Model>(11) {}

  static uint64_t number(bool sign, uint64_t exponent, uint64_t fraction) {
    return static_cast<uint64_t>(sign) << (kBits - 1) | exponent << Format::kFraction | (fraction & kFractionMask);
  }

  void add(uint64_t a, uint64_t b) {
    using Bits = std::remove_reference_t<decltype(this->model_.a_i)>;
    this->model_.a_i = static_cast<Bits>(a);
    this->model_.b_i = static_cast<Bits>(b);
    expected_.push_back({a, b});
    this->edge();
    if (expected_.size() < kLatency) return;
    const auto [x, y] = expected_.front();
    expected_.pop_front();
    const uint64_t sum = nic::reduce_elements(nic::ReduceOperation::kSum, Format::kType, x, y);
    if (this->model_.sum_o != sum) {
      ADD_FAILURE() << std::hex << x << " + " << y << " is " << sum << ", not " << uint64_t{this->model_.sum_o};
      ++failures_;
    }
  }

  /// Exponents near each other or near the ends are frequent, and so are fractions with long runs of equal bits.
  void add_random() {
    const auto draw = [this] { return random64_(); };
    const uint64_t shape = draw();
    uint64_t a_exponent = draw() % (kMaxExponent + 1);
    if (shape % 8 == 0) a_exponent = draw() % 4;
    if (shape % 8 == 1) a_exponent = kMaxExponent - draw() % 3;
    uint64_t b_exponent = draw() % (kMaxExponent + 1);
    if (shape / 8 % 4 != 0) b_exponent = std::min(kMaxExponent, a_exponent + draw() % (Format::kFraction + 4) / 2);
    const auto fraction = [&](uint64_t kind) {
      const uint64_t bits = draw();
      if (kind == 0) return ~uint64_t{0} << bits % 64;
      if (kind == 1) return ~(~uint64_t{0} << bits % 64);
      if (kind == 2) return uint64_t{1} << bits % 64;
      return bits;
    };
    const uint64_t a = number((shape >> 20 & 1) != 0, a_exponent, fraction(shape >> 22 & 7));
    const uint64_t b = number((shape >> 21 & 1) != 0, b_exponent, fraction(shape >> 25 & 7));
    if ((shape >> 30 & 1) != 0) {
      add(a, b);
    } else {
      add(b, a);
    }
  }

  void run(int64_t pairs) {
    for (int64_t i = 0; i < pairs && failures_ < 10; ++i) add_random();
  }

  std::mt19937_64 random64_{2026};
  std::deque<std::array<uint64_t, 2>> expected_;
  int failures_ = 0;
};

using Formats = ::testing::Types<Binary32, Binary64>;
TYPED_TEST_SUITE(FpAdder, Formats);

TYPED_TEST(FpAdder, PairsOfAllSpecialNumbers) {
  std::vector<uint64_t> numbers;
  for (const bool sign : {false, true}) {
    for (const uint64_t exponent : {uint64_t{0}, uint64_t{1}, uint64_t{2}, this->kMaxExponent / 2,
                                    this->kMaxExponent / 2 + 24, this->kMaxExponent - 1, this->kMaxExponent}) {
      for (const uint64_t fraction : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, this->kFractionMask / 2,
                                      this->kFractionMask / 2 + 1, this->kFractionMask - 1, this->kFractionMask})
        numbers.push_back(this->number(sign, exponent, fraction));
    }
  }
  for (const uint64_t a : numbers) {
    for (const uint64_t b : numbers) this->add(a, b);
  }
  for (size_t i = 0; i < kLatency; ++i) this->add(0, 0);
}

TYPED_TEST(FpAdder, AlignsByEveryDistance) {
  for (uint64_t distance = 0; distance < 70; ++distance) {
    const uint64_t exponent = std::min(this->kMaxExponent - 1, uint64_t{2} + distance);
    for (int i = 0; i < 200; ++i) {
      const bool sign = this->chance(50);
      const bool other = this->chance(50);
      const uint64_t fraction = this->random64_();
      const uint64_t more = this->chance(30) ? 0 : this->random64_();
      this->add(this->number(sign, exponent, fraction), this->number(other, 2, more));
    }
  }
}

TYPED_TEST(FpAdder, RandomPairs) { this->run(300'000); }

TYPED_TEST(FpAdder, MillionsOfRandomPairs) { this->run(50'000'000); }

}  // namespace
}  // namespace fabrictwin::test
