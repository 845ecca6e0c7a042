// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/lattice.h"

#include <utility>

#include "models/topology/graph_builder.h"

namespace fabrictwin::topology::lattice {
namespace {

std::vector<std::string> host_port_names(std::string_view stem, int32_t count) {
  std::vector<std::string> ports;
  if (count == 1) {
    ports.emplace_back(stem);
  } else {
    add_port_names(ports, stem, count);
  }
  return ports;
}

std::vector<std::string> router_port_names(const Layout& layout, std::string_view host_port) {
  std::vector<std::string> ports = host_port_names(host_port, layout.hosts_per_router() * layout.host_ports());
  for (const Layout::Dimension& dimension : layout.dimensions()) {
    if (dimension.pair) {
      ports.push_back(dimension.name);
    } else {
      ports.push_back(dimension.name + "+");
      ports.push_back(dimension.name + "-");
    }
  }
  return ports;
}

}  // namespace

system::SystemGraph build_lattice(std::string name, const Layout& layout, const experiment::LinkSpec& link,
                                  const experiment::LinkSpec& host_link, std::string_view host_port,
                                  const experiment::Experiment& experiment) {
  GraphBuilder builder(std::move(name), experiment, link.rate);
  builder.graph().dims = layout.dims();
  const int32_t each = layout.hosts_per_router();
  const std::vector<std::string> host_ports = host_port_names(host_port, layout.host_ports());
  const std::vector<std::string> router_ports = router_port_names(layout, host_port);
  for (int32_t host = 0; host < layout.routers() * each; ++host) {
    const std::vector<int32_t> coordinates = layout.coordinates(layout.router_of_host(host));
    std::vector<int32_t> position = coordinates;
    if (each > 1) position.push_back(host % each);
    builder.add_host(coordinates, position_text(position), host_ports);
  }
  for (int32_t router = 0; router < layout.routers(); ++router) {
    const std::vector<int32_t> coordinates = layout.coordinates(router);
    builder.add_router(coordinates, position_text(coordinates), router_ports);
  }
  for (int32_t host = 0; host < layout.routers() * each; ++host) {
    for (int32_t k = 0; k < layout.host_ports(); ++k)
      builder.join_host(host, k, layout.router_of_host(host), layout.host_port(host, k), host_link);
  }
  for (int32_t d = 0; d < layout.dimension_count(); ++d) {
    for (int32_t router = 0; router < layout.routers(); ++router) {
      const int32_t next = layout.neighbour(router, d, 1);
      if (next >= 0) builder.join_routers(router, layout.plus_port(d), next, layout.minus_port(d), link);
    }
  }
  return builder.build();
}

}  // namespace fabrictwin::topology::lattice
