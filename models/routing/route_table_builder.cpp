// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/route_table_builder.h"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <vector>

namespace fabrictwin {
namespace {

/// Follows packets and writes down what they are told.
class RouteTableBuilder {
 public:
  RouteTableBuilder(const SystemGraph& graph, const RoutingAlgorithm& algorithm)
      : graph_(graph), algorithm_(algorithm), hosts_(graph.host_count()), table_(port_counts(), hosts_) {}

  absl::StatusOr<std::shared_ptr<const RouteTable>> build() {
    for (int32_t source = 0; source < hosts_; ++source) {
      for (int32_t destination = 0; destination < hosts_; ++destination) {
        if (absl::Status status = follow(source, destination); !status.ok()) return status;
      }
    }
    return std::make_shared<const RouteTable>(std::move(table_));
  }

 private:
  std::vector<int32_t> port_counts() const {
    std::vector<int32_t> counts;
    for (size_t id = static_cast<size_t>(hosts_); id < graph_.elements.size(); ++id)
      counts.push_back(static_cast<int32_t>(graph_.elements[id].ports.size()));
    return counts;
  }

  std::string name(ElementId id) const { return graph_.elements[id].name; }

  absl::Status follow(int32_t source, int32_t destination) {
    PacketRoute route;
    route.source = source;
    route.destination = destination;
    int32_t channel = graph_.channel_from(source, 0);
    int32_t vc = 0;
    // A way is no longer than the network has router ports; what goes round in it would never end.
    for (size_t hops = 0; hops <= graph_.channel_index.size(); ++hops) {
      const LinkEnd& at = graph_.channel_target(channel);
      if (at.element == destination) return absl::OkStatus();
      if (at.element < hosts_) return lost(source, destination, "reaches " + name(at.element));
      absl::StatusOr<RouteTable::Entry> entry = next(at, vc, route);
      if (!entry.ok()) return entry.status();
      channel = graph_.channel_from(at.element, RouteTable::port_of(*entry));
      if (channel < 0) return lost(source, destination, "is sent to a port without a link in " + name(at.element));
      vc = RouteTable::vc_of(*entry);
    }
    return lost(source, destination, "never arrives");
  }

  absl::Status lost(int32_t source, int32_t destination, const std::string& what) const {
    return absl::InvalidArgumentError(fmt::format("a packet from {} to {} {}", name(source), name(destination), what));
  }

  absl::StatusOr<RouteTable::Entry> next(const LinkEnd& at, int32_t vc, PacketRoute& route) {
    options_.clear();
    const int32_t router = at.element - hosts_;
    algorithm_.options(router, at.port, vc, route, options_);
    if (options_.size() != 1 || options_[0].port > RouteTable::kMaxPort) {
      return absl::InvalidArgumentError(fmt::format("{} has {} ways on for a packet to {}", name(at.element),
                                                    options_.size(), name(route.destination)));
    }
    const RouteOption& option = options_[0];
    const bool keeps = (option.vcs >> vc & 1) != 0;
    const RouteTable::Entry entry = RouteTable::entry(option.port, keeps ? vc : std::countr_zero(option.vcs));
    const int32_t input = at.port * kVcs + vc;
    const RouteTable::Entry before = table_.at(router, input, route.destination);
    if (before != RouteTable::kNoRoute && before != entry) {
      const std::vector<std::string>& ports = graph_.elements[at.element].ports;
      return absl::InvalidArgumentError(
          fmt::format("packets to {} that come to {} through {} on VC {} leave through {} on VC {} or through {} on VC "
                      "{}, by their source",
                      name(route.destination), name(at.element), ports[at.port], vc, ports[RouteTable::port_of(before)],
                      RouteTable::vc_of(before), ports[option.port], RouteTable::vc_of(entry)));
    }
    table_.set(router, input, route.destination, entry);
    return entry;
  }

  const SystemGraph& graph_;
  const RoutingAlgorithm& algorithm_;
  int32_t hosts_;
  RouteTable table_;
  RouteOptions options_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const RouteTable>> make_route_table(const SystemGraph& graph,
                                                                   const RoutingAlgorithm& algorithm) {
  if (!algorithm.deterministic())
    return absl::InvalidArgumentError("the routing is adaptive, and a table has one way for each destination");
  if (algorithm.classes() > kVcs) {
    return absl::InvalidArgumentError(
        fmt::format("the routing needs {} classes of VCs, and ExaNet routers have {} VCs", algorithm.classes(), kVcs));
  }
  if (graph.host_count() > kMaxRouteTableHosts) {
    return absl::InvalidArgumentError(fmt::format("{} has {} hosts, and route tables are made for up to {}",
                                                  graph.topology, graph.host_count(), kMaxRouteTableHosts));
  }
  return RouteTableBuilder(graph, algorithm).build();
}

}  // namespace fabrictwin
