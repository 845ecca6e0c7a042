// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A report as text for people.
#pragma once

#include <string>
#include <string_view>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// The report as plain text: the run, its digests, what its workload has measured, which is `workload`, the busiest
/// links, the partitions. Long lists are cut, which the text says.
std::string report_text(const v1::Report& report, std::string_view workload);

}  // namespace fabrictwin::report
