// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Flows, queues and congestion management in words.
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// Appends what a report says of flows; nothing if it says nothing.
void add_flows(const v1::Report& report, std::string& text);
/// Appends what it says of queues, pauses and what congestion management sent.
void add_congestion(const v1::Report& report, std::string& text);

/// A CSV with a line for each flow of a report, for spreadsheets and other programs. Cells of what a flow has not, as
/// the completion time of one that has not ended, are empty.
std::string flows_csv(const v1::Report& report);

}  // namespace fabrictwin::report
