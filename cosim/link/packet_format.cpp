// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/packet_format.h"

#include <algorithm>
#include <cstring>

namespace fabrictwin::link {
namespace {

/// A header while its fields are written or read.
class Bits {
 public:
  void set(const BitRange& range, uint32_t value) {
    const auto at = static_cast<size_t>(range.lsb / 32);
    const uint64_t shifted = (value & mask_of(range)) << (range.lsb % 32);
    chunks_[at] |= static_cast<uint32_t>(shifted);
    chunks_[at + 1] |= static_cast<uint32_t>(shifted >> 32);
  }
  uint32_t get(const BitRange& range) const {
    const auto at = static_cast<size_t>(range.lsb / 32);
    const uint64_t both = uint64_t{chunks_[at]} | uint64_t{chunks_[at + 1]} << 32;
    return static_cast<uint32_t>(both >> (range.lsb % 32) & mask_of(range));
  }
  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(chunks_)); }

 private:
  static uint64_t mask_of(const BitRange& range) { return (uint64_t{1} << range.bits) - 1; }

  /// One more than headers have: fields are read and written in two neighbours at once.
  std::array<uint32_t, kMaxHeaderBits / 32 + 1> chunks_{};
};

PacketFormat::Fields exanet_fields() {
  PacketFormat::Fields fields;
  fields[HeaderField::kX] = {0, 8};
  fields[HeaderField::kY] = {8, 8};
  fields[HeaderField::kZ] = {16, 8};
  fields[HeaderField::kDestination] = {24, 24};
  fields[HeaderField::kPayloadBytes] = {48, 10};
  fields[HeaderField::kTilePort] = {58, 3};
  fields[HeaderField::kKind] = {61, 3};
  fields[HeaderField::kSource] = {64, 24};
  fields[HeaderField::kSequence] = {88, 32};
  fields[HeaderField::kTies] = {120, 8};
  return fields;
}

}  // namespace

PacketFormat::PacketFormat() : fields_(exanet_fields()) {}

PacketFormat::PacketFormat(int32_t word_bits, int32_t max_payload_bytes, const Fields& fields)
    : word_bits_(word_bits), max_payload_bytes_(max_payload_bytes), fields_(fields) {
  int32_t end = 1;
  for (const BitRange& range : fields.of) end = std::max(end, range.end());
  header_words_ = (end + word_bits - 1) / word_bits;
}

uint32_t PacketFormat::truncate(HeaderField field, uint32_t value) const {
  const int32_t bits = fields_[field].bits;
  return bits >= 32 ? value : value & ((uint32_t{1} << bits) - 1);
}

void PacketFormat::encode(const PacketHeader& header, Word* words) const {
  Bits bits;
  bits.set(fields_[HeaderField::kX], header.coordinates[0]);
  bits.set(fields_[HeaderField::kY], header.coordinates[1]);
  bits.set(fields_[HeaderField::kZ], header.coordinates[2]);
  bits.set(fields_[HeaderField::kDestination], header.destination);
  bits.set(fields_[HeaderField::kPayloadBytes], header.payload_bytes);
  bits.set(fields_[HeaderField::kTilePort], header.tile_port);
  bits.set(fields_[HeaderField::kKind], header.kind);
  bits.set(fields_[HeaderField::kSource], header.source);
  bits.set(fields_[HeaderField::kSequence], header.sequence);
  bits.set(fields_[HeaderField::kTies], header.ties);
  pack(bits.bytes().first(static_cast<size_t>(header_words_ * word_bytes())), words);
}

PacketHeader PacketFormat::decode(const Word* words) const {
  Bits bits;
  unpack({words, static_cast<size_t>(header_words_)}, bits.bytes().data());
  PacketHeader header;
  header.coordinates = {static_cast<uint8_t>(bits.get(fields_[HeaderField::kX])),
                        static_cast<uint8_t>(bits.get(fields_[HeaderField::kY])),
                        static_cast<uint8_t>(bits.get(fields_[HeaderField::kZ]))};
  header.destination = bits.get(fields_[HeaderField::kDestination]);
  header.payload_bytes = static_cast<uint16_t>(bits.get(fields_[HeaderField::kPayloadBytes]));
  header.tile_port = static_cast<uint8_t>(bits.get(fields_[HeaderField::kTilePort]));
  header.kind = static_cast<uint8_t>(bits.get(fields_[HeaderField::kKind]));
  header.source = bits.get(fields_[HeaderField::kSource]);
  header.sequence = bits.get(fields_[HeaderField::kSequence]);
  header.ties = static_cast<uint8_t>(bits.get(fields_[HeaderField::kTies]));
  return header;
}

void PacketFormat::pack(std::span<const std::byte> bytes, Word* words) const {
  const auto width = static_cast<size_t>(word_bytes());
  for (size_t at = 0; at < bytes.size(); at += width) {
    Word word;
    std::memcpy(&word, &bytes[at], std::min(width, bytes.size() - at));
    *words++ = word;
  }
}

void PacketFormat::unpack(std::span<const Word> words, std::byte* bytes) const {
  const auto width = static_cast<size_t>(word_bytes());
  for (const Word& word : words) {
    std::memcpy(bytes, &word, width);
    bytes += width;
  }
}

}  // namespace fabrictwin::link
