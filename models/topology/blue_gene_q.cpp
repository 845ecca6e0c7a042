// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/blue_gene_q.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/topology/lattice.h"

namespace fabrictwin {

SystemGraph build_blue_gene_q(const Experiment& experiment) {
  const BlueGeneQSpec& spec = experiment.blue_gene_q;
  return build_lattice(TopologyKind::kBlueGeneQ, fmt::format("blue gene/q {}x2", fmt::join(spec.dims, "x")),
                       LatticeLayout(spec), spec.link, spec.host, "nic", experiment);
}

}  // namespace fabrictwin
