// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections of a run's page that tell of GPCNeT, faults and what congestion management sends.
#pragma once

#include "dashboards/html/page.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::dashboards::pages {

/// Bars of the congestion impact factors of each test of GPCNeT, and a table of what was measured. Adds nothing if the
/// report has no gpcnet.
void add_gpcnet(const v1::Report& report, html::Page& page);
/// A table of what each fault did, with the columns that at least one of them has. Adds nothing if there are none.
void add_faults(const v1::Report& report, html::Page& page);
/// Marks, acknowledgements, notices and their bytes. Adds nothing if the report has no control.
void add_control(const v1::Report& report, html::Page& page);

}  // namespace fabrictwin::dashboards::pages
