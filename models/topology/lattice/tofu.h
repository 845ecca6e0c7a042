// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The 6D mesh/torus of Tofu, Tofu2 and TofuD: docs/models/topologies.md.
#pragma once

#include <cstdint>

#include "cosim/experiment/link_spec.h"
#include "fabrictwin/v1/experiment.pb.h"
#include "models/topology/lattice/layout.h"

namespace fabrictwin::topology::lattice {

/// See Tofu in topology.proto. Positions are "x.y.z.a.b.c".
struct TofuSpec {
  v1::TofuGeneration generation = v1::TOFUD;
  int32_t x = 1;
  int32_t y = 1;
  int32_t z = 1;
  int32_t tnis = 1;
  experiment::LinkSpec link;
  experiment::LinkSpec host;  ///< The link of each TNI.

  Layout layout() const;
};

}  // namespace fabrictwin::topology::lattice
