// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/statistics/quantiles.h"

#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace fabrictwin::dashboards::statistics {

double median(std::vector<double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  return boost::math::statistics::median(samples);
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
  const auto variance = [](std::span<const double> samples) {
    const double deviation = robust_deviation(samples);
    return deviation * deviation / static_cast<double>(samples.size());
  };
  return kOfMean * std::sqrt(variance(a) + variance(b));
}

}  // namespace fabrictwin::dashboards::statistics
