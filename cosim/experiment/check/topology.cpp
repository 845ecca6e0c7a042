// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/topology.h"

#include <google/protobuf/descriptor.h>

#include <string>

#include "cosim/experiment/check/topology_families.h"
#include "cosim/experiment/check/topology_reader.h"

namespace fabrictwin::experiment {

std::string default_router_clock(const v1::Topology& topology) {
  if (topology.has_tofu()) return std::string(tofu_router_clock(topology.tofu().generation()));
  const auto* kind = topology.GetDescriptor()->FindFieldByNumber(topology.kind_case());
  return (kind == nullptr ? v1::Torus::descriptor() : kind->message_type())->options().GetExtension(v1::router_clock);
}

void check_topology(Experiment& experiment, FieldChecker& fields) {
  const v1::Experiment& message = experiment.message;
  if (!message.has_topology()) {
    fields.complain("",
                    "no topology: an experiment needs a network; write topology { torus { dims: 2 dims: 2 dims: 2 } }");
    return;
  }
  const Frequency clock = experiment.router.clock;
  // Packets have no words, so link rates are not limited by the clock.
  if (experiment.router.model == v1::PACKET) fields.free_rates();
  if (experiment.router.model == v1::INPUT_QUEUED) fields.limit_link_cycles(kMaxInputQueuedLinkCycles);
  const v1::Topology& topology = message.topology();
  experiment.topology = topology.kind_case();
  switch (topology.kind_case()) {
    case v1::Topology::kTorus:
      experiment.torus = check_torus(topology.torus(), experiment.router, fields);
      break;
    case v1::Topology::kExanest:
      experiment.exanest = check_exanest(topology.exanest(), clock, fields);
      break;
    case v1::Topology::kSpineLeaf:
      experiment.spine_leaf = check_spine_leaf(topology.spine_leaf(), clock, fields);
      break;
    case v1::Topology::kTofu:
      experiment.tofu = check_tofu(topology.tofu(), clock, fields);
      break;
    case v1::Topology::kBlueGeneQ:
      experiment.blue_gene_q = check_blue_gene_q(topology.blue_gene_q(), clock, fields);
      break;
    case v1::Topology::kDragonfly:
      experiment.dragonfly = check_dragonfly(topology.dragonfly(), clock, fields);
      break;
    case v1::Topology::kFatTree:
      experiment.fat_tree = check_fat_tree(topology.fat_tree(), clock, fields);
      break;
    case v1::Topology::kSunFireX4600:
      experiment.sun_fire_x4600 = check_sun_fire_x4600(topology.sun_fire_x4600(), clock, fields);
      break;
    case v1::Topology::kGraph:
      experiment.graph = check_graph(topology.graph(), clock, fields);
      break;
    case v1::Topology::KIND_NOT_SET:
      fields.complain("topology", "the topology is empty; write topology { torus { dims: 2 dims: 2 dims: 2 } }");
      break;
  }
}

}  // namespace fabrictwin::experiment
