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

}  // namespace

PlotScale::PlotScale(double low, double high, bool log2) : log2_(log2) {
  if (log2) {
    make_log2(std::log2(low), std::log2(high));
  } else {
    make_linear(low, high);
  }
}

double PlotScale::place(double value) const {
  const double at = log2_ ? std::log2(value) : value;
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

void PlotScale::make_log2(double low, double high) {
  const int first = static_cast<int>(std::floor(low + 1e-9));
  int last = static_cast<int>(std::ceil(high - 1e-9));
  if (last <= first) last = first + 1;
  const int step = (last - first + 2 * kMostSteps - 1) / (2 * kMostSteps);
  last = first + (last - first + step - 1) / step * step;
  begin_ = first;
  end_ = last;
  for (int exponent = first; exponent <= last; exponent += step)
    ticks_.push_back({std::exp2(exponent), power_text(exponent)});
}

}  // namespace fabrictwin::dashboards::report
