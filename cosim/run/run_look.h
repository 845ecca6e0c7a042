// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What partitions do at one moment of wall-clock time, as seen from outside.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/engine/lookahead.h"

namespace fabrictwin::run {

struct PartitionLook {
  Time now;  ///< How far it has come, in simulated time.
  /// Wall-clock time that it has spent simulating; nullopt in another process that was not asked, or did not answer.
  std::optional<uint64_t> busy_ns;
  int32_t waits_for = engine::Lookahead::kNobody;  ///< The index of a partition.
};

struct RunLook {
  double wall_seconds = 0;  ///< Since the simulation began, or how long it took.
  bool ended = false;       ///< The simulation is over, so nobody waits.
  /// False if partitions published their state faster than it could be read; then nobody is known to wait.
  bool waits_known = false;
  std::vector<PartitionLook> partitions;  ///< In the order of the plan; empty before the simulation begins.
};

}  // namespace fabrictwin::run
