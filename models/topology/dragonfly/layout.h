// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a dragonfly: positions of routers and connections of ports. Shared by builder and routing.
#pragma once

#include <cstdint>

#include "cosim/experiment/link_spec.h"

namespace fabrictwin::topology::dragonfly {

/// See Dragonfly in topology.proto.
struct DragonflySpec {
  int32_t groups = 1;
  int32_t rows = 1;
  int32_t columns = 1;
  int32_t hosts_per_router = 1;
  int32_t row_links = 1;
  int32_t column_links = 1;
  int32_t global_ports = 1;  ///< The number for each router.
  int32_t global_links = 0;  ///< The number for each pair of groups; 0 if there is only one group.
  experiment::LinkSpec local;
  experiment::LinkSpec global;
  experiment::LinkSpec host;
};

/// One end of a global link.
struct GlobalPort {
  int32_t router = 0;  ///< Number among all routers.
  int32_t port = 0;
};

/// A dragonfly whose groups are flattened butterflies of rows x columns routers, as in Cray XC (Faanes et al., "Cray
/// Cascade: a scalable HPC system based on a dragonfly network", 2012).
///   - Router = (group * rows + row) * columns + column. Host = router * hosts_per_router + slot.
///   - Ports: hosts; then, for each other column in rising order, row_links to the router there in the same row; then
///   for each other row column_links to the router there in the same column; then global_ports.
///   - Global links: seen from group g, the other groups are peers 0, 1, ... in the order g + 1, g + 2, ... modulo
///   groups. Link j of peer p is number n = p * global_links + j of the group, and is on port n / size of its router n
///   % size, size being the routers of a group. So the links of a pair of groups are on different routers, and no
///   router has two more than another.
/// Immutable; thread-safe.
class Layout {
 public:
  explicit Layout(const DragonflySpec& spec) : spec_(spec) {}

  int32_t groups() const { return spec_.groups; }
  int32_t rows() const { return spec_.rows; }
  int32_t columns() const { return spec_.columns; }
  int32_t group_size() const { return spec_.rows * spec_.columns; }
  int32_t routers() const { return spec_.groups * group_size(); }
  int32_t hosts() const { return routers() * spec_.hosts_per_router; }
  int32_t hosts_per_router() const { return spec_.hosts_per_router; }
  int32_t row_links() const { return spec_.row_links; }
  int32_t column_links() const { return spec_.column_links; }
  /// Links between each pair of groups.
  int32_t global_links() const { return spec_.global_links; }

  int32_t router_of(int32_t group, int32_t row, int32_t column) const {
    return (group * spec_.rows + row) * spec_.columns + column;
  }
  int32_t router_of_host(int32_t host) const { return host / spec_.hosts_per_router; }
  int32_t group_of(int32_t router) const { return router / group_size(); }
  int32_t row_of(int32_t router) const { return router / spec_.columns % spec_.rows; }
  int32_t column_of(int32_t router) const { return router % spec_.columns; }

  int32_t host_port(int32_t host) const { return host % spec_.hosts_per_router; }
  int32_t first_row_port() const { return spec_.hosts_per_router; }
  int32_t first_column_port() const { return first_row_port() + (spec_.columns - 1) * spec_.row_links; }
  int32_t first_global_port() const { return first_column_port() + (spec_.rows - 1) * spec_.column_links; }
  int32_t ports() const { return first_global_port() + spec_.global_ports; }

  /// The port of a router in `column` to the router of its row in another column; column_port() does this for rows.
  int32_t row_port(int32_t column, int32_t to_column, int32_t link) const {
    return first_row_port() + (to_column - (to_column > column ? 1 : 0)) * spec_.row_links + link;
  }
  int32_t column_port(int32_t row, int32_t to_row, int32_t link) const {
    return first_column_port() + (to_row - (to_row > row ? 1 : 0)) * spec_.column_links + link;
  }
  /// Where link 0 <= j < global_links() between two groups leaves the first group.
  GlobalPort global_port(int32_t from_group, int32_t to_group, int32_t link) const;
  /// The group that a global port of a router leads to, or -1 if it is free. `port` counts from first_global_port().
  int32_t global_peer(int32_t router, int32_t port) const;

 private:
  DragonflySpec spec_;
};

}  // namespace fabrictwin::topology::dragonfly
