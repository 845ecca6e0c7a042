// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::dashboards::pages {

/// The report of a run as a page for a browser: what it was, the network with its links by load, ranks, flows, latency,
/// series over time, partitions, and `text`, the report as a terminal shows it. Sections of which the report has
/// nothing are left out; a run that ended early says so at the top.
std::string run_page(const system::SystemGraph& graph, const v1::Report& report, std::string_view text);

}  // namespace fabrictwin::dashboards::pages
