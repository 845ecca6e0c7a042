// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The codes and the frame of an APElink wire in C++; docs/models/apelink.md is the contract.
#pragma once

#include <array>
#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin::rtl {

inline constexpr int kApelinkUnits = 4;  ///< Units of 32 bits in a word of the wire.
inline constexpr uint32_t kApelinkMagic = 0xC0DE;
inline constexpr uint32_t kApelinkIdleUnit = 0x1D1E1D1E;
inline constexpr int kApelinkMaxPayloadBytes = 512;

inline constexpr uint16_t kApelinkLongCounts = 0x800;  ///< Counts of long credit words are modulo this.
inline constexpr int kApelinkPackets = 64;             ///< Packets of each VC for which an end has slots (rtl/node).

/// Magic and Start: precedes a packet, or stands alone as a credit word.
struct ApelinkFrame {
  bool is_credit = false;
  bool is_long = false;  ///< A credit word with all bits of the counts of one VC.
  uint8_t vc = 0;        ///< VC of a packet or of a long credit word.
  uint16_t check = 0;    ///< Packet: SECDED bits of the header. Credit word: words of VC 1 that were sent before.
  uint8_t health = 0;
  /// Words that have left the sender's own input buffers, modulo 256. Long credit words have those of their VC alone,
  /// modulo 2048.
  std::array<uint16_t, link::kVcs> freed{};
  /// Words of the packet's VC (credit word: of VC 0, or its own if it is long) that were sent before.
  uint16_t sent = 0;

  uint64_t encode() const;
  static ApelinkFrame decode(uint64_t bits);
  bool operator==(const ApelinkFrame&) const = default;
};

/// Whether the bits of a frame have the right magic, CRC-8 and zeros.
bool apelink_frame_ok(uint64_t bits);

/// CRC-8 of the low 56 bits of a frame.
uint8_t apelink_crc8(uint64_t bits);

/// The SECDED bits of a header.
uint16_t apelink_secded(const link::Word& header);

/// Adds a word to a CRC-32; start with ~0 and send the complement.
uint32_t apelink_crc32(uint32_t crc, const link::Word& word);

/// Words of the packet that begins with `header`, including header and footer.
int apelink_packet_words(const link::Word& header);
/// Payload bytes of the packet that begins with `header`.
inline int apelink_payload_bytes(const link::Word& header) { return static_cast<int>(header.lo >> 48 & 0x3ff); }

/// Unit `index` (0 to 3) of a word.
inline uint32_t apelink_unit(const link::Word& word, int index) {
  return static_cast<uint32_t>((index < 2 ? word.lo : word.hi) >> (32 * (index & 1)));
}

}  // namespace fabrictwin::rtl
