// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What runs are compared by in the goodput window of their experiment.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cosim/study/point/run_metrics.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study::point {

/// Destinations and classes have a column each if there are no more.
inline constexpr size_t kMostApart = 8;

/// Adds the metrics of goodput windows: of all flows, destinations and classes of traffic. `metrics` are those before;
/// tables leave out those of them that are the same over the time of the run.
void add_window_metrics(std::span<const v1::Report* const> reports, std::vector<RunMetric>& metrics);

}  // namespace fabrictwin::study::point
