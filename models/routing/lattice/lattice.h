// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A torus or mesh as routing sees it: where routers are, which ports lead along which dimension.
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
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// The coordinates of a router.
class LatticePoint {
 public:
  /// Once for each place.
  void set(int32_t place, int32_t coordinate) { packed_ |= static_cast<uint64_t>(coordinate) << (8 * place); }
  int32_t coordinate(int32_t place) const { return static_cast<int32_t>(packed_ >> (8 * place) & 0xff); }
  /// The first place in which two points differ. They do.
  int32_t first_difference(LatticePoint other) const { return std::countr_zero(packed_ ^ other.packed_) / 8; }
  bool operator==(const LatticePoint&) const = default;

 private:
  uint64_t packed_ = 0;  ///< A byte for each place, the first lowest.
};

/// A lattice of routers, any number of hosts at each. Dimensions are those of the graph; "places" are their places in
/// the order in which routing takes them. Immutable; thread-safe.
class Lattice {
 public:
  static constexpr int32_t kMaxDims = 8;

  /// What routing in one dimension needs.
  struct Dimension {
    int32_t size = 1;
    bool ring = false;      ///< The last router is linked with the first.
    uint8_t dimension = 0;  ///< Its number in the graph: the bit of PacketRoute::draw that decides where both ways
                            ///< round are equally long.
    int16_t plus = 0;       ///< Ports.
    int16_t minus = 0;
  };

  /// Reads the lattice from a graph whose routers have coordinates and, besides those of hosts, ports "NAME+" and
  /// "NAME-" for each dimension in turn, or one port "NAME" for a pair. `order` names the dimensions in the order of
  /// routing, or is empty. InvalidArgument with the reason if the graph is no lattice, or the order does not name each
  /// dimension once.
  static absl::StatusOr<Lattice> create(const SystemGraph& graph, const std::string& order);

  int32_t routers() const { return static_cast<int32_t>(points_.size()); }
  int32_t places() const { return places_; }
  const Dimension& at(int32_t place) const { return dimensions_[place]; }
  /// Whether any dimension is a ring.
  bool has_rings() const { return has_rings_; }
  /// "xyz": the dimensions in order, by name.
  const std::string& order() const { return order_; }
  /// The same from the last to the first, as create() takes it.
  std::string reversed_order() const;

  int32_t router_of(int32_t host) const { return host_router_[host]; }
  /// The port of its router that a host hangs on.
  int32_t host_port(int32_t host) const { return host_port_[host]; }
  /// All coordinates of a router, which say which one it is.
  LatticePoint point(int32_t router) const { return points_[router]; }
  /// The same of the router of a host, in one look at memory.
  LatticePoint point_of_host(int32_t host) const { return host_points_[host]; }
  int32_t coordinate(int32_t router, int32_t place) const { return points_[router].coordinate(place); }
  /// The first place in which two routers differ. They do.
  int32_t first_difference(int32_t a, int32_t b) const { return points_[a].first_difference(points_[b]); }
  /// The router that "+" or "-" of a place leads to, or -1.
  int32_t next(int32_t router, int32_t place, bool plus) const {
    return next_[static_cast<size_t>(router) * static_cast<size_t>(2 * places_) +
                 static_cast<size_t>(2 * place + (plus ? 0 : 1))];
  }
  /// Hops of a shortest way.
  int32_t distance(int32_t a, int32_t b) const {
    int32_t hops = 0;
    for (int32_t place = 0; place < places_; ++place) {
      const int32_t apart = std::abs(coordinate(a, place) - coordinate(b, place));
      hops += dimensions_[place].ring ? std::min(apart, dimensions_[place].size - apart) : apart;
    }
    return hops;
  }
  /// The place of the dimension that a port leads along, or -1 for the port of a host.
  int32_t place_of_port(int32_t port) const { return port_place_[port]; }

 private:
  Lattice() = default;
  absl::Status find_ports(const SystemGraph& graph);
  absl::Status find_order(const std::string& order);
  void find_links(const SystemGraph& graph);

  int32_t places_ = 0;
  bool has_rings_ = false;
  std::array<Dimension, kMaxDims> dimensions_{};
  std::vector<std::string> names_;         ///< By dimension of the graph.
  std::vector<LatticePoint> points_;       ///< By router.
  std::vector<LatticePoint> host_points_;  ///< By host: of its router.
  std::vector<int32_t> next_;              ///< By router, place, and "+" or "-".
  std::vector<int32_t> host_router_;
  std::vector<int16_t> host_port_;
  std::vector<int8_t> port_place_;
  std::string order_;
};

}  // namespace fabrictwin
