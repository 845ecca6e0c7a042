// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/queue_nic.h"

#include <algorithm>

namespace fabrictwin::nic {

using Kind = NicPacket::Kind;

QueueNic::QueueNic(int32_t node, const Costs& costs, NicListener& listener,
                   const std::optional<memory::HostMemory::Config>& memory)
    : node_(node), costs_(costs), listener_(listener), ports_(static_cast<size_t>(costs.ports)) {
  if (memory.has_value()) memory_ = std::make_unique<memory::HostMemory>(*memory, kMemoryStreams);
}

// --- Requests ---

int32_t QueueNic::choose_port() {
  uint64_t least = ports_.front().backlog;
  for (const Port& port : ports_) least = std::min(least, port.backlog);
  const int32_t chosen =
      turn_.find(ports(), [&](int32_t port) { return ports_[static_cast<size_t>(port)].backlog == least; });
  turn_.granted(chosen, ports());
  return chosen;
}

void QueueNic::submit(Time now, const NicRequest& request) {
  size_t number = 0;
  int32_t chosen = 0;
  if (request.queue == NicRequest::kAnyQueue) {
    chosen = choose_port();
  } else {
    chosen = request.queue / costs_.queues % costs_.ports;
    number = static_cast<size_t>(request.queue % costs_.queues);
  }
  Port& port = ports_[static_cast<size_t>(chosen)];
  Command command;
  command.cookie = request.cookie;
  command.user = request.user;
  command.message = next_message_++;
  command.bytes = request.bytes;
  command.destination = request.destination;
  command.destination_port = static_cast<uint8_t>(chosen);
  const bool empty = port.queues.size() <= number + 1 || port.queues[number + 1].empty();
  command.ready = now + (empty ? costs_.post_direct : costs_.post_queued);
  if (request.operation == NicOperation::kGet) {
    command.kind = Kind::kReadRequest;
    outstanding_[command.message] = {request.cookie, request.bytes};
  } else {
    if (request.operation == NicOperation::kSend) command.flags = NicPacket::kSend | NicPacket::kNotify;
    if (request.notify) command.flags |= NicPacket::kNotify;
    const bool inlined = request.inlined && request.bytes <= static_cast<uint32_t>(costs_.inline_bytes);
    command.inlined = inlined;
    if (request.bytes > 0 && !inlined) command.ready += costs_.first_read;
    if (costs_.acknowledge) {
      command.flags |= NicPacket::kWantAck;
      outstanding_[command.message] = {request.cookie, 0};
    }
  }
  give(port, number + 1, command);
  prefetch(port, now);
}

void QueueNic::give(Port& port, size_t queue, const Command& command) {
  if (port.queues.size() <= queue) port.queues.resize(queue + 1);
  port.queues[queue].push_back(command);
  if (command.kind != Kind::kReadRequest && command.kind != Kind::kNotice) port.backlog += command.bytes;
  refresh(port);
}

// --- Signals of barriers ---

namespace {

/// A signal's rank and stage are in NicPacket::offset.
constexpr int kStageShift = 27;

}  // namespace

void QueueNic::send_signal(Time now, const TofuBarrier::Signal& signal) {
  Port& port = ports_[static_cast<size_t>(signal.tni)];
  Command command;
  command.ready = now;
  command.user = signal.value;
  command.message = signal.number;
  command.bytes = signal.bytes;
  command.offset = signal.stage << kStageShift | static_cast<uint32_t>(signal.rank);
  command.destination = signal.host;
  command.destination_port = static_cast<uint8_t>(signal.tni);
  command.kind = Kind::kNotice;
  give(port, 0, command);
  prefetch(port, now);
}

TofuBarrier::Signal QueueNic::signal_of(const NicPacket& packet) {
  return {.host = packet.destination,
          .rank = static_cast<int32_t>(packet.offset & ((uint32_t{1} << kStageShift) - 1)),
          .number = packet.message,
          .stage = packet.offset >> kStageShift,
          .bytes = packet.message_bytes,
          .value = packet.user};
}

// --- What leaves ---

int32_t QueueNic::next_turn(const Port& port, Time now) const {
  return port.turn.find(static_cast<int32_t>(port.queues.size()), [&](int32_t asking) {
    const Fifo<Command>& queue = port.queues[static_cast<size_t>(asking)];
    return !queue.empty() && queue.front().ready <= now;
  });
}

Time QueueNic::first_ready(const Port& port) {
  Time first = Time::never();
  for (const Fifo<Command>& queue : port.queues) {
    if (!queue.empty()) first = std::min(first, queue.front().ready);
  }
  return first;
}

int32_t QueueNic::wire_bytes(const Command& command, uint32_t payload) const {
  if (command.kind == Kind::kReadRequest) return costs_.request;
  if (command.kind == Kind::kAck) return costs_.ack;
  const auto granule = static_cast<uint32_t>(costs_.granule);
  if (command.kind == Kind::kNotice)
    return costs_.barrier.packet + static_cast<int32_t>((command.bytes + granule - 1) / granule * granule);
  return costs_.header + (command.offset == 0 ? costs_.first_header : 0) +
         static_cast<int32_t>((payload + granule - 1) / granule * granule);
}

void QueueNic::stage(Port& port, size_t queue, Time now) {
  Command& command = port.queues[queue].front();
  const bool carries = command.kind == Kind::kData || command.kind == Kind::kReadData;
  const uint32_t payload =
      carries ? std::min(command.bytes - command.offset, static_cast<uint32_t>(costs_.max_payload)) : 0;
  Staged& staged = port.staged.append();
  NicPacket& packet = staged.packet;
  packet.source = node_;
  packet.destination = command.destination;
  packet.message = command.message;
  packet.message_bytes = command.bytes;
  packet.offset = command.offset;
  packet.payload_bytes = static_cast<uint16_t>(payload);
  packet.wire_bytes = static_cast<uint16_t>(wire_bytes(command, payload));
  packet.user = command.user;
  packet.kind = command.kind;
  packet.flags = command.flags;
  packet.source_port = static_cast<uint8_t>(&port - ports_.data());
  packet.destination_port = command.destination_port;
  staged.cookie = command.cookie;
  staged.first = command.offset == 0;
  staged.ready = now;
  command.offset += payload;
  staged.last = !carries || command.offset == command.bytes;
  const bool inlined = command.inlined;
  if (staged.last) port.queues[queue].pop_front();
  port.turn.granted(static_cast<int32_t>(queue), costs_.queues + 1);
  port.backlog -= payload;
  if (memory_ == nullptr || payload == 0 || inlined) return;
  staged.ready = Time::never();
  memory_->request(now, kReads, payload, packet.source_port);
}

void QueueNic::prefetch(Port& port, Time now) {
  if (memory_ != nullptr) {
    const int64_t bytes = memory_->config().outstanding * memory_->config().burst_bytes;
    const auto ahead = static_cast<size_t>(std::max<int64_t>(1, bytes / costs_.max_payload));
    while (port.staged.size() < ahead) {
      const int32_t queue = next_turn(port, now);
      if (queue < 0) break;
      stage(port, static_cast<size_t>(queue), now);
    }
  }
  refresh(port);
}

void QueueNic::refresh(Port& port) const {
  Time ready = Time::never();
  if (!port.staged.empty()) {
    ready = port.staged.front().ready;
  } else if (memory_ == nullptr) {
    ready = first_ready(port);
  }
  port.ready = ready.is_never() ? ready : std::max(ready, port.free);
}

int32_t QueueNic::next_bytes(int32_t number, Time now) {
  Port& port = ports_[static_cast<size_t>(number)];
  if (port.staged.empty()) stage(port, static_cast<size_t>(next_turn(port, now)), now);
  return port.staged.front().packet.wire_bytes;
}

NicPacket QueueNic::next_packet(int32_t number, Time now) {
  next_bytes(number, now);
  Port& port = ports_[static_cast<size_t>(number)];
  const Staged staged = port.staged.front();
  port.staged.pop_front();
  port.free = now + (staged.first ? std::max(costs_.message_interval, costs_.packet_interval) : costs_.packet_interval);
  prefetch(port, now);
  if (staged.last && staged.packet.kind == Kind::kData) leaves(staged, now);
  return staged.packet;
}

void QueueNic::leaves(const Staged& staged, Time time) {
  listener_.nic_sent(node_, time, staged.cookie);
  if ((staged.packet.flags & NicPacket::kWantAck) == 0) listener_.nic_completed(node_, time, staged.cookie);
}

// --- What arrives ---

Time QueueNic::packet_arrived(Time now, const NicPacket& packet) {
  Port& port = ports_[packet.destination_port];
  if (packet.kind == Kind::kReadRequest) {
    Command command;
    command.ready = now + costs_.serve;
    command.user = packet.user;
    command.message = packet.message;
    command.bytes = packet.message_bytes;
    command.destination = packet.source;
    command.destination_port = packet.source_port;
    command.kind = Kind::kReadData;
    give(port, 0, command);
    prefetch(port, now);
    return now;
  }
  if (packet.kind == Kind::kAck) {
    const auto found = outstanding_.find(packet.message);
    if (found == outstanding_.end()) return now;
    listener_.nic_completed(node_, now + costs_.receive, found->second.cookie);
    outstanding_.erase(found);
    return now;
  }
  if (memory_ == nullptr || packet.payload_bytes == 0 || costs_.to_cache) {
    landed(packet, now);
    return now;
  }
  memory_->request(now, kWrites, packet.payload_bytes, 0);
  writing_.push_back(packet);
  writing_bytes_ += packet.payload_bytes;
  const int64_t excess = writing_bytes_ - costs_.receive_buffer;
  if (excess <= 0) return now;
  // Bytes beyond the buffer will be written at this rate or faster.
  const memory::HostMemory::Config::Rate rate = memory_->config().share(kMemoryStreams);
  const __int128 scaled = static_cast<__int128>(excess) * 8 * 1'000'000'000'000'000 * rate.denominator;
  return now + Time::from_fs(static_cast<int64_t>((scaled + rate.numerator - 1) / rate.numerator));
}

void QueueNic::landed(const NicPacket& packet, Time now) {
  if (packet.kind == Kind::kReadData) {
    const auto found = outstanding_.find(packet.message);
    if (found == outstanding_.end()) return;
    found->second.left -= std::min<uint32_t>(found->second.left, packet.payload_bytes);
    if (found->second.left > 0) return;
    listener_.nic_completed(node_, now + costs_.receive, found->second.cookie);
    outstanding_.erase(found);
    return;
  }
  if (packet.payload_bytes == packet.message_bytes) return complete(packet, now);
  const uint64_t key = uint64_t{static_cast<uint32_t>(packet.source)} << 32 | packet.message;
  const auto found = incoming_.try_emplace(key).first;
  found->second += packet.payload_bytes;
  if (found->second < packet.message_bytes) return;
  incoming_.erase(found);
  complete(packet, now);
}

void QueueNic::complete(const NicPacket& packet, Time now) {
  if ((packet.flags & NicPacket::kNotify) != 0) {
    const bool send = (packet.flags & NicPacket::kSend) != 0;
    listener_.nic_delivered(
        node_, now + costs_.receive,
        {packet.source, send ? NicOperation::kSend : NicOperation::kPut, packet.message_bytes, packet.user});
  }
  if ((packet.flags & NicPacket::kWantAck) == 0) return;
  Command ack;
  ack.ready = now + costs_.answer;
  ack.message = packet.message;
  ack.destination = packet.source;
  ack.destination_port = packet.source_port;
  ack.kind = Kind::kAck;
  give(ports_[packet.destination_port], 0, ack);
}

// --- Memory ---

Time QueueNic::next_event() const {
  if (memory_ == nullptr) return Time::never();
  Time next = memory_->next_event();
  for (const Port& port : ports_) {
    // A port that could stage packets has staged everything that was ready.
    const int64_t bytes = memory_->config().outstanding * memory_->config().burst_bytes;
    if (static_cast<int64_t>(port.staged.size()) < std::max<int64_t>(1, bytes / costs_.max_payload))
      next = std::min(next, first_ready(port));
  }
  return next;
}

void QueueNic::advance(Time now) {
  if (memory_ == nullptr) return;
  memory::HostMemory::Done done;
  while (memory_->take_done(now, done)) {
    if (done.stream == kWrites) {
      const NicPacket packet = writing_.front();
      writing_.pop_front();
      writing_bytes_ -= packet.payload_bytes;
      landed(packet, now);
      continue;
    }
    // Reads of a port complete in the order in which its packets were cut.
    Port& port = ports_[done.cookie];
    for (size_t i = 0; i < port.staged.size(); ++i) {
      if (!port.staged[i].ready.is_never()) continue;
      port.staged[i].ready = now;
      break;
    }
  }
  for (Port& port : ports_) prefetch(port, now);
}

}  // namespace fabrictwin::nic
