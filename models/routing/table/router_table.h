// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A value for each router and router to go to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/routing/router_graph.h"

namespace fabrictwin {

/// A square matrix over routers, and where hosts are. Value type.
template <typename Value>
class RouterTable {
 public:
  /// Routers of the largest network that is routed by tables: their size grows with the square.
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
  std::vector<Value> values_;  ///< By target, then router: tables are made target by target.
  std::vector<int32_t> host_router_;
  std::vector<int16_t> host_port_;
};

}  // namespace fabrictwin
