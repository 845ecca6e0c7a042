// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNeSt prototype: boards of four MPSoCs in a torus. docs/models/exanet-node.md
#pragma once

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

inline constexpr int32_t kFpgasPerQfdb = 4;

/// Processors, logic and links of experiment.exanest.
absl::StatusOr<SystemGraph> build_exanest(const Experiment& experiment);

/// Whether a node is F1 of its board, which has the links to other boards.
inline bool is_network_fpga(const Element& element) { return element.address % kFpgasPerQfdb == 0; }

}  // namespace fabrictwin
