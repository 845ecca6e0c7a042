// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Events and buffers of a packet network. arbitration.cpp has the decisions, departures.cpp what comes of them,
// prefetch.cpp the prefetching, shard.cpp the communication with other shards, tables.cpp the construction.
#include "models/router/packet/network.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/fabric/client.h"

namespace fabrictwin::router::packet {
namespace {

/// So many set-aside queues that were made or released are counted together.
constexpr size_t kManyChanges = 4096;

}  // namespace

void Network::run(int64_t until) {
  processing_ = true;
  for (;;) {
    // In other parts of the window, elements may have gone on before this was known.
    if (stopping_) until = std::min(until, stop_at_);
    if (!events_.open(until)) break;
    if (set_aside_changes_.size() >= kManyChanges && set_aside_count_ != nullptr)
      set_aside_count_->add(set_aside_changes_);
    for (auto events = events_.take(); !events.empty(); events = events_.take()) {
      now_ = events_.time();
      latest_ = std::max(latest_, now_);
      const bool stopping = stopping_;
      process(events);
      // Other elements, which come later in the window, may have failed earlier.
      if (!failure_.empty() && !by_owner_) break;
      // In the order of time, all that happens at this time is part of the run, but nothing later.
      if (stopping_ && !stopping && !by_owner_) events_.close_at(stop_at_);
    }
    if (!failure_.empty()) break;
  }
  processing_ = false;
  next_ = events_.next_time();
  stopped_ = stopping_ && next_ >= stop_at_;
}

// Processes all events of an element at one time, or of all elements if events of a window are in time order.
void Network::process(std::span<const event::Entry> events) {
  bool hosts_act = false;
  alone_ = events.size() == 1;
  if (faulty_ || looks_) [[unlikely]]
    process_first(events);
  size_t left = events.size();
  for (const event::Entry& event : events) {
    if (large_) prefetch_ahead(--left);
    const auto id = static_cast<uint32_t>(event.what);
    switch (kind_of(event)) {
      case kArrive:
        count_arrivals(id);
        break;
      case kPause:
      case kResume:
        set_paused(id, kind_of(event) == kPause);
        break;
      case kSetAside:
        take_notices(id);
        break;
      case kReady:
        if (!sorted_) [[likely]] {
          ready(id);
        } else if (shared_) {
          store(id);
        } else {
          sort_in(id);
        }
        break;
      case kRead:
        if (queued_ == nullptr) [[likely]] {
          read(id);
        } else {
          read_queues(id);
        }
        break;
      case kTry:
        if (ports_[id].try_at != now_) break;
        ports_[id].try_at = PortRecord::kNever;
        if (alone_) {
          decide(nodes_[ports_[id].element], id);
        } else {
          touch(id);
        }
        break;
      case kFault:
      case kLook:
      case kNotice:
        break;
      case kDeliver:
        arriving_.push_back(id);
        hosts_act = true;
        break;
      case kAside:
        asides_.push_back(id);
        hosts_act = true;
        break;
      default:
        client_->event(now_, id);
        hosts_act = true;
        break;
    }
  }
  alone_ = false;
  if (hosts_act) {
    // Ports of one host take turns in the order of their numbers.
    if (several_host_ports_) std::sort(arriving_.begin(), arriving_.end());
    for (const uint32_t vc : arriving_) deliver(vc);
    arriving_.clear();
    if (!asides_.empty()) deliver_asides();
    client_->settle(now_);
    if ((only_ || ends_) && !stopping_ && client_->stopped()) {
      stopping_ = true;
      stop_at_ = by_owner_ ? (now_ / tables_->window + 1) * tables_->window : now_ + 1;
    }
  }
  if (!dirty_.empty()) run_dirty();
}

// Decides in the order of ports within an element; elements do not see each other's decisions of the same time.
void Network::run_dirty() {
  for (size_t i = 0; i < dirty_.size(); ++i) {
    NodeRecord& node = nodes_[dirty_[i]];
    while (node.dirty != 0) {
      const auto port = static_cast<uint32_t>(std::countr_zero(node.dirty));
      node.dirty &= node.dirty - 1;
      decide(node, node.first_port + port);
    }
  }
  dirty_.clear();
}

void Network::decide(const NodeRecord& node, uint32_t out) {
  if (node.host) {
    inject(out);
  } else if (!sorted_) [[likely]] {
    arbitrate(node, out);
  } else if (shared_) {
    send_next(out);
  } else {
    arbitrate_queues(out);
  }
}

void Network::touch(uint32_t port) {
  const PortRecord& record = ports_[port];
  NodeRecord& node = nodes_[record.element];
  if (node.dirty == 0) dirty_.push_back(record.element);
  node.dirty |= uint64_t{1} << record.index;
}

void Network::try_at(uint32_t port, int64_t time) {
  PortRecord& record = ports_[port];
  if (record.try_at <= time) return;
  record.try_at = time;
  events_.add(time, record.element, what(kTry, port));
}

// The buffers of the port of buffer `id` are checked again when they may be read again.
void Network::read_again(uint32_t id) {
  BufferRecord& first = first_of(id);
  if (first.read_due) return;
  first.read_due = 1;
  events_.add(first.read_until, first.element, what(kRead, id >> vc_shift_));
}

// The packet at the end of a buffer could leave now, unless others are in front of it.
void Network::ready(uint32_t id) {
  // The buffers may have been read at this time.
  if (buffers_[id].out_port != kNotRouted) return;
  if (routing_block_ > 0) [[unlikely]] {
    if (const int64_t time = past_block(id); time > now_)
      return events_.add(time, buffers_[id].element, what(kReady, id));
  }
  if (counted_) [[unlikely]]
    count_arrivals(id);
  if (first_of(id).read_until > now_) return read_again(id);
  if (alone_ && deterministic_) {
    pass(id);
  } else {
    enroll(id);
  }
}

// The buffers of an input port share one read port, which is free again.
void Network::read(uint32_t id) {
  BufferRecord& first = buffers_[first_vc(id)];
  first.read_due = 0;
  const NodeRecord& node = nodes_[first.element];
  for (uint32_t mask = first.occupied; mask != 0; mask &= mask - 1) {
    const uint32_t vc = first_vc(id) + static_cast<uint32_t>(std::countr_zero(mask));
    const BufferRecord& buffer = buffers_[vc];
    if (buffer.gate > now_ || packets_[buffer.front].time > now_) continue;
    if (buffer.out_port == kNotRouted) {
      // Otherwise it is ready at a time of its own.
      if (routing_block_ == 0 || past_block(vc) <= now_) enroll(vc);
    } else if (buffer.out_port >= 0) {
      touch(node.first_port + static_cast<uint32_t>(buffer.out_port));
    } else {
      routing::PacketRoute route = packets_[buffer.front].route();
      find_options(node, vc, route);
      for (const routing::RouteOption& option : options_.all())
        touch(node.first_port + static_cast<uint32_t>(option.port));
    }
  }
}

// Dequeues the packet in front of a buffer; the sender learns at `credit_at` that its space is free.
void Network::leave(uint32_t id, int64_t credit_at) {
  BufferRecord& buffer = buffers_[id];
  const int32_t bytes = packets_[buffer.front].wire_bytes;
  pop(id);
  if (buffer.cut) {
    const PortRecord& port = ports_[id >> vc_shift_];
    Outbox& box = outbox_of(port);
    box.credits.push_back({credit_at, first_vc(port.peer) + static_cast<uint32_t>(vc_index(id)), bytes});
    box.first = std::min(box.first, credit_at);
    return;
  }
  give_back(buffer, credit_at, bytes);
}

// Returns a credit to the sender, after all earlier ones.
void Network::give_back(BufferRecord& credits, int64_t time, int32_t bytes) {
  const int slot = credits.time[0] == BufferRecord::kNever ? 0 : 1;
  if (credits.time[slot] == BufferRecord::kNever) {
    credits.time[slot] = time;
    credits.bytes[slot] = static_cast<uint16_t>(bytes);
  } else {
    const uint32_t made = returns_.make();
    const uint32_t oldest = credits.newest == 0 ? made : returns_[credits.newest].next;
    if (credits.newest != 0) returns_[credits.newest].next = made;
    returns_[made] = {time, oldest, bytes};
    credits.newest = made;
  }
  if (!credits.wanted) return;
  credits.wanted = 0;
  const uint32_t port = static_cast<uint32_t>(&credits - buffers_.data()) >> vc_shift_;
  try_at(credits.cut ? port : ports_[port].peer, time);
}

// Moves the earliest credit that has no space in the record into the record.
void Network::refill(BufferRecord& credits) {
  const uint32_t first = returns_[credits.newest].next;
  credits.time[1] = returns_[first].time;
  credits.bytes[1] = static_cast<uint16_t>(returns_[first].bytes);
  if (first == credits.newest) {
    credits.newest = 0;
  } else {
    returns_[credits.newest].next = returns_[first].next;
  }
  returns_.drop(first);
}

// Enqueues a packet in a buffer, which it can leave at `time`.
void Network::put(uint32_t id, uint32_t element, int64_t time, uint32_t packet) {
  BufferRecord& buffer = buffers_[id];
  PacketRecord& record = packets_[packet];
  record.time = time;
  record.next = 0;
  record.out_port = kNotRouted;
  const bool first = buffer.front == 0;
  if (first) {
    buffer.front = packet;
    first_of(id).occupied |= uint32_t{1} << vc_index(id);
  } else {
    packets_[buffer.last].next = packet;
  }
  buffer.last = packet;
  if (id < first_vc(first_router_port_)) {
    events_.add(time, element, what(kDeliver, id));
  } else {
    // Other packets are considered when those in front of them have left.
    if (first) events_.add(std::max(time, buffer.gate), element, what(kReady, id));
    // A packet that waits for the gate waits for its output as well.
    if (counted_ && !sorted_ && (!first || buffer.gate > time)) [[unlikely]]
      events_.add(time, element, what(kArrive, id));
  }
}

void Network::deliver(uint32_t id) {
  const BufferRecord& buffer = buffers_[id];
  const uint32_t packet = buffer.front;
  if (observer_ != nullptr && packets_[packet].followed()) [[unlikely]]
    observer_->packet_arrives(packets_[packet], now_);
  const int64_t free_at = client_->packet_arrived(now_, packets_[packet].nic());
  if (shared_) {
    pop(id);
  } else {
    leave(id, free_at + links_[buffer.link].latency);
  }
  packets_.drop(packet);
  --in_flight_;
}

void Network::inject(uint32_t out) {
  PortRecord& port = ports_[out];
  if (port.busy_until > now_) return try_at(out, port.busy_until);
  const NodeRecord& node = nodes_[port.element];
  uint32_t chosen = 0;
  int32_t space = -1;
  if (shared_) [[unlikely]] {
    if (!tables_->queues[out].paused) space = std::numeric_limits<int32_t>::max();
  } else {
    const uint32_t vcs = flows_in_order_ ? 1 : vcs_;
    for (uint32_t vc = 0; vc < vcs; ++vc) {
      BufferRecord& behind = credits_of(port, vc);
      collect(behind);
      if (behind.free <= space) continue;
      space = behind.free;
      chosen = vc;
    }
  }
  nic::NicPacket packet;
  const fabric::Client::Offer offer = client_->next_packet(node.number, port.index, now_, space, packet);
  if (offer == fabric::Client::Offer::kNothing) return;
  if (offer == fabric::Client::Offer::kTooLarge) {
    // A paused port is tried again when it may go on.
    if (!shared_) await_space(out, all_vcs());
    return;
  }
  const uint32_t made = packets_.make();
  packets_[made] = PacketRecord(packet, next_random(packet));
  if (observer_ != nullptr && observer_->follows(packet, now_)) [[unlikely]]
    packets_[made].flags |= PacketRecord::kFollowed;
  ++in_flight_;
  if (queued_ != nullptr) [[unlikely]] {
    // The host has asked before, but for acknowledgements.
    const int32_t vc = space_in_queue(port, packets_[made]);
    if (vc >= 0) chosen = static_cast<uint32_t>(vc);
    count_sent(port, chosen, packets_[made]);
  }
  transmit(out, chosen, made, timing_.departure(now_, links_[port.link], packet.wire_bytes));
  if (offer == fabric::Client::Offer::kTaken) try_at(out, port.busy_until);
}

}  // namespace fabrictwin::router::packet
