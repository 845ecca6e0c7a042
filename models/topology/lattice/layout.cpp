// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/layout.h"

#include <string_view>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::topology::lattice {
namespace {

using Dimension = Layout::Dimension;

std::vector<Dimension> dimensions_of(const experiment::TorusSpec& spec) {
  constexpr std::string_view kNames = "xyzabc";
  std::vector<Dimension> dimensions;
  for (size_t d = 0; d < spec.dims.size(); ++d) {
    dimensions.push_back({spec.dims[d], d >= spec.wrap.size() || spec.wrap[d], false,
                          d < kNames.size() ? std::string(1, kNames[d]) : fmt::format("d{}", d)});
  }
  return dimensions;
}

std::vector<Dimension> dimensions_of(const experiment::TofuSpec& spec) {
  return {{spec.x, true, false, "x"}, {spec.y, true, false, "y"}, {spec.z, true, false, "z"},
          {2, false, true, "a"},      {3, true, false, "b"},      {2, false, true, "c"}};
}

std::vector<Dimension> dimensions_of(const experiment::BlueGeneQSpec& spec) {
  std::vector<Dimension> dimensions;
  for (const int32_t size : spec.dims)
    dimensions.push_back({size, true, false, std::string(1, static_cast<char>('a' + dimensions.size()))});
  dimensions.push_back({2, true, false, "e"});
  return dimensions;
}

}  // namespace

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

Layout::Layout(const experiment::TorusSpec& spec) : Layout(dimensions_of(spec), spec.hosts_per_router, 1) {}
Layout::Layout(const experiment::TofuSpec& spec) : Layout(dimensions_of(spec), 1, spec.tnis) {}
Layout::Layout(const experiment::BlueGeneQSpec& spec) : Layout(dimensions_of(spec), 1, 1) {}

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
