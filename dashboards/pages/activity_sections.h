// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections of a run's page that tell of ranks, links and partitions over time.
#pragma once

#include "dashboards/html/page.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::dashboards::pages {

/// Adds nothing if the report has no message_matrix.
void add_message_matrix(const v1::Report& report, html::Page& page);
/// What each rank did, and a table of it. Adds nothing if the report has no rank_timeline.
void add_rank_timeline(const v1::Report& report, html::Page& page);
/// The mean load and the largest one. Adds nothing if the report has no link_series.
void add_link_series(const v1::Report& report, html::Page& page);
/// Busy and waiting wall time by partition, and a table. Adds nothing if there are no partitions.
void add_partitions(const v1::Report& report, html::Page& page);

}  // namespace fabrictwin::dashboards::pages
