// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks whose inputs have queues, and hosts that send several classes of traffic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "cosim/base/random.h"
#include "models/router/input_queued/network.h"
#include "tests/models/router/input_queued/lattice_network.h"

namespace fabrictwin {

/// A class of traffic that all hosts send, packet by packet with the same probability in each cycle.
struct TrafficClass {
  double load = 0;  ///< Flits of a host in a cycle.
  /// The destination of a packet of a host, by a random number.
  std::function<int32_t(int32_t source, RandomStream& random)> destination;
  int64_t until = std::numeric_limits<int64_t>::max();  ///< The cycle from which on no packet is made.
};

/// Sends classes of traffic, in the order in which packets are made, and measures packets made and received from a
/// cycle on.
class ClassTraffic final : public router::input_queued::Traffic {
 public:
  static constexpr int32_t kFlits = 18;

  ClassTraffic(std::vector<TrafficClass> classes, int32_t hosts, int64_t measured_from)
      : classes_(std::move(classes)), measured_from_(measured_from), flits(static_cast<size_t>(hosts)) {
    for (int32_t host = 0; host < hosts; ++host) {
      Host& made = hosts_.emplace_back(Host{RandomStream(1, static_cast<uint64_t>(host), RandomPurpose::kTest), {}});
      for (const TrafficClass& sent : classes_) made.next.push_back(gap(sent, made.random));
    }
  }

  int64_t next_packet(int32_t index, int64_t cycle, router::input_queued::Packet& packet) override {
    Host& host = hosts_[static_cast<size_t>(index)];
    const size_t first = static_cast<size_t>(std::min_element(host.next.begin(), host.next.end()) - host.next.begin());
    const TrafficClass& sent = classes_[first];
    if (host.next[first] >= sent.until) {
      host.next[first] = kNever;
      return *std::min_element(host.next.begin(), host.next.end()) == kNever ? kNever
                                                                             : next_packet(index, cycle, packet);
    }
    if (host.next[first] > cycle) return host.next[first];
    packet.created = host.next[first];
    packet.source = index;
    packet.destination = sent.destination(index, host.random);
    packet.random = static_cast<uint32_t>(host.random.next());
    packet.flits = kFlits;
    packet.sequence = sent_++;
    packet.handle = static_cast<uint32_t>(first);
    host.next[first] += 1 + gap(sent, host.random);
    return cycle;
  }
  void packet_arrived(const router::input_queued::Packet& packet, int64_t cycle) override {
    ++arrived;
    if (packet.handle == 1) last_hot = cycle;
    if (cycle < measured_from_) return;
    flits[static_cast<size_t>(packet.destination)] += packet.flits;
    if (packet.created < measured_from_) return;
    latency.resize(classes_.size());
    packets.resize(classes_.size());
    latency[packet.handle] += cycle - packet.created;
    ++packets[packet.handle];
  }
  double mean_latency(size_t sent) const {
    return static_cast<double>(latency[sent]) / static_cast<double>(packets[sent]);
  }
  uint64_t sent() const { return sent_; }

 private:
  struct Host {
    RandomStream random;
    std::vector<int64_t> next;  ///< By class: when the next packet is made.
  };

  static int64_t gap(const TrafficClass& sent, RandomStream& random) {
    int64_t cycles = 0;
    while (random.next_unit() >= sent.load / kFlits) ++cycles;
    return cycles;
  }

  std::vector<TrafficClass> classes_;
  int64_t measured_from_;
  std::vector<Host> hosts_;
  uint64_t sent_ = 0;

 public:
  std::vector<int64_t> flits;    ///< By host: flits of packets received since then.
  std::vector<int64_t> latency;  ///< By class: the sum over packets made and received since then,
  std::vector<int64_t> packets;  ///< and their number.
  uint64_t arrived = 0;
  int64_t last_hot = 0;  ///< When the last packet of the second class arrived.
};

/// One router with a host at each port.
class OneRouter final : public routing::RoutingAlgorithm {
 public:
  explicit OneRouter(int32_t vcs) : vcs_((uint32_t{1} << vcs) - 1) {}
  int32_t classes() const override { return 1; }
  void options(int32_t, int32_t, int32_t, routing::PacketRoute& route, routing::RouteOptions& options) const override {
    options.add({static_cast<int16_t>(route.destination), false, vcs_});
  }

 private:
  uint32_t vcs_;
};

inline experiment::QueuesSpec queues_of(v1::Queues::Scheme scheme, int32_t count = 0,
                                        v1::Queues::Admittance admittance = v1::Queues::SINGLE) {
  experiment::QueuesSpec queues;
  queues.scheme = scheme;
  queues.count = count;
  queues.admittance = admittance;
  queues.detect = 8;
  queues.stop = 4;
  queues.resume = 2;
  return queues;
}

/// Gives a network with plain VCs queues.
inline void add_queues(router::input_queued::Network::Config& config, const experiment::QueuesSpec& queues) {
  config.router.queues = queues;
  config.router.classifier =
      congestion::Classifier(queues, config.hosts, router::input_queued::Network::most_ports(config));
  config.router.vcs *= config.router.classifier.queues();
  config.router.min_packet_flits = ClassTraffic::kFlits;
  if (queues.scheme == v1::Queues::FBICM) config.router.buffer_flits *= config.router.classifier.queues();
}

inline router::input_queued::Network::Config one_router(int32_t hosts, int32_t buffer,
                                                        const experiment::QueuesSpec& queues) {
  router::input_queued::Network::Config config;
  config.router.vcs = 1;
  config.router.buffer_flits = buffer;
  config.routers = 1;
  config.hosts = hosts;
  config.routing = std::make_shared<OneRouter>(config.router.vcs);
  for (int32_t host = 0; host < hosts; ++host) config.links.push_back({{{host, -1}, {0, host}}, 1});
  add_queues(config, queues);
  return config;
}

inline router::input_queued::Network::Config torus8x8(int32_t vcs, const experiment::QueuesSpec& queues) {
  Lattice lattice;
  lattice.dims = {8, 8};
  lattice.router.vcs = vcs;
  lattice.router.buffer_flits = 36;
  router::input_queued::Network::Config config = lattice.config();
  add_queues(config, queues);
  return config;
}

/// Simulates everything before a cycle.
inline void run_until(router::input_queued::Network& network, int64_t cycle) {
  while (network.next_cycle() < cycle) network.step(network.next_cycle());
}

}  // namespace fabrictwin
