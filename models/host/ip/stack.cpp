// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/ip/stack.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fabrictwin::host::ip {

void Stack::run() {
  while (!events_.empty() && events_.top().at <= now_) {
    const Event event = events_.top();
    events_.pop();
    handle(event);
  }
}

void Stack::handle(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kReaderAwake:
      return read_next();
    case Event::Kind::kReaderDone:
      return end_read();
    case Event::Kind::kWriterAwake:
      return write_next();
    case Event::Kind::kWriterDone:
      return end_write();
    case Event::Kind::kSenderAwake:
      return begin_send(event.flow);
    case Event::Kind::kSendDone:
      return end_send(event.flow);
    case Event::Kind::kReceiverAwake:
      return begin_receive(event.flow);
    case Event::Kind::kReceiveDone:
      return end_receive(event.flow);
    case Event::Kind::kSlept:
      return owner_.slept(event.flow);
  }
}

// --- Programs ---

void Stack::send(const Datagram& datagram) {
  Socket& socket = sockets_[datagram.flow];
  socket.outgoing = datagram;
  socket.program = Socket::Program::kWaitsToSend;
  if (socket.has_space(datagram.bytes, costs_.socket_buffer)) begin_send(datagram.flow);
}

void Stack::begin_send(uint32_t flow) {
  Socket& socket = sockets_[flow];
  socket.program = Socket::Program::kSends;
  const int32_t bytes = socket.outgoing->bytes;
  socket.leaving += bytes;
  if (socket.options.window > 0) socket.sent += bytes;
  schedule(now_ + costs_.of(bytes), Event::Kind::kSendDone, flow);
}

void Stack::end_send(uint32_t flow) {
  Socket& socket = sockets_[flow];
  socket.program = Socket::Program::kComputes;
  enqueue(*std::exchange(socket.outgoing, std::nullopt));
  owner_.sent(flow);
}

// A program that waits for space sleeps.
void Stack::let_send(uint32_t flow) {
  Socket& socket = sockets_[flow];
  if (socket.program != Socket::Program::kWaitsToSend) return;
  if (!socket.has_space(socket.outgoing->bytes, costs_.socket_buffer)) return;
  socket.program = Socket::Program::kSends;
  schedule(now_ + costs_.wake_up, Event::Kind::kSenderAwake, flow);
}

void Stack::receive(uint32_t flow) {
  Socket& socket = sockets_[flow];
  socket.program = Socket::Program::kWaitsToReceive;
  if (!socket.incoming.empty()) begin_receive(flow);
}

void Stack::begin_receive(uint32_t flow) {
  Socket& socket = sockets_[flow];
  socket.program = Socket::Program::kReceives;
  schedule(now_ + costs_.of(socket.incoming.front().bytes), Event::Kind::kReceiveDone, flow);
}

void Stack::end_receive(uint32_t flow) {
  Socket& socket = sockets_[flow];
  const Datagram datagram = socket.incoming.front();
  socket.incoming.pop_front();
  socket.held -= datagram.bytes;
  socket.read += datagram.bytes;
  socket.program = Socket::Program::kComputes;
  if (datagram.kind == Kind::kSegment) acknowledge(datagram, socket);
  owner_.received(datagram);
}

void Stack::acknowledge(const Datagram& segment, Socket& socket) {
  if (++socket.unacknowledged < socket.options.segments_for_acknowledgement && !segment.last) return;
  socket.unacknowledged = 0;
  enqueue({.kind = Kind::kAcknowledgement,
           .flow = segment.flow,
           .number = static_cast<uint64_t>(socket.read),
           .source = segment.destination,
           .destination = segment.source});
}

int64_t Stack::acknowledged(uint32_t flow) const {
  const auto socket = sockets_.find(flow);
  return socket == sockets_.end() ? 0 : socket->second.acknowledged;
}

// --- The TUN device and the program behind it ---

void Stack::enqueue(const Datagram& datagram) {
  for (const Packet& packet : packets_of(datagram, costs_.mtu)) leaving_.push_back(packet);
  if (reader_ != Thread::kSleeps) return;
  reader_ = Thread::kWakes;
  schedule(now_ + costs_.wake_up, Event::Kind::kReaderAwake);
}

// Whoever waits for the end of a transfer, which is near, does not sleep.
void Stack::read_next() {
  if (under_way_ == costs_.transfers) {
    reader_ = Thread::kWaits;
  } else if (leaving_.empty()) {
    reader_ = Thread::kSleeps;
  } else {
    reader_ = Thread::kWorks;
    schedule(now_ + costs_.of(leaving_.front().length()), Event::Kind::kReaderDone);
  }
}

void Stack::end_read() {
  const Packet packet = leaving_.front();
  leaving_.pop_front();
  ++under_way_;
  owner_.transmit(packet);
  const Datagram& datagram = packet.datagram;
  const bool whole = packet.offset + packet.payload == header_of(datagram.kind) + datagram.bytes;
  if (const auto socket = sockets_.find(datagram.flow); whole && socket != sockets_.end() && datagram.bytes > 0) {
    socket->second.leaving -= std::min<int64_t>(socket->second.leaving, datagram.bytes);
    let_send(datagram.flow);
  }
  read_next();
}

void Stack::transferred() {
  --under_way_;
  if (reader_ == Thread::kWaits) read_next();
}

void Stack::arrived(const Packet& packet) {
  arrivals_.push_back(packet);
  if (writer_ != Thread::kSleeps) return;
  writer_ = Thread::kWakes;
  schedule(now_ + (costs_.polls ? Time::zero() : costs_.wake_up), Event::Kind::kWriterAwake);
}

void Stack::write_next() {
  if (arrivals_.empty()) {
    writer_ = Thread::kSleeps;
    return;
  }
  writer_ = Thread::kWorks;
  schedule(now_ + costs_.of(arrivals_.front().length()), Event::Kind::kWriterDone);
}

void Stack::end_write() {
  const Packet packet = arrivals_.front();
  arrivals_.pop_front();
  if (const std::optional<Datagram> datagram = reassembly_.add(packet); datagram.has_value()) take(*datagram);
  write_next();
}

// What the kernel does with a datagram that is there.
void Stack::take(const Datagram& datagram) {
  if (datagram.kind == Kind::kEchoRequest) {
    Datagram reply = datagram;
    reply.kind = Kind::kEchoReply;
    std::swap(reply.source, reply.destination);
    enqueue(reply);
    owner_.replied(datagram);
  } else if (datagram.kind == Kind::kAcknowledgement) {
    Socket& socket = sockets_[datagram.flow];
    socket.acknowledged = std::max(socket.acknowledged, static_cast<int64_t>(datagram.number));
    let_send(datagram.flow);
  } else {
    put_into_socket(datagram);
  }
}

void Stack::put_into_socket(const Datagram& datagram) {
  const auto found = sockets_.find(datagram.flow);
  if (found == sockets_.end()) return owner_.dropped(datagram);
  Socket& socket = found->second;
  if (socket.held > 0 && socket.held + datagram.bytes > costs_.socket_buffer) return owner_.dropped(datagram);
  socket.incoming.push_back(datagram);
  socket.held += datagram.bytes;
  if (socket.program != Socket::Program::kWaitsToReceive) return;
  socket.program = Socket::Program::kReceives;
  schedule(now_ + costs_.wake_up, Event::Kind::kReceiverAwake, datagram.flow);
}

}  // namespace fabrictwin::host::ip
