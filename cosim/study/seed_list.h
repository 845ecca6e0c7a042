// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Seeds as an option has them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::study {

/// Reads seeds and ranges of them, both ends included: "7", "1:3", "0:20:5". InvalidArgument, for the option --seeds,
/// if one is neither, or if they are more than a sweep may have.
absl::StatusOr<std::vector<uint64_t>> parse_seeds(std::span<const std::string> texts);

}  // namespace fabrictwin::study
