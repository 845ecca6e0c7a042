// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A report for people.
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// The report as plain text: the run, its digests, what the workload measured, the busiest links, the partitions. Long
/// lists are cut, and say so.
std::string report_text(const v1::Report& report);

/// Seconds with a unit and four digits: "12.35 ms".
std::string seconds_text(double seconds);
/// A share in per cent: "12.35 %".
std::string percent_text(double share);

}  // namespace fabrictwin
