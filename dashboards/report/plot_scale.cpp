// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/plot_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fabrictwin::dashboards::report {
namespace {

constexpr int kMostSteps = 8;  ///< The most steps between ticks.

// A step of 1, 2 or 5 times a power of ten, of which `range` has at most kMostSteps.
double linear_step(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / kMostSteps)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range <= factor * power * kMostSteps) return factor * power;
  }
  return 10 * power;
}

std::string linear_text(double value, double step) {
  const double size = std::max(std::abs(value), step);
  if (size >= 1e6 || step < 1e-4) return fmt::format("{:g}", value);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string power_text(int exponent) {
  static constexpr std::array<const char*, 6> kUnits = {"", " Ki", " Mi", " Gi", " Ti", " Pi"};
  const int unit = exponent / 10;
  if (exponent < 0 || unit >= static_cast<int>(kUnits.size())) return fmt::format("{:g}", std::exp2(exponent));
  return fmt::format("{}{}", 1 << exponent % 10, kUnits[static_cast<size_t>(unit)]);
}

/// The widest digit of the fonts that browsers take where no other is named.
constexpr double kDigitWidth = 7.7;
/// What letters have below the line of the title, and a space.
constexpr double kBelowTitle = 5;

}  // namespace

PlotScale::PlotScale(double low, double high, Kind kind) : kind_(kind) {
  if (kind == Kind::kPowersOfTwo) {
    make_powers(std::log2(low), std::log2(high));
  } else if (kind == Kind::kDecades) {
    make_decades(low, high);
  } else {
    make_linear(low, high);
  }
}

double PlotScale::position(double value) const {
  const double at = kind_ == Kind::kLinear ? value : std::log2(value);
  return (at - begin_) / (end_ - begin_);
}

void PlotScale::make_linear(double low, double high) {
  // The ends are equal, or so close that steps between them would be lost in rounding.
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= std::max(size * 1e-9, 1e-290)) {
    const double apart = size < 1e-280 ? 0.5 : size / 10;
    low -= apart;
    high += apart;
  }
  const double step = linear_step(high - low);
  const double first = std::floor(low / step + 1e-9);
  const double last = std::ceil(high / step - 1e-9);
  begin_ = first * step;
  end_ = last * step;
  for (double index = first; index <= last; ++index) {
    const double value = index == 0 ? 0 : index * step;  // No "-0".
    ticks_.push_back({value, linear_text(value, step)});
  }
}

void PlotScale::make_powers(double low, double high) {
  const int first = static_cast<int>(std::floor(low + 1e-9));
  int last = static_cast<int>(std::ceil(high - 1e-9));
  if (last <= first) last = first + 1;
  const int step = (last - first + kMostSteps - 1) / kMostSteps;
  last = first + (last - first + step - 1) / step * step;
  begin_ = first;
  end_ = last;
  for (int exponent = first; exponent <= last; exponent += step)
    ticks_.push_back({std::exp2(exponent), power_text(exponent)});
}

// Ticks are numbered: three for each decade, or one where there are many decades.
void PlotScale::make_decades(double low, double high) {
  constexpr std::array<double, 3> kFactors{1, 2, 5};
  const auto tick = [&](int number) {
    const int decade = number >= 0 ? number / 3 : -((-number + 2) / 3);
    return kFactors[static_cast<size_t>(number - 3 * decade)] * std::pow(10, decade);
  };
  int first = 3 * static_cast<int>(std::floor(std::log10(low)));
  while (tick(first + 1) <= low * (1 + 1e-9)) ++first;
  int last = first + 1;
  while (tick(last) < high * (1 - 1e-9)) ++last;
  int step = 1;
  if (last - first > kMostSteps) {
    // Whole decades, of which some may be left out.
    first = first >= 0 ? first / 3 : -((-first + 2) / 3);
    last = last >= 0 ? (last + 2) / 3 : -(-last / 3);
    step = 3 * ((last - first + kMostSteps - 1) / kMostSteps);
    last = 3 * first + (3 * (last - first) + step - 1) / step * step;
    first *= 3;
  }
  begin_ = std::log2(tick(first));
  end_ = std::log2(tick(last));
  for (int number = first; number <= last; number += step)
    ticks_.push_back({tick(number), fmt::format("{:g}", tick(number))});
}

double vertical_axis_at(const PlotScale& scale, double least) {
  size_t longest = 0;
  for (const PlotTick& tick : scale.ticks()) longest = std::max(longest, tick.text.size());
  return std::max(least, kAxisTitle + kBelowTitle + kDigitWidth * static_cast<double>(longest) + kTickGap);
}

}  // namespace fabrictwin::dashboards::report
