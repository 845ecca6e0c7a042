// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/statistics/quantiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fabrictwin::dashboards::statistics {

double median(std::vector<double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 == 1) return *middle;
  return (*std::max_element(samples.begin(), middle) + *middle) / 2;
}

double robust_deviation(std::span<const double> samples) {
  constexpr double kNormal = 1.4826;
  if (samples.size() < 2) return 0;
  const double centre = median({samples.begin(), samples.end()});
  std::vector<double> deviations;
  for (const double sample : samples) deviations.push_back(std::abs(sample - centre));
  return kNormal * median(std::move(deviations));
}

double median_difference_error(std::span<const double> a, std::span<const double> b) {
  constexpr double kOfMean = 1.2533;
  const auto variance = [](std::span<const double> samples) {
    const double deviation = robust_deviation(samples);
    return deviation * deviation / static_cast<double>(samples.size());
  };
  return kOfMean * std::sqrt(variance(a) + variance(b));
}

}  // namespace fabrictwin::dashboards::statistics
