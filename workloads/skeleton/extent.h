// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Width, depth and height.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace fabrictwin::skeleton {

/// Width, depth and height of a box or of a grid of ranks.
using Extent = std::array<uint32_t, 3>;

/// Formats an extent: "16x16x32".
std::string to_string(const Extent& extent);

/// Parses "16x16x32": three positive integers. InvalidArgument with the reason.
absl::StatusOr<Extent> parse_extent(std::string_view text);

}  // namespace fabrictwin::skeleton
