// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/table/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace fabrictwin::routing::table {
namespace {

/// Follows packets and records their routes.
class RouteTableBuilder {
 public:
  RouteTableBuilder(const system::SystemGraph& graph, const RoutingAlgorithm& algorithm)
      : graph_(graph),
        algorithm_(algorithm),
        hosts_(graph.host_count()),
        table_(port_counts(), route_destinations(graph)) {}

  absl::StatusOr<std::shared_ptr<const system::RouteTable>> build() {
    for (int32_t source = 0; source < hosts_; ++source) {
      for (int32_t destination = 0; destination < hosts_; ++destination) {
        for (int32_t port = 0; port < ports_of(source); ++port) {
          const system::LinkEnd to = {destination, port % ports_of(destination)};
          if (absl::Status status = follow({source, port}, to); !status.ok()) return status;
        }
      }
    }
    return std::make_shared<const system::RouteTable>(std::move(table_));
  }

 private:
  std::vector<int32_t> port_counts() const {
    std::vector<int32_t> counts;
    for (size_t id = static_cast<size_t>(hosts_); id < graph_.elements.size(); ++id)
      counts.push_back(static_cast<int32_t>(graph_.elements[id].ports.size()));
    return counts;
  }

  std::string name(system::ElementId id) const { return graph_.elements[id].name; }
  int32_t ports_of(int32_t host) const { return static_cast<int32_t>(graph_.elements[host].ports.size()); }

  absl::Status follow(const system::LinkEnd& from, const system::LinkEnd& to) {
    const int32_t source = from.element;
    const int32_t destination = to.element;
    PacketRoute route;
    route.source = source;
    route.destination = destination;
    int32_t channel = graph_.channel_from(source, from.port);
    int32_t vc = 0;
    // A route has no more hops than the network has router ports; a packet in a loop would never arrive.
    for (size_t hops = 0; hops <= graph_.channel_index.size(); ++hops) {
      const system::LinkEnd& at = graph_.channel_target(channel);
      if (at.element == destination) return absl::OkStatus();
      if (at.element < hosts_) return lost(source, destination, "reaches " + name(at.element));
      absl::StatusOr<system::RouteTable::Entry> entry = next(at, vc, to.port, route);
      if (!entry.ok()) return entry.status();
      channel = graph_.channel_from(at.element, system::RouteTable::port_of(*entry));
      if (channel < 0) return lost(source, destination, "is sent to a port without a link in " + name(at.element));
      vc = system::RouteTable::vc_of(*entry);
    }
    return lost(source, destination, "never arrives");
  }

  absl::Status lost(int32_t source, int32_t destination, const std::string& what) const {
    return absl::InvalidArgumentError(fmt::format("a packet from {} to {} {}", name(source), name(destination), what));
  }

  // Algorithms know hosts but not their ports: they return port 0 of the destination.
  int32_t leaving_port(system::ElementId router, int32_t port, int32_t destination, int32_t destination_port) const {
    const int32_t channel = graph_.channel_from(router, port);
    if (channel < 0 || graph_.channel_target(channel).element != destination) return port;
    const system::LinkEnd& end = graph_.channel_target(graph_.channel_from(destination, destination_port));
    return end.element == router ? end.port : port;
  }

  absl::StatusOr<system::RouteTable::Entry> next(const system::LinkEnd& at, int32_t vc, int32_t destination_port,
                                                 PacketRoute& route) {
    options_.clear();
    const int32_t router = at.element - hosts_;
    algorithm_.options(router, at.port, vc, route, options_);
    if (options_.size() != 1 || options_[0].port > system::RouteTable::kMaxPort) {
      return absl::InvalidArgumentError(fmt::format("{} has {} next hops for a packet to {}", name(at.element),
                                                    options_.size(), name(route.destination)));
    }
    const RouteOption& option = options_[0];
    const bool keeps = (option.vcs >> vc & 1) != 0;
    const int32_t port = leaving_port(at.element, option.port, route.destination, destination_port);
    const system::RouteTable::Entry entry = system::RouteTable::entry(port, keeps ? vc : std::countr_zero(option.vcs));
    const int32_t input = at.port * link::kVcs + vc;
    const int32_t destination = route_destination(route.destination, destination_port, hosts_);
    const system::RouteTable::Entry before = table_.at(router, input, destination);
    if (before != system::RouteTable::kNoRoute && before != entry) {
      const std::vector<std::string>& ports = graph_.elements[at.element].ports;
      return absl::InvalidArgumentError(fmt::format(
          "packets to {} that come to {} through {} on VC {} leave through {} on VC {} or through {} on VC "
          "{}, by their source",
          name(route.destination), name(at.element), ports[at.port], vc, ports[system::RouteTable::port_of(before)],
          system::RouteTable::vc_of(before), ports[port], system::RouteTable::vc_of(entry)));
    }
    table_.set(router, input, destination, entry);
    return entry;
  }

  const system::SystemGraph& graph_;
  const RoutingAlgorithm& algorithm_;
  int32_t hosts_;
  system::RouteTable table_;
  RouteOptions options_;
};

}  // namespace

int32_t route_destinations(const system::SystemGraph& graph) {
  size_t ports = 1;
  const int32_t hosts = graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) ports = std::max(ports, graph.elements[host].ports.size());
  return graph.host_count() * static_cast<int32_t>(ports);
}

absl::StatusOr<std::shared_ptr<const system::RouteTable>> make_route_table(const system::SystemGraph& graph,
                                                                           const RoutingAlgorithm& algorithm) {
  if (algorithm.chooses())
    return absl::InvalidArgumentError(
        "the routing chooses random paths up, and a table has one path for each destination");
  if (!algorithm.deterministic())
    return absl::InvalidArgumentError("the routing is adaptive, and a table has one path for each destination");
  if (algorithm.classes() > link::kVcs) {
    return absl::InvalidArgumentError(fmt::format("the routing needs {} classes of VCs, and ExaNet routers have {} VCs",
                                                  algorithm.classes(), link::kVcs));
  }
  if (const int32_t destinations = route_destinations(graph); destinations > kMaxRouteDestinations) {
    return absl::InvalidArgumentError(
        destinations == graph.host_count()
            ? fmt::format("{} has {} hosts, and route tables are made for up to {}", graph.topology, destinations,
                          kMaxRouteDestinations)
            : fmt::format("{} has {} hosts of {} ports, each with routes of its own, and route tables are made for up "
                          "to {} such ports: have fewer hosts, or fewer ports of each (tnis)",
                          graph.topology, graph.host_count(), destinations / graph.host_count(),
                          kMaxRouteDestinations));
  }
  return RouteTableBuilder(graph, algorithm).build();
}

}  // namespace fabrictwin::routing::table
