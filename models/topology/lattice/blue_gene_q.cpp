// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/blue_gene_q.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/topology/lattice/lattice.h"

namespace fabrictwin::topology::lattice {

system::SystemGraph build_blue_gene_q(const experiment::Experiment& experiment) {
  const experiment::BlueGeneQSpec& spec = experiment.blue_gene_q;
  return build_lattice(system::TopologyKind::kBlueGeneQ, fmt::format("blue gene/q {}x2", fmt::join(spec.dims, "x")),
                       Layout(spec), spec.link, spec.host, "nic", experiment);
}

}  // namespace fabrictwin::topology::lattice
