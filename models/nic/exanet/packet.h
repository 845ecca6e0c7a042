// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets of the ExaNet network interface, bit for bit as in rtl/ni and rtl/rdma: docs/models/exanet-ni.md and
// exanet-rdma.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cosim/link/packet.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::nic::exanet {

/// The kind of a packet in the ExaNet header.
enum class Kind : uint8_t { kOwn = 0, kWrite = 1, kRead = 2, kAck = 3, kNack = 4, kNotify = 5, kNotice = 6 };
/// Packets of the RDMA unit on the VC of answers.
inline constexpr bool is_answer(Kind kind) {
  return kind == Kind::kAck || kind == Kind::kNack || kind == Kind::kNotice;
}
/// The kind of a packet in the network interface's own header.
enum class OwnKind : uint8_t { kMessage = 1, kAck = 2, kNack = 3 };
/// What the mailbox decided about a message.
enum class Verdict : uint8_t { kNone = 0, kAccepted = 1, kPdid = 2, kDisabled = 3, kFull = 4 };
/// Why the RDMA unit refuses a packet.
enum class RdmaReason : uint8_t { kNone = 0, kPdid = 1, kFault = 2, kBusy = 3, kFailed = 4, kQueued = 5, kTurn = 6 };
/// Why a packet is dropped.
enum class Fault : uint8_t { kFrame, kLength, kCrc, kNode, kKind };
inline constexpr int kNiFaults = 5;

inline constexpr uint8_t kNiRequestVc = 0;
inline constexpr uint8_t kNiAnswerVc = 1;
inline constexpr uint64_t kVaMask = (uint64_t{1} << 39) - 1;

/// The bit fields of a node number {z, y, x, tile port}.
struct Numbering {
  int32_t tile_bits = 0;  ///< At most 3.
  int32_t x_bits = 0;     ///< At most 8.
  int32_t y_bits = 0;

  Node number(int32_t x, int32_t y, int32_t z, int32_t tile_port = 0) const;
  /// The header of a packet. The meaning of the 32-bit field `message` depends on the kind.
  link::PacketHeader header(Node source, Node destination, Kind kind, uint32_t message, int32_t payload_bytes) const;
};

/// A whole packet on a link.
struct Words {
  uint8_t vc = 0;
  uint8_t count = 0;
  std::array<link::Word, link::kMaxPacketWords> words{};

  std::span<const link::Word> all() const { return std::span(words).first(count); }
  link::PacketHeader header() const { return link::PacketHeader::decode(words[0]); }
};

/// CRC-32 of IEEE 802.3 over words, each low byte first.
uint32_t ni_crc(std::span<const link::Word> words);

/// A message or the answer to one.
struct ShortPacket {
  OwnKind kind = OwnKind::kMessage;
  Node source = 0;
  uint8_t source_rank = 0;
  Node destination = 0;
  uint8_t rank = 0;
  uint16_t pdid = 0;
  uint64_t va = 0;        ///< In an answer, bits 2..0 are the verdict.
  uint32_t sequence = 0;  ///< 24 bits.
  uint8_t channel = 0;    ///< Channel of the packetizer that sent the message.
  uint8_t bytes = 0;      ///< 0 to 64; answers 0.
  std::array<std::byte, kNiMessageBytes> data{};

  int32_t interface() const { return static_cast<int32_t>(va >> 12 & 63); }
  Words encode(const Numbering& numbering) const;
};

/// A packet of the RDMA units. Cells and read requests have `payload`, notifications `data` and `va`.
struct RdmaPacket {
  Kind kind = Kind::kWrite;
  Node source = 0;
  Node destination = 0;
  uint16_t bytes = 0;     ///< Bytes of payload.
  uint16_t channel = 0;   ///< 10 bits.
  uint16_t transfer = 0;  ///< 12 bits.
  uint8_t index = 0;      ///< Number of the cell in its block, 7 bits.
  bool served = false;
  bool last_cell = false;
  bool early = false;  ///< The notification does not wait for memory's responses.
  uint8_t slot = 0;    ///< 4 bits.
  bool notify = false;
  bool request = false;
  bool marked = false;  ///< Of what has arrived: it has met congestion.
  RdmaReason reason = RdmaReason::kNone;
  uint64_t va = 0;
  uint16_t pdid = 0;
  uint8_t rank = 0;
  uint32_t block = 0;   ///< 18 bits.
  uint8_t attempt = 0;  ///< 4 bits.
  bool last_block = false;
  uint8_t peer_slot = 0;  ///< 4 bits.
  std::array<link::Word, link::kMaxPayloadWords> payload{};

  int payload_words() const { return (bytes + link::kWordBytes - 1) / link::kWordBytes; }
  Words encode(const Numbering& numbering) const;
};

/// A decoded packet, or why it is dropped. A packet that passed the framer has as many words as its header says.
struct Parsed {
  std::optional<ShortPacket> short_packet;
  std::optional<RdmaPacket> rdma;
  Fault fault = Fault::kKind;  ///< Valid if it is neither.
};
/// Decodes a packet for `node`.
Parsed parse_ni_packet(const Words& packet, Node node);

}  // namespace fabrictwin::nic::exanet
