// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/grafana/panel_unit.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace fabrictwin::test {
namespace {

/// The unit with a prefix for every power of `base` from 0 on.
ShownUnit with_prefix(double size, double base, const std::array<std::string_view, 6>& prefixes,
                      std::string_view name) {
  size_t power = 0;
  double one = 1;
  while (power + 1 < prefixes.size() && size >= base * one) {
    ++power;
    one *= base;
  }
  return {1 / one, fmt::format("{}{}", prefixes[power], name)};
}

ShownUnit of_seconds(double size) {
  constexpr std::pair<double, std::pair<double, std::string_view>> kUnits[] = {
      {1e-6, {1e9, "ns"}}, {1e-3, {1e6, "us"}}, {1, {1e3, "ms"}}, {120, {1, "s"}}, {7200, {1.0 / 60, "min"}}};
  if (size == 0) return {1, "s"};
  for (const auto& [below, unit] : kUnits) {
    if (size < below) return {unit.first, std::string(unit.second)};
  }
  return {1.0 / 3600, "h"};
}

}  // namespace

ShownUnit shown_unit(std::string_view unit, double size) {
  constexpr std::array<std::string_view, 6> kDecimal{"", "k", "M", "G", "T", "P"};
  constexpr std::array<std::string_view, 6> kBinary{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  if (unit == "percentunit") return {100, "%"};
  if (unit == "s") return of_seconds(size);
  if (unit == "bytes") return with_prefix(size, 1024, kBinary, "B");
  if (unit == "bps") return with_prefix(size, 1000, kDecimal, "bit/s");
  if (unit == "Bps") return with_prefix(size, 1000, kDecimal, "B/s");
  // A space keeps the prefix apart from a word.
  constexpr std::array<std::string_view, 6> kCounts{"", "thousand ", "million ", "10^9 ", "10^12 ", "10^15 "};
  if (unit == "ops") return with_prefix(size, 1000, kCounts, "1/s");
  if (unit == "pps") return with_prefix(size, 1000, kCounts, "packets/s");
  // Numbers of five digits are read more easily than thousands.
  if (size < 1e5) return {1, unit == "none" ? "" : std::string(unit)};
  ShownUnit plain = with_prefix(size, 1000, kCounts, unit == "none" ? "" : unit);
  if (plain.name.ends_with(' ')) plain.name.pop_back();
  return plain;
}

std::string value_text(double value, std::string_view unit) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  const ShownUnit shown = shown_unit(unit, std::abs(value));
  const double number = value * shown.factor;
  const double size = std::abs(number);
  std::string text = fmt::format("{:.3g}", number);
  // Whole numbers stay whole, and no exponent is shown where there need not be one.
  if (size >= 100 && size < 1e6) text = fmt::format("{:.0f}", number);
  return shown.name.empty() ? text : fmt::format("{} {}", text, shown.name);
}

}  // namespace fabrictwin::test
