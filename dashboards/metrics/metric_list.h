// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue of metrics of this program, for people, scripts and docs/metrics.md.
#pragma once

#include <string>

namespace fabrictwin::dashboards::metrics {

/// A metric and its meaning on each line.
std::string metric_list_text();
/// One JSON object with the key "metrics".
std::string metric_list_json();
/// The table of docs/metrics.md, in Markdown.
std::string metric_list_table();

}  // namespace fabrictwin::dashboards::metrics
