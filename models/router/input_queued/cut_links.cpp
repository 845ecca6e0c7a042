// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/input_queued/cut_links.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "models/fabric/packet_records.h"
#include "models/router/input_queued/flit_size.h"

namespace fabrictwin::router::input_queued {
namespace {

using link::Record;
using link::RecordKind;

}  // namespace

CutLinks::CutLinks(Clock clock, const system::SystemGraph& graph, uint64_t seed, std::vector<run::CutPort> ports,
                   Network& network, PacketCrossing& crossing)
    : clock_(clock),
      hosts_(network.config().hosts),
      vcs_(network.config().router.vcs),
      queues_(network.config().router.classifier.queues()),
      most_(static_cast<int32_t>(std::min<int64_t>(network.horizon(), std::numeric_limits<uint8_t>::max()))),
      network_(network),
      crossing_(crossing),
      ports_(std::move(ports)),
      cut_at_(static_cast<size_t>(network.routers()) * Network::kMaxPorts, -1),
      arriving_(ports_.size() * static_cast<size_t>(vcs_)),
      flits_(ports_.size()),
      credits_(ports_.size()) {
  for (size_t i = 0; i < ports_.size(); ++i) {
    cut_at_[static_cast<size_t>(ports_[i].element) * Network::kMaxPorts + static_cast<size_t>(ports_[i].port)] =
        static_cast<int32_t>(i);
    network_.cut(end_of(i));
    const bool words = ports_[i].sender->spec().type.content == link::LinkType::Content::kWords;
    words_.push_back(
        words ? std::make_unique<WordLink>(clock_, graph, seed, ports_[i], network_.link_latency(end_of(i))) : nullptr);
  }
}

int64_t CutLinks::next_cycle() const {
  int64_t next = Traffic::kNever;
  for (size_t port = 0; port < ports_.size(); ++port) {
    if (words_[port] != nullptr) {
      next = std::min(next, words_[port]->next_cycle());
    } else if (const Record* front = ports_[port].receiver->front()) {
      next = std::min(next, clock_.edge_at_or_after(front->time()));
    }
  }
  return next;
}

absl::Status CutLinks::receive(int64_t cycle) {
  const Time now = clock_.edge(cycle);
  for (size_t port = 0; port < ports_.size(); ++port) {
    if (words_[port] != nullptr) {
      if (absl::Status status = receive_words(port, cycle); !status.ok()) return status;
      continue;
    }
    const link::ChannelReceiver& receiver = *ports_[port].receiver;
    while (receiver.front() != nullptr && receiver.front()->time() <= now) {
      if (absl::Status status = receive_record(port, cycle); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status CutLinks::receive_words(size_t port, int64_t cycle) {
  WordLink& link = *words_[port];
  if (absl::Status status = link.receive(cycle); !status.ok()) return status;
  for (const fabric::WordEdge::Space& space : link.credits()) {
    for (int32_t flits = flits_of(space.bytes); flits > 0; --flits)
      network_.arrive_credit(cycle, end_of(port), space.vc);
  }
  while (const std::optional<WordLink::Flits> flits = link.take(cycle)) {
    Arriving& arriving = this->arriving(port, flits->vc);
    if (flits->packet.has_value()) {
      const absl::StatusOr<uint32_t> entered = enter(*flits->packet);
      if (!entered.ok())
        return broken(*ports_[port].receiver, clock_.edge(cycle), std::string(entered.status().message()));
      arriving.packet = *entered;
    }
    for (int32_t i = 0; i < flits->count; ++i) {
      network_.arrive_flit(cycle, end_of(port), flits->vc, arriving.packet, i == 0 && flits->packet.has_value());
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> CutLinks::enter(const fabric::CrossingPacket& crossing) {
  const absl::StatusOr<Packet> packet = crossing_.enter(crossing);
  if (!packet.ok()) return packet.status();
  return network_.enter_packet(*packet);
}

size_t CutLinks::packets_coming() const {
  size_t coming = 0;
  for (const auto& link : words_) coming += link != nullptr ? link->packets_coming() : 0;
  return coming;
}

absl::Status CutLinks::broken(const link::ChannelReceiver& receiver, Time at, std::string_view what) {
  return absl::DataLossError(fmt::format("{} at {}: protocol error: {}", receiver.spec().name, to_string(at), what));
}

absl::Status CutLinks::receive_record(size_t port, int64_t cycle) {
  link::ChannelReceiver& receiver = *ports_[port].receiver;
  const Record record = *receiver.front();
  const Time at = record.time();
  if (at != clock_.edge(cycle)) return broken(receiver, at, "a record off the clock of the routers");
  if (record.count == 0 || record.count > most_)
    return broken(receiver, at, fmt::format("{} flits or credits in a record", record.count));
  switch (record.kind) {
    case RecordKind::kPacket:
      return receive_head(port, cycle);
    case RecordKind::kFlits: {
      const std::optional<int32_t> vc = vc_at(record.vc, record.words[0].lo);
      if (!vc.has_value()) return broken(receiver, at, "flits for a queue that does not exist");
      receiver.pop();
      return receive_flits(port, cycle, record, *vc, false);
    }
    case RecordKind::kReturned:
      return receive_credits(port, cycle);
    case RecordKind::kSetAside:
      return receive_message(port, cycle);
    default:
      return broken(receiver, at,
                    fmt::format("a record of kind {} that belongs to nothing", static_cast<int>(record.kind)));
  }
}

std::optional<int32_t> CutLinks::vc_at(uint8_t vc, uint64_t queue) const {
  if (queue >= static_cast<uint64_t>(queues_)) return std::nullopt;
  const int32_t number = vc * queues_ + static_cast<int32_t>(queue);
  return number < vcs_ ? std::optional<int32_t>(number) : std::nullopt;
}

absl::Status CutLinks::receive_credits(size_t port, int64_t cycle) {
  link::ChannelReceiver& receiver = *ports_[port].receiver;
  const Record record = *receiver.front();
  const uint64_t bytes = record.words[0].lo;
  if (bytes == 0 || bytes % link::kWordBytes != 0 || bytes > link::kMaxPacketWords * link::kWordBytes) {
    return broken(receiver, record.time(),
                  fmt::format("credits of {} bytes, and flits have {}", bytes, link::kWordBytes));
  }
  const std::optional<int32_t> vc = vc_at(record.vc, record.words[0].hi);
  if (!vc.has_value()) return broken(receiver, record.time(), "credits of a queue that does not exist");
  receiver.pop();
  for (int32_t i = 0; i < record.count; ++i) {
    for (int32_t flits = flits_of(static_cast<int32_t>(bytes)); flits > 0; --flits)
      network_.arrive_credit(cycle + i, end_of(port), *vc);
  }
  return absl::OkStatus();
}

absl::Status CutLinks::receive_message(size_t port, int64_t cycle) {
  using congestion::SetAsideMessage;
  link::ChannelReceiver& receiver = *ports_[port].receiver;
  const Record record = *receiver.front();
  const uint64_t destination = record.words[0].lo;
  if (network_.config().router.queues.scheme != v1::Queues::FBICM || record.count != 1 ||
      record.flags > static_cast<uint8_t>(SetAsideMessage::Kind::kReleased) ||
      destination >= static_cast<uint64_t>(hosts_))
    return broken(receiver, record.time(), "a message of a set-aside queue that there cannot be");
  receiver.pop();
  network_.arrive_message(cycle, end_of(port),
                          {.kind = static_cast<SetAsideMessage::Kind>(record.flags),
                           .destination = static_cast<int32_t>(destination),
                           .stops = static_cast<uint32_t>(record.words[0].hi)});
  return absl::OkStatus();
}

absl::Status CutLinks::receive_head(size_t port, int64_t cycle) {
  link::ChannelReceiver& receiver = *ports_[port].receiver;
  const Record record = *receiver.front();
  const absl::StatusOr<fabric::CrossingPacket> crossing = fabric::take_packet(receiver, hosts_, network_.routers());
  if (!crossing.ok()) return crossing.status();
  const std::optional<int32_t> vc = vc_at(record.vc, crossing->queue);
  if (!vc.has_value()) return broken(receiver, record.time(), "a packet for a queue that does not exist");
  Arriving& arriving = this->arriving(port, *vc);
  if (arriving.left > 0)
    return broken(receiver, record.time(), fmt::format("a packet begins before the one on VC {} has ended", record.vc));
  const absl::StatusOr<uint32_t> entered = enter(*crossing);
  if (!entered.ok()) return broken(receiver, record.time(), std::string(entered.status().message()));
  arriving = {*entered, flits_of(crossing->nic.wire_bytes)};
  return receive_flits(port, cycle, record, *vc, true);
}

absl::Status CutLinks::receive_flits(size_t port, int64_t cycle, const Record& record, int32_t vc, bool head) {
  Arriving& arriving = this->arriving(port, vc);
  if (record.count > arriving.left) {
    return broken(*ports_[port].receiver, record.time(),
                  fmt::format("{} flits on VC {}, whose packet has {} left", record.count, record.vc, arriving.left));
  }
  for (int32_t i = 0; i < record.count; ++i) {
    network_.arrive_flit(cycle + i, end_of(port), vc, arriving.packet, head && i == 0);
  }
  arriving.left -= record.count;
  return absl::OkStatus();
}

bool CutLinks::continues(const Burst& burst, int64_t cycle, int32_t vc) const {
  return burst.count > 0 && burst.count < most_ && burst.vc == vc && cycle == burst.cycle + burst.count;
}

void CutLinks::close(size_t port, Burst& burst) {
  if (burst.count == 0) return;
  link::ChannelSender& sender = *ports_[port].sender;
  const Time sent = clock_.edge(burst.cycle) - sender.spec().latency;
  burst.record.count = static_cast<uint8_t>(burst.count);
  sender.send_record(sent, burst.record);
  if (burst.message.has_value()) sender.send_record(sent, *burst.message);
  burst = {};
}

void CutLinks::send_word(size_t port, const Network::Departure& departure) {
  WordLink& link = *words_[port];
  const auto vc = static_cast<uint8_t>(departure.vc);
  if (departure.credits > 0) return link.send_credits(departure.cycle, vc, departure.credits);
  if (departure.head) link.begin(crossing_.leave(network_.packet(departure.packet)), vc);
  link.send_flit(departure.cycle, vc);
  if (departure.tail) network_.drop_packet(departure.packet);
}

void CutLinks::send_flit(size_t port, const Network::Departure& flit) {
  Burst& burst = flits_[port];
  if (flit.head || !continues(burst, flit.cycle, flit.vc)) {
    close(port, burst);
    burst.cycle = flit.cycle;
    burst.vc = flit.vc;
    burst.record.kind = RecordKind::kFlits;
    burst.record.vc = vc_of(flit.vc);
    burst.record.words[0].lo = queue_of(flit.vc);
  }
  ++burst.count;
  if (flit.head) {
    fabric::CrossingPacket crossing = crossing_.leave(network_.packet(flit.packet));
    crossing.queue = queue_of(flit.vc);
    const fabric::PacketRecords records = fabric::packet_records(crossing, vc_of(flit.vc));
    burst.record = records.packet;
    burst.message = records.message;
  }
  if (flit.tail) network_.drop_packet(flit.packet);
}

void CutLinks::send_credit(size_t port, const Network::Departure& credit) {
  Burst& burst = credits_[port];
  const auto bytes = static_cast<uint64_t>(credit.credits) * link::kWordBytes;
  if (!continues(burst, credit.cycle, credit.vc) || burst.record.words[0].lo != bytes) {
    close(port, burst);
    burst.cycle = credit.cycle;
    burst.vc = credit.vc;
    burst.record.kind = RecordKind::kReturned;
    burst.record.vc = vc_of(credit.vc);
    burst.record.words[0] = {bytes, queue_of(credit.vc)};
  }
  ++burst.count;
}

void CutLinks::send_message(size_t port, int64_t cycle, const congestion::SetAsideMessage& message) {
  link::ChannelSender& sender = *ports_[port].sender;
  Record record;
  record.kind = RecordKind::kSetAside;
  record.count = 1;
  record.flags = static_cast<uint8_t>(message.kind);
  record.words[0] = {static_cast<uint32_t>(message.destination), message.stops};
  sender.send_record(clock_.edge(cycle) - sender.spec().latency, record);
}

void CutLinks::send() {
  for (const Network::Departure& departure : network_.departures()) {
    const auto port = static_cast<size_t>(cut_at_[static_cast<size_t>(departure.from.element) * Network::kMaxPorts +
                                                  static_cast<size_t>(departure.from.port)]);
    if (words_[port] != nullptr) {
      send_word(port, departure);
    } else if (departure.message.has_value()) {
      send_message(port, departure.cycle, *departure.message);
    } else if (departure.credits > 0) {
      send_credit(port, departure);
    } else {
      send_flit(port, departure);
    }
  }
  network_.departures().clear();
  for (size_t port = 0; port < ports_.size(); ++port) {
    close(port, flits_[port]);
    close(port, credits_[port]);
  }
}

}  // namespace fabrictwin::router::input_queued
