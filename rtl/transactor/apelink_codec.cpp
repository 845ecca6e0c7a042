// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/apelink_codec.h"

#include <bit>

namespace fabrictwin::rtl {
namespace {

constexpr int kFrameBytes = 7;         ///< Bytes that the CRC-8 covers.
constexpr uint64_t kLongMark = 0x100;  ///< In the check bits of a credit word that is long.

// The CRCs are computed byte by byte.
constexpr std::array<uint8_t, 256> make_crc8_table() {
  std::array<uint8_t, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    unsigned crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ ((crc & 0x80) != 0 ? 0x107 : 0);
    table[i] = static_cast<uint8_t>(crc);
  }
  return table;
}

// Entry [k][b] is the CRC of byte b followed by k zero bytes, so that eight bytes take one step.
constexpr std::array<std::array<uint32_t, 256>, 8> make_crc32_tables() {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    tables[0][i] = crc;
  }
  for (int k = 1; k < 8; ++k) {
    for (int i = 0; i < 256; ++i) tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xff];
  }
  return tables;
}

/// Column i of Hsiao's code: the 9-bit numbers of weight 3 in rising order, then those of weight 5.
constexpr std::array<uint16_t, link::kWordBits> make_columns() {
  std::array<uint16_t, link::kWordBits> columns{};
  size_t next = 0;
  for (int weight = 3; weight <= 5; weight += 2) {
    for (unsigned value = 0; value < 512 && next < columns.size(); ++value) {
      if (std::popcount(value) == weight) columns[next++] = static_cast<uint16_t>(value);
    }
  }
  return columns;
}

// Entry [k][b] is the check bits of a header whose byte k is b and whose other bytes are zero.
constexpr std::array<std::array<uint16_t, 256>, link::kWordBytes> make_secded_tables() {
  const auto columns = make_columns();
  std::array<std::array<uint16_t, 256>, link::kWordBytes> tables{};
  for (int k = 0; k < link::kWordBytes; ++k) {
    for (unsigned b = 1; b < 256; ++b) {
      const int low = std::countr_zero(b);
      tables[k][b] = tables[k][b & (b - 1)] ^ columns[8 * k + low];
    }
  }
  return tables;
}

constexpr auto kCrc8 = make_crc8_table();
constexpr auto kCrc32 = make_crc32_tables();
constexpr auto kSecded = make_secded_tables();

uint32_t crc32_half(uint32_t crc, uint64_t half) {
  half ^= crc;
  crc = 0;
  for (int k = 0; k < 8; ++k) crc ^= kCrc32[7 - k][half >> (8 * k) & 0xff];
  return crc;
}

}  // namespace

uint64_t ApelinkFrame::encode() const {
  uint64_t bits = kApelinkMagic | uint64_t{is_credit} << 16 | uint64_t{health} << 27 | (sent & 0xffULL) << 48;
  if (is_long) {
    bits |= (kLongMark | uint64_t{vc} << 7 | static_cast<uint64_t>(sent >> 8)) << 18 | (freed[vc] & 0xffULL) << 32 |
            static_cast<uint64_t>(freed[vc] >> 8) << 40;
  } else {
    bits |= uint64_t{vc} << 17 | uint64_t{check} << 18 | (freed[0] & 0xffULL) << 32 | (freed[1] & 0xffULL) << 40;
  }
  return bits | uint64_t{apelink_crc8(bits)} << 56;
}

ApelinkFrame ApelinkFrame::decode(uint64_t bits) {
  ApelinkFrame frame;
  frame.is_credit = (bits >> 16 & 1) != 0;
  frame.vc = static_cast<uint8_t>(bits >> 17 & 1);
  frame.check = static_cast<uint16_t>(bits >> 18 & 0x1ff);
  frame.health = static_cast<uint8_t>(bits >> 27 & 7);
  frame.freed = {static_cast<uint8_t>(bits >> 32), static_cast<uint8_t>(bits >> 40)};
  frame.sent = static_cast<uint8_t>(bits >> 48);
  frame.is_long = frame.is_credit && (frame.check & kLongMark) != 0;
  if (!frame.is_long) return frame;
  frame.vc = static_cast<uint8_t>(frame.check >> 7 & 1);
  frame.sent = static_cast<uint16_t>(frame.sent | (frame.check & 7) << 8);
  const auto freed = static_cast<uint16_t>(frame.freed[0] | (frame.freed[1] & 7) << 8);
  frame.freed = {};
  frame.freed[frame.vc] = freed;
  frame.check = 0;
  return frame;
}

bool apelink_frame_ok(uint64_t bits) {
  return (bits & 0xffff) == kApelinkMagic && (bits >> 30 & 3) == 0 && bits >> 56 == apelink_crc8(bits);
}

uint8_t apelink_crc8(uint64_t bits) {
  uint8_t crc = 0xff;
  for (int byte = kFrameBytes - 1; byte >= 0; --byte) crc = kCrc8[crc ^ (bits >> (8 * byte) & 0xff)];
  return crc;
}

uint16_t apelink_secded(const link::Word& header) {
  uint16_t check = 0;
  for (int k = 0; k < 8; ++k) {
    check ^= kSecded[k][header.lo >> (8 * k) & 0xff];
    check ^= kSecded[k + 8][header.hi >> (8 * k) & 0xff];
  }
  return check;
}

uint32_t apelink_crc32(uint32_t crc, const link::Word& word) { return crc32_half(crc32_half(crc, word.lo), word.hi); }

int apelink_packet_words(const link::Word& header) {
  return (apelink_payload_bytes(header) + link::kWordBytes - 1) / link::kWordBytes + 2;
}

}  // namespace fabrictwin::rtl
