// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/ni/ni_packet.h"

namespace fabrictwin::test {

uint32_t ni_crc32(const std::vector<NiWord>& words) {
  uint32_t crc = ~0u;
  for (const NiWord& word : words) {
    for (int bit = 0; bit < 128; ++bit) {
      const uint32_t in = static_cast<uint32_t>((bit < 64 ? word.lo >> bit : word.hi >> (bit - 64)) & 1);
      const bool out = ((crc ^ in) & 1) != 0;
      crc >>= 1;
      if (out) crc ^= 0xedb88320u;
    }
  }
  return ~crc;
}

std::vector<NiWord> NiPacket::words() const {
  const uint64_t port = destination % (1u << kNiTileBits);
  const uint64_t place = destination >> kNiTileBits;
  const uint64_t x = place % (1u << kNiXBits);
  const uint64_t y = place >> kNiXBits & ((1u << kNiYBits) - 1);
  const uint64_t z = place >> (kNiXBits + kNiYBits) & 0xff;
  const uint64_t ties = (source ^ destination >> 3) & 7;
  std::vector<NiWord> words;
  words.push_back({x | y << 8 | z << 16 | uint64_t{destination} << 24 | (data.size() + 16) << 48 | port << 58 |
                       static_cast<uint64_t>(packet_kind) << 61,
                   uint64_t{source} | uint64_t{tag()} << 24 | ties << 56});
  // The own header: 80 bits of address, 32 of tag, 9 of length, 3 of rank, 4 of kind.
  const uint64_t address = uint64_t{destination} << 42 | static_cast<uint64_t>(rank) << 39 | va;
  words.push_back({address, uint64_t{pdid} | uint64_t{tag()} << 16 | uint64_t{data.size()} << 48 |
                                static_cast<uint64_t>(source_rank) << 57 | static_cast<uint64_t>(kind) << 60});
  for (size_t i = 0; i < data.size(); ++i) {
    if (i % 16 == 0) words.push_back({});
    uint64_t& half = i % 16 < 8 ? words.back().lo : words.back().hi;
    half |= uint64_t{data[i]} << (8 * (i % 8));
  }
  words.push_back({ni_crc32(words), 0});
  return words;
}

std::optional<NiPacket> NiPacket::parse(const std::vector<NiWord>& words, int vc) {
  if (words.size() < 3) return std::nullopt;
  NiPacket packet;
  packet.vc = vc;
  packet.packet_kind = static_cast<int>(words[0].lo >> 61);
  packet.source = static_cast<uint32_t>(words[0].hi) & 0xffffff;
  const uint64_t own = words[1].hi;
  packet.destination = static_cast<uint32_t>(words[1].lo >> 42);
  packet.rank = static_cast<int>(words[1].lo >> 39 & 7);
  packet.va = words[1].lo & ((uint64_t{1} << 39) - 1);
  packet.pdid = static_cast<uint32_t>(own & 0xffff);
  packet.channel = static_cast<int>(own >> 16 & 0xff);
  packet.sequence = static_cast<uint32_t>(own >> 24 & 0xffffff);
  packet.source_rank = static_cast<int>(own >> 57 & 7);
  packet.kind = static_cast<int>(own >> 60);
  const size_t bytes = own >> 48 & 0x1ff;
  if (words.size() != 3 + (bytes + 15) / 16) return std::nullopt;
  for (size_t i = 0; i < bytes; ++i) {
    const NiWord& word = words[2 + i / 16];
    packet.data.push_back(static_cast<uint8_t>((i % 16 < 8 ? word.lo : word.hi) >> (8 * (i % 8))));
  }
  if (packet.words() != words) return std::nullopt;
  return packet;
}

std::vector<NiLinkWord> ni_frame(const std::vector<NiWord>& words, int vc) {
  std::vector<NiLinkWord> framed;
  for (size_t i = 0; i < words.size(); ++i) framed.push_back({words[i], vc, i == 0, i + 1 == words.size()});
  return framed;
}

}  // namespace fabrictwin::test
