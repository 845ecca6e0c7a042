// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/layout.h"

#include <utility>

namespace fabrictwin::topology::lattice {

Layout::Layout(std::vector<Dimension> dimensions, int32_t hosts_per_router, int32_t host_ports)
    : dimensions_(std::move(dimensions)),
      hosts_per_router_(hosts_per_router),
      host_ports_(host_ports),
      ports_(hosts_per_router * host_ports) {
  for (const Dimension& dimension : dimensions_) {
    strides_.push_back(routers_);
    routers_ *= dimension.size;
    first_ports_.push_back(ports_);
    ports_ += dimension.pair ? 1 : 2;
  }
}

std::vector<int32_t> Layout::dims() const {
  std::vector<int32_t> dims;
  for (const Dimension& dimension : dimensions_) dims.push_back(dimension.size);
  return dims;
}

std::vector<int32_t> Layout::coordinates(int32_t router) const {
  std::vector<int32_t> coordinates;
  for (int32_t d = 0; d < dimension_count(); ++d) coordinates.push_back(coordinate(router, d));
  return coordinates;
}

int32_t Layout::router_of(const std::vector<int32_t>& coordinates) const {
  int32_t router = 0;
  for (size_t d = 0; d < dimensions_.size(); ++d) router += coordinates[d] * strides_[d];
  return router;
}

int32_t Layout::neighbour(int32_t router, int32_t dimension, int32_t step) const {
  const auto& [size, ring, pair, name] = dimensions_[dimension];
  const int32_t here = coordinate(router, dimension);
  int32_t there = here + step;
  if (size == 1 || (!ring && (there < 0 || there >= size))) return -1;
  there = (there + size) % size;
  return router + (there - here) * strides_[dimension];
}

}  // namespace fabrictwin::topology::lattice
