// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/statistics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "cosim/base/random.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::statistics {
namespace {

constexpr size_t kResamples = 2000;

/// Head over base; 1 if they are equal, as two zeros are.
double ratio_of(double head, double base) { return head == base ? 1 : head / base; }

double median_of_resample(std::span<const double> samples, RandomStream& random) {
  std::vector<double> resample(samples.size());
  for (double& value : resample) value = samples[random.next_below(samples.size())];
  return median(std::move(resample));
}

}  // namespace

Interval ratio_interval(std::span<const double> a, std::span<const double> b, double confidence, uint64_t seed) {
  if (a.size() == 1 && b.size() == 1) return {ratio_of(b[0], a[0]), ratio_of(b[0], a[0])};
  RandomStream random(seed, 0, RandomPurpose::kStatistics);
  std::vector<double> ratios(kResamples);
  for (double& ratio : ratios) {
    const double base = median_of_resample(a, random);
    ratio = ratio_of(median_of_resample(b, random), base);
  }
  std::sort(ratios.begin(), ratios.end());
  const double tail = (1 - confidence) / 2 * static_cast<double>(kResamples - 1);
  return {ratios[static_cast<size_t>(std::floor(tail))],
          ratios[static_cast<size_t>(std::ceil(static_cast<double>(kResamples - 1) - tail))]};
}

}  // namespace fabrictwin::dashboards::statistics
