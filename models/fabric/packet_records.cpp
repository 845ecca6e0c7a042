// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/packet_records.h"

#include <string_view>

#include "fmt/format.h"
#include "models/fabric/record_halves.h"

namespace fabrictwin::fabric {
namespace {

using link::Record;
using link::RecordKind;

/// Record::flags of a packet that goes past the network.
constexpr uint8_t kAside = 1;

CrossingPacket packet_of(const Record& record, const Record& message) {
  CrossingPacket packet;
  nic::NicPacket& nic = packet.nic;
  packet.route.source = nic.source = static_cast<int32_t>(high_of(record.words[0].lo));
  packet.route.destination = nic.destination = static_cast<int32_t>(low_of(record.words[0].lo));
  nic.user = record.words[0].hi;
  packet.route.intermediate = static_cast<int32_t>(high_of(record.words[1].lo));
  packet.route.random = low_of(record.words[1].lo);
  packet.sequence = high_of(record.words[1].hi);
  nic.message_bytes = low_of(record.words[1].hi);
  nic.offset = high_of(record.words[2].lo);
  nic.payload_bytes = static_cast<uint16_t>(low_of(record.words[2].lo) >> 16);
  nic.wire_bytes = static_cast<uint16_t>(record.words[2].lo);
  packet.route.state = static_cast<uint16_t>(record.words[2].hi >> 32);
  nic.kind = static_cast<nic::NicPacket::Kind>(record.words[2].hi >> 24 & 0xff);
  nic.flags = static_cast<uint8_t>(record.words[2].hi >> 16);
  nic.source_port = static_cast<uint8_t>(record.words[2].hi >> 8);
  nic.destination_port = static_cast<uint8_t>(record.words[2].hi);
  packet.message.envelope.payload_key = message.words[0].lo;
  packet.message.envelope.bytes = message.words[0].hi;
  packet.message.envelope.user[0] = message.words[1].lo;
  packet.message.envelope.user[1] = message.words[1].hi;
  packet.message.sequence = low_of(message.words[2].lo);
  packet.message.ordered = (high_of(message.words[2].lo) & 1) != 0;
  packet.queue = high_of(message.words[2].lo) >> 1;
  packet.created = static_cast<int64_t>(message.words[2].hi);
  packet.aside = (record.flags & kAside) != 0;
  if (nic.kind != nic::NicPacket::Kind::kData) nic.message = low_of(message.words[0].lo);
  return packet;
}

}  // namespace

PacketRecords packet_records(const CrossingPacket& packet, uint8_t vc) {
  const nic::NicPacket& nic = packet.nic;
  const bool data = nic.kind == nic::NicPacket::Kind::kData;
  PacketRecords records;
  records.packet.kind = RecordKind::kPacket;
  records.packet.vc = vc;
  records.packet.count = 1;
  records.packet.flags = packet.aside ? kAside : uint8_t{0};
  records.packet.words[0] = {pair_of(static_cast<uint32_t>(nic.source), static_cast<uint32_t>(nic.destination)),
                             nic.user};
  records.packet.words[1] = {pair_of(static_cast<uint32_t>(packet.route.intermediate), packet.route.random),
                             pair_of(packet.sequence, nic.message_bytes)};
  records.packet.words[2] = {pair_of(nic.offset, uint32_t{nic.payload_bytes} << 16 | nic.wire_bytes),
                             uint64_t{packet.route.state} << 32 | uint64_t{static_cast<uint8_t>(nic.kind)} << 24 |
                                 uint64_t{nic.flags} << 16 | uint64_t{nic.source_port} << 8 | nic.destination_port};
  records.message.kind = RecordKind::kMessage;
  records.message.vc = vc;
  records.message.count = 1;
  records.message.words[0] = {data ? packet.message.envelope.payload_key : nic.message, packet.message.envelope.bytes};
  records.message.words[1] = {packet.message.envelope.user[0], packet.message.envelope.user[1]};
  records.message.words[2] = {pair_of(packet.queue << 1 | (packet.message.ordered ? 1 : 0), packet.message.sequence),
                              static_cast<uint64_t>(packet.created)};
  return records;
}

absl::StatusOr<CrossingPacket> take_packet(link::ChannelReceiver& receiver, int32_t hosts, int32_t routers) {
  const Record record = *receiver.front();
  const auto broken = [&](std::string_view what) {
    return absl::DataLossError(
        fmt::format("{} at {}: protocol error: {}", receiver.spec().name, to_string(record.time()), what));
  };
  receiver.pop();
  // The record of the message has the same stamp, so it has come, too.
  const Record* const message = receiver.front();
  if (message == nullptr || message->kind != RecordKind::kMessage || message->stamp != record.stamp)
    return broken("a packet without its message");
  CrossingPacket packet = packet_of(record, *message);
  receiver.pop();
  const auto is_host = [hosts](int32_t host) { return host >= 0 && host < hosts; };
  if (!is_host(packet.nic.source) || !is_host(packet.nic.destination)) {
    return broken(fmt::format("a packet from host {} to host {}, and there are {}", packet.nic.source,
                              packet.nic.destination, hosts));
  }
  const int32_t over = packet.route.intermediate;
  if (over != routing::PacketRoute::kNone && (over < 0 || over >= routers))
    return broken(fmt::format("a packet through router {}, and there are {}", over, routers));
  if (packet.nic.kind > nic::NicPacket::Kind::kNotice)
    return broken(fmt::format("a packet of kind {}, which does not exist", static_cast<int>(packet.nic.kind)));
  if ((packet.nic.wire_bytes == 0 && !packet.aside) || packet.nic.payload_bytes > packet.nic.wire_bytes) {
    return broken(
        fmt::format("a packet of {} bytes with {} of a message", packet.nic.wire_bytes, packet.nic.payload_bytes));
  }
  return packet;
}

std::string not_known(const nic::NicPacket& packet) {
  return fmt::format(
      "a packet from port {} of host {} to port {} of host {}, of kind {} and number {}, which they do not know",
      packet.source_port, packet.source, packet.destination_port, packet.destination, static_cast<int>(packet.kind),
      packet.message);
}

absl::Status enter(ForeignMessages& messages, nic::NicPacket& packet, const ForeignMessage& message) {
  if (!messages.knows(packet)) return absl::InvalidArgumentError(not_known(packet));
  // Other packets belong to no message.
  if (packet.kind != nic::NicPacket::Kind::kData || messages.enter(packet, message)) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("a packet of host {} comes back that has not left", packet.source));
}

}  // namespace fabrictwin::fabric
