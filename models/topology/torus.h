// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The k-ary n-cube: mixed-radix torus of routers, one host at each.
#pragma once

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Builds the graph of an experiment's topology. Router ports are numbered as TorusRouting says; port "+" of dimension
/// d of a router is linked with port "-" of the next one around the ring, so a ring of two has two parallel links and a
/// ring of one none.
absl::StatusOr<SystemGraph> build_torus(const Experiment& experiment);

}  // namespace fabrictwin
