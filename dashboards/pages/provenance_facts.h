// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::dashboards::pages {

/// Where a result comes from, as facts of a page: command, program, machine, date.
std::vector<std::pair<std::string, std::string>> provenance_facts(const v1::Provenance& from);

}  // namespace fabrictwin::dashboards::pages
