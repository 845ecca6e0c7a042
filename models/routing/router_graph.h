// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers and what their ports are linked with, for following packets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/system/system_graph.h"
#include "fmt/format.h"

namespace fabrictwin::routing {

/// The routers of a graph, numbered from 0, with their ports. A channel is an output port of a router: channel(router,
/// port). Keeps a reference to the graph, which must have an index. Immutable; thread-safe.
class RouterGraph {
 public:
  /// What a port is linked with: a router's port, a host, or nothing.
  struct End {
    int32_t router = -1;
    int32_t port = 0;
    int32_t host = -1;
  };

  explicit RouterGraph(const system::SystemGraph& graph) : graph_(graph), hosts_(graph.host_count()) {
    const int32_t routers = graph.router_count();
    first_.reserve(static_cast<size_t>(routers) + 1);
    first_.push_back(0);
    host_ports_.assign(static_cast<size_t>(routers), -1);
    for (int32_t router = 0; router < routers; ++router) {
      const auto ports = static_cast<int32_t>(graph.elements[hosts_ + router].ports.size());
      most_ports_ = std::max(most_ports_, ports);
      for (int32_t port = 0; port < ports; ++port) {
        const int32_t channel = graph.channel_from(hosts_ + router, port);
        End end;
        if (channel >= 0) {
          const system::LinkEnd& target = graph.channel_target(channel);
          if (target.element < hosts_) {
            end.host = target.element;
            if (host_ports_[router] < 0) host_ports_[router] = port;
          } else {
            end.router = target.element - hosts_;
            end.port = target.port;
          }
        }
        ends_.push_back(end);
        owner_.push_back(router);
      }
      first_.push_back(static_cast<int32_t>(ends_.size()));
    }
  }

  const system::SystemGraph& graph() const { return graph_; }
  int32_t hosts() const { return hosts_; }
  int32_t routers() const { return static_cast<int32_t>(first_.size()) - 1; }
  int32_t ports(int32_t router) const { return first_[router + 1] - first_[router]; }
  int32_t most_ports() const { return most_ports_; }
  const End& peer(int32_t router, int32_t port) const { return ends_[first_[router] + port]; }

  int32_t channels() const { return static_cast<int32_t>(ends_.size()); }
  int32_t channel(int32_t router, int32_t port) const { return first_[router] + port; }
  int32_t channel_router(int32_t channel) const { return owner_[channel]; }
  const End& channel_end(int32_t channel) const { return ends_[channel]; }

  int32_t host_router(int32_t host) const { return graph_.host_router(host) - hosts_; }
  int32_t host_port(int32_t host) const { return graph_.channel_target(graph_.channel_from(host, 0)).port; }
  /// The first port with a host, or -1 if the router has none.
  int32_t first_host_port(int32_t router) const { return host_ports_[router]; }

  const std::string& router_name(int32_t router) const { return graph_.elements[hosts_ + router].name; }
  const std::string& host_name(int32_t host) const { return graph_.elements[host].name; }
  /// "router[0].x+".
  std::string port_name(int32_t router, int32_t port) const {
    const system::Element& element = graph_.elements[hosts_ + router];
    return fmt::format("{}.{}", element.name, element.ports[port]);
  }

 private:
  const system::SystemGraph& graph_;
  int32_t hosts_;
  int32_t most_ports_ = 0;
  std::vector<int32_t> first_;  ///< By router: its first channel, with one more at the end.
  std::vector<int32_t> host_ports_;
  std::vector<End> ends_;  ///< By channel.
  std::vector<int32_t> owner_;
};

}  // namespace fabrictwin::routing
