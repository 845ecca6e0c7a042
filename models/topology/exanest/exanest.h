// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNeSt prototype, boards of four MPSoCs in a torus: docs/models/exanet-node.md.
#pragma once

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::exanest {

inline constexpr int32_t kFpgasPerQfdb = 4;

/// Processors, logic and links of experiment.exanest.
absl::StatusOr<system::SystemGraph> build_exanest(const experiment::Experiment& experiment);

/// Whether a node is F1 of its board, which has the links to other boards.
inline bool is_network_fpga(const system::Element& element) { return element.address % kFpgasPerQfdb == 0; }

}  // namespace fabrictwin::topology::exanest
