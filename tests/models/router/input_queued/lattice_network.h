// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A small network of input-queued routers, and hosts that send what they are told.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "models/router/input_queued/network.h"
#include "models/routing/lattice/torus_routing.h"
#include "tests/models/routing/lattice/dateline_routing.h"

namespace fabrictwin {

/// Sends what it was told, in order from each host, and notes what arrives.
class Script : public router::input_queued::Traffic {
 public:
  struct Arrival {
    router::input_queued::Packet packet;
    int64_t cycle;
  };
  void send(int64_t cycle, int32_t source, int32_t destination, int32_t flits, uint32_t random = 0) {
    router::input_queued::Packet packet;
    packet.created = cycle;
    packet.source = source;
    packet.destination = destination;
    packet.flits = static_cast<uint16_t>(flits);
    packet.random = random;
    packet.sequence = sent++;
    queues_[source].push_back(packet);
  }
  int64_t next_packet(int32_t host, int64_t cycle, router::input_queued::Packet& packet) override {
    std::deque<router::input_queued::Packet>& queue = queues_[host];
    if (queue.empty()) return kNever;
    if (queue.front().created > cycle) return queue.front().created;
    packet = queue.front();
    queue.pop_front();
    return cycle;
  }
  void packet_arrived(const router::input_queued::Packet& packet, int64_t cycle) override {
    arrivals.push_back({packet, cycle});
  }

  std::vector<Arrival> arrivals;
  uint64_t sent = 0;

 private:
  std::map<int32_t, std::deque<router::input_queued::Packet>> queues_;
};

/// A torus with a host at each router.
struct Lattice {
  std::vector<int32_t> dims = {8};
  int32_t link_latency = 1;
  int32_t tile_latency = 1;
  router::input_queued::RouterSpec router;

  int32_t nodes() const {
    int32_t product = 1;
    for (const int32_t size : dims) product *= size;
    return product;
  }
  router::input_queued::Network::Config config() const {
    router::input_queued::Network::Config config;
    config.router = router;
    config.routers = config.hosts = nodes();
    config.routing = std::make_shared<DatelineRouting>(dims, router.vcs);
    int32_t stride = 1;
    for (size_t d = 0; d < dims.size(); ++d) {
      for (int32_t node = 0; dims[d] > 1 && node < nodes(); ++node) {
        const int32_t here = node / stride % dims[d];
        const int32_t next = node + ((here + 1) % dims[d] - here) * stride;
        config.links.push_back({{{node, routing::lattice::TorusRouting::plus_port(static_cast<int32_t>(d))},
                                 {next, routing::lattice::TorusRouting::minus_port(static_cast<int32_t>(d))}},
                                link_latency});
      }
      stride *= dims[d];
    }
    for (int32_t node = 0; node < nodes(); ++node)
      config.links.push_back({{{node, -1}, {node, routing::lattice::TorusRouting::kTilePort}}, tile_latency});
    return config;
  }
};

/// Runs until nothing happens any more; returns false if that takes longer than `limit` cycles.
inline bool drain(router::input_queued::Network& network, int64_t limit) {
  while (network.next_cycle() < limit) network.step(network.next_cycle());
  return network.next_cycle() == router::input_queued::Traffic::kNever;
}

inline void expect_all_credits(const Lattice& lattice, const router::input_queued::Network& network) {
  const router::input_queued::Network::Config config = lattice.config();
  for (const router::input_queued::Link& link : config.links) {
    for (const router::input_queued::End& end : link.ends) {
      for (int32_t vc = 0; vc < lattice.router.vcs; ++vc) {
        const int32_t credits =
            end.port < 0 ? network.host_credits(end.element, vc) : network.credits(end.element, end.port, vc);
        EXPECT_EQ(credits, lattice.router.buffer_flits);
        if (end.port >= 0) {
          EXPECT_EQ(network.flits(end.element, end.port, vc), 0);
        }
      }
    }
  }
}

}  // namespace fabrictwin
