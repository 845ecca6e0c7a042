// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/words/packet_interface.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "models/nic/message_request.h"

namespace fabrictwin::nic::words {
namespace {

using Kind = NicPacket::Kind;

/// `user` of a request: its operation, and its number among those of this operation in its flow.
constexpr int kOperationShift = 30;
constexpr uint32_t kNumbers = uint32_t{1} << kOperationShift;

constexpr uint64_t kNobody = ~uint64_t{0};

/// A request and the host at its other end.
uint64_t flow_of(int32_t peer, uint64_t user) { return uint64_t{static_cast<uint32_t>(peer)} << 32 | user; }
int32_t peer_of(uint64_t flow) { return static_cast<int32_t>(flow >> 32); }
NicOperation operation_of(uint64_t flow) {
  return static_cast<NicOperation>(static_cast<uint32_t>(flow) >> kOperationShift);
}

bool is_send(const NicPacket& packet) { return (packet.flags & NicPacket::kSend) != 0; }

/// Whether a packet begins with the envelope of its request.
bool begins(const NicPacket& packet) {
  return packet.offset == 0 && (packet.kind == Kind::kData || packet.kind == Kind::kReadRequest);
}

/// Words of the envelope in front of the packet's own bytes: those of a send begin with it.
int32_t words_before(const NicPacket& packet) { return begins(packet) && !is_send(packet) ? kEnvelopeWords : 0; }

}  // namespace

PacketInterface::PacketInterface(const sc_core::sc_module_name& name, Config links, const MakeNic& make_nic,
                                 int32_t queues)
    : LinkInterface(name, std::move(links)),
      queues_(queues),
      nic_(make_nic(node(), *this)),
      leaving_(static_cast<size_t>(ports())) {
  SC_METHOD(settle);
  sensitive << settle_event_;
  dont_initialize();
  SC_METHOD(inject);
  sensitive << inject_event_;
  dont_initialize();
}

// --- Requests ---

void PacketInterface::send(const OutgoingMessage& message) {
  absl::StatusOr<NicRequest> request = request_of(message, ports(), queues_);
  if (!request.ok()) return fail(std::string(request.status().message()));
  const auto operation = static_cast<uint32_t>(message.operation);
  request->user = operation << kOperationShift | peers_[message.destination].given[operation]++ % kNumbers;
  request->cookie = flow_of(message.destination, request->user);
  requests_[request->cookie] = {message.envelope, message.cookie, now(), IncomingBody(message.envelope)};
  nic_->submit(now(), *request);
  inject_event_.notify(sc_core::SC_ZERO_TIME);
}

// --- What leaves ---

// Hosts submit in the delta cycle after that of arrivals, and packets are taken in the one after that.
void PacketInterface::handle() {
  if (nic_->next_event() <= now()) nic_->advance(now());
  while (!events_.empty() && events_.begin()->time <= now()) {
    const Event event = *events_.begin();
    events_.erase(events_.begin());
    happen(event);
  }
  settle_event_.notify(sc_core::SC_ZERO_TIME);
}

Time PacketInterface::next_due() const {
  Time next = nic_->next_event();
  if (!events_.empty()) next = std::min(next, events_.begin()->time);
  for (int32_t port = 0; port < ports(); ++port) {
    if (!leaving_[port].parts.empty()) {
      next = std::min(next, next_credit(port));
      continue;
    }
    const Time ready = nic_->ready_at(port);
    if (ready.is_never()) continue;
    const Time begins = std::max(ready, free_at(port));
    // What could have begun waits for space.
    next = std::min(next, begins > now() ? begins : next_credit(port));
  }
  return next;
}

void PacketInterface::inject() {
  for (int32_t port = 0; port < ports(); ++port) inject_port(port);
  schedule();
}

void PacketInterface::inject_port(int32_t port) {
  while (true) {
    while (!leaving_[port].parts.empty()) {
      if (credits(port) < leaving_[port].parts.front().words) return;
      send_part(port);
    }
    const Time ready = nic_->ready_at(port);
    if (ready.is_never() || std::max(ready, free_at(port)) > now()) return;
    if (credits(port) < most_words(nic_->next_bytes(port, now()))) return;
    take(port);
  }
}

void PacketInterface::take(int32_t port) {
  Leaving& leaving = leaving_[port];
  left_ = kNobody;
  leaving.packet = nic_->next_packet(port, now());
  const NicPacket& packet = leaving.packet;
  const uint64_t flow = flow_of(packet.destination, packet.user);
  const std::vector<Part> parts = cut(packet, words_before(packet));
  leaving.parts.assign(parts.begin(), parts.end());
  leaving.sent = 0;
  if (packet.kind == Kind::kReadData) {
    const auto read = reads_.find(flow);
    if (read != reads_.end()) leaving.envelope = read->second;
    if (read != reads_.end() && packet.offset + packet.payload_bytes == packet.message_bytes) reads_.erase(read);
  } else if (const auto request = requests_.find(flow); packet.kind != Kind::kAck && request != requests_.end()) {
    leaving.envelope = request->second.envelope;
    leaving.since = request->second.since;
  }
  if (left_ == kNobody) return;
  leaving.sent = requests_[left_].cookie;
  requests_.erase(left_);
}

void PacketInterface::send_part(int32_t port) {
  Leaving& leaving = leaving_[port];
  const Part part = leaving.parts.front();
  leaving.parts.pop_front();
  const NicPacket& packet = leaving.packet;
  std::array<link::Word, link::kMaxPacketWords> words{};
  encode(packet, part, make_header(packet.destination_port, packet.destination, 0, 0), words.data());
  auto* bytes = reinterpret_cast<std::byte*>(&words[2]);
  const bool first = begins(packet) && part.offset == 0;
  // The envelope of a send counts as its first bytes.
  const uint64_t counted = is_send(packet) ? sizeof(Envelope) : 0;
  if (first && part.payload < counted) return fail("the first packet of a message is too short for its envelope");
  if (first) {
    std::memcpy(bytes, &leaving.envelope, sizeof(Envelope));
    make_body(leaving.envelope, 0, std::span(bytes + sizeof(Envelope), part.payload - counted));
  } else {
    make_body(leaving.envelope, part.offset - counted, std::span(bytes, part.payload));
  }
  const int64_t slot = send_packet(port, words.data(), part.words);
  if (first) follow(port, link::PacketHeader::decode(words[0]), slot, leaving.since);
  if (leaving.parts.empty() && leaving.sent != 0)
    events_.insert({free_at(port), flow_of(packet.destination, packet.user), leaving.sent, false});
}

// Called when the last packet of a request begins to leave.
void PacketInterface::nic_sent(int32_t, Time, uint64_t cookie) { left_ = cookie; }

// --- What arrives ---

Time PacketInterface::packet_arrived(int32_t port, const link::PacketHeader& header, const Words& words) {
  const NicPacket packet = decode(header, words[1], node(), port);
  count_payload(packet.payload_bytes);
  if (const std::string wrong = accept(packet, words); !wrong.empty()) {
    fail(fmt::format("a packet of message {} from {} {}", packet.message, packet.source, wrong));
    return now();
  }
  // What memory has written by now frees space first.
  if (nic_->next_event() <= now()) nic_->advance(now());
  return nic_->packet_arrived(now(), packet);
}

std::string PacketInterface::accept(const NicPacket& packet, const Words& words) {
  const uint64_t flow = flow_of(packet.source, packet.user);
  std::span<const std::byte> bytes = std::as_bytes(std::span(words)).subspan(2 * link::kWordBytes);
  bytes = bytes.first(bytes.size() - link::kWordBytes);
  uint64_t count = packet.payload_bytes;
  uint64_t offset = packet.offset;
  if (is_send(packet)) offset -= sizeof(Envelope);
  if (begins(packet)) {
    const uint64_t own = is_send(packet) ? sizeof(Envelope) : 0;
    if (bytes.size() < sizeof(Envelope) || count < own) return "begins without an envelope";
    Envelope envelope;
    std::memcpy(&envelope, bytes.data(), sizeof envelope);
    if (envelope.bytes + own != packet.message_bytes) return "has a wrong envelope";
    bytes = bytes.subspan(sizeof(Envelope));
    count -= own;
    offset = 0;
    if (packet.kind == Kind::kReadRequest) {
      reads_[flow] = envelope;
      return {};
    }
    incoming_[flow] = IncomingBody(envelope);
  }
  if (count > bytes.size()) return "says that it has more bytes than it has";
  IncomingBody* body = nullptr;
  if (packet.kind == Kind::kData) {
    const auto found = incoming_.find(flow);
    if (found == incoming_.end()) return "arrived without the one before it";
    body = &found->second;
  } else if (packet.kind == Kind::kReadData) {
    const auto found = requests_.find(flow);
    if (found == requests_.end()) return "brings what nobody reads";
    body = &found->second.body;
  } else {
    return {};
  }
  if (!body->write(offset, bytes.first(count)))
    return fmt::format("is longer than the {} bytes that it announced", body->envelope().bytes);
  return {};
}

// Does nothing with acknowledgements: processes wait only for the data of Gets.
void PacketInterface::nic_completed(int32_t, Time at, uint64_t cookie) {
  if (operation_of(cookie) != NicOperation::kGet) return;
  const auto request = requests_.find(cookie);
  if (!request->second.body.complete() || !request->second.body.intact())
    fail(fmt::format("a Get from {} has wrong bytes", peer_of(cookie)));
  if (request->second.cookie != 0) events_.insert({at, cookie, request->second.cookie, false});
  requests_.erase(request);
}

void PacketInterface::nic_delivered(int32_t, Time at, const NicDelivery& delivery) {
  events_.insert({at, flow_of(delivery.source, delivery.user), 0, true});
}

void PacketInterface::happen(const Event& event) {
  if (event.delivered) return deliver(event.flow);
  if (endpoint() != nullptr) endpoint()->deliver_sent(event.cookie);
}

// Sends through several ports may overtake each other; this hides it from the receiver.
void PacketInterface::deliver(uint64_t flow) {
  const int32_t source = peer_of(flow);
  if (endpoint() == nullptr) return fail(fmt::format("a message from {} arrived, but nothing runs here", source));
  const auto found = incoming_.find(flow);
  const IncomingBody body = found->second;
  incoming_.erase(found);
  const IncomingMessage message{source, body.envelope(), body.hash(), body.intact()};
  if (operation_of(flow) != NicOperation::kSend) return endpoint()->deliver_message(message);
  Peer& peer = peers_[source];
  peer.held.emplace(static_cast<uint32_t>(flow) % kNumbers, message);
  for (auto next = peer.held.find(peer.next % kNumbers); next != peer.held.end();
       next = peer.held.find(peer.next % kNumbers)) {
    endpoint()->deliver_message(next->second);
    peer.held.erase(next);
    ++peer.next;
  }
}

}  // namespace fabrictwin::nic::words
