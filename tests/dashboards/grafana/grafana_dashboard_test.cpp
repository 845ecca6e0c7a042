// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The dashboards ask for what the program exports, and show all of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "tests/dashboards/grafana/dashboards.h"
#include "tests/dashboards/metrics/program_catalogue.h"

namespace fabrictwin {
namespace {

/// Names of series that a query mentions.
std::set<std::string> names_in(const std::string& query) {
  static const std::regex kName("fabrictwin_[a-z_]+");
  std::set<std::string> names;
  for (std::sregex_iterator i(query.begin(), query.end(), kName), end; i != end; ++i) names.insert(i->str());
  return names;
}

/// What the queries of all panels of all dashboards mention.
std::set<std::string> shown_by_all() {
  std::set<std::string> shown;
  for (const auto& [name, json] : all_dashboards()) {
    for (const auto& panel : panels_of(json)) {
      for (const auto& target : panel.at("targets")) shown.merge(names_in(target.at("expr").get<std::string>()));
    }
  }
  return shown;
}

TEST(GrafanaDashboard, AsksForWhatIsExported) {
  std::set<std::string> known{"fabrictwin_result"};  // Of fabrictwin history export.
  for (const auto& metric : program_catalogue()) {
    const std::string name = metric.at("name");
    known.insert(name);
    if (metric.at("type") == "summary") known.insert({name + "_sum", name + "_count"});
  }
  const std::set<std::string> shown = shown_by_all();
  EXPECT_GE(shown.size(), 20u);
  for (const std::string& name : shown) EXPECT_TRUE(known.contains(name)) << name << " is not exported";
}

// The panels of the last row of the live dashboard show the metric that the user chooses of those that are scraped, so
// a new one needs none.
TEST(GrafanaDashboard, ShowsEveryMetric) {
  const nlohmann::json json = all_dashboards().at("live.json");
  std::string choice;
  for (const auto& variable : json.at("templating").at("list")) {
    if (variable.at("name") == "metric") choice = variable.at("query").at("query");
  }
  std::smatch names;
  static const std::regex kChoice(R"rx(label_values\(\{__name__=~"([^"]+)"\}, *__name__\))rx");
  ASSERT_TRUE(std::regex_match(choice, names, kChoice)) << choice;
  bool any = false;
  for (const auto& panel : panels_of(json)) {
    for (const auto& target : panel.at("targets")) any |= target.at("expr").get<std::string>().starts_with("$metric{");
  }
  EXPECT_TRUE(any) << "no panel shows $metric";
  const std::set<std::string> shown = shown_by_all();
  for (const auto& metric : program_catalogue()) {
    const std::string name = metric.at("name");
    EXPECT_TRUE(shown.contains(name) || std::regex_match(name, std::regex(names[1].str()))) << name;
  }
}

// As Grafana wants them: an id, a position and a source of data for each panel; none covers another.
TEST(GrafanaDashboard, PanelsStandBesideEachOther) {
  const std::map<std::string, nlohmann::json> dashboards = all_dashboards();
  EXPECT_EQ(dashboards.size(), 5u);
  std::set<std::string> uids;
  for (const auto& [name, json] : dashboards) {
    ASSERT_TRUE(json.is_object()) << name;
    EXPECT_TRUE(uids.insert(json.at("uid").get<std::string>()).second) << name;
    std::set<int> ids;
    std::set<std::pair<int, int>> taken;
    for (const auto& panel : json.at("panels")) {
      const std::string title = name + ": " + panel.at("title").get<std::string>();
      EXPECT_TRUE(ids.insert(panel.at("id").get<int>()).second) << title;
      const auto& position = panel.at("gridPos");
      const int x = position.at("x");
      const int y = position.at("y");
      const int w = position.at("w");
      const int h = position.at("h");
      EXPECT_LE(x + w, 24) << title;
      for (int column = x; column < x + w; ++column) {
        for (int row = y; row < y + h; ++row) EXPECT_TRUE(taken.insert({column, row}).second) << title;
      }
      if (panel.at("type") == "row") continue;
      EXPECT_EQ(panel.at("datasource").at("uid"), "${datasource}") << title;
      EXPECT_FALSE(panel.at("targets").empty()) << title;
    }
  }
}

// Two runs at a time have the same series but for their instance, and a join that ignores it fails.
TEST(GrafanaDashboard, JoinsByInstance) {
  for (const auto& [name, json] : all_dashboards()) {
    for (const auto& panel : panels_of(json)) {
      for (const auto& target : panel.at("targets")) {
        const std::string query = target.at("expr");
        EXPECT_EQ(query.find("on()"), std::string::npos) << name << ": " << query;
        if (query.find("fabrictwin_result") == std::string::npos)
          EXPECT_NE(query.find("instance=~\"$instance\""), std::string::npos) << name << ": " << query;
      }
    }
  }
}

}  // namespace
}  // namespace fabrictwin
