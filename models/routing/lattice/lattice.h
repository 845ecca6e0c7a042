// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A torus or mesh as routing sees it: the coordinates of routers, and the dimension of each port.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::routing::lattice {

/// The coordinates of a router.
class Point {
 public:
  /// Call it once for each index of a dimension.
  void set(int32_t axis, int32_t coordinate) { packed_ |= static_cast<uint64_t>(coordinate) << (8 * axis); }
  int32_t coordinate(int32_t axis) const { return static_cast<int32_t>(packed_ >> (8 * axis) & 0xff); }
  /// The index of the first dimension in which two points differ; they must differ.
  int32_t first_difference(Point other) const { return std::countr_zero(packed_ ^ other.packed_) / 8; }
  bool operator==(const Point&) const = default;

 private:
  uint64_t packed_ = 0;  ///< One byte per dimension, the first in the lowest.
};

/// A lattice of routers with any number of hosts at each. Dimensions are those of the graph; an "axis" is a dimension
/// by its position in the order of routing. Immutable; thread-safe.
class Lattice {
 public:
  static constexpr int32_t kMaxDims = 8;

  /// The properties of a dimension that routing needs.
  struct Dimension {
    int32_t size = 1;
    bool ring = false;      ///< The last router is linked with the first.
    uint8_t dimension = 0;  ///< Number in the graph: the bit of PacketRoute::random that breaks ties.
    int16_t plus = 0;       ///< Port in the "+" direction.
    int16_t minus = 0;
  };

  /// Reads the lattice from a graph whose routers have coordinates and, besides those of hosts, ports "NAME+" and
  /// "NAME-" for each dimension in turn, or one port "NAME" for a pair. `order` names the dimensions in the order of
  /// routing, or is empty. InvalidArgument with the reason if the graph is not a lattice, or the order does not name
  /// each dimension once.
  static absl::StatusOr<Lattice> create(const system::SystemGraph& graph, const std::string& order);

  int32_t routers() const { return static_cast<int32_t>(points_.size()); }
  int32_t axes() const { return axes_; }
  const Dimension& at(int32_t axis) const { return dimensions_[axis]; }
  /// Whether any dimension is a ring.
  bool has_rings() const { return has_rings_; }
  /// "xyz": the dimensions in order, by name.
  const std::string& order() const { return order_; }
  /// The dimensions from the last to the first, in the format of create().
  std::string reversed_order() const;

  int32_t router_of(int32_t host) const { return host_router_[host]; }
  /// The port of its router that a host is attached to.
  int32_t host_port(int32_t host) const { return host_port_[host]; }
  /// All coordinates of a router, which identify it.
  Point point(int32_t router) const { return points_[router]; }
  /// The coordinates of a host's router, with a single memory access.
  Point point_of_host(int32_t host) const { return host_points_[host]; }
  int32_t coordinate(int32_t router, int32_t axis) const { return points_[router].coordinate(axis); }
  /// The index of the first dimension in which two routers differ; they must differ.
  int32_t first_difference(int32_t a, int32_t b) const { return points_[a].first_difference(points_[b]); }
  /// The router that "+" or "-" of a dimension leads to, or -1.
  int32_t next(int32_t router, int32_t axis, bool plus) const {
    return next_[static_cast<size_t>(router) * static_cast<size_t>(2 * axes_) +
                 static_cast<size_t>(2 * axis + (plus ? 0 : 1))];
  }
  /// Hops of a shortest route.
  int32_t distance(int32_t a, int32_t b) const {
    int32_t hops = 0;
    for (int32_t axis = 0; axis < axes_; ++axis) {
      const int32_t apart = std::abs(coordinate(a, axis) - coordinate(b, axis));
      hops += dimensions_[axis].ring ? std::min(apart, dimensions_[axis].size - apart) : apart;
    }
    return hops;
  }
  /// The index of the dimension that a port leads along, or -1 for the port of a host.
  int32_t axis_of_port(int32_t port) const { return port_axis_[port]; }

 private:
  Lattice() = default;
  absl::Status find_ports(const system::SystemGraph& graph);
  absl::Status find_order(const std::string& order);
  void find_links(const system::SystemGraph& graph);

  int32_t axes_ = 0;
  bool has_rings_ = false;
  std::array<Dimension, kMaxDims> dimensions_{};
  std::vector<std::string> names_;  ///< By dimension of the graph.
  std::vector<Point> points_;       ///< By router.
  std::vector<Point> host_points_;  ///< By host: the point of its router.
  std::vector<int32_t> next_;       ///< By router, dimension, and "+" or "-".
  std::vector<int32_t> host_router_;
  std::vector<int16_t> host_port_;
  std::vector<int8_t> port_axis_;
  std::string order_;
};

}  // namespace fabrictwin::routing::lattice
