// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The k-ary n-cube, a mixed-radix torus or mesh of routers: docs/models/topologies.md.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "models/topology/lattice/layout.h"

namespace fabrictwin::topology::lattice {

/// See Torus in topology.proto. With one host per router, the numbering is also that of TorusRouting.
struct TorusSpec {
  std::vector<int32_t> dims;
  std::vector<bool> wrap;  ///< For each dimension: true for a ring (also if there are too few), false for a line.
  int32_t hosts_per_router = 1;
  Bandwidth link_rate;
  Time link_latency;
  Bandwidth tile_rate;
  Time tile_latency;

  Layout layout() const;
  /// True if the RTL routers support it: every dimension is a ring and every router has one host.
  bool plain() const;
};

}  // namespace fabrictwin::topology::lattice
