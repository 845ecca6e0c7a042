// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A report for people.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// The report as plain text: the run, its digests, what the workload measured, the busiest links, the partitions. Long
/// lists are cut, and say so.
std::string report_text(const v1::Report& report);

/// The report as one JSON object on one line: field names as in report.proto, fields with zero value included.
absl::StatusOr<std::string> report_json(const v1::Report& report);

}  // namespace fabrictwin
