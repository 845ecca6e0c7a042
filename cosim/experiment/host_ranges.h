// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts as experiments name them: numbers and ranges.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::experiment {

/// The first and the last host of each range.
using HostRanges = std::vector<std::pair<int32_t, int32_t>>;

/// Parses "0..63,128"; the ranges are in the order of the text. InvalidArgument names the part that is neither a number
/// below 2^24 nor a range from low to high, AlreadyExists the host that is in two ranges.
absl::StatusOr<HostRanges> parse_host_ranges(std::string_view text);

}  // namespace fabrictwin::experiment
