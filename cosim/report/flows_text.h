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

}  // namespace fabrictwin::report
