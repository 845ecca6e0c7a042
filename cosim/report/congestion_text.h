// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// Adds queues, pauses, trees of congestion, faults and control packets, as far as the report has them.
void add_congestion(const v1::Report& report, std::string& text);

}  // namespace fabrictwin::report
