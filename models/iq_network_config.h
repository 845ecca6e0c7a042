// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From an experiment to its network of input-queued routers.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"
#include "models/iq_network.h"

namespace fabrictwin {

/// Where a link of the graph ends in an IqNetwork. Element -1: at a port of a host that is not used, as hosts use port
/// 0 only.
IqEnd iq_end(const SystemGraph& graph, const LinkEnd& end);

/// InvalidArgument, as a diagnostic with its place, if a pattern of ports names none in a graph with an index, a link
/// is too long, or a router has too many ports or VCs.
absl::Status check_iq_network(const Experiment& experiment, const SystemGraph& graph);

/// The network of a graph with an index, for packets of `min_packet_flits` or more. Errors of check_iq_network(), and
/// if the routing does not suit it.
absl::StatusOr<IqNetwork::Config> make_iq_network_config(const Experiment& experiment, const SystemGraph& graph,
                                                         int32_t min_packet_flits);

/// Flits that a link of the graph's nominal rate carries in a router cycle, at most 1: what a load of 1 means.
double iq_flits_per_cycle(const SystemGraph& graph);

}  // namespace fabrictwin
