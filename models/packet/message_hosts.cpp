// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/packet/message_hosts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "models/packet/message_hash.h"

namespace fabrictwin {

MessageHosts::MessageHosts(const SystemGraph& graph, int32_t payload, std::span<EndpointDigest> digests)
    : payload_(payload), digests_(digests) {
  for (const Element& element : graph.elements) {
    if (element.kind != ElementKind::kHost) break;
    Host& host = hosts_.emplace_back();
    host.first_queue = static_cast<uint32_t>(queues_.size());
    host.ports = static_cast<uint16_t>(element.ports.size());
    queues_.resize(queues_.size() + element.ports.size());
  }
}

void MessageHosts::add_process(std::unique_ptr<HostProcess> process) {
  process->bind_owner(this);
  Host& host = hosts_[process->node()];
  host.process = std::move(process);
  ++processes_;
}

void MessageHosts::start() {
  for (Host& host : hosts_) {
    if (host.process) host.process->start();
  }
}

bool MessageHosts::finished() {
  while (finished_ < hosts_.size() && (!hosts_[finished_].process || hosts_[finished_].process->finished()))
    ++finished_;
  return processes_ > 0 && finished_ == hosts_.size();
}

Time MessageHosts::finish_time() const {
  Time end;
  for (const Host& host : hosts_) {
    if (host.process && host.process->finished()) end = std::max(end, host.process->finish_time());
  }
  return end;
}

std::vector<std::string> MessageHosts::waits() const {
  std::vector<std::string> lines;
  for (const Host& host : hosts_) {
    if (!host.process) continue;
    if (std::string line = host.process->waits_for(); !line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

void MessageHosts::send_message(int32_t node, const OutgoingMessage& message) {
  Host& host = hosts_[node];
  const uint32_t id = messages_.make();
  Message& made = messages_[id];
  made = {message.envelope, message.cookie, 0, 0, node, message.destination, 0, 0};
  made.sequence = flows_[flow_key(made)].sent++;
  const uint16_t port = host.next_port;
  host.next_port = static_cast<uint16_t>((port + 1) % host.ports);
  Queue& queue = queues_[host.first_queue + port];
  if (queue.last == 0) {
    queue.first = id;
    network_->wake(node, port, 0);
  } else {
    messages_[queue.last].next = id;
  }
  queue.last = id;
}

void MessageHosts::wake_process(int32_t node, Time time) {
  Host& host = hosts_[node];
  if (time >= host.wake) return;
  host.wake = time;
  network_->schedule(time.fs(), static_cast<uint32_t>(node));
}

PacketClient::Offer MessageHosts::next_packet(int32_t host, int32_t port, int64_t now, int32_t room,
                                              NicPacket& packet) {
  Queue& queue = queues_[hosts_[host].first_queue + static_cast<uint32_t>(port)];
  if (queue.first == 0) return Offer::kNothing;
  Message& message = messages_[queue.first];
  const uint64_t total = sizeof(Envelope) + message.envelope.bytes;
  const auto payload = static_cast<int32_t>(std::min<uint64_t>(static_cast<uint64_t>(payload_), total - message.sent));
  const int32_t wire = wire_bytes(payload);
  if (wire > room) return Offer::kTooLarge;
  packet.source = host;
  packet.destination = message.destination;
  packet.message = queue.first;
  packet.offset = static_cast<uint32_t>(message.sent);
  packet.payload_bytes = static_cast<uint16_t>(payload);
  packet.wire_bytes = static_cast<uint16_t>(wire);
  packet.source_port = static_cast<uint8_t>(port);
  packet.destination_port = static_cast<uint8_t>(port % hosts_[message.destination].ports);
  message.sent += static_cast<uint64_t>(payload);
  if (message.sent < total) return Offer::kTaken;
  // Nobody waits for a message without a cookie.
  if (message.cookie != 0) network_->schedule(now + network_->duration(host, port, wire), queue.first | kSent);
  queue.first = message.next;
  if (queue.first == 0) queue.last = 0;
  return Offer::kTaken;
}

int64_t MessageHosts::packet_arrived(int64_t now, const NicPacket& packet) {
  Message& message = messages_[packet.message];
  const std::array<uint64_t, 2> facts = {
      uint64_t{static_cast<uint32_t>(packet.source)} << 32 | message.sequence,
      uint64_t{packet.offset} << 32 | packet.payload_bytes,
  };
  digests_[packet.destination].add_arrival(Time::from_fs(now), hash_values(facts));
  ++packets_received_;
  bytes_received_ += packet.payload_bytes;
  message.received += packet.payload_bytes;
  if (message.received == sizeof(Envelope) + message.envelope.bytes) complete(packet.message);
  return now;
}

// Adaptive routing and several VCs let messages overtake each other; their receiver does not see it.
void MessageHosts::complete(uint32_t id) {
  const uint64_t key = flow_key(messages_[id]);
  Flow& flow = flows_[key];
  if (messages_[id].sequence != flow.delivered) {
    held_[key].push_back(id);
    ++flow.held;
    return;
  }
  ++flow.delivered;
  deliver(id);
  while (flow.held > 0) {
    std::vector<uint32_t>& held = held_[key];
    const auto next = std::find_if(held.begin(), held.end(),
                                   [&](uint32_t other) { return messages_[other].sequence == flow.delivered; });
    if (next == held.end()) return;
    ++flow.delivered;
    --flow.held;
    deliver(*next);
    held.erase(next);
  }
  if (!held_.empty()) held_.erase(key);
}

void MessageHosts::deliver(uint32_t id) {
  const Message& message = messages_[id];
  Host& host = hosts_[message.destination];
  if (host.process) {
    host.process->deliver_message({message.source, message.envelope, hash_of_body(message.envelope), true});
    make_due(message.destination);
  } else if (failure_.empty()) {
    failure_ =
        fmt::format("host[{}]: a message from {} arrived, but nothing runs here", message.destination, message.source);
  }
  messages_.drop(id);
}

void MessageHosts::event(int64_t now, uint32_t id) {
  if ((id & kSent) != 0) {
    const Message& message = messages_[id & ~kSent];
    hosts_[message.source].process->deliver_sent(message.cookie);
    return make_due(message.source);
  }
  Host& host = hosts_[id];
  if (host.wake.fs() != now) return;
  host.wake = Time::never();
  make_due(static_cast<int32_t>(id));
}

void MessageHosts::make_due(int32_t host) {
  if (hosts_[host].due) return;
  hosts_[host].due = true;
  due_.push_back(host);
}

// What one process decides no other sees at this time, so their order does not matter.
void MessageHosts::settle(int64_t now) {
  running_.clear();
  running_.swap(due_);
  for (const int32_t id : running_) {
    Host& host = hosts_[id];
    host.due = false;
    host.process->run(Time::from_fs(now));
    if (failure_.empty()) failure_ = host.process->failure();
  }
}

}  // namespace fabrictwin
