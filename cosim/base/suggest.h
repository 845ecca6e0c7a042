// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean": suggests the valid name nearest to a wrong one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fabrictwin {

/// The candidate with the smallest edit distance from `name` (case counts less than a letter), or an empty view if none
/// is near, that is if more than a third of the longer name is wrong. The first of several equally near ones wins.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

/// A suggestion to append to an error: " (did you mean \"link_rate\"?)", or an empty string if nothing is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace fabrictwin
