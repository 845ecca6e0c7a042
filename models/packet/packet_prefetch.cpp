// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is fetched for events to come. It makes no difference to what happens.
#include <algorithm>

#include "cosim/base/prefetch.h"
#include "models/packet/packet_network.h"

namespace fabrictwin {

// Records of events to come, each stage reading what the one before it has fetched. Measured: fewer events ahead, and
// they come too late; many more make no difference.
void PacketNetwork::prefetch_ahead() {
  const std::span<const EventEntry> events = events_.sorted();
  if (fetched_sort_ != events_.sorts()) {
    fetched_sort_ = events_.sorts();
    fetched_.fill(0);
  }
  const auto advance = [&](size_t& fetched, size_t distance, const auto& fetch) {
    for (const size_t end = std::min(events_.position() + distance, events.size()); fetched < end; ++fetched)
      fetch(events[fetched]);
  };
  advance(fetched_[0], 32, [&](const EventEntry& event) { prefetch_port(event); });
  advance(fetched_[1], 20, [&](const EventEntry& event) { prefetch_front(event); });
  advance(fetched_[2], 6, [&](const EventEntry& event) { prefetch_way(event); });
  advance(fetched_[3], 3, [&](const EventEntry& event) { prefetch_end(event); });
}

std::pair<uint32_t, uint32_t> PacketNetwork::vcs_of(const EventEntry& event) const {
  const auto id = static_cast<uint32_t>(event.what);
  switch (kind_of(event)) {
    case kReady:
    case kDeliver:
      return {id, id + 1};
    case kRead:
      return {first_vc(id), first_vc(id) + vcs_};
    default:
      return {0, 0};
  }
}

void PacketNetwork::prefetch_port(const EventEntry& event) const {
  if (kind_of(event) == kTry) {
    const auto port = static_cast<uint32_t>(event.what);
    prefetch(ports_[port]);
    for (uint32_t vc = first_vc(port); vc < first_vc(port) + vcs_; ++vc) prefetch(rooms_[vc]);
    return;
  }
  const auto [begin, end] = vcs_of(event);
  if (begin == end) return;
  prefetch(ports_[begin >> vc_shift_]);
  for (uint32_t vc = begin; vc < end; ++vc) prefetch(vc_records_[vc]);
}

void PacketNetwork::prefetch_front(const EventEntry& event) const {
  if (kind_of(event) == kTry) {
    const PortRecord& port = ports_[static_cast<uint32_t>(event.what)];
    prefetch(nodes_[port.element]);
    // Where a packet will be put.
    if (leads_here(port)) prefetch(vc_records_[first_vc(port.peer)]);
    return;
  }
  const auto [begin, end] = vcs_of(event);
  if (begin == end) return;
  const PortRecord& port = ports_[begin >> vc_shift_];
  prefetch(nodes_[port.element]);
  for (uint32_t id = begin; id < end; ++id) {
    // Whom room goes back to.
    if (leads_here(port)) prefetch(rooms_[first_vc(port.peer) + static_cast<uint32_t>(vc_index(id))]);
    if (vc_records_[id].front != 0) prefetch(packets_[vc_records_[id].front]);
  }
}

// Where packets go on, which needs only what they say.
void PacketNetwork::prefetch_way(const EventEntry& event) {
  if (kind_of(event) == kTry) {
    const PortRecord& port = ports_[static_cast<uint32_t>(event.what)];
    const NodeRecord& node = nodes_[port.element];
    if (node.host) return client_->expect_offer(node.number, port.index);
    prefetch(waits_[node.first_wait + uint32_t{port.index} * node.wait_words]);
    return;
  }
  const auto [begin, end] = vcs_of(event);
  for (uint32_t id = begin; id < end; ++id) {
    const uint32_t front = vc_records_[id].front;
    if (front == 0) continue;
    if (kind_of(event) == kDeliver) return client_->expect_arrival(packets_[front].nic());
    // It is looked at when the one before it has left.
    if (packets_[front].next != 0) prefetch(packets_[packets_[front].next]);
    const PortRecord& in = ports_[id >> vc_shift_];
    const NodeRecord& node = nodes_[in.element];
    if (!deterministic_ || !find_way(node, in, id)) continue;
    const auto port = static_cast<uint32_t>(packets_[front].out_port);
    prefetch(ports_[node.first_port + port]);
    prefetch(rooms_[first_vc(node.first_port + port)]);
    prefetch(waits_[node.first_wait + port * node.wait_words]);
  }
}

void PacketNetwork::prefetch_end(const EventEntry& event) const {
  if (kind_of(event) == kDeliver) return;
  const auto [begin, end] = vcs_of(event);
  for (uint32_t id = begin; id < end; ++id) {
    const int16_t port = packets_[vc_records_[id].front].out_port;
    if (port == kNotRouted) continue;
    const uint32_t out = nodes_[ports_[id >> vc_shift_].element].first_port + static_cast<uint32_t>(port);
    if (leads_here(ports_[out])) prefetch(vc_records_[first_vc(ports_[out].peer)]);
  }
}

}  // namespace fabrictwin
