// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/topology.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

namespace fabrictwin::experiment {

std::string default_router_clock(const v1::Topology& topology, const Tenants& tenants) {
  const TopologyCheck* tenant = tenants.topology(topology.kind_case());
  // Without a topology, which is a mistake, no other clock is better.
  if (tenant == nullptr && !tenants.topologies.empty()) tenant = tenants.topologies.front();
  return tenant == nullptr ? "156.25MHz" : tenant->router_clock(topology);
}

void check_topology(Experiment& experiment, const Tenants& tenants, FieldChecker& fields) {
  const v1::Experiment& message = experiment.message;
  if (!message.has_topology()) {
    fields.complain("",
                    "no topology: an experiment needs a network; write topology { torus { dims: 2 dims: 2 dims: 2 } }");
    return;
  }
  const RouterCapabilities& router = experiment.capabilities.of(experiment.router.model);
  if (router.any_rate) fields.free_rates();
  fields.limit_link_cycles(router.most_link_cycles, v1::RouterModel_Name(router.model));
  const v1::Topology& topology = message.topology();
  experiment.topology = topology.kind_case();
  if (topology.kind_case() == v1::Topology::KIND_NOT_SET) {
    fields.complain("topology", "the topology is empty; write topology { torus { dims: 2 dims: 2 dims: 2 } }");
    return;
  }
  const TopologyCheck* tenant = tenants.topology(topology.kind_case());
  if (tenant == nullptr) {
    fields.complain("topology", fmt::format("this program has no topology {}; write another one",
                                            topology.GetDescriptor()->FindFieldByNumber(topology.kind_case())->name()));
    return;
  }
  experiment.topology_traits = tenant->traits(topology);
  experiment.topology_spec = tenant->check(topology, experiment.router, fields);
}

}  // namespace fabrictwin::experiment
