// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections of a run's page that tell of partitions over wall-clock time.
#pragma once

#include "dashboards/html/page.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::dashboards::pages {

/// When each partition was busy, and a table of who waited for whom. Adds nothing if the report has no
/// partition_timeline.
void add_partition_timeline(const v1::Report& report, html::Page& page);

}  // namespace fabrictwin::dashboards::pages
