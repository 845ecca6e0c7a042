// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Placements from a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::placement {

/// Reads the host of each rank, 0 to `hosts` - 1, rank by rank, one per line. "#" begins a comment; lines without a
/// number are ignored. At most `ranks_per_host` ranks are on a host. Errors (InvalidArgument, NotFound) are diagnostics
/// at the line.
absl::StatusOr<std::vector<int32_t>> read_placement(const std::string& file, int32_t hosts, int32_t ranks_per_host);

}  // namespace fabrictwin::placement
