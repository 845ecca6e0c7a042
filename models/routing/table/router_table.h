// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A table with a value for each router and destination router.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/routing/router_graph.h"

namespace fabrictwin::routing::table {

/// A square matrix over routers, and the routers and ports of hosts. Value type.
template <typename Value>
class RouterTable {
 public:
  /// Routers of the largest network that is routed by tables: the size grows with the square.
  static constexpr int32_t kMaxRouters = 8192;

  RouterTable(const RouterGraph& routers, Value fill)
      : routers_(static_cast<size_t>(routers.routers())), values_(routers_ * routers_, fill) {
    for (int32_t host = 0; host < routers.hosts(); ++host) {
      host_router_.push_back(routers.host_router(host));
      host_port_.push_back(static_cast<int16_t>(routers.host_port(host)));
    }
  }

  Value& at(int32_t router, int32_t target) {
    return values_[static_cast<size_t>(target) * routers_ + static_cast<size_t>(router)];
  }
  Value at(int32_t router, int32_t target) const {
    return values_[static_cast<size_t>(target) * routers_ + static_cast<size_t>(router)];
  }
  int32_t router_of(int32_t host) const { return host_router_[host]; }
  int16_t host_port(int32_t host) const { return host_port_[host]; }

 private:
  size_t routers_;
  std::vector<Value> values_;  ///< By target, then router, as tables are filled target by target.
  std::vector<int32_t> host_router_;
  std::vector<int16_t> host_port_;
};

}  // namespace fabrictwin::routing::table
