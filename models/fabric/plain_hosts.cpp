// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/plain_hosts.h"

#include <utility>

#include "cosim/base/prefetch.h"

namespace fabrictwin::fabric {

PlainHosts::PlainHosts(std::span<const int32_t> ports, int32_t payload, std::span<observe::EndpointDigest> digests,
                       Messages messages)
    : Hosts(ports.size(), digests, std::move(messages)), payload_(payload) {
  for (const int32_t count : ports) {
    ports_.push_back({static_cast<uint32_t>(queues_.size()), static_cast<uint16_t>(count), {}});
    queues_.resize(queues_.size() + static_cast<size_t>(count));
  }
}

void PlainHosts::send_message(int32_t node, const nic::OutgoingMessage& message) {
  const uint32_t id = make_message(node, message, true);
  Ports& ports = ports_[node];
  const int32_t port = ports.turns.take(message, ports.count);
  Queue& queue = queues_[ports.first_queue + static_cast<uint32_t>(port)];
  if (queue.last == 0) {
    queue.first = id;
    edge_->wake(node, port, 0);
  } else {
    messages_[queue.last].next = id;
  }
  queue.last = id;
}

Client::Offer PlainHosts::next_packet(int32_t host, int32_t port, int64_t now, int32_t room, nic::NicPacket& packet) {
  Queue& queue = queues_[ports_[host].first_queue + static_cast<uint32_t>(port)];
  if (queue.first == 0) return Offer::kNothing;
  Message& message = messages_[queue.first];
  const nic::PlainPacket next = nic::PlainPacket::next(message.envelope, message.sent, payload_);
  const int32_t wire = nic::PlainPacket::wire_bytes(next.payload);
  if (wire > room) return Offer::kTooLarge;
  packet.source = host;
  packet.destination = message.destination;
  packet.message = queue.first;
  // Only expect_message() uses it.
  packet.message_bytes = static_cast<uint32_t>(nic::PlainPacket::bytes_of(message.envelope));
  packet.offset = static_cast<uint32_t>(message.sent);
  packet.payload_bytes = static_cast<uint16_t>(next.payload);
  packet.wire_bytes = static_cast<uint16_t>(wire);
  packet.source_port = static_cast<uint8_t>(port);
  packet.destination_port = static_cast<uint8_t>(port % ports_[message.destination].count);
  message.sent += static_cast<uint64_t>(next.payload);
  if (!next.last) return Offer::kTaken;
  // A message without a cookie is not reported.
  if (message.cookie != 0) edge_->schedule(host, now + edge_->duration(host, port, wire), queue.first | kSent);
  queue.first = message.next;
  if (queue.first != 0) return Offer::kTaken;
  queue.last = 0;
  return Offer::kLast;
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
  return {messages_[packet.message].sequence, packet.message};
}

int64_t PlainHosts::packet_arrived(int64_t now, const nic::NicPacket& packet) {
  now_ = now;
  Message& message = messages_[packet.message];
  count_packet(now, packet, message.sequence);
  message.received += packet.payload_bytes;
  if (message.received == nic::PlainPacket::bytes_of(message.envelope)) complete(packet.message);
  return now;
}

}  // namespace fabrictwin::fabric
