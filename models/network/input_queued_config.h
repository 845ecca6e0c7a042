// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Derives the network of input-queued routers from an experiment.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/router/input_queued/network.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::network {

/// The end of a link of the graph in an input-queued Network. Element -1: a port of a host that is not used, as hosts
/// use port 0 only.
router::input_queued::End iq_end(const system::SystemGraph& graph, const system::LinkEnd& end);

/// InvalidArgument, as a diagnostic with its location, if a pattern of ports names none in a graph with an index, a
/// link is too long, or a router has too many ports or VCs.
absl::Status check_iq_network(const experiment::Experiment& experiment, const system::SystemGraph& graph);

/// The network of a graph with an index, for packets of `min_packet_flits` or more, with a routing, or that of the
/// experiment. Errors are those of check_iq_network(), and an error if the experiment's routing does not suit the
/// network.
absl::StatusOr<router::input_queued::Network::Config> make_iq_network_config(
    const experiment::Experiment& experiment, const system::SystemGraph& graph, int32_t min_packet_flits,
    std::shared_ptr<const routing::RoutingAlgorithm> routing = nullptr);

/// Flits that a link of the graph's nominal rate carries in a router cycle, at most 1: the meaning of a load of 1.
double iq_flits_per_cycle(const system::SystemGraph& graph);

}  // namespace fabrictwin::network
