// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/torus.h"

#include <algorithm>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/topology/lattice/lattice.h"

namespace fabrictwin::topology::lattice {
namespace {

std::string name_of(const experiment::TorusSpec& torus) {
  const auto rings = std::count(torus.wrap.begin(), torus.wrap.end(), true);
  std::string name = fmt::format("{} {}", rings == 0 ? "mesh" : "torus", fmt::join(torus.dims, "x"));
  if (rings > 0 && rings < static_cast<int64_t>(torus.dims.size())) {
    name += " with lines in";
    for (size_t d = 0; d < torus.wrap.size(); ++d) {
      if (!torus.wrap[d]) name += " " + Layout(torus).dimensions()[d].name;
    }
  }
  if (torus.hosts_per_router > 1) name += fmt::format(", {} hosts a router", torus.hosts_per_router);
  return name;
}

}  // namespace

system::SystemGraph build_torus(const experiment::Experiment& experiment) {
  const experiment::TorusSpec& torus = experiment.torus;
  return build_lattice(system::TopologyKind::kTorus, name_of(torus), Layout(torus),
                       {torus.link_rate, torus.link_latency}, {torus.tile_rate, torus.tile_latency}, "tile",
                       experiment);
}

}  // namespace fabrictwin::topology::lattice
