// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One router with a traffic source and sink at each port, which goes by a table of random routes.
#pragma once

#include <memory>
#include <vector>

#include "tests/rtl/one_way_link.h"
#include "tests/rtl/router_network.h"

namespace fabrictwin::test {

class StarNetwork {
 public:
  /// Destinations that the table knows; several go out at a port.
  static constexpr int kHosts = 40;

  /// Of `options` it takes clocks, seed, eagerness, holds, make_router and the first wave; rates of links differ around
  /// tile_rate.
  explicit StarNetwork(const NetworkOptions& options, int ports = rtl::router::kWideRouterPorts);

  int ports() const { return static_cast<int>(tiles_.size()); }
  Tile& tile(int port) { return *tiles_[port]; }
  engine::Partition& router() { return *router_; }
  const link::LinkCounters& counters(int port) const { return counters_[port]; }
  /// Where a packet for `host` that comes in at `port` and `vc` goes.
  system::RouteTable::Entry route(int port, int vc, int host) const {
    return routes_[(port * link::kVcs + vc) * kHosts + host];
  }

  /// These do what those of RouterNetwork do.
  void add_random_traffic(int packets, int64_t slots);
  absl::Status run(Time quantum, Time until);

 private:
  NetworkOptions options_;
  std::vector<system::RouteTable::Entry> routes_;
  std::vector<std::unique_ptr<OneWayLink>> links_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  std::vector<link::LinkCounters> counters_;
  std::unique_ptr<engine::Partition> router_;
  Time now_;
};

}  // namespace fabrictwin::test
