// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets of the ExaNet network interface, bit for bit as rtl/ni and rtl/rdma have them: docs/models/exanet-ni.md
// and exanet-rdma.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cosim/link/packet.h"
#include "models/ni_port.h"

namespace fabrictwin {

/// Kind in the ExaNet header.
enum class NiKind : uint8_t { kOwn = 0, kWrite = 1, kRead = 2, kAck = 3, kNack = 4, kNotify = 5 };
/// Kind in the network interface's own header.
enum class NiOwnKind : uint8_t { kMessage = 1, kAck = 2, kNack = 3 };
/// What became of a message.
enum class NiVerdict : uint8_t { kNone = 0, kAccepted = 1, kPdid = 2, kDisabled = 3, kFull = 4 };
/// Why the RDMA unit refuses.
enum class RdmaReason : uint8_t { kNone = 0, kPdid = 1, kFault = 2, kBusy = 3, kFailed = 4 };
/// Why a packet is dropped.
enum class NiFault : uint8_t { kFrame, kLength, kCrc, kNode, kKind };
inline constexpr int kNiFaults = 5;

inline constexpr uint8_t kNiRequestVc = 0;
inline constexpr uint8_t kNiAnswerVc = 1;
inline constexpr uint64_t kVaMask = (uint64_t{1} << 39) - 1;

/// How a node number {z, y, x, tile port} is made up.
struct NiNumbering {
  int32_t tile_bits = 0;  ///< At most 3.
  int32_t x_bits = 0;     ///< At most 8.
  int32_t y_bits = 0;

  NiNode number(int32_t x, int32_t y, int32_t z, int32_t tile_port = 0) const;
  /// The header of a packet. `message` is the 32-bit field that the kind says.
  PacketHeader header(NiNode source, NiNode destination, NiKind kind, uint32_t message, int32_t payload_bytes) const;
};

/// A whole packet on a link.
struct NiWords {
  uint8_t vc = 0;
  uint8_t count = 0;
  std::array<Word, kMaxPacketWords> words{};

  std::span<const Word> all() const { return std::span(words).first(count); }
  PacketHeader header() const { return PacketHeader::decode(words[0]); }
};

/// CRC-32 of IEEE 802.3 over words, each low byte first.
uint32_t ni_crc(std::span<const Word> words);

/// A message or an answer to one.
struct ShortPacket {
  NiOwnKind kind = NiOwnKind::kMessage;
  NiNode source = 0;
  uint8_t source_rank = 0;
  NiNode destination = 0;
  uint8_t rank = 0;
  uint16_t pdid = 0;
  uint64_t va = 0;        ///< Of an answer: the verdict in bits 2..0.
  uint32_t sequence = 0;  ///< 24 bits.
  uint8_t channel = 0;    ///< Of the packetizer that sent the message.
  uint8_t bytes = 0;      ///< 0 to 64; answers 0.
  std::array<std::byte, kNiMessageBytes> data{};

  int32_t interface() const { return static_cast<int32_t>(va >> 12 & 63); }
  NiWords encode(const NiNumbering& numbering) const;
};

/// A packet of the RDMA units. Cells and read requests have `payload`, notifications `data` and `va`.
struct RdmaPacket {
  NiKind kind = NiKind::kWrite;
  NiNode source = 0;
  NiNode destination = 0;
  uint16_t bytes = 0;     ///< Of payload.
  uint16_t channel = 0;   ///< 10 bits.
  uint16_t transfer = 0;  ///< 12 bits.
  uint8_t index = 0;      ///< Of the cell in its block, 7 bits.
  bool served = false;
  bool last_cell = false;
  bool early = false;  ///< The notification does not wait for memory's answers.
  uint8_t slot = 0;    ///< 4 bits.
  bool notify = false;
  bool request = false;
  RdmaReason reason = RdmaReason::kNone;
  uint64_t va = 0;
  uint16_t pdid = 0;
  uint8_t rank = 0;
  uint32_t block = 0;   ///< 18 bits.
  uint8_t attempt = 0;  ///< 4 bits.
  bool last_block = false;
  uint8_t peer_slot = 0;  ///< 4 bits.
  std::array<Word, kMaxPayloadWords> payload{};

  int payload_words() const { return (bytes + kWordBytes - 1) / kWordBytes; }
  NiWords encode(const NiNumbering& numbering) const;
};

/// What a packet is, or why it is dropped. A packet that the framing let through has as many words as its header says.
struct NiParsed {
  std::optional<ShortPacket> short_packet;
  std::optional<RdmaPacket> rdma;
  NiFault fault = NiFault::kKind;  ///< If it is neither.
};
/// Takes a packet for `node` apart.
NiParsed parse_ni_packet(const NiWords& packet, NiNode node);

}  // namespace fabrictwin
