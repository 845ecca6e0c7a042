// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/tofu_virtual_torus.h"

namespace fabrictwin::topology::lattice {
namespace {

constexpr int32_t kAxes = 3;

/// A closed path through a plane: `length` on the long axis, and on the short one a pair (2) or a ring of 3. The last
/// zigzag ends next to the start: at 1 of the short axis if the length is even, else at its end, which the ring joins
/// with 0.
std::vector<std::pair<int32_t, int32_t>> path_through(int32_t length, int32_t width) {
  std::vector<std::pair<int32_t, int32_t>> path;
  for (int32_t i = 0; i < length; ++i) path.emplace_back(i, 0);
  bool rising = true;
  for (int32_t i = length - 1; i >= 0; --i) {
    for (int32_t j = 1; j < width; ++j) path.emplace_back(i, rising ? j : width - j);
    rising = !rising;
  }
  return path;
}

}  // namespace

TofuVirtualTorus::TofuVirtualTorus(const TofuSpec& spec)
    : TofuVirtualTorus(spec, {spec.x * kWidths[0], spec.y * kWidths[1], spec.z * kWidths[2]}) {}

TofuVirtualTorus::TofuVirtualTorus(const TofuSpec& spec, const std::array<int32_t, 3>& sizes) : layout_(spec.layout()) {
  for (int32_t axis = 0; axis < kAxes; ++axis) {
    paths_[axis] = sizes[axis] == 1 ? path_through(1, 1) : path_through(sizes[axis] / kWidths[axis], kWidths[axis]);
  }
}

int32_t TofuVirtualTorus::ranks() const {
  const auto [u, v, w] = dims();
  return u * v * w;
}

std::array<int32_t, 3> TofuVirtualTorus::dims() const {
  std::array<int32_t, 3> dims{};
  for (int32_t axis = 0; axis < kAxes; ++axis) dims[axis] = static_cast<int32_t>(paths_[axis].size());
  return dims;
}

int32_t TofuVirtualTorus::host_of(int32_t rank) const {
  const auto [u, v, w] = dims();
  return host_of({rank % u, rank / u % v, rank / u / v % w});
}

int32_t TofuVirtualTorus::host_of(const std::array<int32_t, 3>& position) const {
  std::vector<int32_t> coordinates(2 * kAxes);
  for (int32_t axis = 0; axis < kAxes; ++axis) {
    const auto [along, across] = paths_[axis][position[axis]];
    coordinates[axis] = along;
    coordinates[axis + kAxes] = across;
  }
  return layout_.router_of(coordinates);
}

}  // namespace fabrictwin::topology::lattice
