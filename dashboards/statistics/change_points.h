// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a series of measurements changes its level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fabrictwin::dashboards::statistics {

struct ChangePoint {
  size_t index = 0;        ///< Of the first value of the new level.
  double before = 0;       ///< The median of the level before,
  double after = 0;        ///< and of the one that begins.
  double probability = 1;  ///< That values of one level would part as much, by permutations.
  /// The change of the level as a share of the one before.
  double change() const { return before == 0 ? 0 : after / before - 1; }
};

struct ChangePointOptions {
  double alpha = 0.005;       ///< The largest probability of a change point.
  int permutations = 599;     ///< With which the probability is estimated.
  size_t least = 3;           ///< Values of a level.
  double least_change = 0.0;  ///< The least share of a level by which another one differs.
  uint64_t seed = 1;          ///< Of the permutations.
};

/// The points at which the distribution of the values changes, in order: E-divisive means (Matteson and James, "A
/// nonparametric approach for multiple change point analysis of multivariate data", JASA 2014) with the distance
/// |x - y|, after outliers were moved to 4 robust standard deviations from the median of their segment. Segments are
/// split where the energy statistic is largest, as long as a permutation test finds the split significant. A change
/// that is smaller than `least_change`, or than twice the standard error of the medians by the spread of the two
/// levels, is no change point. The time is quadratic in the number of values.
std::vector<ChangePoint> change_points(std::span<const double> values, const ChangePointOptions& options = {});

}  // namespace fabrictwin::dashboards::statistics
