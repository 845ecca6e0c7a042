// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/units.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

namespace fabrictwin::dashboards::history {
namespace {

/// The power of ten of a unit of time over a second, or nothing.
std::optional<int> time_exponent(std::string_view unit) {
  static constexpr std::pair<std::string_view, int> kUnits[] = {{"s", 0},   {"seconds", 0}, {"ms", -3},
                                                                {"us", -6}, {"ns", -9},     {"ps", -12}};
  for (const auto& [name, exponent] : kUnits)
    if (name == unit) return exponent;
  return std::nullopt;
}

}  // namespace

std::string dimension_of(const std::string& unit) { return time_exponent(unit).has_value() ? "s" : unit; }

double in_unit(double value, const std::string& from, const std::string& to) {
  if (from == to) return value;
  const int exponent = *time_exponent(from) - *time_exponent(to);
  const double power = std::pow(10.0, std::abs(exponent));
  return exponent > 0 ? value * power : value / power;
}

}  // namespace fabrictwin::dashboards::history
