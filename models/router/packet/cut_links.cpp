// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/cut_links.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cosim/link/record.h"
#include "fmt/format.h"

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
      timing_(config.clock, config.pipeline.fs()),
      pipeline_(config.pipeline.fs()),
      credit_delay_(config.credit_delay.fs()),
      ports_(std::move(ports)),
      cut_at_(tables.ports.size(), -1) {
  for (const run::CutPort& port : ports_) {
    const uint32_t number =
        tables.nodes[static_cast<size_t>(port.element)].first_port + static_cast<uint32_t>(port.port);
    cut_at_[number] = static_cast<int32_t>(numbers_.size());
    numbers_.push_back(number);
    const bool words = port.sender->spec().type.content == link::LinkType::Content::kWords;
    edges_.push_back(words ? std::make_unique<fabric::WordEdge>(*config.graph, config.seed, port) : nullptr);
  }
}

absl::Status CutLinks::receive(Time until) {
  for (size_t i = 0; i < ports_.size(); ++i) {
    if (edges_[i] != nullptr) {
      if (absl::Status status = receive_words(i, until); !status.ok()) return status;
      continue;
    }
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

absl::Status CutLinks::receive_words(size_t port, Time until) {
  if (absl::Status status = edges_[port]->receive(until, arrivals_, spaces_); !status.ok()) return status;
  const uint32_t first = numbers_[port] << tables_.vc_shift;
  for (const fabric::WordEdge::Space& space : spaces_)
    inbox_.rooms.push_back({space.arrived.fs() + credit_delay_, first + space.vc, space.bytes});
  spaces_.clear();
  for (const fabric::WordEdge::Arrival& arrival : arrivals_) {
    if (enter(arrival.packet, first + arrival.vc, arrival.head, arrival.known)) continue;
    return absl::DataLossError(fmt::format("{} at {}: protocol error: a packet of host {} comes back that has not left",
                                           ports_[port].receiver->spec().name, to_string(arrival.head),
                                           arrival.packet.nic.source));
  }
  arrivals_.clear();
  return absl::OkStatus();
}

bool CutLinks::enter(const fabric::CrossingPacket& crossing, uint32_t vc, Time head, Time known) {
  PacketRecord packet(crossing.nic, 0);
  packet.set_route(crossing.route);
  const std::optional<uint32_t> message = messages_.enter(packet.source, packet.destination, crossing.message);
  if (!message.has_value()) return false;
  packet.message = *message;
  packet.time = std::max(timing_.ready(head.fs()), known.fs());
  packet.next = vc;
  inbox_.packets.push_back(packet);
  return true;
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
  if (enter(*crossing, vc, arrived, arrived)) return absl::OkStatus();
  return absl::DataLossError(fmt::format("{} at {}: protocol error: a packet of host {} comes back that has not left",
                                         receiver.spec().name, to_string(arrived), crossing->nic.source));
}

void CutLinks::send() {
  Outbox& box = network_.outbox(kRemote);
  for (size_t i = 0; i < box.packets.size(); ++i) send_packet(box.packets[i], box.ends.empty() ? 0 : box.ends[i]);
  for (const Outbox::Room& room : box.rooms) send_credit(room);
  network_.count_in_flight(-static_cast<int64_t>(box.packets.size()));
  box.clear();
}

size_t CutLinks::packets_coming() const {
  size_t coming = 0;
  for (const auto& edge : edges_) coming += edge != nullptr ? edge->packets_coming() : 0;
  return coming;
}

// A credit is for the router at the other end.
void CutLinks::send_credit(const Outbox::Room& room) {
  const size_t port = port_to(room.vc);
  link::ChannelSender& sender = *ports_[port].sender;
  const Time sent = Time::from_fs(room.time - credit_delay_) - sender.spec().latency;
  if (edges_[port] != nullptr) return edges_[port]->give_back(sent, vc_index(room.vc));
  Record record;
  record.kind = RecordKind::kReturned;
  record.vc = vc_index(room.vc);
  record.count = 1;
  record.words[0].lo = static_cast<uint64_t>(room.bytes);
  sender.send_record(sent, record);
}

void CutLinks::send_packet(const PacketRecord& packet, int64_t end) {
  const size_t port = port_to(packet.next);
  link::ChannelSender& sender = *ports_[port].sender;
  const fabric::CrossingPacket crossing{packet.nic(), packet.route(),
                                        messages_.leave(packet.message, packet.payload_bytes), 0};
  const Time sent = Time::from_fs(packet.time - pipeline_) - sender.spec().latency;
  if (edges_[port] != nullptr) return edges_[port]->send(crossing, vc_index(packet.next), sent, Time::from_fs(end));
  const fabric::PacketRecords records = fabric::packet_records(crossing, vc_index(packet.next));
  sender.send_record(sent, records.packet);
  sender.send_record(sent, records.message);
}

}  // namespace fabrictwin::router::packet
