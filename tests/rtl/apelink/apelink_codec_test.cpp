// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// SECDED, CRC-32 and CRC-8 against the bit-by-bit references, both as simulated and as synthesized.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <verilated.h>

#include "VApelinkCodecMapped__inputs.h"
#include "VApelinkCodec__inputs.h"
#include "tests/rtl/apelink/wire_reference.h"

namespace fabrictwin::test {
namespace {

template <typename Model>
class ApelinkCodec : public testing::Test {
 protected:
  void set(const Word& data, const std::vector<int>& flips = {}, bool enable = true) {
    for (int u = 0; u < 4; ++u) {
      model_.data_i[u] = data[u];
      model_.data_flip_i[u] = 0;
    }
    model_.check_flip_i = 0;
    for (int bit : flips) {
      if (bit < 128) {
        model_.data_flip_i[bit / 32] ^= 1U << (bit % 32);
      } else {
        model_.check_flip_i ^= 1U << (bit - 128);
      }
    }
    model_.enable_i = enable;
    model_.eval();
  }
  Word decoded() const { return {model_.data_o[0], model_.data_o[1], model_.data_o[2], model_.data_o[3]}; }

  Model model_;
};

using Models = testing::Types<VApelinkCodec, VApelinkCodecMapped>;
TYPED_TEST_SUITE(ApelinkCodec, Models);

Word random_word() {
  const auto v = *rc::gen::container<std::vector<uint32_t>>(4, rc::gen::arbitrary<uint32_t>());
  return {v[0], v[1], v[2], v[3]};
}

TYPED_TEST(ApelinkCodec, ReferencesKnowTheStandardVectors) {
  // "123456789" is not a whole word, so a known value of 16 bytes: 00 to 0F.
  EXPECT_EQ(crc32_of({{0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C}}), 0xCECEE288U);
}

TYPED_TEST(ApelinkCodec, CrcOfAnyWords) {
  EXPECT_TRUE(rc::check([this] {
    const int words = *rc::gen::inRange(1, 36);
    std::vector<Word> packet;
    uint32_t crc = 0xFFFF'FFFF;
    for (int i = 0; i < words; ++i) {
      packet.push_back(random_word());
      this->model_.crc_i = crc;
      this->set(packet.back());
      crc = this->model_.crc_o;
    }
    RC_ASSERT(~crc == crc32_of(packet));
    const uint64_t frame = (uint64_t{packet[0][1]} << 32) | packet[0][0];
    this->set(packet[0]);
    RC_ASSERT(this->model_.frame_crc_o == crc8_of(frame));
  }));
}

// The codes are linear, so these vectors are a proof.
TYPED_TEST(ApelinkCodec, EachBitByItself) {
  for (int bit = -1; bit < 160; ++bit) {
    Word data{};
    if (bit >= 0 && bit < 128) data[bit / 32] = 1U << (bit % 32);
    // A register of zero: the reference begins with ones and ends with the complement.
    uint32_t expected = bit >= 128 ? 1U << (bit - 128) : 0;
    this->model_.crc_i = expected;
    for (int i = 0; i < 128; ++i) {
      expected ^= (data[i / 32] >> (i % 32)) & 1;
      expected = (expected & 1) != 0 ? (expected >> 1) ^ 0xEDB8'8320 : expected >> 1;
    }
    this->set(data);
    ASSERT_EQ(this->model_.crc_o, expected) << bit;
    ASSERT_EQ(this->model_.check_o, secded_of(data)) << bit;
  }
}

TYPED_TEST(ApelinkCodec, CorrectsEverySingleError) {
  EXPECT_TRUE(rc::check([this] {
    const Word data = random_word();
    this->set(data);
    RC_ASSERT(this->decoded() == data);
    RC_ASSERT(!this->model_.corrected_o && !this->model_.uncorrectable_o);
    for (int bit = 0; bit < 137; ++bit) {
      this->set(data, {bit});
      RC_ASSERT(this->decoded() == data);
      RC_ASSERT(this->model_.corrected_o && !this->model_.uncorrectable_o);
    }
    // Other words pass.
    this->set(data, {5}, false);
    RC_ASSERT(this->decoded()[0] == (data[0] ^ 32));
  }));
}

TYPED_TEST(ApelinkCodec, SeesEveryDoubleError) {
  const Word data{0x0123'4567, 0x89AB'CDEF, 0xDEAD'BEEF, 0x5A5A'0FF0};
  for (int first = 0; first < 137; ++first) {
    for (int second = first + 1; second < 137; ++second) {
      this->set(data, {first, second});
      ASSERT_TRUE(this->model_.uncorrectable_o && !this->model_.corrected_o) << first << " and " << second;
    }
  }
}

}  // namespace
}  // namespace fabrictwin::test
