// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/header_routing.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace fabrictwin::routing::lattice {

HeaderRouting::HeaderRouting(const system::SystemGraph& graph, std::vector<std::shared_ptr<const Routing>> routers,
                             std::optional<Lattice> lattice)
    : graph_(graph), routers_(std::move(routers)), lattice_(std::move(lattice)) {}

void HeaderRouting::for_each_beginning(int32_t router, const PacketRoute& packet,
                                       const std::function<void(const PacketRoute&)>& visit) const {
  const std::vector<int32_t>& here = graph_.elements[graph_.host_count() + router].coordinates;
  const std::vector<int32_t>& there = router_of(packet.destination).coordinates;
  uint32_t ties = 0;
  for (size_t d = 0; d < graph_.dims.size(); ++d) {
    if (here[d] != there[d] && 2 * std::abs(here[d] - there[d]) == graph_.dims[d]) ties |= uint32_t{1} << d;
  }
  PacketRoute route = packet;
  // Visits all subsets of the ties, the empty one last.
  for (uint32_t random = ties;; random = (random - 1) & ties) {
    route.random = random;
    visit(route);
    if (random == 0) break;
  }
}

void HeaderRouting::options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
                            RouteOptions& options) const {
  const system::Element& there = router_of(route.destination);
  link::PacketHeader header;
  for (size_t d = 0; d < std::min(header.coordinates.size(), there.coordinates.size()); ++d)
    header.coordinates[d] = static_cast<uint8_t>(there.coordinates[d]);
  header.destination = there.address != 0 ? there.address : static_cast<uint32_t>(route.destination);
  header.ties = static_cast<uint8_t>(route.random);
  const Hop hop = routers_[router]->route(header, in_port, in_vc);
  options.add({static_cast<int16_t>(hop.port), false, uint32_t{1} << hop.vc});
}

}  // namespace fabrictwin::routing::lattice
