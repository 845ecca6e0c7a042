// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How sure a ratio of medians is.
#pragma once

#include <cstdint>
#include <span>

namespace fabrictwin::dashboards::statistics {

struct Interval {
  double low = 0;
  double high = 0;
};

/// The interval that has the median of `b` over that of `a` with the given confidence, by the percentile bootstrap
/// (Efron, "Bootstrap methods: another look at the jackknife", 1979) with 2000 resamples, whose random numbers come of
/// `seed`. Both sets have samples; with one sample each, the interval has no width.
Interval ratio_interval(std::span<const double> a, std::span<const double> b, double confidence, uint64_t seed);

}  // namespace fabrictwin::dashboards::statistics
