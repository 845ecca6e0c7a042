// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/batch_means.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <cstddef>

namespace fabrictwin::traffic {

double student_t_95(size_t degrees) {
  const boost::math::students_t distribution(static_cast<double>(degrees));
  return boost::math::quantile(boost::math::complement(distribution, 0.025));
}

std::optional<double> confidence_95(std::span<const double> batches) {
  if (batches.size() < 2) return std::nullopt;
  const double variance = boost::math::statistics::sample_variance(batches.begin(), batches.end());
  return student_t_95(batches.size() - 1) * std::sqrt(variance / static_cast<double>(batches.size()));
}

}  // namespace fabrictwin::traffic
