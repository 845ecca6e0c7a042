// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// The series of a report (statistics.series_interval) as CSV: a row for each interval, with its end in seconds, the
/// longest queue then, pauses so far and set-aside queues, the bytes of each class of traffic and of each flow that
/// arrived in it, and the rate and window that a scheme of congestion management gives each flow then. What the series
/// does not have is left out or empty.
std::string series_csv(const v1::Report& report);

}  // namespace fabrictwin::report
