// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::traffic {

/// Adds what a report has of traffic and its classes, for people.
void add_results(const v1::Report& report, std::string& text);

}  // namespace fabrictwin::traffic
