// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The check of graphs that the user lists router by router.
#pragma once

#include "cosim/experiment/check/topology_reader.h"
#include "fabrictwin/v1/experiment.pb.h"
#include "models/topology/graph/explicit_graph.h"

namespace fabrictwin::topology::graph {

/// Makes checked values of the message that `reader` reads. Mistakes are added to the diagnostics.
GraphSpec check_graph(const v1::Graph& graph, experiment::TopologyReader& reader);

}  // namespace fabrictwin::topology::graph
