// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue of the next input that a packet will be in: docs/models/queue-schemes.md.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/congestion/queues/classifier.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::router::input_queued {

/// Classifies packets at the inputs that they are sent to. A queue is a VC with its own buffer and credits, so the
/// sender chooses it; where it depends on the output there, the routing there is computed ahead, which takes an
/// algorithm that does not look at the load. Not thread-safe.
class NextQueues {
 public:
  /// All queues of the VC are as good: the packet has arrived at its host.
  static constexpr int32_t kAny = -1;
  /// What an output leads to; router -1: a host.
  struct Peer {
    int32_t router = -1;
    int32_t port = 0;
  };

  /// `routing` outlives it. `first` is, by router, the index of its first port in `peers`; `hosts` are the peers of
  /// hosts.
  NextQueues(const congestion::Classifier& classifier, const routing::RoutingAlgorithm& routing,
             std::vector<int32_t> first, std::vector<Peer> peers, std::vector<Peer> hosts)
      : classifier_(classifier),
        routing_(routing),
        first_(std::move(first)),
        peers_(std::move(peers)),
        hosts_(std::move(hosts)) {}

  int32_t queues() const { return classifier_.queues(); }
  /// The queue behind `port` of `router` for a packet that leaves by VC `vc`, its queue not counted.
  int32_t behind(int32_t router, int32_t port, int32_t vc, const routing::PacketRoute& packet) {
    const Peer& peer = peers_[static_cast<size_t>(first_[static_cast<size_t>(router)] + port)];
    // What has been set aside for a host waits before its link, and not in it.
    if (peer.router < 0) return classifier_.scheme() == v1::Queues::FBICM ? 0 : kAny;
    return at(peer, vc, packet);
  }
  /// The queue of the first router for a packet of a host.
  int32_t first(int32_t host, const routing::PacketRoute& packet) {
    return at(hosts_[static_cast<size_t>(host)], 0, packet);
  }

 private:
  int32_t at(const Peer& input, int32_t vc, const routing::PacketRoute& packet) {
    if (!classifier_.by_output()) return classifier_.queue_of(packet.destination, 0);
    routing::PacketRoute ahead = packet;
    options_.clear();
    routing_.options(input.router, input.port, vc, ahead, options_);
    const auto count = static_cast<int32_t>(options_.size());
    const size_t taken = count > 1 ? static_cast<size_t>(routing_.choose(input.router, ahead, count)) : 0;
    return classifier_.queue_of(packet.destination, options_[taken].port);
  }

  congestion::Classifier classifier_;
  const routing::RoutingAlgorithm& routing_;
  std::vector<int32_t> first_;
  std::vector<Peer> peers_;
  std::vector<Peer> hosts_;
  routing::RouteOptions options_;
};

}  // namespace fabrictwin::router::input_queued
