// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Medians and spreads of samples, which outliers do not move.
#pragma once

#include <span>
#include <vector>

namespace fabrictwin::dashboards::statistics {

/// The median; the mean of the two in the middle if their number is even, NaN if there are none.
double median(std::vector<double> samples);

/// The standard deviation of a normal distribution whose median absolute deviation is that of the samples:
/// 1.4826 MAD. Zero for less than two samples.
double robust_deviation(std::span<const double> samples);

/// The standard error of the difference of the medians of two sets of samples, by their robust deviations: that of a
/// median is that of a mean times sqrt(pi / 2), for normal distributions. Both sets have samples.
double median_difference_error(std::span<const double> a, std::span<const double> b);

}  // namespace fabrictwin::dashboards::statistics
