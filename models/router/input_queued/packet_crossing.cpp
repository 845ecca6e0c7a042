// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/input_queued/packet_crossing.h"

#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/router/input_queued/flit_size.h"

namespace fabrictwin::router::input_queued {
namespace {

/// Where ForeignMessage::envelope.user[0] of a bare packet has its fields; hops are its low bits.
constexpr int kMeasuredBit = 16;
constexpr int kSourceQueueBits = 24;

}  // namespace

absl::StatusOr<Packet> NicCrossing::enter(const fabric::CrossingPacket& crossing) {
  nic::NicPacket nic = crossing.nic;
  if (absl::Status status = fabric::enter(messages_, nic, crossing.message); !status.ok()) return status;
  Packet packet;
  static_cast<routing::PacketRoute&>(packet) = crossing.route;
  packet.flits = static_cast<uint16_t>(flits_of(crossing.nic.wire_bytes));
  packet.created = crossing.created;
  packet.sequence = crossing.sequence;
  packet.handle = carried_.make();
  carried_[packet.handle] = nic;
  return packet;
}

fabric::CrossingPacket NicCrossing::leave(const Packet& packet) {
  fabric::CrossingPacket crossing{
      carried_[packet.handle], packet, {}, packet.created, static_cast<uint32_t>(packet.sequence)};
  carried_.drop(packet.handle);
  if (crossing.nic.kind == nic::NicPacket::Kind::kData) crossing.message = messages_.leave(crossing.nic);
  return crossing;
}

absl::StatusOr<Packet> BareCrossing::enter(const fabric::CrossingPacket& crossing) {
  const nic::Envelope& envelope = crossing.message.envelope;
  const uint64_t rest = envelope.user[0];
  Packet packet;
  static_cast<routing::PacketRoute&>(packet) = crossing.route;
  packet.flits = static_cast<uint16_t>(flits_of(crossing.nic.wire_bytes));
  packet.hops = static_cast<uint16_t>(rest);
  packet.measured = (rest >> kMeasuredBit & 1) != 0;
  packet.source_queue = static_cast<uint8_t>(rest >> kSourceQueueBits);
  packet.created = crossing.created;
  packet.injected = static_cast<int64_t>(envelope.bytes);
  packet.sequence = envelope.payload_key;
  if (packet.source_queue >= source_queues_) {
    return absl::InvalidArgumentError(fmt::format("a packet of class {} of host {}, which has {}", packet.source_queue,
                                                  packet.source, source_queues_));
  }
  if (packet.created < 0 || packet.injected < packet.created) {
    return absl::InvalidArgumentError(fmt::format("a packet of host {} that was made in cycle {} and sent in cycle {}",
                                                  packet.source, packet.created, packet.injected));
  }
  if (here_[static_cast<size_t>(packet.source)]) {
    if (away_ == 0)
      return absl::InvalidArgumentError(fmt::format("a packet of host {} comes back that has not left", packet.source));
    --away_;
  }
  return packet;
}

fabric::CrossingPacket BareCrossing::leave(const Packet& packet) {
  if (here_[static_cast<size_t>(packet.source)]) ++away_;
  fabric::CrossingPacket crossing;
  crossing.nic.kind = nic::NicPacket::Kind::kData;
  crossing.nic.source = packet.source;
  crossing.nic.destination = packet.destination;
  crossing.nic.wire_bytes = static_cast<uint16_t>(packet.flits * link::kWordBytes);
  crossing.route = packet;
  crossing.created = packet.created;
  nic::Envelope& envelope = crossing.message.envelope;
  envelope.payload_key = packet.sequence;
  envelope.bytes = static_cast<uint64_t>(packet.injected);
  envelope.user[0] = uint64_t{packet.hops} | (packet.measured ? uint64_t{1} << kMeasuredBit : 0) |
                     uint64_t{packet.source_queue} << kSourceQueueBits;
  return crossing;
}

}  // namespace fabrictwin::router::input_queued
