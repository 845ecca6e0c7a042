// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/lattice.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin::routing::lattice {

absl::StatusOr<Lattice> Lattice::create(const system::SystemGraph& graph, const std::string& order) {
  Lattice lattice;
  const auto dims = static_cast<int32_t>(graph.dims.size());
  if (dims < 1 || dims > kMaxDims || std::ranges::any_of(graph.dims, [](int32_t size) { return size > 256; }))
    return absl::InvalidArgumentError(fmt::format("{} is no lattice", graph.topology));
  lattice.axes_ = dims;
  if (absl::Status status = lattice.find_ports(graph); !status.ok()) return status;
  if (absl::Status status = lattice.find_order(order); !status.ok()) return status;
  const int32_t hosts = graph.host_count();
  for (size_t element = static_cast<size_t>(hosts); element < graph.elements.size(); ++element) {
    Point& point = lattice.points_.emplace_back();
    for (int32_t axis = 0; axis < dims; ++axis)
      point.set(axis, graph.elements[element].coordinates[lattice.dimensions_[axis].dimension]);
  }
  for (int32_t host = 0; host < hosts; ++host) {
    const system::LinkEnd& end = graph.channel_target(graph.channel_from(host, 0));
    lattice.host_router_.push_back(end.element - hosts);
    lattice.host_points_.push_back(lattice.points_[end.element - hosts]);
    lattice.host_port_.push_back(static_cast<int16_t>(end.port));
  }
  lattice.find_links(graph);
  return lattice;
}

absl::Status Lattice::find_ports(const system::SystemGraph& graph) {
  const auto refuse = [&](const system::Element& router) {
    return absl::InvalidArgumentError(
        fmt::format("{} is no lattice: {} has not the ports of {} dimensions", graph.topology, router.name, axes_));
  };
  const int32_t hosts = graph.host_count();
  const std::vector<std::string>* first = nullptr;
  for (size_t i = static_cast<size_t>(hosts); i < graph.elements.size(); ++i) {
    const system::Element& router = graph.elements[i];
    if (static_cast<int32_t>(router.coordinates.size()) != axes_) return refuse(router);
    if (first != nullptr) {
      if (router.ports != *first) return refuse(router);
      continue;
    }
    first = &router.ports;
    int32_t d = -1;
    for (size_t port = 0; port < router.ports.size(); ++port) {
      const std::string& name = router.ports[port];
      const auto number = static_cast<int16_t>(port);
      const int32_t channel = graph.channel_from(static_cast<system::ElementId>(i), number);
      const bool minus = name.ends_with('-');
      if (channel >= 0 && graph.channel_target(channel).element < hosts) {
        port_axis_.push_back(-1);
        continue;
      }
      if (!minus && ++d == axes_) return refuse(router);
      if (d < 0) return refuse(router);
      port_axis_.push_back(static_cast<int8_t>(d));
      dimensions_[d].minus = number;
      if (minus) continue;
      dimensions_[d].plus = number;
      // A pair has one port for both directions, with a plain name.
      names_.push_back(name.ends_with('+') ? name.substr(0, name.size() - 1) : name);
    }
    if (d + 1 != axes_) return refuse(router);
  }
  for (int32_t d = 0; d < axes_; ++d) {
    dimensions_[d].size = graph.dims[d];
    dimensions_[d].dimension = static_cast<uint8_t>(d);
  }
  return absl::OkStatus();
}

absl::Status Lattice::find_order(const std::string& order) {
  std::vector<int32_t> chosen;
  size_t at = 0;
  while (at < order.size()) {
    int32_t found = -1;
    for (int32_t d = 0; d < axes_; ++d) {
      if (order.compare(at, names_[d].size(), names_[d]) == 0) found = d;
    }
    if (found < 0 || std::ranges::find(chosen, found) != chosen.end()) {
      return absl::InvalidArgumentError(
          fmt::format("order \"{}\": it names each dimension of {} once; write \"{}\" in any order", order,
                      fmt::join(names_, ", "), fmt::join(names_, "")));
    }
    chosen.push_back(found);
    at += names_[found].size();
  }
  if (chosen.empty()) {
    for (int32_t d = 0; d < axes_; ++d) chosen.push_back(d);
  }
  if (static_cast<int32_t>(chosen.size()) != axes_) {
    return absl::InvalidArgumentError(
        fmt::format("order \"{}\": it leaves dimensions out; write \"{}\" in any order", order, fmt::join(names_, "")));
  }
  const auto by_dimension = dimensions_;
  std::vector<int8_t> axis(chosen.size());
  for (int32_t i = 0; i < axes_; ++i) {
    dimensions_[i] = by_dimension[chosen[i]];
    axis[chosen[i]] = static_cast<int8_t>(i);
    order_ += names_[chosen[i]];
  }
  for (int8_t& of_port : port_axis_) {
    if (of_port >= 0) of_port = axis[of_port];
  }
  return absl::OkStatus();
}

std::string Lattice::reversed_order() const {
  std::string order;
  for (int32_t axis = axes_ - 1; axis >= 0; --axis) order += names_[dimensions_[axis].dimension];
  return order;
}

void Lattice::find_links(const system::SystemGraph& graph) {
  const int32_t hosts = graph.host_count();
  for (int32_t router = 0; router < routers(); ++router) {
    for (int32_t axis = 0; axis < axes_; ++axis) {
      Dimension& dimension = dimensions_[axis];
      for (const int16_t port : {dimension.plus, dimension.minus}) {
        const int32_t channel = graph.channel_from(hosts + router, port);
        next_.push_back(channel < 0 ? -1 : graph.channel_target(channel).element - hosts);
      }
      // Lines end where rings wrap around.
      if (dimension.plus != dimension.minus && dimension.size > 1 && coordinate(router, axis) == dimension.size - 1 &&
          next(router, axis, true) >= 0)
        dimension.ring = has_rings_ = true;
    }
  }
}

}  // namespace fabrictwin::routing::lattice
