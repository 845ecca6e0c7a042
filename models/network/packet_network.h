// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What networks of routers of the model PACKET are refused for once their graph and their routing are known.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/fabric/transport_hosts.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::network {

/// Bytes of packets on a link, with all headers. No packet is larger or smaller.
struct PacketSizes {
  int32_t largest = 0;
  int32_t smallest = 1;
};
/// Those of an experiment whose routers are of the model PACKET. `graph` gives the clock of its routers.
PacketSizes packet_sizes(const experiment::Experiment& experiment, const system::SystemGraph& graph);

/// How hosts of an experiment with a transport send, without what belongs to a run: flow_bytes and flow_signs.
fabric::TransportHosts::Config transport_config(const experiment::Experiment& experiment);

/// Checks an experiment whose routers are of the model PACKET against its graph, which has an index
/// (SystemGraph::build_index()), and its routing: sizes of buffers, queues of inputs, pause and the scheme of
/// congestion management. InvalidArgument with a diagnostic for each mistake, at the field that is wrong.
absl::Status check_packet_network(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                                  const routing::RoutingAlgorithm& routing);

}  // namespace fabrictwin::network
