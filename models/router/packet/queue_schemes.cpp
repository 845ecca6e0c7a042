// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers whose inputs have queues of a scheme: a packet goes to its queue when it could leave, and the first packet of
// each queue waits for its output. set_aside.cpp has what is particular to set-aside queues.
#include <algorithm>
#include <bit>
#include <tuple>

#include "cosim/base/random.h"
#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {

// The packet that has been in a buffer for longest of those that are in no queue could leave now.
void Network::sort_in(uint32_t id) {
  BufferRecord& buffer = buffers_[id];
  const NodeRecord& node = nodes_[buffer.element];
  const uint32_t arrived = buffer.front;
  PacketRecord& packet = packets_[arrived];
  if (!find_route(node, id) || !leads_on(node, packet.out_port)) return fail_lost(node, packet);
  pop(id);
  if (buffer.front != 0) events_.add(std::max(packets_[buffer.front].time, now_), buffer.element, what(kReady, id));
  count(node, packet.out_port, packet);
  enter_queue(id, queued_->classifier.queue_of(packet.destination, packet.out_port), arrived);
  if (queued_->sets_aside()) set_aside(id);
}

void Network::enter_queue(uint32_t id, int32_t number, uint32_t packet) {
  buffer::VcQueues& queues = queued_->queues[id];
  const uint32_t slot = queues.slot_of(number, now_);
  queues.push(slot, packet, next_packet_of());
  if (queues[slot].packets == 1) expect_output(id, slot);
}

// The first packet of a queue waits for its output.
void Network::expect_output(uint32_t id, uint32_t slot) {
  const buffer::InputQueue& queue = queued_->queues[id][slot];
  const uint32_t out = out_of(id, queue.first);
  queued_->waiting[out].push_back({id, slot});
  if (queue.gate > now_) {
    try_at(out, queue.gate);
  } else {
    touch(out);
  }
}

void Network::expect_nothing(uint32_t id, uint32_t slot) {
  std::vector<buffer::InputQueues::Waiting>& waiting = queued_->waiting[out_of(id, queued_->queues[id][slot].first)];
  const auto here = std::ranges::find_if(
      waiting, [&](const buffer::InputQueues::Waiting& queue) { return queue.buffer == id && queue.slot == slot; });
  *here = waiting.back();
  waiting.pop_back();
}

// The buffers of an input port share one read port, which is free again.
void Network::read_queues(uint32_t id) {
  const uint32_t first = first_vc(id);
  buffers_[first].read_due = 0;
  for (uint32_t vc = first; vc < first + vcs_; ++vc) {
    for (const buffer::InputQueue& queue : queued_->queues[vc].all()) {
      if (queue.packets > 0 && queue.gate <= now_) touch(out_of(vc, queue.first));
    }
  }
}

// As arbitrate(), among the first packets of all queues: that which could have left first, ties by input port, VC and
// number of the queue. One that finds no space in a buffer reserves it, unless only its own queue is full.
void Network::arbitrate_queues(uint32_t out) {
  PortRecord& port = ports_[out];
  if (queued_->waiting[out].empty()) return end_stall(port);
  if (port.busy_until > now_) return try_at(out, port.busy_until);
  gather_queues(out);
  if (heads_.empty()) return end_stall(port);
  uint32_t reserved = 0;
  uint32_t awaited = 0;
  for (const Head& head : heads_) {
    const int32_t vc = choose_vc(out, head, reserved);
    awaited |= packets_[head.packet].out_vcs;
    if (vc < 0) continue;
    end_stall(port);
    forward_head(out, head, static_cast<uint32_t>(vc));
    if (!queued_->waiting[out].empty()) try_at(out, port.busy_until);
    return;
  }
  if (!port.stalled) {
    port.stalled = true;
    tables_->stalled[out] -= now_;
  }
  await_space(out, awaited);
}

void Network::gather_queues(uint32_t out) {
  heads_.clear();
  const PortRecord& port = ports_[out];
  for (const buffer::InputQueues::Waiting& waiting : queued_->waiting[out]) {
    const buffer::InputQueue& queue = queued_->queues[waiting.buffer][waiting.slot];
    const BufferRecord& buffer = buffers_[waiting.buffer];
    if (queue.gate > now_) {
      try_at(out, queue.gate);
      continue;
    }
    // The port is arbitrated again when the input is free.
    if (first_of(waiting.buffer).read_until > now_) {
      read_again(waiting.buffer);
      continue;
    }
    const PacketRecord& packet = packets_[queue.first];
    if (buffer.link != port.link) {
      // A faster output must not run out of data: the last word out follows the last word in.
      const auto& coming = links_[buffer.link].duration;
      const auto& going = links_[port.link].duration;
      const int32_t word = std::min<int32_t>(packet.wire_bytes, link::kWordBytes);
      const int64_t whole =
          packet.time - coming[word] + coming[packet.wire_bytes] - going[packet.wire_bytes] + going[word];
      if (whole > now_) {
        try_at(out, whole);
        continue;
      }
    }
    heads_.push_back({packet.time, waiting.buffer, queue.number, waiting.slot, queue.first});
  }
  std::ranges::sort(heads_, [](const Head& a, const Head& b) {
    return std::tie(a.ready, a.buffer, a.number) < std::tie(b.ready, b.buffer, b.number);
  });
}

// Returns the VC with the most space behind the port, of those with enough for a packet, also in its queue there; -1 if
// there is none. VCs that are full are reserved.
int32_t Network::choose_vc(uint32_t out, const Head& head, uint32_t& reserved) {
  const PacketRecord& packet = packets_[head.packet];
  const PortRecord& port = ports_[out];
  const bool stays = queued_->sets_aside() && head.number == congestion::SetAsideQueues::kCold;
  int32_t chosen = -1;
  int32_t most = -1;
  uint32_t full = 0;
  for (uint32_t mask = packet.out_vcs & all_vcs() & ~reserved; mask != 0; mask &= mask - 1) {
    const auto vc = static_cast<uint32_t>(std::countr_zero(mask));
    BufferRecord& behind = credits_of(port, vc);
    collect(behind);
    if (behind.free < packet.wire_bytes) full |= uint32_t{1} << vc;
    if (behind.free <= most || !admits(port, vc, packet, stays)) continue;
    most = behind.free;
    chosen = static_cast<int32_t>(vc);
  }
  if (chosen < 0) reserved |= full;
  return chosen;
}

// Whether the buffer of a VC behind a port has space for a packet, also in its queue. Packets in a cold queue may leave
// although their destination is stopped: otherwise nothing behind them could, if there is no queue for them.
bool Network::admits(const PortRecord& port, uint32_t vc, const PacketRecord& packet, bool cold) {
  const BufferRecord& behind = credits_of(port, vc);
  if (behind.free < packet.wire_bytes) return false;
  if (queued_->sets_aside()) {
    const congestion::SetAsideQueues& element = queued_->set_aside[port.element];
    return cold || !element.stopped(static_cast<int32_t>(plane_of(port.index, vc)), packet.destination);
  }
  if (port.peer < first_router_port_) return true;
  const int32_t number = next_queue(port, vc, packet);
  const int32_t held = queued_->credits[first_vc(port.credit_port) + vc].held(number, now_);
  return buffer::QueueCredits::admits(held, behind.free, packet.wire_bytes);
}

// The queue to which a packet goes behind a port that leads to a router, on a VC.
int32_t Network::next_queue(const PortRecord& port, uint32_t vc, const PacketRecord& packet) {
  const congestion::Classifier& classifier = queued_->classifier;
  if (!classifier.by_output()) return classifier.queue_of(packet.destination, 0);
  const NodeRecord& next = nodes_[port.peer_element];
  routing::PacketRoute route = route_of(packet);
  options_.clear();
  routing_->options(next.number, static_cast<int32_t>(port.peer - next.first_port), static_cast<int32_t>(vc), route,
                    options_);
  const routing::RouteOption* const option = chosen_option(next, route);
  return option == nullptr ? 0 : classifier.queue_of(packet.destination, leaving_port(next, *option, packet));
}

void Network::forward_head(uint32_t out, const Head& head, uint32_t out_vc) {
  const uint32_t id = head.buffer;
  BufferRecord& buffer = buffers_[id];
  PortRecord& port = ports_[out];
  const PacketRecord& packet = packets_[head.packet];
  const int32_t bytes = packet.wire_bytes;
  Departure departure = timing_.departure(now_, links_[port.link], bytes);
  if (port.sliced) [[unlikely]]
    departure = slice(out, departure, bytes);
  const int64_t end = departure.end;
  expect_nothing(id, head.slot);
  buffer::VcQueues& queues = queued_->queues[id];
  queues.pop(head.slot, next_packet_of());
  queues[head.slot].gate = end + links_[port.link].turnaround;
  BufferRecord& first = first_of(id);
  first.read_until = end;
  return_credit(id, end + links_[buffer.link].latency + credit_delay_, head.number, bytes);
  count_sent(port, out_vc, packet);
  transmit(out, out_vc, head.packet, departure);
  if (queues[head.slot].packets > 0) expect_output(id, head.slot);
  if (queued_->sets_aside()) left_queue(id, head.number);
  const auto waits = [&](const buffer::VcQueues& other) { return !other.empty(); };
  const auto begin = queued_->queues.begin() + first_vc(id >> vc_shift_);
  if (std::any_of(begin, begin + vcs_, waits)) read_again(id);
}

// A packet leaves by a port for a buffer behind it.
void Network::count_sent(const PortRecord& port, uint32_t vc, const PacketRecord& packet) {
  if (port.peer < first_router_port_ || queued_->sets_aside()) return;
  const int32_t number = next_queue(port, vc, packet);
  queued_->credits[first_vc(port.credit_port) + vc].sent(number, packet.wire_bytes);
}

// The sender learns at `time` that a packet has left a queue.
void Network::return_credit(uint32_t id, int64_t time, int32_t number, int32_t bytes) {
  BufferRecord& buffer = buffers_[id];
  if (buffer.cut) {
    const PortRecord& port = ports_[id >> vc_shift_];
    Outbox& box = outbox_of(port);
    box.credits.push_back({time, first_vc(port.peer) + static_cast<uint32_t>(vc_index(id)), bytes});
    box.numbers.push_back(number);
    box.first = std::min(box.first, time);
    return;
  }
  if (!queued_->sets_aside()) queued_->credits[id].give_back(time, number, bytes);
  give_back(buffer, time, bytes);
}

// The packet that a host would send next to a destination, by a queue pair.
PacketRecord Network::next_of_host(int32_t host, int32_t port, int32_t destination, int32_t bytes,
                                   uint32_t queue_pair) const {
  const RandomStream random(seed_, static_cast<uint64_t>(host), RandomPurpose::kTieBreak);
  PacketRecord packet;
  packet.source = host;
  packet.destination = destination;
  packet.random = static_cast<uint32_t>(random.at(tables_->packets_sent[static_cast<size_t>(host)]));
  packet.message_bytes = queue_pair;
  packet.wire_bytes = static_cast<uint16_t>(bytes);
  packet.source_port = static_cast<uint8_t>(port);
  packet.destination_port = static_cast<uint8_t>(port % std::max<int32_t>(nodes_[destination].ports, 1));
  return packet;
}

bool Network::admits(int32_t host, int32_t port, int32_t destination, int32_t bytes, uint32_t queue_pair) {
  if (queued_ == nullptr) return true;
  const PortRecord& out = ports_[nodes_[host].first_port + static_cast<uint32_t>(port)];
  return space_in_queue(out, next_of_host(host, port, destination, bytes, queue_pair)) >= 0;
}

// The VC with most space for a packet of a host, also in its queue; -1 if there is none.
int32_t Network::space_in_queue(const PortRecord& out, const PacketRecord& packet) {
  int32_t chosen = -1;
  int32_t most = -1;
  for (uint32_t vc = 0; vc < vcs_; ++vc) {
    BufferRecord& behind = credits_of(out, vc);
    collect(behind);
    if (behind.free <= most || !admits(out, vc, packet, false)) continue;
    most = behind.free;
    chosen = static_cast<int32_t>(vc);
  }
  return chosen;
}

int32_t Network::queue_of(int32_t host, int32_t port, int32_t destination) {
  if (queued_ == nullptr) return 0;
  if (queued_->sets_aside()) return destination;
  const PortRecord& out = ports_[nodes_[host].first_port + static_cast<uint32_t>(port)];
  if (out.peer == PortRecord::kNone) return 0;
  return next_queue(out, 0, next_of_host(host, port, destination, 0, 0));
}

}  // namespace fabrictwin::router::packet
