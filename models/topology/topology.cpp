// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/topology.h"

#include "models/exanest_routing.h"
#include "models/node_timing.h"
#include "models/topology/exanest.h"
#include "models/topology/torus.h"
#include "models/torus_routing.h"

namespace fabrictwin {

absl::StatusOr<SystemGraph> build_topology(const Experiment& experiment) {
  // Before anything is built: what is wrong with a calibration is the user's.
  if (const auto timing = node_timing(experiment); !timing.ok()) return timing.status();
  if (experiment.topology == v1::Topology::kExanest) return build_exanest(experiment);
  return build_torus(experiment);
}

double topology_hosts(const Experiment& experiment) {
  if (experiment.topology == v1::Topology::kExanest)
    return 1.0 * kFpgasPerQfdb * experiment.exanest.blades * experiment.exanest.qfdbs;
  double hosts = 1;
  for (const int32_t size : experiment.torus.dims) hosts *= size;
  return hosts;
}

std::shared_ptr<const Routing> make_routing(const SystemGraph& graph, const Element& element) {
  if (element.kind == ElementKind::kRouter) return std::make_shared<TorusRouting>(graph.dims, element.coordinates);
  if (is_network_fpga(element)) return std::make_shared<NetworkFpgaRouting>(graph.dims, element.coordinates);
  return std::make_shared<PlainFpgaRouting>(element.address);
}

}  // namespace fabrictwin
