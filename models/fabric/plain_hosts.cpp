// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/plain_hosts.h"

#include <utility>

#include "cosim/base/prefetch.h"

namespace fabrictwin::fabric {

PlainHosts::PlainHosts(std::span<const int32_t> ports, int32_t payload, std::span<observe::EndpointDigest> digests,
                       Messages messages, std::optional<v1::Queues::Admittance> admittance,
                       std::span<uint64_t> flow_bytes)
    : Hosts(ports.size(), digests, std::move(messages)),
      payload_(payload),
      flow_bytes_(flow_bytes),
      admittance_(admittance) {
  for (const int32_t count : ports) {
    ports_.push_back({static_cast<uint32_t>(queues_.size()), static_cast<uint16_t>(count), {}});
    queues_.resize(queues_.size() + static_cast<size_t>(count));
  }
  if (admittance_.has_value()) admitted_.resize(queues_.size());
}

void PlainHosts::send_message(int32_t node, const nic::OutgoingMessage& message) {
  const uint32_t id = make_message(node, message, true);
  Ports& ports = ports_[node];
  const int32_t port = ports.turns.take(message, ports.count);
  const size_t position = ports.first_queue + static_cast<uint32_t>(port);
  if (admittance_.has_value()) {
    int32_t number = 0;
    if (*admittance_ == v1::Queues::PER_DESTINATION) number = message.destination;
    if (*admittance_ == v1::Queues::AS_ROUTER) number = edge_->queue_of(node, port, message.destination);
    admitted_[position].push(number, id);
    return edge_->wake(node, port, 0);
  }
  Queue& queue = queues_[position];
  if (queue.last == 0) {
    queue.first = id;
    edge_->wake(node, port, 0);
  } else {
    messages_[queue.last].next = id;
  }
  queue.last = id;
}

Client::Offer PlainHosts::next_packet(int32_t host, int32_t port, int64_t now, int32_t space, nic::NicPacket& packet) {
  if (admittance_.has_value()) return next_admitted(host, port, now, space, packet);
  Queue& queue = queues_[ports_[host].first_queue + static_cast<uint32_t>(port)];
  if (queue.first == 0) return Offer::kNothing;
  Message& message = messages_[queue.first];
  const nic::PlainPacket next = nic::PlainPacket::next(message.envelope, message.sent, payload_);
  const int32_t wire = nic::PlainPacket::wire_bytes(next.payload);
  if (wire > space) return Offer::kTooLarge;
  const uint32_t following = message.next;
  if (!fill(queue.first, host, port, next, packet)) return Offer::kTaken;
  report_sent(queue.first, host, port, now, wire);
  queue.first = following;
  if (queue.first != 0) return Offer::kTaken;
  queue.last = 0;
  return Offer::kLast;
}

// Takes the packet of the oldest message that may leave.
Client::Offer PlainHosts::next_admitted(int32_t host, int32_t port, int64_t now, int32_t space,
                                        nic::NicPacket& packet) {
  Admittance& waiting = admitted_[ports_[host].first_queue + static_cast<uint32_t>(port)];
  for (size_t queue = 0; queue < waiting.queues(); ++queue) {
    const uint32_t id = waiting.front(queue);
    const Message& message = messages_[id];
    const nic::PlainPacket next = nic::PlainPacket::next(message.envelope, message.sent, payload_);
    const int32_t wire = nic::PlainPacket::wire_bytes(next.payload);
    if (wire > space || !edge_->admits(host, port, message.destination, wire, 0)) continue;
    if (fill(id, host, port, next, packet)) {
      report_sent(id, host, port, now, wire);
      waiting.pop(queue);
    }
    return waiting.empty() ? Offer::kLast : Offer::kTaken;
  }
  return waiting.empty() ? Offer::kNothing : Offer::kTooLarge;
}

// Makes the next packet of a message; whether it is the last one.
bool PlainHosts::fill(uint32_t id, int32_t host, int32_t port, const nic::PlainPacket& next, nic::NicPacket& packet) {
  Message& message = messages_[id];
  packet.source = host;
  packet.destination = message.destination;
  packet.message = id;
  // Only expect_message() uses it.
  packet.message_bytes = static_cast<uint32_t>(nic::PlainPacket::bytes_of(message.envelope));
  packet.offset = static_cast<uint32_t>(message.sent);
  packet.payload_bytes = static_cast<uint16_t>(next.payload);
  packet.wire_bytes = static_cast<uint16_t>(nic::PlainPacket::wire_bytes(next.payload));
  packet.flags = message.flow ? nic::NicPacket::kFlow : uint8_t{0};
  packet.source_port = static_cast<uint8_t>(port);
  packet.destination_port = static_cast<uint8_t>(port % ports_[message.destination].count);
  message.sent += static_cast<uint64_t>(next.payload);
  return next.last;
}

// The last packet of a message begins to leave. A message without a cookie is not reported to its process.
void PlainHosts::report_sent(uint32_t id, int32_t host, int32_t port, int64_t now, int32_t wire) {
  if (messages_[id].cookie != 0 || goes_away(messages_[id]))
    edge_->schedule(host, now + edge_->duration(host, port, wire), id | kSent);
}

void PlainHosts::expect_arrival(const nic::NicPacket& packet) const {
  prefetch(messages_[packet.message]);
  expect_host(packet.destination);
}

void PlainHosts::expect_message(const nic::NicPacket& packet) const {
  // This packet is mostly the last one to arrive.
  if (packet.offset + packet.payload_bytes == packet.message_bytes) expect_complete(packet.source, packet.destination);
}

void PlainHosts::expect_offer(int32_t host, int32_t port) const {
  const Queue& queue = queues_[ports_[host].first_queue + static_cast<uint32_t>(port)];
  if (queue.first != 0) prefetch(messages_[queue.first]);
}

Hosts::Origin PlainHosts::origin(const nic::NicPacket& packet) const {
  return {number_of(packet.message), packet.message};
}

bool PlainHosts::knows(const nic::NicPacket& packet) const {
  return packet.kind == nic::NicPacket::Kind::kData && packet.source_port < ports_[packet.source].count &&
         packet.destination_port < ports_[packet.destination].count;
}

int64_t PlainHosts::packet_arrived(int64_t now, const nic::NicPacket& packet) {
  now_ = now;
  Message& message = messages_[packet.message];
  count_packet(now, packet, message.sequence);
  message.received += packet.payload_bytes;
  if ((packet.flags & nic::NicPacket::kFlow) != 0 && message.envelope.user[1] < flow_bytes_.size())
    flow_bytes_[message.envelope.user[1]] += packet.payload_bytes;
  if (message.received == nic::PlainPacket::bytes_of(message.envelope)) complete(packet.message);
  return now;
}

}  // namespace fabrictwin::fabric
