// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Placements that a file says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin {

/// Reads the host of each rank, 0 to `hosts` - 1, rank by rank: one on a line. "#" begins a comment; lines without a
/// number do not count. At most `ranks_per_host` ranks are on a host. Errors (InvalidArgument, NotFound) are
/// diagnostics at the line.
absl::StatusOr<std::vector<int32_t>> read_placement(const std::string& file, int32_t hosts, int32_t ranks_per_host);

}  // namespace fabrictwin
