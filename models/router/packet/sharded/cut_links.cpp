// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/sharded/cut_links.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/fabric/path_records.h"

namespace fabrictwin::router::packet::sharded {
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
      pauses_(config.pause.has_value()),
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
    const link::ChannelReceiver& receiver = *ports_[i].receiver;
    while (receiver.front() != nullptr && receiver.front()->time() < until) {
      if (absl::Status status = receive_record(i); !status.ok()) return status;
    }
  }
  if (inbox_.empty()) return absl::OkStatus();
  network_.count_in_flight(static_cast<int64_t>(inbox_.packets.size() - inbox_.asides));
  network_.take(inbox_, 0);
  network_.find_next();
  return absl::OkStatus();
}

absl::Status CutLinks::receive_record(size_t port) {
  const Record& record = *ports_[port].receiver->front();
  const uint32_t vc = (numbers_[port] << tables_.vc_shift) + record.vc;
  switch (record.kind) {
    case RecordKind::kPacket:
      return receive_packet(port, vc);
    case RecordKind::kReturned:
      return receive_credit(port, vc);
    case RecordKind::kPause:
    case RecordKind::kSetAside:
      return receive_signal(port);
    case RecordKind::kHot:
      return receive_hot(port);
    default:
      return broken(*ports_[port].receiver,
                    fmt::format("a record of kind {} that belongs to nothing", static_cast<int>(record.kind)));
  }
}

absl::Status CutLinks::receive_credit(size_t port, uint32_t vc) {
  link::ChannelReceiver& receiver = *ports_[port].receiver;
  const Record& record = *receiver.front();
  const LinkKind& link = tables_.links[tables_.ports[numbers_[port]].link];
  if (record.words[0].lo > static_cast<uint64_t>(link.capacity)) {
    return broken(receiver, fmt::format("a credit of {} bytes for a buffer of {}", record.words[0].lo, link.capacity));
  }
  inbox_.credits.push_back({record.time().fs() + credit_delay_, vc, static_cast<int32_t>(record.words[0].lo)});
  inbox_.numbers.push_back(static_cast<int32_t>(static_cast<uint32_t>(record.words[0].hi)));
  receiver.pop();
  return absl::OkStatus();
}

// Pauses, and what set-aside queues tell each other.
absl::Status CutLinks::receive_signal(size_t port) {
  using Kind = congestion::SetAsideMessage::Kind;
  link::ChannelReceiver& receiver = *ports_[port].receiver;
  const Record& record = *receiver.front();
  if (record.kind == RecordKind::kPause) {
    if (!pauses_) return broken(receiver, "a pause for a router that has none");
    inbox_.pauses.push_back({record.time().fs(), numbers_[port], record.flags != 0});
  } else {
    const auto destination = static_cast<uint32_t>(record.words[0].lo);
    if (tables_.input_queues == nullptr || !tables_.input_queues->sets_aside() ||
        record.flags > static_cast<uint8_t>(Kind::kReleased) || destination >= static_cast<uint32_t>(tables_.hosts))
      return broken(receiver, "a message of a set-aside queue that there cannot be");
    inbox_.set_aside.push_back({record.time().fs() + credit_delay_,
                                numbers_[port],
                                record.vc,
                                {static_cast<Kind>(record.flags), 0, static_cast<int32_t>(destination),
                                 static_cast<uint32_t>(record.words[0].hi)}});
  }
  receiver.pop();
  return absl::OkStatus();
}

absl::Status CutLinks::receive_hot(size_t port) {
  link::ChannelReceiver& receiver = *ports_[port].receiver;
  const Record& record = *receiver.front();
  if (record.words[0].lo >= tables_.ports.size()) return broken(receiver, "a notice of an output that does not exist");
  inbox_.notices.push_back({record.time().fs() + pipeline_, tables_.ports[numbers_[port]].element,
                            static_cast<uint32_t>(record.words[0].lo), numbers_[port],
                            static_cast<int64_t>(record.words[0].hi)});
  receiver.pop();
  return absl::OkStatus();
}

absl::Status CutLinks::receive_words(size_t port, Time until) {
  if (absl::Status status = edges_[port]->receive(until, arrivals_, spaces_); !status.ok()) return status;
  const uint32_t first = numbers_[port] << tables_.vc_shift;
  for (const fabric::WordEdge::Space& space : spaces_)
    inbox_.credits.push_back({space.arrived.fs() + credit_delay_, first + space.vc, space.bytes});
  inbox_.numbers.resize(inbox_.credits.size());
  spaces_.clear();
  for (const fabric::WordEdge::Arrival& arrival : arrivals_) {
    const absl::Status status = enter(arrival.packet, first + arrival.vc, arrival.head, arrival.known);
    if (status.ok()) continue;
    return absl::DataLossError(fmt::format("{} at {}: protocol error: {}", ports_[port].receiver->spec().name,
                                           to_string(arrival.head), std::string(status.message())));
  }
  arrivals_.clear();
  return absl::OkStatus();
}

absl::Status CutLinks::enter(const fabric::CrossingPacket& crossing, uint32_t vc, Time head, Time known) {
  nic::NicPacket nic = crossing.nic;
  if (absl::Status status = fabric::enter(messages_, nic, crossing.message); !status.ok()) return status;
  PacketRecord packet(nic, 0);
  packet.set_route(crossing.route);
  packet.time = std::max(timing_.ready(head.fs()), known.fs());
  packet.next = vc;
  inbox_.packets.push_back(packet);
  return absl::OkStatus();
}

bool CutLinks::enter_aside(const fabric::CrossingPacket& crossing, congestion::PathRecord* path, size_t port) {
  PacketRecord packet(crossing.nic, 0);
  packet.time = crossing.created;
  packet.next = Network::kNoBuffer;
  if (tables_.shard_of[static_cast<size_t>(packet.destination)] == kRemote)
    return send_aside(packet, numbers_[port], path);
  inbox_.packets.push_back(packet);
  ++inbox_.asides;
  if (path != nullptr) inbox_.paths.push_back(std::move(*path));
  return true;
}

absl::Status CutLinks::broken(const link::ChannelReceiver& receiver, std::string_view what) {
  return absl::DataLossError(
      fmt::format("{} at {}: protocol error: {}", receiver.spec().name, to_string(receiver.front()->time()), what));
}

absl::Status CutLinks::receive_packet(size_t port, uint32_t vc) {
  link::ChannelReceiver& receiver = *ports_[port].receiver;
  const Time arrived = receiver.front()->time();
  const auto flawed = [&](std::string_view what) {
    return absl::DataLossError(
        fmt::format("{} at {}: protocol error: {}", receiver.spec().name, to_string(arrived), what));
  };
  const absl::StatusOr<fabric::CrossingPacket> crossing =
      fabric::take_packet(receiver, tables_.hosts, static_cast<int32_t>(tables_.nodes.size()) - tables_.hosts);
  if (!crossing.ok()) return crossing.status();
  std::optional<congestion::PathRecord> path;
  if ((crossing->nic.flags & nic::NicPacket::kTelemetry) != 0) {
    absl::StatusOr<congestion::PathRecord> taken = fabric::take_path(receiver);
    if (!taken.ok()) return taken.status();
    path = *std::move(taken);
  }
  if (crossing->aside) {
    if (!messages_.knows(crossing->nic)) return flawed(fabric::not_known(crossing->nic));
    if (crossing->created < arrived.fs() || !enter_aside(*crossing, path.has_value() ? &*path : nullptr, port))
      return flawed("a packet past the network that is not on its path");
    return absl::OkStatus();
  }
  const size_t largest = tables_.links[tables_.ports[vc >> tables_.vc_shift].link].duration.size() - 1;
  if (crossing->nic.wire_bytes > largest)
    return flawed(fmt::format("a packet of {} bytes, and the largest have {}", crossing->nic.wire_bytes, largest));
  const LinkKind* const link = crossing->sequence < tables_.links.size() ? &tables_.links[crossing->sequence] : nullptr;
  if (link == nullptr || crossing->nic.wire_bytes >= link->duration.size() || crossing->created < 0 ||
      crossing->created > arrived.fs())
    return flawed("a packet by a link, or at a time, that cannot be");
  network_.count_coming(tables_.ports[vc >> tables_.vc_shift].element, crossing->sequence, crossing->nic.wire_bytes,
                        crossing->created);
  if (absl::Status status = enter(*crossing, vc, arrived, arrived); !status.ok())
    return flawed(std::string(status.message()));
  if (path.has_value()) inbox_.paths.push_back(*std::move(path));
  return absl::OkStatus();
}

void CutLinks::send() {
  Outbox& box = network_.outbox(kRemote);
  auto path = box.paths.begin();
  auto leaving = box.leaving.begin();
  int64_t asides = 0;
  for (size_t i = 0; i < box.packets.size(); ++i) {
    const PacketRecord& packet = box.packets[i];
    const bool recorded = (packet.flags & nic::NicPacket::kTelemetry) != 0;
    const congestion::PathRecord* const own = recorded ? &*path++ : nullptr;
    if (packet.next == Network::kNoBuffer) {
      send_aside(packet, PortRecord::kNone, own);
      ++asides;
    } else {
      const Outbox::Leaving from = leaving == box.leaving.end() ? Outbox::Leaving() : *leaving++;
      send_packet(packet, box.ends.empty() ? 0 : box.ends[i], from, own);
    }
  }
  for (size_t i = 0; i < box.credits.size(); ++i) send_credit(box.credits[i], box.numbers.empty() ? 0 : box.numbers[i]);
  for (const Outbox::Pause& pause : box.pauses) send_pause(pause);
  for (const buffer::SetAsideNotice& notice : box.set_aside) send_set_aside(notice);
  for (const Outbox::Notice& notice : box.notices) send_hot(notice);
  network_.count_in_flight(asides - static_cast<int64_t>(box.packets.size()));
  box.clear();
}

size_t CutLinks::packets_coming() const {
  size_t coming = 0;
  for (const auto& edge : edges_) coming += edge != nullptr ? edge->packets_coming() : 0;
  return coming;
}

// A credit is for the router at the other end.
void CutLinks::send_credit(const Outbox::Credit& credit, int32_t number) {
  const size_t port = port_to(credit.vc);
  link::ChannelSender& sender = *ports_[port].sender;
  const Time sent = Time::from_fs(credit.time - credit_delay_) - sender.spec().latency;
  if (edges_[port] != nullptr) return edges_[port]->give_back(sent, vc_index(credit.vc));
  Record record;
  record.kind = RecordKind::kReturned;
  record.vc = vc_index(credit.vc);
  record.count = 1;
  record.words[0] = {static_cast<uint64_t>(credit.bytes), static_cast<uint32_t>(number)};
  sender.send_record(sent, record);
}

void CutLinks::send_pause(const Outbox::Pause& pause) {
  link::ChannelSender& sender = *ports_[port_before(pause.port)].sender;
  Record record;
  record.kind = RecordKind::kPause;
  record.count = 1;
  record.flags = pause.on ? 1 : 0;
  sender.send_record(Time::from_fs(pause.time) - sender.spec().latency, record);
}

void CutLinks::send_set_aside(const buffer::SetAsideNotice& notice) {
  link::ChannelSender& sender = *ports_[port_before(notice.port)].sender;
  Record record;
  record.kind = RecordKind::kSetAside;
  record.vc = static_cast<uint8_t>(notice.vc);
  record.count = 1;
  record.flags = static_cast<uint8_t>(notice.message.kind);
  record.words[0] = {static_cast<uint32_t>(notice.message.destination), notice.message.stops};
  sender.send_record(Time::from_fs(notice.time - credit_delay_) - sender.spec().latency, record);
}

void CutLinks::send_hot(const Outbox::Notice& notice) {
  link::ChannelSender& sender = *ports_[port_before(notice.by)].sender;
  Record record;
  record.kind = RecordKind::kHot;
  record.count = 1;
  record.words[0] = {notice.port, static_cast<uint64_t>(notice.flits)};
  sender.send_record(Time::from_fs(notice.time - pipeline_) - sender.spec().latency, record);
}

void CutLinks::send_packet(const PacketRecord& packet, int64_t end, const Outbox::Leaving& leaving,
                           const congestion::PathRecord* path) {
  const size_t port = port_to(packet.next);
  fabric::CrossingPacket crossing{packet.nic(), packet.route(), {}, leaving.begin, leaving.link};
  if (packet.kind == nic::NicPacket::Kind::kData) crossing.message = messages_.leave(crossing.nic);
  const Time sent = Time::from_fs(packet.time - pipeline_) - ports_[port].sender->spec().latency;
  if (edges_[port] != nullptr) return edges_[port]->send(crossing, vc_index(packet.next), sent, Time::from_fs(end));
  send_crossing(port, sent, crossing, vc_index(packet.next), path);
}

bool CutLinks::send_aside(const PacketRecord& packet, uint32_t from, const congestion::PathRecord* path) {
  const Network::AsideHop hop = network_.next_aside_hop(packet, from);
  if (hop.out == PortRecord::kNone) return false;
  const auto port = static_cast<size_t>(cut_at_[hop.out]);
  fabric::CrossingPacket crossing{packet.nic(), {}, {}, packet.time};
  crossing.aside = true;
  send_crossing(port, Time::from_fs(hop.arrives) - ports_[port].sender->spec().latency, crossing, 0, path);
  return true;
}

void CutLinks::send_crossing(size_t port, Time sent, const fabric::CrossingPacket& crossing, uint8_t vc,
                             const congestion::PathRecord* path) {
  link::ChannelSender& sender = *ports_[port].sender;
  const fabric::PacketRecords records = fabric::packet_records(crossing, vc);
  sender.send_record(sent, records.packet);
  sender.send_record(sent, records.message);
  if (path == nullptr) return;
  for (const Record& record : fabric::path_records(*path, vc)) sender.send_record(sent, record);
}

}  // namespace fabrictwin::router::packet::sharded
