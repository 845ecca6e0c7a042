// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The dashboard asks for what the program exports, and shows all of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "tests/dashboards/metrics/program_catalogue.h"

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

/// What the queries of all panels mention.
std::set<std::string> shown_by(const nlohmann::json& json) {
  std::set<std::string> shown;
  for (const auto& panel : json.at("panels")) {
    for (const auto& target : panel.value("targets", nlohmann::json::array()))
      shown.merge(names_in(target.at("expr").get<std::string>()));
  }
  return shown;
}

TEST(GrafanaDashboard, AsksForWhatIsExported) {
  const nlohmann::json json = dashboard();
  ASSERT_TRUE(json.is_object());
  std::set<std::string> known;
  for (const auto& metric : program_catalogue()) {
    const std::string name = metric.at("name");
    known.insert(name);
    if (metric.at("type") == "summary") known.insert({name + "_sum", name + "_count"});
  }
  const std::set<std::string> shown = shown_by(json);
  EXPECT_GE(shown.size(), 20u);
  for (const std::string& name : shown) EXPECT_TRUE(known.contains(name)) << name << " is not exported";
}

// The panels of the last row show the metric that the user chooses of those that are scraped, so a new one needs none.
TEST(GrafanaDashboard, ShowsEveryMetric) {
  const nlohmann::json json = dashboard();
  ASSERT_TRUE(json.is_object());
  std::string choice;
  for (const auto& variable : json.at("templating").at("list")) {
    if (variable.at("name") == "metric") choice = variable.at("query").at("query");
  }
  std::smatch names;
  static const std::regex kChoice(R"rx(label_values\(\{__name__=~"([^"]+)"\}, *__name__\))rx");
  ASSERT_TRUE(std::regex_match(choice, names, kChoice)) << choice;
  bool any = false;
  for (const auto& panel : json.at("panels")) {
    for (const auto& target : panel.value("targets", nlohmann::json::array())) any |= target.at("expr") == "$metric";
  }
  EXPECT_TRUE(any) << "no panel shows $metric";
  const std::set<std::string> shown = shown_by(json);
  for (const auto& metric : program_catalogue()) {
    const std::string name = metric.at("name");
    EXPECT_TRUE(shown.contains(name) || std::regex_match(name, std::regex(names[1].str()))) << name;
  }
}

// As Grafana wants it: an id, a position and a source of data for each panel; none covers another.
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
