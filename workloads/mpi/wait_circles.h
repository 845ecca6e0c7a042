// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Why ranks that wait will wait for ever.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/mpi/rank_engine.h"

namespace fabrictwin {

/// One line for each circle of ranks that wait for each other, by the calls that they are in: "deadlock: rank 0, event
/// 3 (recv) -> rank 1, event 2 (ssend) -> rank 0". `engines` by rank; null where a rank is not in this process.
std::vector<std::string> wait_circles(std::span<const RankEngine* const> engines);

}  // namespace fabrictwin
