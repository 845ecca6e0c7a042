// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When the outputs of a built network mark packets: docs/models/exanet-congestion.md.
#pragma once

#include "absl/status/statusor.h"
#include "cosim/experiment/hardware_congestion.h"
#include "cosim/link/packet_mark.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology {

/// The rule of marking for a graph, which has its index. InvalidArgument, as a diagnostic with its location, if no
/// queue can be as long as the threshold.
absl::StatusOr<link::PacketMarking> packet_marking(const experiment::HardwareCongestion& congestion,
                                                   const system::SystemGraph& graph);

}  // namespace fabrictwin::topology
