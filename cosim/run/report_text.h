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

}  // namespace fabrictwin
