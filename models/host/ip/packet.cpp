// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/ip/packet.h"

#include <algorithm>

namespace fabrictwin::host::ip {
namespace {

// Envelope::user[0]: kind, last, flow, number. Envelope::user[1]: the user's bytes of the datagram, offset.
constexpr int kFlowShift = 4;
constexpr int kNumberShift = kFlowShift + 16;
constexpr int kOffsetShift = 16;
constexpr uint64_t kKindMask = 7;
constexpr uint64_t kLastBit = 8;
constexpr uint64_t kLow16 = 0xffff;

uint64_t key_of(const Packet& packet, const nic::Envelope& envelope) {
  return nic::payload_key(static_cast<uint64_t>(packet.datagram.source),
                          static_cast<uint64_t>(packet.datagram.destination),
                          mix64(envelope.user[0]) ^ envelope.user[1]);
}

nic::Envelope envelope_of(const Packet& packet) {
  const Datagram& datagram = packet.datagram;
  nic::Envelope envelope;
  envelope.bytes = static_cast<uint64_t>(packet.length());
  envelope.user[0] = static_cast<uint64_t>(datagram.kind) | (datagram.last ? kLastBit : 0) |
                     uint64_t{datagram.flow} << kFlowShift | datagram.number << kNumberShift;
  envelope.user[1] = static_cast<uint64_t>(datagram.bytes) | static_cast<uint64_t>(packet.offset) << kOffsetShift;
  envelope.payload_key = key_of(packet, envelope);
  return envelope;
}

/// Whether it can be what packets_of() makes.
bool is_sound(const Packet& packet) {
  return packet.payload > 0 && packet.offset % 8 == 0 &&
         packet.offset + packet.payload <= header_of(packet.datagram.kind) + packet.datagram.bytes;
}

}  // namespace

int32_t header_of(Kind kind) {
  if (kind == Kind::kUdp) return kUdpHeader;
  return kind == Kind::kSegment || kind == Kind::kAcknowledgement ? kTcpHeader : kEchoHeader;
}

std::vector<Packet> packets_of(const Datagram& datagram, int32_t mtu) {
  const int32_t all = header_of(datagram.kind) + datagram.bytes;
  const int32_t most = mtu - kIpHeader;
  const int32_t step = all <= most ? all : most / 8 * 8;
  std::vector<Packet> packets;
  for (int32_t offset = 0; offset < all; offset += step)
    packets.push_back({datagram, offset, std::min(step, all - offset)});
  return packets;
}

nic::OutgoingMessage message_of(const Packet& packet) {
  nic::OutgoingMessage message;
  message.destination = packet.datagram.destination;
  message.envelope = envelope_of(packet);
  message.cookie = 1;
  return message;
}

std::optional<Packet> packet_of(const nic::IncomingMessage& message, int32_t host) {
  const nic::Envelope& envelope = message.envelope;
  const uint64_t kind = envelope.user[0] & kKindMask;
  if (!message.intact || kind > static_cast<uint64_t>(Kind::kEchoReply) || envelope.bytes <= kIpHeader ||
      envelope.bytes > kMostMtu) {
    return std::nullopt;
  }
  Packet packet;
  packet.datagram = {.kind = static_cast<Kind>(kind),
                     .last = (envelope.user[0] & kLastBit) != 0,
                     .flow = static_cast<uint32_t>(envelope.user[0] >> kFlowShift & kLow16),
                     .number = envelope.user[0] >> kNumberShift,
                     .bytes = static_cast<int32_t>(envelope.user[1] & kLow16),
                     .source = message.source,
                     .destination = host};
  packet.offset = static_cast<int32_t>(envelope.user[1] >> kOffsetShift & kLow16);
  packet.payload = static_cast<int32_t>(envelope.bytes) - kIpHeader;
  if (!is_sound(packet) || envelope.payload_key != key_of(packet, envelope)) return std::nullopt;
  return packet;
}

}  // namespace fabrictwin::host::ip
