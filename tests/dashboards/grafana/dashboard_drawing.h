// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Grafana dashboard as a picture, drawn from the answers of a Prometheus.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/dashboards/grafana/answer.h"
#include "tests/dashboards/grafana/panel_drawing.h"

namespace fabrictwin::test {

/// What of the data a picture shows.
struct DashboardView {
  TimeAxis axis;
  std::map<std::string, std::string> variables;  ///< Values of the variables of queries and titles.
  std::string note;                              ///< What the data are, below the title.
  std::string made_of;                           ///< The source of the picture, for metadata.
};

/// Reads a view: {"start": 0, "end": 60, "step": 1, "unit": "s", "seconds_per_unit": 1, "variables": {}, "note": "",
/// "made_of": ""}, of which only start, end and step must be there. InvalidArgument says what is wrong.
absl::StatusOr<DashboardView> read_view(const nlohmann::json& view);

/// Asks for the series of a query, its variables filled in: at the end of the view if `instant`, else over all of it.
using AskPrometheus = std::function<absl::StatusOr<std::vector<AnswerSeries>>(const std::string& query, bool instant)>;

/// The picture of a dashboard as an XML document: its panels (timeseries, stat, table and row) at their positions. The
/// same answers give the same text. InvalidArgument says what in the dashboard cannot be drawn; errors of `ask` are
/// returned with the panel's title.
absl::StatusOr<std::string> draw_dashboard(const nlohmann::json& dashboard, const DashboardView& view,
                                           const AskPrometheus& ask);

}  // namespace fabrictwin::test
