// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which queue pairs of a port may be served.
#include "models/fabric/transport_hosts.h"

namespace fabrictwin::fabric {

void TransportHosts::release_paced(Port& port, int64_t now) {
  while (!port.paced.empty() && port.paced.top().first <= now) {
    const uint32_t id = port.paced.top().second;
    port.paced.pop();
    if (pairs_[id].messages.empty()) {
      pairs_[id].waiting = false;
      continue;
    }
    port.ready.emplace(rank(pairs_[id], port), id);
  }
}

// Takes out those that would be served next, but whose next packet the network does not admit.
void TransportHosts::pass_over(int32_t host, int32_t number, int64_t now) {
  Port& port = port_of(host, number);
  for (; !port.ready.empty(); port.ready.pop()) {
    QueuePair& pair = pairs_[port.ready.top().second];
    if (!allows(pair, now)) {
      pair.waiting = false;
    } else if (edge_->admits(host, number, pair.destination, config_.data_bytes(next_payload(pair)), pair.number)) {
      return;
    } else {
      passed_over_.push_back(port.ready.top());
    }
  }
}

}  // namespace fabrictwin::fabric
