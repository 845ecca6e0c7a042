// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Prefetching for future events. It changes no result.
#include "cosim/base/prefetch.h"

#include <algorithm>
#include <bit>

#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {

// Prefetches records of future events; each stage reads what the one before it has fetched. Measured: with fewer events
// ahead they arrive too late; many more make no difference. `left` of the events that were taken last are still to be
// processed.
void Network::prefetch_ahead(size_t left) {
  const std::span<const event::Entry> events = events_.sorted();
  if (fetched_sort_ != events_.sorts()) {
    fetched_sort_ = events_.sorts();
    fetched_.fill(0);
  }
  const size_t next = events_.position() - std::min(left, events_.position());
  const auto advance = [&](size_t& fetched, size_t distance, const auto& fetch) {
    for (const size_t end = std::min(next + distance, events.size()); fetched < end; ++fetched) fetch(events[fetched]);
  };
  advance(fetched_[0], 40, [&](const event::Entry& event) { prefetch_first(event); });
  advance(fetched_[1], 28, [&](const event::Entry& event) { prefetch_front(event); });
  advance(fetched_[2], 16, [&](const event::Entry& event) { prefetch_route(event); });
  advance(fetched_[3], 9, [&](const event::Entry& event) { prefetch_end(event); });
}

template <typename Visit>
void Network::for_each_buffer(const event::Entry& event, const Visit& visit) const {
  const auto id = static_cast<uint32_t>(event.what);
  if (kind_of(event) == kReady || kind_of(event) == kDeliver) return visit(id);
  if (kind_of(event) != kRead) return;
  for (uint32_t mask = buffers_[first_vc(id)].occupied; mask != 0; mask &= mask - 1)
    visit(first_vc(id) + static_cast<uint32_t>(std::countr_zero(mask)));
}

void Network::prefetch_first(const event::Entry& event) const {
  const auto id = static_cast<uint32_t>(event.what);
  switch (kind_of(event)) {
    case kReady:
    case kDeliver:
      prefetch(buffers_[id]);
      prefetch(buffers_[id >> vc_shift_ << vc_shift_]);
      break;
    case kRead:
      // Other VCs seldom have packets too.
      prefetch(buffers_[first_vc(id)]);
      break;
    case kTry:
      prefetch(ports_[id]);
      break;
    default:
      break;
  }
}

void Network::prefetch_front(const event::Entry& event) const {
  if (kind_of(event) == kTry) {
    const PortRecord& port = ports_[static_cast<uint32_t>(event.what)];
    prefetch(nodes_[port.element]);
    // A host checks the space in all VCs, of which few networks have more than two.
    prefetch(buffers_[first_vc(port.credit_port)]);
    if (static_cast<uint32_t>(event.what) < first_router_port_ && vcs_ > 1)
      prefetch(buffers_[first_vc(port.credit_port) + 1]);
    return;
  }
  for_each_buffer(event, [&](uint32_t id) {
    prefetch(nodes_[buffers_[id].element]);
    if (buffers_[id].front != 0) prefetch(packets_[buffers_[id].front]);
  });
}

// Computes routes of packets, which needs only the packets themselves.
void Network::prefetch_route(const event::Entry& event) {
  if (kind_of(event) == kTry) {
    const PortRecord& port = ports_[static_cast<uint32_t>(event.what)];
    const NodeRecord& node = nodes_[port.element];
    if (node.host) client_->expect_offer(node.number, port.index);
    return;
  }
  for_each_buffer(event, [&](uint32_t id) {
    const uint32_t front = buffers_[id].front;
    if (front == 0) return;
    if (kind_of(event) == kDeliver) return client_->expect_arrival(packets_[front].nic());
    // It is considered when the one before it has left.
    if (packets_[front].next != 0) prefetch(packets_[packets_[front].next]);
    const NodeRecord& node = nodes_[buffers_[id].element];
    if (deterministic_ && find_route(node, id))
      prefetch(ports_[node.first_port + static_cast<uint32_t>(packets_[front].out_port)]);
  });
}

void Network::prefetch_end(const event::Entry& event) const {
  for_each_buffer(event, [&](uint32_t id) {
    const PacketRecord& packet = packets_[buffers_[id].front];
    if (kind_of(event) == kDeliver) {
      if (buffers_[id].front != 0) client_->expect_message(packet.nic());
      return;
    }
    if (packet.out_port == kNotRouted) return;
    const PortRecord& out = ports_[nodes_[buffers_[id].element].first_port + static_cast<uint32_t>(packet.out_port)];
    const uint32_t credits = first_vc(out.credit_port);
    prefetch(buffers_[credits]);
    for (uint32_t mask = packet.out_vcs & all_vcs() & ~uint32_t{1}; mask != 0; mask &= mask - 1)
      prefetch(buffers_[credits + static_cast<uint32_t>(std::countr_zero(mask))]);
  });
}

}  // namespace fabrictwin::router::packet
