// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How a board's clock follows simulated time; docs/models/shell.md#modes-of-the-clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fabrictwin::bridges::board::shell {

enum class ClockMode : uint32_t {
  kGated = 0,  ///< It waits for all that arrives: exact at any speed.
  kPaced = 1,  ///< It waits, and does not run ahead of wall-clock time: exact, and late edges are counted.
  kFree = 2,   ///< It waits for nothing: late arrivals are counted, and change the result.
};

/// "gated", "paced", "free".
constexpr std::string_view name_of(ClockMode mode) {
  return mode == ClockMode::kGated ? "gated" : mode == ClockMode::kPaced ? "paced" : "free";
}

/// The mode of that name, if there is one.
constexpr std::optional<ClockMode> clock_mode(std::string_view name) {
  for (const ClockMode mode : {ClockMode::kGated, ClockMode::kPaced, ClockMode::kFree}) {
    if (name == name_of(mode)) return mode;
  }
  return std::nullopt;
}

}  // namespace fabrictwin::bridges::board::shell
