// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the models PACKET and INPUT_QUEUED in a system whose other routers move words: docs/models/word-edge.md.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/router/packet/tables.h"
#include "models/routing/lattice/header_routing.h"

namespace fabrictwin::network {

/// The experiment as a partition of such routers sees it: router.model is `depth`, with the pipeline of the routers
/// that move words (docs/models/exanet-router.md).
experiment::Experiment at_depth(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                                v1::RouterModel depth);

/// From the end of a packet that leaves the buffer of such a router by a link with slots of `words` until the next one
/// of its VC can leave. Logic with a `packet_gap` below 2 looks ahead (docs/models/exanet-router.md#routing).
Time turnaround_at_packet_depth(const Clock& router_clock, const Clock& words, int32_t packet_gap = 2);

/// The network of nodes of exanest whose routers are packets, without `channels`. Its routing numbers routers as the
/// elements of the graph, and keeps a reference to that.
router::packet::NetworkConfig node_network_config(const system::SystemGraph& graph);

/// What routers that move words do with headers, as one algorithm. Keeps a reference to the graph, which has its route
/// table if it needs one. An error of a lattice is Internal.
absl::StatusOr<std::shared_ptr<const routing::lattice::HeaderRouting>> make_header_routing(
    const system::SystemGraph& graph);

}  // namespace fabrictwin::network
