// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The dashboard asks for what is exported, and shows all of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "dashboards/metrics/metric_catalogue.h"

namespace fabrictwin {
namespace {

nlohmann::json dashboard() {
  std::ifstream file("dashboards/grafana/fabrictwin.json");
  return nlohmann::json::parse(file, nullptr, false);
}

/// Names of series that a query mentions.
std::set<std::string> names_in(const std::string& query) {
  static const std::regex kName("fabrictwin_[a-z_]+");
  std::set<std::string> names;
  for (std::sregex_iterator i(query.begin(), query.end(), kName), end; i != end; ++i) names.insert(i->str());
  return names;
}

TEST(GrafanaDashboard, ShowsEveryMetricAndNoOther) {
  const nlohmann::json json = dashboard();
  ASSERT_TRUE(json.is_object());
  std::set<std::string> shown;
  for (const auto& panel : json.at("panels")) {
    for (const auto& target : panel.value("targets", nlohmann::json::array()))
      shown.merge(names_in(target.at("expr").get<std::string>()));
  }
  std::set<std::string> known;
  for (const dashboards::metrics::Metric* metric : dashboards::metrics::metric_catalogue()) {
    const std::string name(metric->name);
    EXPECT_TRUE(shown.contains(name)) << name << " is on no panel";
    known.insert(name);
    if (metric->type == dashboards::metrics::MetricType::kSummary) known.insert({name + "_sum", name + "_count"});
  }
  for (const std::string& name : shown) EXPECT_TRUE(known.contains(name)) << name << " is not exported";
}

// As Grafana wants it: an id, a place and a source of data for each panel; none covers another.
TEST(GrafanaDashboard, PanelsStandBesideEachOther) {
  std::set<int> ids;
  std::set<std::pair<int, int>> taken;
  const auto whole = dashboard();
  for (const auto& panel : whole.at("panels")) {
    const std::string title = panel.at("title");
    EXPECT_TRUE(ids.insert(panel.at("id").get<int>()).second) << title;
    const auto& place = panel.at("gridPos");
    const int x = place.at("x");
    const int y = place.at("y");
    const int w = place.at("w");
    const int h = place.at("h");
    EXPECT_LE(x + w, 24) << title;
    for (int column = x; column < x + w; ++column) {
      for (int row = y; row < y + h; ++row) EXPECT_TRUE(taken.insert({column, row}).second) << title;
    }
    if (panel.at("type") == "row") continue;
    EXPECT_EQ(panel.at("datasource").at("uid"), "${datasource}") << title;
    EXPECT_FALSE(panel.at("targets").empty()) << title;
  }
}

}  // namespace
}  // namespace fabrictwin
