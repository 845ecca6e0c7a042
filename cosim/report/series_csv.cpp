// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/series_csv.h"

#include <fmt/format.h>

namespace fabrictwin::report {

std::string series_csv(const v1::Report& report) {
  const v1::SeriesReport& series = report.series();
  std::string text = "seconds,queue_bytes,pauses,set_aside";
  if (series.points_size() > 0) {
    const v1::SeriesPoint& first = series.points(0);
    for (int i = 0; i < first.class_bytes_size(); ++i) {
      const std::string name = i < report.classes_size() ? report.classes(i).name() : std::string();
      text += name.empty() ? std::string(",traffic_bytes") : fmt::format(",{}_bytes", name);
    }
    for (int i = 0; i < first.flow_bytes_size(); ++i) {
      text += first.flow_bytes_size() == report.flows_size()
                  ? fmt::format(",flow{}_{}_to_{}_bytes", i, report.flows(i).source(), report.flows(i).destination())
                  : std::string(",flows_bytes");
    }
  }
  if (series.points_size() > 0) {
    const v1::SeriesPoint& first = series.points(0);
    for (int i = 0; i < first.flow_rate_bps_size(); ++i) text += fmt::format(",flow{}_rate_bps", i);
    for (int i = 0; i < first.flow_window_bytes_size(); ++i) text += fmt::format(",flow{}_window_bytes", i);
  }
  text += "\n";
  for (const v1::SeriesPoint& point : series.points()) {
    text += fmt::format("{},", point.seconds());
    if (point.has_queue_bytes()) text += fmt::format("{}", point.queue_bytes());
    text += ",";
    if (point.has_pauses()) text += fmt::format("{}", point.pauses());
    text += fmt::format(",{}", point.set_aside());
    for (const uint64_t bytes : point.class_bytes()) text += fmt::format(",{}", bytes);
    for (const uint64_t bytes : point.flow_bytes()) text += fmt::format(",{}", bytes);
    for (const uint64_t rate : point.flow_rate_bps()) text += fmt::format(",{}", rate);
    for (const uint64_t bytes : point.flow_window_bytes()) text += fmt::format(",{}", bytes);
    text += "\n";
  }
  return text;
}

}  // namespace fabrictwin::report
