// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/nic_hosts.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "models/nic/message_request.h"

namespace fabrictwin::fabric {

NicHosts::NicHosts(std::span<const int32_t> ports, const nic::QueueNic::Costs& costs,
                   std::span<observe::EndpointDigest> digests, Messages messages,
                   const std::optional<memory::HostMemory::Config>& memory)
    : Hosts(ports.size(), digests, std::move(messages)), unordered_(ports.size()) {
  if (memory.has_value()) memory_wake_.assign(ports.size(), Time::never().fs());
  nics_.reserve(ports.size());
  barrier_wake_.assign(costs.barrier.tnis > 0 ? ports.size() : 0, Time::never().fs());
  for (const int32_t count : ports) {
    nic::QueueNic::Costs& own = costs_.try_emplace(count, costs).first->second;
    own.ports = count;
    own.barrier.tnis = std::min(own.barrier.tnis, count);
    if (costs.barrier.tnis > 0) barriers_.emplace_back(static_cast<int32_t>(nics_.size()), own.barrier);
    nics_.emplace_back(static_cast<int32_t>(nics_.size()), own, *this, memory);
  }
}

int32_t NicHosts::wire_bytes(const nic::QueueNic::Costs& costs) {
  return costs.header + costs.first_header + (costs.max_payload + costs.granule - 1) / costs.granule * costs.granule;
}

void NicHosts::wake_ports(int32_t node) {
  const nic::QueueNic& nic = nics_[node];
  for (int32_t port = 0; port < nic.ports(); ++port) {
    if (const Time ready = nic.ready_at(port); !ready.is_never()) edge_->wake(node, port, ready.fs());
  }
}

void NicHosts::await_memory(int32_t node) {
  if (memory_wake_.empty()) return;
  const int64_t next = nics_[node].next_event().fs();
  if (next >= memory_wake_[node]) return;
  memory_wake_[node] = next;
  edge_->schedule(node, next, kMemory | static_cast<uint32_t>(node));
}

void NicHosts::advance(int32_t node, int64_t now) {
  nic::QueueNic& nic = nics_[node];
  if (nic.next_event().fs() <= now) nic.advance(Time::from_fs(now));
}

void NicHosts::event(int64_t now, uint32_t id) {
  if ((id & kMessage) != 0 || (id & (kMemory | kBarrier)) == 0) return Hosts::event(now, id);
  if ((id & kBarrier) != 0) {
    const auto due = static_cast<int32_t>(id & ~kBarrier);
    if (barrier_wake_[due] != now) return;
    barrier_wake_[due] = Time::never().fs();
    return run_barrier(due, now);
  }
  const auto node = static_cast<int32_t>(id & ~kMemory);
  // An earlier event has replaced this one.
  if (memory_wake_[node] != now) return;
  memory_wake_[node] = Time::never().fs();
  advance(node, now);
  wake_ports(node);
  await_memory(node);
}

void NicHosts::send_message(int32_t node, const nic::OutgoingMessage& message) {
  if (message.reduction.hosts != nullptr) return reduce(node, message);
  nic::QueueNic& nic = nics_[node];
  absl::StatusOr<nic::NicRequest> request = nic::request_of(message, nic.ports(), nic.queues());
  if (!request.ok()) return fail(node, fmt::format("host[{}]: {}", node, std::string(request.status().message())));
  const uint32_t id = make_message(node, message, message.operation == nic::NicOperation::kSend);
  if (message.operation != nic::NicOperation::kSend) messages_[id].sequence = unordered_[static_cast<size_t>(node)]++;
  request->cookie = message.operation == nic::NicOperation::kGet ? kGet | id : id;
  request->user = id;
  nic.submit(Time::from_fs(now_), *request);
  wake_ports(node);
  await_memory(node);
}

Client::Offer NicHosts::next_packet(int32_t host, int32_t port, int64_t now, int32_t space, nic::NicPacket& packet) {
  nic::QueueNic& nic = nics_[host];
  const Time ready = nic.ready_at(port);
  if (ready.is_never()) return Offer::kNothing;
  if (ready.fs() > now) {
    edge_->wake(host, port, ready.fs());
    return Offer::kNothing;
  }
  if (nic.next_bytes(port, Time::from_fs(now)) > space) return Offer::kTooLarge;
  left_ = 0;
  packet = nic.next_packet(port, Time::from_fs(now));
  await_memory(host);
  // A message without a cookie is not reported.
  if (left_ != 0 && (messages_[left_].cookie != 0 || goes_away(messages_[left_])))
    edge_->schedule(host, now + edge_->duration(host, port, packet.wire_bytes), left_ | kSent);
  packet.destination_port = static_cast<uint8_t>(packet.destination_port % nics_[packet.destination].ports());
  return Offer::kTaken;
}

// The vector of rank r is in its signals as r + 1 times this.
namespace {

uint64_t element_of(const nic::Envelope& envelope) { return mix64(envelope.payload_key) | 1; }

}  // namespace

void NicHosts::reduce(int32_t node, const nic::OutgoingMessage& message) {
  const nic::Reduction& reduction = message.reduction;
  if (reduction.configure) return barriers_[node].configure(reduction.rank, *reduction.hosts);
  // Barriers of the ranks of a host end in any order.
  const uint32_t id = make_message(node, message, false);
  reductions_[id] = reduction;
  barriers_[node].order(Time::from_fs(now_), reduction.rank, id,
                        element_of(message.envelope) * static_cast<uint64_t>(reduction.rank + 1),
                        static_cast<uint32_t>(message.envelope.bytes));
  await_barrier(node);
}

void NicHosts::await_barrier(int32_t node) {
  const int64_t next = barriers_[node].next_event().fs();
  if (next >= barrier_wake_[node]) return;
  barrier_wake_[node] = next;
  edge_->schedule(node, next, kBarrier | static_cast<uint32_t>(node));
}

void NicHosts::run_barrier(int32_t node, int64_t now) {
  nic::TofuBarrier::Actions actions;
  barriers_[node].advance(Time::from_fs(now), actions);
  for (const nic::TofuBarrier::Signal& signal : actions.signals) nics_[node].send_signal(Time::from_fs(now), signal);
  for (const nic::TofuBarrier::End& end : actions.ends) end_barrier(node, now, end);
  now_ = now;
  fail(node, actions.failure);
  wake_ports(node);
  await_barrier(node);
}

void NicHosts::end_barrier(int32_t node, int64_t now, const nic::TofuBarrier::End& end) {
  const auto id = static_cast<uint32_t>(end.cookie);
  const uint64_t ranks = reductions_.at(id).hosts->size();
  reductions_.erase(id);
  now_ = now;
  // Every rank has contributed once.
  if (end.value != element_of(messages_[id].envelope) * (ranks * (ranks + 1) / 2))
    fail(node, fmt::format("host[{}]: a barrier of {} ranks ends with a wrong sum", node, ranks));
  Hosts::event(now, id | kArrived);
}

// Network interfaces number the requests of their host; a response has the number of the request.
Hosts::Origin NicHosts::origin(const nic::NicPacket& packet) const {
  using Kind = nic::NicPacket::Kind;
  // A gate sends one signal of each barrier to a host.
  if (packet.kind == Kind::kNotice)
    return {uint64_t{static_cast<uint8_t>(packet.kind)} << 56 | uint64_t{packet.message} << 32 | packet.offset, 0};
  const bool own = packet.kind == Kind::kData || packet.kind == Kind::kReadRequest;
  return {uint64_t{static_cast<uint8_t>(packet.kind)} << 32 | packet.message,
          own ? static_cast<uint32_t>(packet.user) : 0};
}

int64_t NicHosts::packet_arrived(int64_t now, const nic::NicPacket& packet) {
  count_packet(now, packet, packet.message);
  if (packet.kind == nic::NicPacket::Kind::kNotice) {
    now_ = now;
    fail(packet.destination,
         barriers_[packet.destination].arrive(Time::from_fs(now), nic::QueueNic::signal_of(packet)));
    await_barrier(packet.destination);
    return now;
  }
  // What memory has written by now frees space, whichever of the two events is first in the queue.
  advance(packet.destination, now);
  const Time free = nics_[packet.destination].packet_arrived(Time::from_fs(now), packet);
  // The network interface may have to respond.
  wake_ports(packet.destination);
  await_memory(packet.destination);
  return free.fs();
}

void NicHosts::be_apart(std::vector<bool> here, bool together) {
  Hosts::be_apart(std::move(here), together);
  keep_late();
}

// Between partitions, the number of the request replaces that of the message.
ForeignMessage NicHosts::leave(nic::NicPacket& packet) {
  const ForeignMessage message = leave_message(static_cast<uint32_t>(packet.user), packet.payload_bytes);
  packet.user = packet.message;
  return message;
}

bool NicHosts::enter(nic::NicPacket& packet, const ForeignMessage& message) {
  const std::optional<uint32_t> entered = enter_message(packet.source, packet.destination, message);
  packet.message = static_cast<uint32_t>(packet.user);
  packet.user = entered.value_or(0);
  return entered.has_value();
}

bool NicHosts::knows(const nic::NicPacket& packet) const {
  return packet.source_port < nics_[packet.source].ports() &&
         packet.destination_port < nics_[packet.destination].ports();
}

// A Put carries its body only.
uint64_t NicHosts::bytes_of(const Message& message) const {
  return message.ordered ? Hosts::bytes_of(message) : message.envelope.bytes;
}

// Called when the last packet begins to leave.
void NicHosts::nic_sent(int32_t, Time, uint64_t cookie) { left_ = static_cast<uint32_t>(cookie); }

void NicHosts::nic_completed(int32_t node, Time at, uint64_t cookie) {
  if ((cookie & kGet) != 0) edge_->schedule(node, at.fs(), static_cast<uint32_t>(cookie) | kSent | kArrived);
}

void NicHosts::nic_delivered(int32_t node, Time at, const nic::NicDelivery& delivery) {
  edge_->schedule(node, at.fs(), static_cast<uint32_t>(delivery.user) | kArrived);
}

}  // namespace fabrictwin::fabric
