// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/hosts.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "cosim/base/prefetch.h"
#include "fmt/format.h"
#include "models/nic/message_body.h"

namespace fabrictwin::fabric {

std::vector<int32_t> ports_of_hosts(const system::SystemGraph& graph) {
  std::vector<int32_t> ports;
  for (const system::Element& element : graph.elements) {
    if (element.kind != system::ElementKind::kHost) break;
    ports.push_back(static_cast<int32_t>(element.ports.size()));
  }
  return ports;
}

Hosts::Hosts(size_t hosts, std::span<observe::EndpointDigest> digests, Messages messages)
    : messages_(std::move(messages)), digests_(digests), hosts_(hosts) {}

void Hosts::add_process(std::unique_ptr<host::HostProcess> process) {
  process->bind_owner(this);
  Host& host = hosts_[process->node()];
  host.process = std::move(process);
  ++processes_;
}

void Hosts::start() {
  for (Host& host : hosts_) {
    if (!host.process) continue;
    host.process->start();
    fail(host.process->node(), host.process->failure());
  }
}

bool Hosts::finished() {
  while (finished_ < hosts_.size() && (!hosts_[finished_].process || hosts_[finished_].process->finished()))
    ++finished_;
  return finished_ == hosts_.size();
}

Time Hosts::finish_time() const {
  Time end;
  for (const Host& host : hosts_) {
    if (host.process && host.process->finished()) end = std::max(end, host.process->finish_time());
  }
  return end;
}

std::string Hosts::waits_for(int32_t host) const {
  const Host& waiting = hosts_[static_cast<size_t>(host)];
  return waiting.process ? waiting.process->waits_for() : std::string();
}

uint32_t Hosts::make_message(int32_t node, const nic::OutgoingMessage& message, bool ordered) {
  const uint32_t id = messages_.make();
  Message& made = messages_[id];
  made = {.envelope = message.envelope,
          .source = node,
          .destination = message.destination,
          .ordered = ordered,
          .flow = message.flow,
          .cookie = message.cookie};
  if (ordered) made.sequence = hosts_[node].peers[made.destination].sent++;
  if (observer_ != nullptr) observer_->message_sent(id, made, now_);
  return id;
}

void Hosts::wake_process(int32_t node, Time time) {
  Host& host = hosts_[node];
  if (time >= host.wake) return;
  host.wake = time;
  edge_->schedule(node, time.fs(), static_cast<uint32_t>(node));
}

void Hosts::count_packet(int64_t now, const nic::NicPacket& packet, uint64_t label) {
  const std::array<uint64_t, 2> facts = {
      uint64_t{static_cast<uint32_t>(packet.source)} << 32 | label,
      uint64_t{packet.offset} << 32 | uint64_t{static_cast<uint8_t>(packet.kind)} << 16 | packet.payload_bytes,
  };
  if (keeps_late_ && over(packet.destination))
    late_.push_back({now, packet.destination, packet.payload_bytes, digests_[packet.destination].timing()});
  digests_[packet.destination].add_arrival(Time::from_fs(now), observe::hash_values(facts));
  ++packets_received_;
  bytes_received_ += packet.payload_bytes;
}

void Hosts::expect_host(int32_t destination) const {
  prefetch(hosts_[destination]);
  prefetch(digests_[destination]);
}

void Hosts::expect_complete(int32_t source, int32_t destination) const {
  const Host& host = hosts_[destination];
  host.peers.prefetch(source);
  if (host.process) prefetch_lines(host.process.get(), 4);
}

// With adaptive routing, several VCs or several ports, messages may overtake each other; this hides it from the
// receiver.
void Hosts::complete(uint32_t id) {
  const Message& message = messages_[id];
  if (!message.ordered) return deliver(id);
  const uint64_t key = flow_key(message);
  // No process sends while it is notified of messages, so this reference stays valid.
  Peer& peer = hosts_[message.destination].peers[message.source];
  if (message.sequence != peer.delivered) {
    held_[key].push_back(id);
    ++peer.held;
    return;
  }
  ++peer.delivered;
  deliver(id);
  while (peer.held > 0) {
    std::vector<uint32_t>& held = held_[key];
    const auto next = std::find_if(held.begin(), held.end(),
                                   [&](uint32_t other) { return messages_[other].sequence == peer.delivered; });
    if (next == held.end()) return;
    ++peer.delivered;
    --peer.held;
    deliver(*next);
    held.erase(next);
  }
  if (!held_.empty()) held_.erase(key);
}

void Hosts::deliver(uint32_t id) {
  const Message& message = messages_[id];
  Host& host = hosts_[message.destination];
  if (observer_ != nullptr) observer_->message_arrived(message, now_);
  if (host.process) {
    host.process->deliver_message({message.source, message.envelope, nic::hash_of_body(message.envelope), true});
    make_due(message.destination);
  } else {
    fail(message.destination, fmt::format("host[{}]: a message from {} arrived, but nothing runs here",
                                          message.destination, message.source));
  }
  if (!is_here(message.source)) arriving_.erase(key_of(message));
  messages_.drop(id);
}

void Hosts::deliver_acknowledged(int32_t host, uint64_t cookie, Time alone) {
  hosts_[host].process->deliver_acknowledged(cookie, alone);
  make_due(host);
}

void Hosts::fail(int32_t host, std::string what) {
  if (!what.empty()) failure_.add(now_, static_cast<uint32_t>(host), std::move(what));
}

void Hosts::event(int64_t now, uint32_t id) {
  if ((id & kMessage) != 0) return happened_.push_back(id);
  Host& host = hosts_[id];
  if (host.wake.fs() != now) return;
  host.wake = Time::never();
  make_due(static_cast<int32_t>(id));
}

void Hosts::make_due(int32_t host) {
  if (hosts_[host].due) return;
  hosts_[host].due = true;
  due_.push_back(host);
}

void Hosts::settle_message(uint32_t event) {
  const uint32_t id = event & ~kMessage;
  if ((event & kSent) == 0) return complete(id);
  const Message& message = messages_[id];
  if (message.cookie != 0) {
    hosts_[message.source].process->deliver_sent(message.cookie);
    make_due(message.source);
  }
  if ((event & kArrived) == 0) {
    if (goes_away(message)) has_left(id);
    return;
  }
  if (observer_ != nullptr) observer_->message_arrived(message, now_);
  messages_.drop(id);
}

// Processes do not see each other's decisions of the same time, so their order does not matter.
void Hosts::settle(int64_t now) {
  now_ = now;
  // The network does not order events of one time.
  std::sort(happened_.begin(), happened_.end(), [this](uint32_t a, uint32_t b) {
    const Message& x = messages_[a & ~kMessage];
    const Message& y = messages_[b & ~kMessage];
    return std::tie(x.source, x.destination, x.sequence, x.cookie, a) <
           std::tie(y.source, y.destination, y.sequence, y.cookie, b);
  });
  for (const uint32_t event : happened_) settle_message(event);
  happened_.clear();
  running_.clear();
  running_.swap(due_);
  for (const int32_t id : running_) {
    Host& host = hosts_[id];
    host.due = false;
    host.process->run(Time::from_fs(now));
    fail(id, host.process->failure());
  }
}

}  // namespace fabrictwin::fabric
