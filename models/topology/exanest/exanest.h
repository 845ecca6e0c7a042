// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNeSt prototype, boards of four MPSoCs in a torus: docs/models/exanet-node.md.
#pragma once

#include <cstdint>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::exanest {

inline constexpr int32_t kFpgasPerQfdb = 4;
/// The most words that a link between boards may buffer: those of the FIFOs of the prototype.
inline constexpr int32_t kMostLinkWords = 1152;

/// See Exanest in topology.proto.
struct ExanestSpec {
  int32_t blades = 1;
  int32_t qfdbs = 1;  ///< The number for each blade.
  Bandwidth link_rate;
  Bandwidth board_rate;
  Time link_latency;
  Time host_latency;
  int32_t link_buffer_words = 128;
};

/// Whether a node is F1 of its board, which has the links to other boards.
inline bool is_network_fpga(const system::Element& element) { return element.address % kFpgasPerQfdb == 0; }

}  // namespace fabrictwin::topology::exanest
