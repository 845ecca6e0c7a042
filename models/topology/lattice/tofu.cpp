// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/tofu.h"

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/topology/lattice.h"

namespace fabrictwin {

SystemGraph build_tofu(const Experiment& experiment) {
  const TofuSpec& spec = experiment.tofu;
  return build_lattice(
      TopologyKind::kTofu,
      fmt::format("{} {}x{}x{}x2x3x2", to_lower(v1::TofuGeneration_Name(spec.generation)), spec.x, spec.y, spec.z),
      LatticeLayout(spec), spec.link, spec.host, "tni", experiment);
}

}  // namespace fabrictwin
