// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/apelink/wire_reference.h"

#include <bit>

namespace fabrictwin::test {

uint32_t crc32_of(const std::vector<Word>& words) {
  uint32_t crc = 0xFFFF'FFFF;
  for (const Word& word : words) {
    for (uint32_t unit : word) {
      for (int byte = 0; byte < 4; ++byte) {
        crc ^= (unit >> (8 * byte)) & 0xFF;
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0xEDB8'8320 : crc >> 1;
      }
    }
  }
  return ~crc;
}

uint8_t crc8_of(uint64_t frame) {
  // Long division of the message, with the initial value added to its highest byte.
  uint64_t rest = (frame & 0xFF'FFFF'FFFF'FFFF) ^ (uint64_t{0xFF} << 48);
  for (int i = 0; i < 56; ++i) {
    const bool top = ((rest >> 55) & 1) != 0;
    rest = (rest << 1) & 0xFF'FFFF'FFFF'FFFF;
    if (top) rest ^= uint64_t{0x07} << 48;
  }
  return static_cast<uint8_t>(rest >> 48);
}

uint16_t secded_of(const Word& header) {
  uint16_t check = 0;
  unsigned column = 0b111;
  int weight = 3;
  for (int i = 0; i < 128; ++i) {
    if (((header[i / 32] >> (i % 32)) & 1) != 0) check ^= static_cast<uint16_t>(column);
    do {
      if (++column == 512) {
        column = 0;
        weight = 5;
      }
    } while (std::popcount(column) != weight);
  }
  return check;
}

int payload_bytes_of(const Word& header) { return static_cast<int>((header[1] >> 16) & 0x3FF); }

std::array<Unit, 4> WireParser::parse(const Word& word) {
  std::array<Unit, 4> units;
  for (int u = 0; u < 4; ++u) units[u] = parse_unit(word[u]);
  return units;
}

void WireParser::fail(const std::string& what) {
  if (error.empty()) error = what;
}

Unit WireParser::parse_unit(uint32_t unit) {
  switch (state_) {
    case State::kBetween:
      if (unit == 0x1D1E'1D1E) {
        ++idle_units;
        return {UnitKind::kIdle, -1};
      }
      if ((unit & 0xFFFF) != 0xC0DE) fail("neither Magic nor idle");
      magic_ = unit;
      state_ = State::kStart;
      return {((unit >> 16) & 1) != 0 ? UnitKind::kCreditFrame : UnitKind::kFrame, static_cast<int>(packets.size())};
    case State::kStart: {
      const auto packet = static_cast<int>(packets.size());
      end_frame((uint64_t{unit} << 32) | magic_);
      return {frames.back().is_credit ? UnitKind::kCreditFrame : UnitKind::kFrame, packet};
    }
    case State::kWords: {
      WirePacket& packet = packets.back();
      if (units_ % 4 == 0) packet.words.emplace_back();
      packet.words.back()[units_ % 4] = unit;
      ++units_;
      if (units_ == 4) {
        if (secded_of(packet.words[0]) != check_) fail("wrong check bits");
        length_ = (payload_bytes_of(packet.words[0]) + 15) / 16 + 2;
        if (length_ > 34) fail("packet too long");
      }
      if (units_ <= 4) return {UnitKind::kHeader, static_cast<int>(packets.size()) - 1};
      const bool footer = units_ > 4 * (length_ - 1);
      if (units_ == 4 * length_) state_ = State::kCrc;
      return {footer ? UnitKind::kFooter : UnitKind::kPayload, static_cast<int>(packets.size()) - 1};
    }
    default:
      if (unit != crc32_of(packets.back().words)) fail("wrong CRC");
      state_ = State::kBetween;
      return {UnitKind::kCrc, static_cast<int>(packets.size()) - 1};
  }
}

void WireParser::end_frame(uint64_t frame) {
  if ((frame >> 56) != crc8_of(frame)) fail("wrong CRC of a frame");
  if (((frame >> 30) & 3) != 0) fail("zero bits are not");
  WireFrame f;
  f.is_credit = ((frame >> 16) & 1) != 0;
  f.vc = static_cast<int>((frame >> 17) & 1);
  check_ = static_cast<uint16_t>((frame >> 18) & 0x1FF);
  f.health = static_cast<int>((frame >> 27) & 7);
  f.freed0 = static_cast<uint8_t>(frame >> 32);
  f.freed1 = static_cast<uint8_t>(frame >> 40);
  f.sent0 = static_cast<uint8_t>(frame >> 48);
  f.sent1 = static_cast<uint8_t>(check_);
  if (f.is_credit && f.vc != 0) fail("a credit word with bits of a packet");
  if (f.is_credit && check_ > 255) {
    ++long_frames;
    f.vc = check_ >> 7 & 1;
    if ((check_ & 0x78) != 0 || f.freed1 > 7) fail("zero bits of a long credit word are not");
    const int sent = f.sent0 + 256 * (check_ & 7);
    const int freed = f.freed0 + 256 * f.freed1;
    f.sent0 = f.sent1 = f.freed0 = f.freed1 = 0;
    (f.vc == 0 ? f.sent0 : f.sent1) = sent;
    (f.vc == 0 ? f.freed0 : f.freed1) = freed;
  }
  frames.push_back(f);
  if (f.is_credit) {
    state_ = State::kBetween;
    return;
  }
  packets.push_back({f.vc, {}});
  units_ = 0;
  state_ = State::kWords;
}

}  // namespace fabrictwin::test
