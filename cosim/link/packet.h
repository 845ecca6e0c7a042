// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNet packet as it is on the wire. rtl/exanet/exanet_pkg.sv holds the same layout for hardware.
#pragma once

#include <array>
#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin::link {

inline constexpr int kMaxPayloadWords = 16;  ///< 256 bytes.
inline constexpr int kMaxPayloadBytes = kMaxPayloadWords * kWordBytes;
inline constexpr int kMaxPacketWords = kMaxPayloadWords + 2;

/// The header word. Bit layout, least significant first:
///   lo: [7:0] x, [15:8] y, [23:16] z (destination coordinates), [47:24] destination, [57:48] payload bytes,
///   [60:58] tile port, [63:61] kind; hi: [23:0] source node, [55:24] sequence number of the message in its flow
///   (source, destination), [63:56] tie bits.
/// The destination is a node or, if routers use route tables, a port of one (route_destination()). Tile port and kind
/// select the unit at the destination's tile (docs/models/exanet-node.md); they are zero if that is a plain
/// NetworkInterface, and a PacketInterface has its own meaning for them.
/// Tie bit d is the direction to take when both directions round ring d are equally long: 0 is "+", 1 is "-".
struct PacketHeader {
  std::array<uint8_t, 3> coordinates{};
  uint32_t destination = 0;    ///< 24 bits.
  uint16_t payload_bytes = 0;  ///< 0 to 256.
  uint32_t source = 0;         ///< 24 bits.
  uint32_t sequence = 0;
  uint8_t ties = 0;
  uint8_t tile_port = 0;  ///< 3 bits.
  uint8_t kind = 0;       ///< 3 bits.

  int payload_words() const { return (payload_bytes + kWordBytes - 1) / kWordBytes; }
  int packet_words() const { return payload_words() + 2; }

  Word encode() const {
    Word word;
    word.lo = uint64_t{coordinates[0]} | uint64_t{coordinates[1]} << 8 | uint64_t{coordinates[2]} << 16 |
              uint64_t{destination} << 24 | uint64_t{payload_bytes} << 48 | uint64_t{tile_port} << 58 |
              uint64_t{kind} << 61;
    word.hi = uint64_t{source} | uint64_t{sequence} << 24 | uint64_t{ties} << 56;
    return word;
  }
  static PacketHeader decode(const Word& word) {
    PacketHeader header;
    header.coordinates = {static_cast<uint8_t>(word.lo), static_cast<uint8_t>(word.lo >> 8),
                          static_cast<uint8_t>(word.lo >> 16)};
    header.destination = static_cast<uint32_t>(word.lo >> 24) & 0xffffff;
    header.payload_bytes = static_cast<uint16_t>((word.lo >> 48) & 0x3ff);
    header.source = static_cast<uint32_t>(word.hi) & 0xffffff;
    header.sequence = static_cast<uint32_t>(word.hi >> 24);
    header.ties = static_cast<uint8_t>(word.hi >> 56);
    header.tile_port = static_cast<uint8_t>(word.lo >> 58 & 7);
    header.kind = static_cast<uint8_t>(word.lo >> 61);
    return header;
  }
  bool operator==(const PacketHeader&) const = default;
};

}  // namespace fabrictwin::link
