// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/cut_links.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/fabric/packet_records.h"

namespace fabrictwin::router::packet {
namespace {

using link::Record;
using link::RecordKind;

}  // namespace

CutLinks::CutLinks(const NetworkConfig& config, const Tables& tables, std::vector<run::CutPort> ports, Network& network,
                   fabric::ForeignMessages& messages)
    : tables_(tables),
      network_(network),
      messages_(messages),
      pipeline_(config.pipeline.fs()),
      credit_delay_(config.credit_delay.fs()),
      ports_(std::move(ports)),
      cut_at_(tables.ports.size(), -1) {
  for (const run::CutPort& port : ports_) {
    const uint32_t number =
        tables.nodes[static_cast<size_t>(port.element)].first_port + static_cast<uint32_t>(port.port);
    cut_at_[number] = static_cast<int32_t>(numbers_.size());
    numbers_.push_back(number);
  }
}

absl::Status CutLinks::receive(Time until) {
  for (size_t i = 0; i < ports_.size(); ++i) {
    link::ChannelReceiver& receiver = *ports_[i].receiver;
    const uint32_t first = numbers_[i] << tables_.vc_shift;
    while (receiver.front() != nullptr && receiver.front()->time() < until) {
      const Record& record = *receiver.front();
      if (record.kind == RecordKind::kReturned) {
        const LinkKind& link = tables_.links[tables_.ports[numbers_[i]].link];
        if (record.words[0].lo > static_cast<uint64_t>(link.capacity))
          return broken(receiver,
                        fmt::format("a credit of {} bytes for a buffer of {}", record.words[0].lo, link.capacity));
        inbox_.rooms.push_back(
            {record.time().fs() + credit_delay_, first + record.vc, static_cast<int32_t>(record.words[0].lo)});
        receiver.pop();
      } else if (record.kind != RecordKind::kPacket) {
        return broken(receiver,
                      fmt::format("a record of kind {} that belongs to nothing", static_cast<int>(record.kind)));
      } else if (absl::Status status = receive_packet(receiver, first + record.vc); !status.ok()) {
        return status;
      }
    }
  }
  if (inbox_.packets.empty() && inbox_.rooms.empty()) return absl::OkStatus();
  network_.count_in_flight(static_cast<int64_t>(inbox_.packets.size()));
  network_.take(inbox_, 0);
  network_.find_next();
  return absl::OkStatus();
}

absl::Status CutLinks::broken(const link::ChannelReceiver& receiver, std::string_view what) {
  return absl::DataLossError(
      fmt::format("{} at {}: protocol error: {}", receiver.spec().name, to_string(receiver.front()->time()), what));
}

absl::Status CutLinks::receive_packet(link::ChannelReceiver& receiver, uint32_t vc) {
  const Time arrived = receiver.front()->time();
  const absl::StatusOr<fabric::CrossingPacket> crossing = fabric::take_packet(receiver, tables_.hosts);
  if (!crossing.ok()) return crossing.status();
  const size_t largest = tables_.links[tables_.ports[vc >> tables_.vc_shift].link].duration.size() - 1;
  if (crossing->nic.wire_bytes > largest) {
    return absl::DataLossError(fmt::format("{} at {}: protocol error: a packet of {} bytes, and the largest have {}",
                                           receiver.spec().name, to_string(arrived), crossing->nic.wire_bytes,
                                           largest));
  }
  PacketRecord packet(crossing->nic, 0);
  packet.set_route(crossing->route);
  const std::optional<uint32_t> message = messages_.enter(packet.source, packet.destination, crossing->message);
  if (!message.has_value()) {
    return absl::DataLossError(fmt::format("{} at {}: protocol error: a packet of host {} comes back that has not left",
                                           receiver.spec().name, to_string(arrived), packet.source));
  }
  packet.message = *message;
  packet.time = arrived.fs() + pipeline_;
  packet.next = vc;
  inbox_.packets.push_back(packet);
  return absl::OkStatus();
}

void CutLinks::send() {
  Outbox& box = network_.outbox(kRemote);
  for (const PacketRecord& packet : box.packets) send_packet(packet);
  for (const Outbox::Room& room : box.rooms) {
    // The credit is for the router at the other end.
    const uint32_t port = tables_.ports[room.vc >> tables_.vc_shift].peer;
    link::ChannelSender& sender = *ports_[static_cast<size_t>(cut_at_[port])].sender;
    Record record;
    record.kind = RecordKind::kReturned;
    record.vc = static_cast<uint8_t>(room.vc & ((1U << tables_.vc_shift) - 1));
    record.count = 1;
    record.words[0].lo = static_cast<uint64_t>(room.bytes);
    sender.send_record(Time::from_fs(room.time - credit_delay_) - sender.spec().latency, record);
  }
  network_.count_in_flight(-static_cast<int64_t>(box.packets.size()));
  box.clear();
}

void CutLinks::send_packet(const PacketRecord& packet) {
  const uint32_t vc = packet.next;
  const uint32_t port = tables_.ports[vc >> tables_.vc_shift].peer;
  link::ChannelSender& sender = *ports_[static_cast<size_t>(cut_at_[port])].sender;
  const auto vc_index = static_cast<uint8_t>(vc & ((1U << tables_.vc_shift) - 1));
  fabric::CrossingPacket crossing{packet.nic(), packet.route(), messages_.leave(packet.message, packet.payload_bytes),
                                  0};
  const fabric::PacketRecords records = fabric::packet_records(crossing, vc_index);
  const Time sent = Time::from_fs(packet.time - pipeline_) - sender.spec().latency;
  sender.send_record(sent, records.packet);
  sender.send_record(sent, records.message);
}

}  // namespace fabrictwin::router::packet
