// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs over IP in words.
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::ip {

/// Appends the tables of streams and pings; nothing if the report has none.
void add_results(const v1::Report& report, std::string& text);

}  // namespace fabrictwin::ip
