// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The paths of packets, before any of them is sent, and how long they take if nothing else is in the network.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "models/nic/word_packet.h"
#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {
namespace {

/// A route that is longer goes around in a circle.
constexpr int kMostHops = 4096;

}  // namespace

// The kind of the link at an output is that of its input, which never changes.
const LinkKind& Network::link_behind(uint32_t out) const { return links_[buffers_[first_vc(out)].link]; }

routing::PacketRoute Network::route_between(int32_t source, int32_t destination, uint32_t queue_pair) const {
  routing::PacketRoute route;
  route.source = source;
  route.destination = destination;
  route.flow = queue_pair;
  if (ties_by_flow_) route.random = nic::flow_ties(seed_, source, destination);
  return route;
}

// Follows the path of a queue pair where routing chooses by it, otherwise the first option of routing, which is minimal
// as long as no packet has been sent elsewhere. Returns whether no router on it has others.
template <typename Visit>
bool Network::follow_path(int32_t source, int32_t source_port, int32_t destination, uint32_t queue_pair,
                          const Visit& visit) const {
  const bool by_flow = routing_->chooses_by_flow();
  routing::PacketRoute route = route_between(source, destination, queue_pair);
  routing::RouteOptions options;
  const int32_t destination_port = source_port % std::max<int32_t>(nodes_[destination].ports, 1);
  uint32_t out = nodes_[source].first_port + static_cast<uint32_t>(source_port);
  uint32_t vcs = all_vcs();
  bool only = true;
  for (int hop = 0; hop < kMostHops; ++hop) {
    const PortRecord& port = ports_[out];
    visit(out, vcs);
    if (port.peer == PortRecord::kNone || port.peer < first_router_port_) break;
    const NodeRecord& node = nodes_[port.peer_element];
    options.clear();
    routing_->options(node.number, static_cast<int32_t>(port.peer - node.first_port), std::countr_zero(vcs), route,
                      options);
    if (options.size() == 0) break;
    const auto count = static_cast<int32_t>(options.size());
    const size_t taken = by_flow && count > 1 ? static_cast<size_t>(routing_->choose(node.number, route, count)) : 0;
    if (!is_valid(node, options[taken])) break;
    for (const routing::RouteOption& option : options.all()) only = only && (by_flow || option.port == options[0].port);
    vcs = options[taken].vcs & all_vcs();
    out = node.first_port + static_cast<uint32_t>(leaving_port(node, options[taken], destination, destination_port));
  }
  return only;
}

// Where packets may take several VCs, the next one does not wait in the buffer of the one before it; and switches that
// share a buffer have a queue for each output.
void Network::take_link(uint32_t out, bool first, bool one_vc, PacketTrain::Link how, PacketTrain& packets) const {
  const LinkKind& link = link_behind(out);
  how.latency = link.latency;
  how.pipeline = first ? 0 : pipeline_;
  how.turnaround = one_vc && !shared_ ? link.turnaround : 0;
  how.stored = shared_;
  packets.take(how, [&link](int32_t bytes) { return link.duration[static_cast<size_t>(bytes)]; });
}

Network::TakenPath Network::take_path(int32_t source, int32_t source_port, int32_t destination, uint32_t queue_pair,
                                      PacketTrain& packets) const {
  TakenPath path;
  bool one_vc = false;
  path.only = follow_path(source, source_port, destination, queue_pair, [&](uint32_t out, uint32_t vcs) {
    take_link(out, path.links == 0, one_vc, {}, packets);
    one_vc = std::has_single_bit(vcs);
    ++path.links;
  });
  return path;
}

fabric::TransportEdge::Path Network::path(int32_t source, int32_t source_port, int32_t destination,
                                          const Train& train) const {
  PacketTrain packets(train);
  const int32_t links = take_path(source, source_port, destination, 0, packets).links;
  return {packets.arrival(), std::max(links - 1, 0)};
}

// As path() has it, for a packet of a word: what is left of the path from the arrival at the other end of a cut output.
Network::AsideHop Network::next_aside_hop(const PacketRecord& packet, uint32_t from) const {
  bool passed = from == PortRecord::kNone;
  AsideHop hop;
  int64_t rest = 0;
  follow_path(packet.source, packet.source_port, packet.destination, packet.queue_pair(),
              [&](uint32_t out, uint32_t /*vcs*/) {
                const PortRecord& port = ports_[out];
                const LinkKind& link = link_behind(out);
                if (port.peer == PortRecord::kNone) return;
                const bool last = port.peer < first_router_port_;
                if (hop.out != PortRecord::kNone)
                  rest += link.latency + link.duration[link::kWordBytes] + (last ? 0 : pipeline_);
                if (passed && hop.out == PortRecord::kNone && port.cut && tables_->shard_of[port.element] == 0) {
                  hop.out = out;
                  rest = pipeline_;
                }
                passed = passed || port.peer == from;
              });
  hop.arrives = packet.time - rest;
  return hop;
}

// Whether packets take several paths from their first router on: by ties, which their random numbers decide, or
// detours.
bool Network::scatters(int32_t source, int32_t source_port, int32_t destination) const {
  if (routing_->detours()) return true;
  const PortRecord& port = ports_[nodes_[source].first_port + static_cast<uint32_t>(source_port)];
  if (ties_by_flow_ || port.peer == PortRecord::kNone || port.peer < first_router_port_) return false;
  return routing_->has_ties(nodes_[port.peer_element].number, route_between(source, destination, 0));
}

FlowRoute Network::flow_route(int32_t source, int32_t source_port, int32_t destination, uint32_t queue_pair) const {
  FlowRoute route;
  const bool only = follow_path(source, source_port, destination, queue_pair,
                                [&](uint32_t out, uint32_t /*vcs*/) { route.outputs.push_back(out); });
  route.only = only && !scatters(source, source_port, destination);
  return route;
}

/// Finds the soonest of the paths that routing gives to packets.
class Network::PathSearch {
 public:
  /// Packets that go on by an output.
  struct Step {
    uint32_t out = 0;
    uint32_t vcs = 0;  ///< Mask of the VCs that they may take on the link there.
    routing::PacketRoute route;
    PacketTrain packets;
    bool first = true;      ///< It is the output of their host.
    bool one_vc = false;    ///< They have come by a link of which they may take one VC.
    PacketTrain::Link how;  ///< What there is to say of the link besides what it is.
  };

  /// With `scatters` the packets of `train` part in their first router at the latest.
  PathSearch(const Network& network, const Train& train, bool scatters)
      : network_(network), train_(train), scatters_(scatters) {}

  /// Follows packets to their host, and looks at other paths on the way.
  void follow(Step step) {
    for (int hop = 0; hop < kMostHops; ++hop) {
      network_.take_link(step.out, step.first, step.one_vc, step.how, step.packets);
      step.one_vc = std::has_single_bit(step.vcs);
      const PortRecord& port = network_.ports_[step.out];
      if (port.peer == PortRecord::kNone || port.peer < network_.first_router_port_) break;
      if (!leave(network_.nodes_[port.peer_element], port.peer, step)) break;
    }
    if (soonest_.has_value()) return soonest_->join(step.packets);
    soonest_ = step.packets;
  }

  const std::optional<PacketTrain>& soonest() const { return soonest_; }

 private:
  /// In so many routers it looks at all options, then at the first one only: other paths of large networks are alike,
  /// and small flows should not cost more here than in the network.
  static constexpr int kMostLooks = 16;

  // False if there is no way on.
  bool leave(const NodeRecord& node, uint32_t input, Step& step) {
    routing::RouteOptions options;
    network_.routing_->options(node.number, static_cast<int32_t>(input - node.first_port), std::countr_zero(step.vcs),
                               step.route, options);
    if (options.size() == 0 || !network_.is_valid(node, options[0])) return false;
    --looks_;
    const bool several =
        std::ranges::any_of(options.all(), [&](const auto& option) { return option.port != options[0].port; });
    const bool here = network_.ports_[output(node, options[0])].peer < network_.first_router_port_;
    const bool part = several || (scatters_ && step.first && !here);
    // As long as they have not, they are in one input, which they leave one after the other.
    const bool one_by_one = part && !step.how.scattered && !network_.shared_;
    step.how = {.scattered = step.how.scattered || part,
                .apart = one_by_one ? shortest(node, train_.bytes) : 0,
                .apart_last = one_by_one ? shortest(node, train_.last) : 0};
    step.first = false;
    for (size_t i = 1; i < options.size() && looks_ > 0; ++i) {
      if (!network_.is_valid(node, options[i]) || is_like_one_before(node, options, i)) continue;
      Step other = step;
      go_on(node, options[i], other);
      follow(other);
    }
    go_on(node, options[0], step);
    return true;
  }

  static uint32_t output(const NodeRecord& node, const routing::RouteOption& option) {
    return node.first_port + static_cast<uint32_t>(option.port);
  }

  void go_on(const NodeRecord& node, const routing::RouteOption& option, Step& step) const {
    step.out = output(node, option);
    step.vcs = option.vcs & network_.all_vcs();
  }

  // Links side by side.
  bool is_like_one_before(const NodeRecord& node, const routing::RouteOptions& options, size_t number) const {
    const auto leads = [&](size_t option) {
      const uint32_t out = output(node, options[option]);
      return std::pair(network_.ports_[out].peer_element, &network_.link_behind(out));
    };
    for (size_t before = 0; before < number; ++before) {
      if (leads(before) == leads(number) && options[before].vcs == options[number].vcs) return true;
    }
    return false;
  }

  // For how long a packet takes the fastest link to another router.
  int64_t shortest(const NodeRecord& node, int32_t bytes) const {
    int64_t least = Time::never().fs();
    for (uint32_t out = node.first_port; out < node.first_port + node.ports; ++out) {
      if (network_.ports_[out].peer < network_.first_router_port_) continue;
      if (network_.ports_[out].peer == PortRecord::kNone) continue;
      least = std::min(least, network_.link_behind(out).duration[static_cast<size_t>(bytes)]);
    }
    return least == Time::never().fs() ? 0 : least;
  }

  const Network& network_;
  Train train_;
  bool scatters_;
  int looks_ = kMostLooks;
  std::optional<PacketTrain> soonest_;
};

fabric::TransportEdge::Soonest Network::soonest(int32_t source, int32_t source_port, int32_t destination,
                                                uint32_t queue_pair, const Train& train) const {
  PacketTrain packets(train);
  const bool scattered = scatters(source, source_port, destination);
  if (take_path(source, source_port, destination, queue_pair, packets).only && !scattered)
    return {.first = packets.first_arrival(), .all = packets.arrival()};
  const uint32_t out = nodes_[source].first_port + static_cast<uint32_t>(source_port);
  PathSearch search(*this, train, scattered);
  const auto follow = [&](const routing::PacketRoute& route) {
    search.follow({.out = out, .vcs = all_vcs(), .route = route, .packets = PacketTrain(train)});
  };
  const PortRecord& port = ports_[out];
  if (port.peer != PortRecord::kNone)
    routing_->for_each_beginning(nodes_[port.peer_element].number, route_between(source, destination, queue_pair),
                                 follow);
  const PacketTrain& found = search.soonest().has_value() ? *search.soonest() : packets;
  return {.first = found.first_arrival(), .all = found.arrival(), .one_path = false};
}

}  // namespace fabrictwin::router::packet
