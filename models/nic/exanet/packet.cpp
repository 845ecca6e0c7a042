// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/packet.h"

#include <algorithm>
#include <cstring>

#include "cosim/link/packet_mark.h"

namespace fabrictwin::nic::exanet {
namespace {

constexpr int kOwnBytes = link::kWordBytes;  // Size of the own header.
constexpr int kMaxCells = 80;                // The most cells of a block.

/// Table k: the contribution of byte k of a group of eight to the CRC after the group.
constexpr std::array<std::array<uint32_t, 256>, 8> make_crc_tables() {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    tables[7][i] = crc;
  }
  for (int k = 6; k >= 0; --k) {
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t before = tables[static_cast<size_t>(k) + 1][i];
      tables[static_cast<size_t>(k)][i] = (before >> 8) ^ tables[7][before & 0xff];
    }
  }
  return tables;
}
constexpr auto kCrcTables = make_crc_tables();

uint32_t crc_half(uint32_t crc, uint64_t half) {
  half ^= crc;
  uint32_t next = 0;
  for (size_t i = 0; i < 8; ++i) next ^= kCrcTables[i][half >> (8 * i) & 0xff];
  return next;
}

/// Packs fields into 128 bits from the lowest bit on.
class BitWriter {
 public:
  explicit BitWriter(int at) : at_(at) {}
  void put(uint64_t value, int width) {
    value_ |= static_cast<unsigned __int128>(value) << at_;
    at_ += width;
  }
  link::Word word() const { return {static_cast<uint64_t>(value_), static_cast<uint64_t>(value_ >> 64)}; }

 private:
  unsigned __int128 value_ = 0;
  int at_;
};

class BitReader {
 public:
  BitReader(const link::Word& word, int at) : value_((static_cast<unsigned __int128>(word.hi) << 64 | word.lo) >> at) {}
  uint64_t get(int width) {
    const auto value = static_cast<uint64_t>(value_) & ((uint64_t{1} << width) - 1);
    value_ >>= width;
    return value;
  }

 private:
  unsigned __int128 value_;
};

Parsed drop(Fault fault) {
  Parsed parsed;
  parsed.fault = fault;
  return parsed;
}

/// Routers may have set the mark since the checksum was made.
link::Word without_mark(const link::Word& footer) { return {footer.lo, footer.hi & ~link::kMarkBit}; }

Parsed parse_own(const Words& packet, const link::PacketHeader& header, Node node) {
  if (header.payload_bytes < kOwnBytes) return drop(Fault::kLength);
  const size_t footer = packet.count - size_t{1};
  if (without_mark(packet.words[footer]) != link::Word{ni_crc(packet.all().first(footer)), 0}) return drop(Fault::kCrc);
  const link::Word& own = packet.words[1];
  ShortPacket result;
  result.source = header.source & 0x3fffff;
  result.destination = static_cast<Node>(own.lo >> 42);
  result.rank = static_cast<uint8_t>(own.lo >> 39 & 7);
  result.va = own.lo & kVaMask;
  result.pdid = static_cast<uint16_t>(own.hi);
  result.channel = static_cast<uint8_t>(own.hi >> 16);
  result.sequence = static_cast<uint32_t>(own.hi >> 24) & 0xffffff;
  result.source_rank = static_cast<uint8_t>(own.hi >> 57 & 7);
  const int bytes = static_cast<int>(own.hi >> 48 & 0x1ff);
  const int kind = static_cast<int>(own.hi >> 60);
  if (result.destination != node) return drop(Fault::kNode);
  const bool message = kind == static_cast<int>(OwnKind::kMessage);
  const bool answer = kind == static_cast<int>(OwnKind::kAck) || kind == static_cast<int>(OwnKind::kNack);
  if (bytes != header.payload_bytes - kOwnBytes || (message && bytes > kNiMessageBytes) || (answer && bytes != 0))
    return drop(Fault::kLength);
  if (!message && !answer) return drop(Fault::kKind);
  result.kind = static_cast<OwnKind>(kind);
  result.bytes = static_cast<uint8_t>(bytes);
  // Copies whole words, as the mailbox stores them.
  std::memcpy(result.data.data(), &packet.words[2], static_cast<size_t>((bytes + 15) / 16 * 16));
  Parsed parsed;
  parsed.short_packet = result;
  return parsed;
}

/// Checks what the kind demands: a cell lies between two boundaries of 256 bytes.
bool shape_fits(const RdmaPacket& packet) {
  switch (packet.kind) {
    case Kind::kWrite:
      return packet.bytes > packet.va % 16 &&
             packet.va / 16 % 16 + static_cast<uint64_t>(packet.payload_words()) <= 16 && packet.index < kMaxCells;
    case Kind::kNotify:
      return packet.bytes == 16;
    case Kind::kRead:
      return packet.bytes == 32;
    default:
      return packet.bytes == 0;
  }
}

Parsed parse_rdma(const Words& packet, const link::PacketHeader& header) {
  if (header.kind > static_cast<uint8_t>(Kind::kNotice)) return drop(Fault::kKind);
  if (header.source >> 22 != 0) return drop(Fault::kNode);
  const size_t last = packet.count - size_t{1};
  Words blank = packet;
  blank.words[last] = without_mark(blank.words[last]);
  blank.words[last].lo &= ~uint64_t{0xffffffff};
  if (ni_crc(blank.all()) != static_cast<uint32_t>(packet.words[last].lo)) return drop(Fault::kCrc);
  RdmaPacket result;
  result.kind = static_cast<Kind>(header.kind);
  result.source = header.source;
  result.destination = header.destination;
  result.bytes = header.payload_bytes;
  result.channel = static_cast<uint16_t>(header.sequence >> 22);
  result.transfer = static_cast<uint16_t>(header.sequence >> 10 & 0xfff);
  result.index = static_cast<uint8_t>(header.sequence >> 3 & 0x7f);
  result.served = (header.sequence >> 2 & 1) != 0;
  result.last_cell = (header.sequence >> 1 & 1) != 0;
  result.early = (header.sequence & 1) != 0;
  BitReader footer(packet.words[last], 32);
  result.peer_slot = static_cast<uint8_t>(footer.get(4));
  result.last_block = footer.get(1) != 0;
  result.attempt = static_cast<uint8_t>(footer.get(4));
  result.pdid = static_cast<uint16_t>(footer.get(16));
  result.va = footer.get(39);
  result.marked = footer.get(1) != 0;
  result.block = static_cast<uint32_t>(footer.get(18));
  result.rank = static_cast<uint8_t>(footer.get(3));
  result.reason = static_cast<RdmaReason>(footer.get(4));
  result.request = footer.get(1) != 0;
  result.notify = footer.get(1) != 0;
  result.slot = static_cast<uint8_t>(footer.get(4));
  for (int i = 0; i < result.payload_words(); ++i)
    result.payload[static_cast<size_t>(i)] = packet.words[static_cast<size_t>(i) + 1];
  if (!shape_fits(result)) return drop(Fault::kLength);
  Parsed parsed;
  parsed.rdma = result;
  return parsed;
}

}  // namespace

uint32_t ni_crc(std::span<const link::Word> words) {
  uint32_t crc = ~uint32_t{0};
  for (const link::Word& word : words) crc = crc_half(crc_half(crc, word.lo), word.hi);
  return ~crc;
}

Node Numbering::number(int32_t x, int32_t y, int32_t z, int32_t tile_port) const {
  return static_cast<Node>(((z << y_bits | y) << x_bits | x) << tile_bits | tile_port);
}

link::PacketHeader Numbering::header(Node source, Node destination, Kind kind, uint32_t message,
                                     int32_t payload_bytes) const {
  const Node position = destination >> tile_bits;
  link::PacketHeader header;
  header.coordinates = {static_cast<uint8_t>(position & ((1u << x_bits) - 1)),
                        static_cast<uint8_t>(position >> x_bits & ((1u << y_bits) - 1)),
                        static_cast<uint8_t>(position >> x_bits >> y_bits)};
  header.tile_port = static_cast<uint8_t>(destination & ((1u << tile_bits) - 1));
  header.destination = destination;
  header.payload_bytes = static_cast<uint16_t>(payload_bytes);
  header.source = source;
  header.sequence = message;
  header.kind = static_cast<uint8_t>(kind);
  // The ties are constant for a pair of nodes, so that its packets keep their order.
  header.ties = static_cast<uint8_t>((source ^ destination >> 3) & 7);
  return header;
}

Words ShortPacket::encode(const Numbering& numbering) const {
  const uint32_t tag = sequence << 8 | channel;
  Words packet;
  packet.vc = kind == OwnKind::kMessage ? kNiRequestVc : kNiAnswerVc;
  packet.words[0] = numbering.header(source, destination, Kind::kOwn, tag, kOwnBytes + bytes).encode();
  packet.words[1] = {uint64_t{destination} << 42 | uint64_t{rank} << 39 | va,
                     uint64_t{pdid} | uint64_t{tag} << 16 | uint64_t{bytes} << 48 | uint64_t{source_rank} << 57 |
                         static_cast<uint64_t>(kind) << 60};
  std::memcpy(&packet.words[2], data.data(), bytes);
  const size_t footer = 2 + (bytes + size_t{15}) / 16;
  packet.words[footer] = {ni_crc(std::span(packet.words).first(footer)), 0};
  packet.count = static_cast<uint8_t>(footer + 1);
  return packet;
}

Words RdmaPacket::encode(const Numbering& numbering) const {
  const uint32_t message = uint32_t{channel} << 22 | uint32_t{transfer} << 10 | uint32_t{index} << 3 |
                           uint32_t{served} << 2 | uint32_t{last_cell} << 1 | uint32_t{early};
  Words packet;
  packet.vc = is_answer(kind) ? kNiAnswerVc : kNiRequestVc;
  packet.words[0] = numbering.header(source, destination, kind, message, bytes).encode();
  const auto words = static_cast<size_t>(payload_words());
  std::copy_n(payload.begin(), words, packet.words.begin() + 1);
  BitWriter footer(32);
  footer.put(peer_slot, 4);
  footer.put(last_block, 1);
  footer.put(attempt, 4);
  footer.put(pdid, 16);
  footer.put(va, 39);
  footer.put(0, 1);  // Routers mark.
  footer.put(block, 18);
  footer.put(rank, 3);
  footer.put(static_cast<uint64_t>(reason), 4);
  footer.put(request, 1);
  footer.put(notify, 1);
  footer.put(slot, 4);
  link::Word& last = packet.words[words + 1];
  last = footer.word();
  packet.count = static_cast<uint8_t>(words + 2);
  last.lo |= ni_crc(packet.all());
  return packet;
}

Parsed parse_ni_packet(const Words& packet, Node node) {
  const link::PacketHeader header = packet.header();
  if (header.payload_bytes > link::kMaxPayloadBytes || packet.count != header.packet_words())
    return drop(Fault::kLength);
  if (header.destination != node) return drop(Fault::kNode);
  if (header.kind == static_cast<uint8_t>(Kind::kOwn)) return parse_own(packet, header, node);
  return parse_rdma(packet, header);
}

}  // namespace fabrictwin::nic::exanet
