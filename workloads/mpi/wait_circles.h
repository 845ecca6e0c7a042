// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds deadlocks among waiting ranks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/mpi/rank_engine.h"

namespace fabrictwin::mpi {

/// One line for each cycle of ranks that wait for each other, with the calls that they are in: "deadlock: rank 0, event
/// 3 (recv) -> rank 1, event 2 (ssend) -> rank 0". `engines` are by rank; null for ranks that are not in this process.
std::vector<std::string> wait_circles(std::span<const RankEngine* const> engines);

}  // namespace fabrictwin::mpi
