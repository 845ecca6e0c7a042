// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which outputs of routers are congested, and which of them feed which.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/router/packet/sharded/sharded_network.h"

namespace fabrictwin::router::packet::sharded {

std::vector<ShardedNetwork::TreeOutput> ShardedNetwork::congested(Time at) const {
  const int64_t longest = longest_queue();
  std::vector<uint32_t> outputs;
  for (size_t port = tables_->first_router_port; port < tables_->queues.size(); ++port) {
    const auto out = static_cast<uint32_t>(port);
    const int64_t bytes = tables_->queues[port].bytes;
    if (bytes > 0 && (2 * bytes > longest || owner(out).held_up(out, at.fs()))) outputs.push_back(out);
  }
  std::vector<TreeOutput> tree;
  // What a congested output waits for belongs to the tree, however short its own queue is: so more are added.
  for (size_t i = 0; i < outputs.size(); ++i) {
    const PortRecord& port = tables_->ports[outputs[i]];
    TreeOutput& line = tree.emplace_back();
    line.end = {static_cast<system::ElementId>(port.element), port.index};
    line.bytes = tables_->queues[outputs[i]].bytes;
    if (port.peer == PortRecord::kNone || port.peer < tables_->first_router_port) continue;
    const NodeRecord& peer = tables_->nodes[port.peer_element];
    int64_t most = 0;
    uint32_t next = PortRecord::kNone;
    for (uint32_t out = peer.first_port; out < peer.first_port + peer.ports; ++out) {
      const int64_t waiting = owner(out).waiting(out, port.peer);
      if (waiting <= most) continue;
      most = waiting;
      next = out;
    }
    if (next == PortRecord::kNone) continue;
    const auto known = std::find(outputs.begin(), outputs.end(), next);
    line.next = static_cast<int32_t>(known - outputs.begin());
    if (known == outputs.end()) outputs.push_back(next);
  }
  return tree;
}

ShardedNetwork::TreeState ShardedNetwork::tree_state(Time at) const {
  TreeState state;
  for (size_t element = static_cast<size_t>(tables_->hosts); element < tables_->nodes.size(); ++element) {
    if (!is_here(element)) continue;
    const NodeRecord& node = tables_->nodes[element];
    const size_t first = state.queues.size();
    for (uint32_t out = node.first_port; out < node.first_port + node.ports; ++out) {
      const int64_t bytes = tables_->queues[out].bytes;
      if (bytes > 0) state.queues.push_back({out, bytes, owner(out).held_up(out, at.fs())});
    }
    for (uint32_t in = node.first_port; in < node.first_port + node.ports; ++in) {
      int64_t most = 0;
      uint32_t next = PortRecord::kNone;
      for (size_t i = first; i < state.queues.size(); ++i) {
        const int64_t waiting = owner(in).waiting(state.queues[i].output, in);
        if (waiting <= most) continue;
        most = waiting;
        next = state.queues[i].output;
      }
      if (next != PortRecord::kNone) state.leads.emplace_back(tables_->ports[in].peer, next);
    }
  }
  return state;
}

}  // namespace fabrictwin::router::packet::sharded
