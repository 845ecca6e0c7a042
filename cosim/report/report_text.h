// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A report as text for people.
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// The report as plain text: the run, its digests, the measurements of the workload, the busiest links, the partitions.
/// Long lists are cut, which the text says.
std::string report_text(const v1::Report& report);

/// Seconds with a unit and four digits: "12.35 ms".
std::string seconds_text(double seconds);
/// A fraction as a percentage: "12.35 %".
std::string percent_text(double share);

}  // namespace fabrictwin::report
