// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean": the nearest of the names that would have been right.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fabrictwin {

/// The candidate with the smallest edit distance from `name` (case counts less than a letter), or an empty view if none
/// is near: more than a third of the longer name wrong. The first of equals wins.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

/// " (did you mean \"link_rate\"?)", or an empty string if nothing is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace fabrictwin
