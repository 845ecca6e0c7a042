// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Max-min fair rates by water-filling.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fabrictwin::congestion {

/// The max-min fair rates of flows: no flow can have more without another one, which has no more than it, having less
/// (D. Bertsekas, R. Gallager, "Data Networks", section 6.5.2). `capacities` are those of the links, `paths` the links
/// of each flow, none twice. A flow without links gets 0. Thread-safe.
std::vector<double> max_min_rates(std::span<const double> capacities, std::span<const std::vector<uint32_t>> paths);

}  // namespace fabrictwin::congestion
