// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/words/packet_format.h"

#include <algorithm>

namespace fabrictwin::nic::words {
namespace {

bool is_response(NicPacket::Kind kind) { return kind == NicPacket::Kind::kReadData || kind == NicPacket::Kind::kAck; }

int32_t quotient_up(int32_t value, int32_t by) { return (value + by - 1) / by; }

}  // namespace

// A packet on the wire has its payload, so what it needs beside its own words is a frame and an envelope.
int32_t most_words(int32_t wire_bytes) {
  return std::min(link::kMaxPacketWords, quotient_up(wire_bytes, link::kWordBytes) + kFrameWords + kEnvelopeWords);
}

// All parts but the first one have space for as much as it has, so what is even for it is possible for them.
std::vector<Part> cut(const NicPacket& packet, int32_t before) {
  const int32_t payload = quotient_up(packet.payload_bytes, link::kWordBytes);
  const int32_t wire = quotient_up(packet.wire_bytes, link::kWordBytes);
  int32_t count = std::max(quotient_up(payload + before, kMostBodyWords), quotient_up(wire, link::kMaxPacketWords));
  count = std::clamp(count, 1, std::max(1, payload / kEnvelopeWords));
  int32_t padding = std::max(0, wire - payload - before - kFrameWords * count);

  std::vector<Part> parts(static_cast<size_t>(count));
  int32_t words_left = payload;
  uint32_t bytes_left = packet.payload_bytes;
  uint32_t offset = packet.offset;
  for (int32_t i = 0; i < count; ++i) {
    const int32_t extra = i == 0 ? before : 0;
    const int32_t even = i == 0 ? words_left / count : quotient_up(words_left, count - i);
    const int32_t words = i + 1 == count ? words_left : std::min(even, kMostBodyWords - extra);
    const int32_t space = kMostBodyWords - extra - words;
    const int32_t padded = std::min(padding, space);
    Part& part = parts[static_cast<size_t>(i)];
    part.offset = offset;
    part.payload = std::min(bytes_left, static_cast<uint32_t>(words * link::kWordBytes));
    part.words = kFrameWords + extra + words + padded;
    words_left -= words;
    bytes_left -= part.payload;
    offset += part.payload;
    padding -= padded;
  }
  return parts;
}

void encode(const NicPacket& packet, const Part& part, link::PacketHeader header, link::Word* words) {
  header.payload_bytes = static_cast<uint16_t>((part.words - 2) * link::kWordBytes);
  header.sequence = static_cast<uint32_t>(is_response(packet.kind) ? ~packet.user : packet.user);
  header.kind = static_cast<uint8_t>(packet.kind);
  header.tile_port = packet.flags;
  words[0] = header.encode();
  words[1].lo = uint64_t{packet.message} | uint64_t{part.offset} << 32;
  words[1].hi = uint64_t{packet.message_bytes} | uint64_t{part.payload} << 32 | uint64_t{packet.source_port} << 40;
}

NicPacket decode(const link::PacketHeader& header, const link::Word& description, int32_t destination, int32_t port) {
  NicPacket packet;
  packet.source = static_cast<int32_t>(header.source);
  packet.destination = destination;
  packet.message = static_cast<uint32_t>(description.lo);
  packet.message_bytes = static_cast<uint32_t>(description.hi);
  packet.offset = static_cast<uint32_t>(description.lo >> 32);
  packet.payload_bytes = static_cast<uint8_t>(description.hi >> 32);
  packet.wire_bytes = static_cast<uint16_t>(header.packet_words() * link::kWordBytes);
  packet.kind = static_cast<NicPacket::Kind>(header.kind & 3);
  packet.user = is_response(packet.kind) ? ~header.sequence : header.sequence;
  packet.flags = header.tile_port;
  packet.source_port = static_cast<uint8_t>(description.hi >> 40);
  packet.destination_port = static_cast<uint8_t>(port);
  return packet;
}

}  // namespace fabrictwin::nic::words
