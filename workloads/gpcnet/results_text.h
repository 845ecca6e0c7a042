// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// GPCNeT's tables.
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::gpcnet {

/// Appends the tables of the tool, if the report has its numbers: tests in isolation and beside congestors, and the
/// congestion impact factors.
void add_results(const v1::Report& report, std::string& text);

}  // namespace fabrictwin::gpcnet
