// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/coarse_depth.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cosim/link/packet.h"
#include "models/fabric/router_fields.h"
#include "models/network/topology.h"
#include "models/router/input_queued/spec.h"
#include "models/router/packet/spec.h"
#include "models/routing/lattice/lattice.h"

namespace fabrictwin::network {
namespace {

/// A header is on its next link 4 edges after it has been sampled; the last cycle of the switch is on the link. The
/// last word of a packet leaves a buffer before it is on the link, and its credit soon after that, so credits take no
/// time beside that of the word.
constexpr fabric::PipelineSpec kPipeline{
    .routing_delay = 1, .vc_alloc_delay = 1, .switch_alloc_delay = 1, .switch_delay = 2, .credit_delay = 0};
/// Cycles from the edge at which the last word leaves a buffer until the next header of its VC is on the link.
constexpr int64_t kHeaderCycles = 4;

/// Of flits the first cycle on the link is that of the link itself.
constexpr fabric::PipelineSpec kFlitPipeline{
    .routing_delay = 1, .vc_alloc_delay = 1, .switch_alloc_delay = 1, .switch_delay = 1, .credit_delay = 0};

/// Where a word takes two cycles or more, the header behind the last word of a packet has been looked up when that has
/// left the link.
bool looks_ahead(const system::SystemGraph& graph) {
  return Clock::of_words(graph.link_rate, link::kWordBits).period() >= graph.router_clock.edge(2);
}

}  // namespace

experiment::Experiment at_depth(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                                v1::RouterModel depth) {
  experiment::Experiment coarse = experiment;
  coarse.router.model = depth;
  coarse.router.packet_payload = Bytes{link::kMaxPayloadBytes};
  if (depth == v1::INPUT_QUEUED) {
    coarse.router.spec = router::input_queued::InputQueuedSpec{.vc_buffer_flits = experiment.router.buffer_words,
                                                               .switching = v1::VIRTUAL_CUT_THROUGH,
                                                               .arbitration = v1::ROUND_ROBIN,
                                                               .pipeline = kFlitPipeline,
                                                               .internal_speedup = 1,
                                                               .port_buffers = {},
                                                               .beside_words = true,
                                                               .looks_ahead = looks_ahead(graph)};
  } else {
    coarse.router.spec = router::packet::PacketSpec{kPipeline, std::nullopt};
  }
  return coarse;
}

Time turnaround_at_packet_depth(const Clock& router_clock, const Clock& words, int32_t packet_gap) {
  // The last word waits in the output register while the word before it is on the link.
  const Time word = words.period();
  return std::max(router_clock.edge(kHeaderCycles - 2 + packet_gap) - word - word, Time::zero());
}

router::packet::NetworkConfig node_network_config(const system::SystemGraph& graph) {
  std::vector<std::shared_ptr<const routing::Routing>> routers;
  for (const system::Element& element : graph.elements)
    routers.push_back(element.kind == system::ElementKind::kHost ? nullptr : make_routing(graph, element));
  router::packet::NetworkConfig config;
  config.routing = std::make_shared<const routing::lattice::HeaderRouting>(graph, std::move(routers), std::nullopt);
  config.vcs = link::kVcs;
  config.pipeline = kPipeline.latency(graph.router_clock);
  config.credit_delay = graph.router_clock.edge(kPipeline.credit_delay);
  config.clock = graph.router_clock;
  config.max_packet = config.min_packet = link::kMaxPacketWords * link::kWordBytes;
  return config;
}

absl::StatusOr<std::shared_ptr<const routing::lattice::HeaderRouting>> make_header_routing(
    const system::SystemGraph& graph) {
  std::vector<std::shared_ptr<const routing::Routing>> routers;
  for (size_t i = static_cast<size_t>(graph.host_count()); i < graph.elements.size(); ++i)
    routers.push_back(make_routing(graph, graph.elements[i]));
  std::optional<routing::lattice::Lattice> lattice;
  if (graph.family == system::TopologyFamily::kLattice && !graph.routes) {
    absl::StatusOr<routing::lattice::Lattice> made = routing::lattice::Lattice::create(graph, "");
    if (!made.ok()) return made.status();
    made = routing::lattice::Lattice::create(graph, made->reversed_order());
    if (!made.ok()) return made.status();
    lattice = *std::move(made);
  }
  return std::make_shared<const routing::lattice::HeaderRouting>(graph, std::move(routers), std::move(lattice));
}

}  // namespace fabrictwin::network
