// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What limited a run.
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// Appends the link that was used most, the rank that the others waited for, and the partition that simulated longest,
/// each with the command that shows more of it. What a run did not have is left out.
void add_limits(const v1::Report& report, std::string& text);

}  // namespace fabrictwin::report
