// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report has of flows, for people and for spreadsheets.
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::flows {

/// Adds all flows, or percentiles by size where there are many.
void add_results(const v1::Report& report, std::string& text);

/// A line for each flow, behind a header.
std::string flows_csv(const v1::Report& report);
/// A line for all flows that have finished, and for those of each size.
std::string bins_csv(const v1::Report& report);

}  // namespace fabrictwin::flows
