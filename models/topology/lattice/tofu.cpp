// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/tofu.h"

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/topology/lattice/lattice.h"

namespace fabrictwin::topology::lattice {

system::SystemGraph build_tofu(const experiment::Experiment& experiment) {
  const experiment::TofuSpec& spec = experiment.tofu;
  return build_lattice(
      system::TopologyKind::kTofu,
      fmt::format("{} {}x{}x{}x2x3x2", to_lower(v1::TofuGeneration_Name(spec.generation)), spec.x, spec.y, spec.z),
      Layout(spec), spec.link, spec.host, "tni", experiment);
}

}  // namespace fabrictwin::topology::lattice
