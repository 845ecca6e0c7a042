// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a lattice of rings and lines: positions of routers and connections of ports. Shared by builder and
// routing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fabrictwin::topology::lattice {

/// A mixed-radix mesh or torus: Torus, Tofu and Blue Gene/Q in topology.proto.
///   - Router = sum of coordinate d times the product of the sizes before d: the first coordinate is the least
///   significant. Host h is host h % hosts_per_router of router h / hosts_per_router, and has `host_ports` links to it.
///   - Ports of a router: for each of its hosts host_ports; then for each dimension "+" and "-". A pair (a line of two
///   in a machine that has one port for it) has one port for both.
///   - A ring of two has two links, "+" to "-" and "-" to "+"; one of one, and the ends of a line, have none.
/// Immutable; thread-safe.
class Layout {
 public:
  struct Dimension {
    int32_t size = 1;
    bool ring = true;
    bool pair = false;  ///< It has one port, named `name`. Its size is 2, and it is not a ring.
    std::string name;   ///< "x".
  };

  Layout(std::vector<Dimension> dimensions, int32_t hosts_per_router, int32_t host_ports);

  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  int32_t dimension_count() const { return static_cast<int32_t>(dimensions_.size()); }
  int32_t size(int32_t dimension) const { return dimensions_[dimension].size; }
  bool ring(int32_t dimension) const { return dimensions_[dimension].ring; }
  /// Sizes of all dimensions.
  std::vector<int32_t> dims() const;
  int32_t routers() const { return routers_; }
  int32_t hosts_per_router() const { return hosts_per_router_; }
  int32_t host_ports() const { return host_ports_; }

  int32_t coordinate(int32_t router, int32_t dimension) const {
    return router / strides_[dimension] % dimensions_[dimension].size;
  }
  std::vector<int32_t> coordinates(int32_t router) const;
  int32_t router_of(const std::vector<int32_t>& coordinates) const;
  int32_t router_of_host(int32_t host) const { return host / hosts_per_router_; }
  /// The next router in a dimension for step +1 or -1; -1 at the end of a line and in a dimension of size one.
  int32_t neighbour(int32_t router, int32_t dimension, int32_t step) const;

  /// The port of its router for link `link` of a host, 0 <= link < host_ports().
  int32_t host_port(int32_t host, int32_t link) const { return host % hosts_per_router_ * host_ports_ + link; }
  int32_t plus_port(int32_t dimension) const { return first_ports_[dimension]; }
  int32_t minus_port(int32_t dimension) const {
    return first_ports_[dimension] + (dimensions_[dimension].pair ? 0 : 1);
  }
  int32_t ports() const { return ports_; }

 private:
  std::vector<Dimension> dimensions_;
  std::vector<int32_t> strides_;
  std::vector<int32_t> first_ports_;
  int32_t routers_ = 1;
  int32_t hosts_per_router_;
  int32_t host_ports_;
  int32_t ports_;
};

}  // namespace fabrictwin::topology::lattice
