// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/metric_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cosim/metric/metric.h"
#include "cosim/report/text_table.h"

namespace fabrictwin::dashboards::metrics {

std::string metric_list_text() {
  std::string text = "metrics\n";
  // Names are so long that what is said of them has lines of its own.
  for (const metric::Metric* metric : metric::catalogue()) {
    std::string about(metric->help());
    if (!metric->labels().empty()) about += fmt::format(" (labels: {})", fmt::join(metric->labels(), ", "));
    text += fmt::format("  {}\n{}", metric->name(), report::wrapped("", 6, about));
  }
  return text;
}

std::string metric_list_json() {
  nlohmann::ordered_json metrics = nlohmann::ordered_json::array();
  for (const metric::Metric* metric : metric::catalogue()) {
    nlohmann::ordered_json labels = nlohmann::ordered_json::array();
    for (const std::string_view label : metric->labels()) labels.push_back(label);
    metrics.push_back({{"name", metric->name()},
                       {"type", to_string(metric->kind())},
                       {"unit", metric->unit()},
                       {"labels", std::move(labels)},
                       {"about", metric->help()},
                       {"in_report", metric->in_report()}});
  }
  return nlohmann::ordered_json{{"metrics", std::move(metrics)}}.dump() + "\n";
}

std::string metric_list_table() {
  std::string table = "| metric | type | unit | labels | what it says |\n|---|---|---|---|---|\n";
  for (const metric::Metric* metric : metric::catalogue()) {
    std::string labels;
    for (const std::string_view label : metric->labels())
      labels += fmt::format("{}`{}`", labels.empty() ? "" : ", ", label);
    table += fmt::format("| `{}` | {} | {} | {} | {} |\n", metric->name(), to_string(metric->kind()), metric->unit(),
                         labels, metric->help());
  }
  return table;
}

}  // namespace fabrictwin::dashboards::metrics
