// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Queues of routers that are set aside for congested destinations, and what routers and hosts tell each other of them.
#include <algorithm>
#include <bit>

#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {

// Moves packets in front of the cold queue of a buffer to set-aside queues, as long as there are reasons for it.
void Network::set_aside(uint32_t id) {
  BufferRecord& buffer = buffers_[id];
  congestion::SetAsideQueues& element = queued_->set_aside[buffer.element];
  const int32_t before = element.in_use();
  const auto input = static_cast<int32_t>(plane_of(buffer.index, static_cast<uint32_t>(vc_index(id))));
  buffer::VcQueues& queues = queued_->queues[id];
  for (;;) {
    // Its slot may have been taken by another queue while it was empty.
    const uint32_t cold = queues.slot_of(congestion::SetAsideQueues::kCold, now_);
    if (queues[cold].packets == 0) break;
    const PacketRecord& packet = packets_[queues[cold].first];
    const int32_t output = output_plane(packet);
    const int32_t waiting = queues[cold].packets;
    if (!element.wants(input, packet.destination, output, waiting)) break;
    const int32_t number = element.set_aside(input, packet.destination, output, waiting);
    if (number == congestion::SetAsideQueues::kCold) break;
    expect_nothing(id, cold);
    enter_queue(id, number, queues.pop(cold, next_packet_of()));
    element.entered(input, number);
    const uint32_t rest = queues.slot_of(congestion::SetAsideQueues::kCold, now_);
    if (queues[rest].packets > 0) expect_output(id, rest);
  }
  tell_neighbours(buffer.element, before);
}

// The output of a packet and the first VC that it may take there, as SetAsideQueues numbers outputs.
int32_t Network::output_plane(const PacketRecord& packet) const {
  const auto vc = static_cast<uint32_t>(std::countr_zero(packet.out_vcs & all_vcs()));
  return static_cast<int32_t>(plane_of(static_cast<uint32_t>(packet.out_port), vc));
}

// A packet has left a queue of a buffer.
void Network::left_queue(uint32_t id, int32_t number) {
  if (number != congestion::SetAsideQueues::kCold) {
    const BufferRecord& buffer = buffers_[id];
    congestion::SetAsideQueues& element = queued_->set_aside[buffer.element];
    const int32_t before = element.in_use();
    element.left(static_cast<int32_t>(plane_of(buffer.index, static_cast<uint32_t>(vc_index(id)))), number);
    tell_neighbours(buffer.element, before);
  }
  set_aside(id);
}

// Sends what the set-aside queues of an element have to say, with the latency of the link and the time of the smallest
// packet, as credits have it. `in_use` is how many there were before.
void Network::tell_neighbours(uint32_t element, int32_t in_use) {
  congestion::SetAsideQueues& queues = queued_->set_aside[element];
  if (queues.in_use() != in_use) set_aside_changes_.push_back({now_, queues.in_use() - in_use});
  for (const congestion::SetAsideMessage& message : queues.outbox()) {
    const auto plane = static_cast<uint32_t>(message.port);
    const PortRecord& port = ports_[nodes_[element].first_port + (plane >> vc_shift_)];
    const LinkKind& link = links_[port.link];
    const int64_t time = now_ + link.latency + link.duration[static_cast<size_t>(least_packet_)] + credit_delay_;
    const buffer::SetAsideNotice notice{time, port.peer, static_cast<uint32_t>(vc_index(plane)), message};
    if (port.cut) {
      Outbox& box = outbox_of(port);
      box.set_aside.push_back(notice);
      box.first = std::min(box.first, time);
    } else {
      expect_notice(notice);
    }
  }
  queues.outbox().clear();
}

void Network::expect_notice(const buffer::SetAsideNotice& notice) {
  queued_->notices[notice.port].push_back(notice);
  events_.add(notice.time, ports_[notice.port].element, what(kSetAside, notice.port));
}

void Network::take_notices(uint32_t id) {
  const PortRecord& port = ports_[id];
  congestion::SetAsideQueues& element = queued_->set_aside[port.element];
  Fifo<buffer::SetAsideNotice>& notices = queued_->notices[id];
  const int32_t before = element.in_use();
  bool changed = false;
  for (; !notices.empty() && notices.front().time <= now_; notices.pop_front()) {
    congestion::SetAsideMessage message = notices.front().message;
    message.port = static_cast<int32_t>(plane_of(port.index, notices.front().vc));
    element.receive(message);
    changed = true;
  }
  if (!changed) return;
  tell_neighbours(port.element, before);
  const NodeRecord& node = nodes_[port.element];
  touch(id);
  if (node.host) return;
  // Packets in front of cold queues may have to be moved now, or find a queue that is free.
  for (uint32_t buffer = first_vc(node.first_port); buffer < first_vc(node.first_port + node.ports); ++buffer) {
    if (!queued_->queues[buffer].empty()) set_aside(buffer);
  }
}

}  // namespace fabrictwin::router::packet
