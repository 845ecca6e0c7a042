// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Units of metrics that are of one dimension: those of time.
#pragma once

#include <string>

namespace fabrictwin::dashboards::history {

/// What a metric is counted under: one that is told in another unit of time is the same.
std::string dimension_of(const std::string& unit);

/// A value in another unit of the same dimension. Powers of ten are divided by as they are multiplied by, so that exact
/// values stay exact.
double in_unit(double value, const std::string& from, const std::string& to);

}  // namespace fabrictwin::dashboards::history
