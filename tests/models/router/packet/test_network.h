// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Small packet networks for tests: graphs, routings, and hosts that write down what happens.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/router/packet/network.h"

namespace fabrictwin {

/// A mesh of routers with one host each, in any number of dimensions; router ports are 0 for the host, 1 + 2d and
/// 2 + 2d up and down dimension d.
inline system::SystemGraph test_mesh(const std::vector<int32_t>& dims, int32_t buffer_words,
                                     int64_t rate = 16'000'000'000, Time latency = Time::from_ns(10)) {
  system::SystemGraph graph;
  graph.dims = dims;
  int32_t nodes = 1;
  for (const int32_t size : dims) nodes *= size;
  for (int32_t i = 0; i < nodes; ++i) graph.elements.push_back({"host", system::ElementKind::kHost, i, {}, {"tile"}});
  for (int32_t i = 0; i < nodes; ++i) {
    graph.elements.push_back(
        {"router", system::ElementKind::kRouter, i, {}, std::vector<std::string>(1 + 2 * dims.size(), "port")});
    graph.links.push_back({{{i, 0}, {nodes + i, 0}}, Bandwidth{rate}, latency, buffer_words});
  }
  int32_t stride = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    for (int32_t i = 0; i < nodes; ++i) {
      if (i / stride % dims[d] + 1 == dims[d]) continue;
      graph.links.push_back(
          {{{nodes + i, static_cast<int32_t>(1 + 2 * d)}, {nodes + i + stride, static_cast<int32_t>(2 + 2 * d)}},
           Bandwidth{rate},
           latency,
           buffer_words});
    }
    stride *= dims[d];
  }
  graph.build_index();
  return graph;
}

/// Routing on a mesh: dimension order on all VCs, or any shortest path on the upper VCs with dimension order on VC 0 as
/// the escape.
class MeshRouting : public routing::RoutingAlgorithm {
 public:
  MeshRouting(std::vector<int32_t> dims, int32_t vcs, bool adaptive)
      : dims_(std::move(dims)), all_((uint32_t{1} << vcs) - 1), adaptive_(adaptive) {}

  int32_t classes() const override { return adaptive_ ? 2 : 1; }
  bool deterministic() const override { return !adaptive_; }
  void options(int32_t router, int32_t, int32_t, routing::PacketRoute& route,
               routing::RouteOptions& options) const override {
    if (router == route.destination) return options.add({0, false, all_});
    int16_t escape = -1;
    int32_t stride = 1;
    for (size_t d = 0; d < dims_.size(); ++d) {
      const int32_t here = router / stride % dims_[d];
      const int32_t there = route.destination / stride % dims_[d];
      stride *= dims_[d];
      if (here == there) continue;
      const auto port = static_cast<int16_t>(1 + 2 * d + (there < here ? 1 : 0));
      if (escape < 0) escape = port;
      if (adaptive_) options.add({port, false, all_ & ~1U});
    }
    options.add({escape, adaptive_, adaptive_ ? 1U : all_});
  }

 private:
  std::vector<int32_t> dims_;
  uint32_t all_;
  bool adaptive_;
};

/// Hosts that send what they are told to and write down what comes.
class TestHosts : public fabric::Client {
 public:
  struct Arrival {
    int64_t time = 0;
    nic::NicPacket packet;
    bool operator==(const Arrival&) const = default;
  };

  explicit TestHosts(int32_t hosts) : queues(hosts), arrivals(hosts) {}

  /// Queues a packet that may leave at `at`.
  void send(int64_t at, int32_t source, int32_t destination, int32_t bytes) {
    nic::NicPacket packet;
    packet.source = source;
    packet.destination = destination;
    packet.wire_bytes = static_cast<uint16_t>(bytes);
    packet.message = sent++;
    queues[source].push_back({at, packet});
    network->wake(source, 0, at);
  }
  void run() { network->run(Time::never().fs()); }

  Offer next_packet(int32_t host, int32_t, int64_t now, int32_t space, nic::NicPacket& packet) override {
    auto& queue = queues[host];
    if (queue.empty()) return Offer::kNothing;
    if (queue.front().first > now) {
      network->wake(host, 0, queue.front().first);
      return Offer::kNothing;
    }
    const nic::NicPacket& next = queue.front().second;
    if (next.wire_bytes > space || !network->admits(host, 0, next.destination, next.wire_bytes, 0))
      return Offer::kTooLarge;
    packet = queue.front().second;
    queue.pop_front();
    return Offer::kTaken;
  }
  int64_t packet_arrived(int64_t now, const nic::NicPacket& packet) override {
    arrivals[packet.destination].push_back({now, packet});
    return now + hold;
  }
  void event(int64_t, uint32_t) override {}
  void settle(int64_t) override {}

  router::packet::Network* network = nullptr;
  int64_t hold = 0;  ///< How long an arrived packet keeps its buffer.
  uint32_t sent = 0;
  std::vector<std::deque<std::pair<int64_t, nic::NicPacket>>> queues;
  std::vector<std::vector<Arrival>> arrivals;
};

}  // namespace fabrictwin
