// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of packets on links of any width, with any header: what hosts say to routers that are not those of ExaNet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cosim/link/packet.h"
#include "cosim/link/record.h"

namespace fabrictwin::link {

/// What a header can hold; each is a field of PacketHeader.
enum class HeaderField : uint8_t {
  kX,
  kY,
  kZ,
  kDestination,
  kPayloadBytes,
  kTilePort,
  kKind,
  kSource,
  kSequence,
  kTies,
};
inline constexpr int kHeaderFields = 10;

/// The most bits of a header.
inline constexpr int kMaxHeaderBits = 256;

/// The bits of a header that hold a field, of which bit `lsb` is the least significant one. No bits: it has none.
struct BitRange {
  int32_t lsb = 0;
  int32_t bits = 0;  ///< At most 32.
  int32_t end() const { return lsb + bits; }
  bool operator==(const BitRange&) const = default;
};

/// A packet is one or more words of header, words of payload, and a footer of one word. A word is at most 128 bits
/// wide; narrower ones use the low bits of a Word, whose other bits are zero. Bits of the header are numbered through
/// its words, least significant first. Value type.
class PacketFormat {
 public:
  struct Fields {
    std::array<BitRange, kHeaderFields> of{};
    BitRange& operator[](HeaderField field) { return of[static_cast<size_t>(field)]; }
    const BitRange& operator[](HeaderField field) const { return of[static_cast<size_t>(field)]; }
    bool operator==(const Fields&) const = default;
  };

  /// That of ExaNet (PacketHeader::encode()).
  PacketFormat();
  /// Fields do not overlap and lie within kMaxHeaderBits. `word_bits` is 32, 64 or 128.
  PacketFormat(int32_t word_bits, int32_t max_payload_bytes, const Fields& fields);

  int32_t word_bits() const { return word_bits_; }
  int32_t word_bytes() const { return word_bits_ / 8; }
  int32_t header_words() const { return header_words_; }
  int32_t max_payload_bytes() const { return max_payload_bytes_; }
  const Fields& fields() const { return fields_; }

  int32_t payload_words(int32_t bytes) const { return (bytes + word_bytes() - 1) / word_bytes(); }
  /// Words of a packet with so many bytes of payload.
  int32_t packet_words(int32_t bytes) const { return header_words_ + payload_words(bytes) + 1; }
  /// Words of the fewest packets with so many bytes of payload in all.
  int32_t message_words(int32_t bytes) const {
    const int32_t rest = bytes % max_payload_bytes_;
    return bytes / max_payload_bytes_ * max_packet_words() + (rest > 0 ? packet_words(rest) : 0);
  }
  int32_t max_packet_words() const { return packet_words(max_payload_bytes_); }
  /// The part of a packet between header and footer.
  std::span<const Word> payload(std::span<const Word> packet) const {
    return packet.subspan(static_cast<size_t>(header_words_), packet.size() - static_cast<size_t>(header_words_) - 1);
  }

  /// The value of a field as far as it fits: a header holds the low bits of a sequence number, for example.
  uint32_t truncate(HeaderField field, uint32_t value) const;
  /// Writes header_words() words. Fields that the header does not hold, and bits that do not fit, are left out.
  void encode(const PacketHeader& header, Word* words) const;
  /// Reads header_words() words. What the header does not hold is zero.
  PacketHeader decode(const Word* words) const;

  /// Writes payload_words(bytes.size()) words, the last one filled up with zeros.
  void pack(std::span<const std::byte> bytes, Word* words) const;
  /// The bytes of words: word_bytes() of each. `bytes` has space for all of them.
  void unpack(std::span<const Word> words, std::byte* bytes) const;

  bool operator==(const PacketFormat&) const = default;

 private:
  int32_t word_bits_ = kWordBits;
  int32_t header_words_ = 1;
  int32_t max_payload_bytes_ = kMaxPayloadBytes;
  Fields fields_;
};

}  // namespace fabrictwin::link
