// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which packets wait for an output, and whether it is held up.
#include <cstdint>

#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {

// With a queue for each output, packets keep the number of their input; otherwise they are in the buffers of that
// input.
int64_t Network::waiting(uint32_t out, uint32_t input) const {
  int64_t bytes = 0;
  if (shared_) {
    for (uint32_t id = tables_->queues[out].first[0]; id != 0; id = packets_[id].next) {
      if (packets_[id].out_vcs == ports_[input].index) bytes += packets_[id].wire_bytes;
    }
    return bytes;
  }
  for (uint32_t vc = 0; vc < vcs_; ++vc) {
    const uint32_t buffer = first_vc(input) + vc;
    if (queued_ == nullptr) {
      for (uint32_t id = buffers_[buffer].front; id != 0; id = packets_[id].next)
        bytes += waiting_of(id, out, input, vc);
      continue;
    }
    for (const buffer::InputQueue& queue : queued_->queues[buffer].all()) {
      uint32_t id = queue.first;
      for (int32_t left = queue.packets; left > 0; --left, id = packets_[id].next)
        bytes += waiting_of(id, out, input, vc);
    }
  }
  return bytes;
}

// The bytes of a packet of an input if it waits for this output, otherwise 0.
int64_t Network::waiting_of(uint32_t id, uint32_t out, uint32_t input, uint32_t vc) const {
  const PacketRecord& packet = packets_[id];
  if ((packet.flags & PacketRecord::kCounted) == 0) return 0;
  int32_t port = packet.out_port;
  if (port == kNotRouted) {
    const NodeRecord& node = nodes_[ports_[out].element];
    routing::RouteOptions options;
    routing::PacketRoute route = packet.route();
    routing_->options(node.number, ports_[input].index, static_cast<int32_t>(vc), route, options);
    // A packet with several outputs waits for none of them.
    if (options.size() != 1 || !is_valid(node, options[0])) return 0;
    port = leaving_port(node, options[0], packet);
  }
  return port == ports_[out].index ? packet.wire_bytes : 0;
}

bool Network::held_up(uint32_t out, int64_t at) const {
  if (shared_) return tables_->queues[out].paused && tables_->queues[out].bytes > 0;
  const PortRecord& port = ports_[out];
  if (port.peer == PortRecord::kNone) return false;
  const int64_t capacity = int64_t{links_[port.link].capacity} * vcs_;
  int64_t space = 0;
  for (uint32_t vc = 0; vc < vcs_; ++vc) {
    const BufferRecord& behind = buffers_[first_vc(port.credit_port) + vc];
    space += behind.free;
    for (size_t credit = 0; credit < behind.time.size(); ++credit) {
      if (behind.time[credit] <= at) space += behind.bytes[credit];
    }
    if (behind.newest == 0) continue;
    for (uint32_t id = returns_[behind.newest].next;; id = returns_[id].next) {
      if (returns_[id].time <= at) space += returns_[id].bytes;
      if (id == behind.newest) break;
    }
  }
  return 2 * space < capacity;
}

}  // namespace fabrictwin::router::packet
