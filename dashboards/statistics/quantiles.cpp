// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/statistics/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace fabrictwin::dashboards::statistics {

double median(std::vector<double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 == 1) return *middle;
  // Their sum may be larger than any number.
  return std::midpoint(*std::max_element(samples.begin(), middle), *middle);
}

// The median_absolute_deviation() of Boost 1.74 returns the size of a sample, where it should return its distance from
// the centre.
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
  const auto error = [](std::span<const double> samples) {
    return robust_deviation(samples) / std::sqrt(static_cast<double>(samples.size()));
  };
  return kOfMean * std::hypot(error(a), error(b));
}

}  // namespace fabrictwin::dashboards::statistics
