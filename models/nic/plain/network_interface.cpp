// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/plain/network_interface.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "models/nic/word_packet.h"

namespace fabrictwin::nic::plain {
NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, Config config)
    : LinkInterface(name, std::move(config)), queues_(static_cast<size_t>(ports())) {}

void NetworkInterface::send(const OutgoingMessage& message) {
  const int32_t port = turn(message);
  queues_[port].outgoing.push_back(take(message));
  inject(port);
  schedule();
}

void NetworkInterface::deliver_completions() {
  for (Queue& queue : queues_) {
    while (!queue.completions.empty() && queue.completions.front().time <= now()) {
      const uint64_t cookie = queue.completions.front().cookie;
      queue.completions.pop_front();
      if (endpoint() != nullptr) endpoint()->deliver_sent(cookie);
    }
  }
}

Time NetworkInterface::next_completion() const {
  Time next = Time::never();
  for (const Queue& queue : queues_) {
    if (!queue.completions.empty()) next = std::min(next, queue.completions.front().time);
  }
  return next;
}

// Departures, and packets that may leave now.
void NetworkInterface::handle() {
  deliver_completions();
  for (int32_t index = 0; index < ports(); ++index) inject(index);
}

Time NetworkInterface::next_due() const {
  Time next = next_completion();
  for (int32_t index = 0; index < ports(); ++index) {
    // Credits matter only if a message waits for them.
    if (!queues_[index].outgoing.empty()) next = std::min(next, next_credit(index));
  }
  return next;
}

void NetworkInterface::inject(int32_t index) {
  Queue& queue = queues_[index];
  int32_t space = credits(index);
  while (!queue.outgoing.empty()) {
    const PlainPacket next =
        PlainPacket::next(queue.outgoing.front().message.envelope, queue.offset, format().max_payload_bytes());
    const int32_t words = buffer_words(format().packet_words(next.payload));
    if (words > space) return;
    space -= words;
    inject_packet(index, next);
  }
}

void NetworkInterface::inject_packet(int32_t index, const PlainPacket& packet) {
  Queue& queue = queues_[index];
  send_part(index, queue.outgoing.front(), queue.offset, packet);
  queue.offset += static_cast<uint64_t>(packet.payload);
  if (packet.last) {
    complete(index, queue.outgoing.front().message.cookie);
    queue.outgoing.pop_front();
    queue.offset = 0;
  }
}

int64_t NetworkInterface::send_part(int32_t index, const Outgoing& outgoing, uint64_t sent, const PlainPacket& packet) {
  const OutgoingMessage& message = outgoing.message;
  const auto payload = static_cast<uint64_t>(packet.payload);
  const link::PacketHeader header = make_header(index, message.destination, payload, outgoing.sequence);

  const int32_t count = format().packet_words(header.payload_bytes);
  words_.resize(static_cast<size_t>(count));
  make_plain_words(format(), header, message.envelope, sent, words_);
  const int64_t slot = send_packet(index, words_.data(), count);
  if (sent == 0) follow(index, header, slot, outgoing.since);
  return slot;
}

// The space of a packet is free at once.
Time NetworkInterface::packet_arrived(int32_t, const link::PacketHeader& header, const Words& words) {
  deliver(header, words);
  return now();
}

// Headers may hold only the low bits of a number. Far fewer messages of a flow are under way than these tell apart.
int32_t NetworkInterface::ahead_of(const Flow& flow, uint32_t sequence) const {
  const int32_t unknown = 32 - std::min(32, format().fields()[link::HeaderField::kSequence].bits);
  return static_cast<int32_t>((sequence - flow.next) << unknown) >> unknown;
}

const std::byte* NetworkInterface::payload_of(const Words& words) {
  const std::span<const link::Word> payload = format().payload(words);
  if (format().word_bits() == link::kWordBits) return reinterpret_cast<const std::byte*>(payload.data());
  bytes_.resize(payload.size() * static_cast<size_t>(format().word_bytes()));
  format().unpack(payload, bytes_.data());
  return bytes_.data();
}

void NetworkInterface::deliver(const link::PacketHeader& header, const Words& words) {
  const auto source = static_cast<int32_t>(header.source);
  count_payload(header.payload_bytes);
  if (endpoint() == nullptr) return fail(fmt::format("a packet from {} arrived, but nothing runs here", source));

  // With several ports, a message may arrive before one that was sent earlier, but none that was already delivered. All
  // messages from a host with one port take the same route, however many ports there are here.
  const bool several_paths = graph().elements[source].ports.size() > 1;
  Flow& flow = flows_[source];
  const int32_t ahead = ahead_of(flow, header.sequence);
  if (several_paths ? ahead < 0 : ahead != 0) {
    return fail(
        fmt::format("message {} from {} arrived where message {} was expected", header.sequence, source, flow.next));
  }
  Reassembly& message = flow.messages[flow.next + static_cast<uint32_t>(ahead)];
  const std::byte* bytes = payload_of(words);
  uint64_t count = header.payload_bytes;
  if (!message.begun) {
    if (count < sizeof(Envelope))
      return fail(fmt::format("message {} from {} begins without an envelope", header.sequence, source));
    Envelope envelope;
    std::memcpy(&envelope, bytes, sizeof envelope);
    message.body = IncomingBody(envelope);
    message.begun = true;
    bytes += sizeof(Envelope);
    count -= sizeof(Envelope);
  }
  if (!message.body.write(message.body.received(), std::span(bytes, count))) {
    return fail(fmt::format("message {} from {} is longer than the {} bytes that it announced", header.sequence, source,
                            message.body.envelope().bytes));
  }
  if (message.whole() && ahead == 0) hand_over(flow, source);
}

void NetworkInterface::hand_over(Flow& flow, int32_t source) {
  for (auto next = flow.messages.find(flow.next); next != flow.messages.end() && next->second.whole();
       next = flow.messages.find(flow.next)) {
    const IncomingBody body = next->second.body;
    flow.messages.erase(next);
    ++flow.next;
    endpoint()->deliver_message({source, body.envelope(), body.hash(), body.intact()});
  }
}

}  // namespace fabrictwin::nic::plain
