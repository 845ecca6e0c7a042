// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/history_site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/dashboards/html/page_data.h"

namespace fabrictwin {
namespace {

using dashboards::history::Better;
using dashboards::history::Trend;
using dashboards::pages::history_site;
using dashboards::pages::SitePage;

Trend made_trend(int64_t series, const std::string& metric, Better better, const std::vector<double>& values) {
  Trend trend{{series, "incast8", "run", "feed"}, {1, metric, "s", better}, "node1", {}, {}};
  for (size_t i = 0; i < values.size(); ++i)
    trend.points.push_back({static_cast<int64_t>(i), "2026-03-01T00:00:00Z", "c" + std::to_string(i), values[i]});
  return trend;
}

TEST(HistorySite, HasAnIndexAndAPageForEachSeries) {
  std::vector<Trend> trends{made_trend(3, "wall", Better::kLower, {1, 1, 2, 2}),
                            made_trend(3, "simulated", Better::kExact, {5, 5, 5, 5}),
                            made_trend(8, "wall", Better::kLower, {1})};
  trends[0].changes = {{2, 1, 2, 0.001}};
  const std::vector<SitePage> site = history_site(trends, {});
  ASSERT_EQ(site.size(), 3u);
  EXPECT_EQ(site[0].file, "index.html");
  EXPECT_EQ(site[1].file, "series-3.html");
  const nlohmann::json links = page_section(page_data(site[0].html), "Series")["pages"];
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0][0], "incast8 (run, experiment feed): 4 results, 1 changes");
  EXPECT_EQ(links[0][1], "series-3.html");

  const nlohmann::json page = page_data(site[1].html);
  const nlohmann::json changes = page_section(page, "Changes");
  ASSERT_EQ(changes["rows"].size(), 1u);
  EXPECT_EQ(changes["rows"][0],
            nlohmann::json::parse(R"(["wall", "3", "2026-03-01T00:00:00Z", "c2", "1 s", "2 s", "+100.0 %"])"));
  const nlohmann::json chart = page_section(page, "wall");
  EXPECT_EQ(chart["curves"][0]["y"], nlohmann::json::parse("[1, 1, 2, 2]"));
  EXPECT_EQ(chart["curves"][1]["y"], nlohmann::json::parse("[1, 1, 2, 2]"));
  EXPECT_EQ(
      chart["x_labels"],
      nlohmann::json::parse(R"(["1: c0 2026-03-01", "2: c1 2026-03-01", "3: c2 2026-03-01", "4: c3 2026-03-01"])"));
  // What never changed is a row, and no chart.
  EXPECT_TRUE(page_section(page, "simulated").is_null());
  EXPECT_EQ(page_section(page, "Metrics that have not changed")["rows"][0][1], "5 s");
}

TEST(HistorySite, RegressionsAreAtTheTop) {
  dashboards::history::CheckResult check;
  check.head = "c2";
  dashboards::history::Finding finding{"incast8", "run", "c1", "c2", {}};
  finding.difference.name = "wall";
  finding.difference.unit = "s";
  finding.difference.base = 1;
  finding.difference.head = 1.5;
  finding.difference.base_count = 8;
  finding.difference.head_count = 8;
  finding.difference.verdict = dashboards::history::Verdict::kWorse;
  check.findings.push_back(finding);
  finding.acknowledged = "<b>wider</b>";
  check.findings.push_back(finding);
  const std::string html = history_site({}, check).front().html;
  const nlohmann::json page = page_data(html);
  EXPECT_EQ(page["alert"], "The newest commit has regressions.");
  const nlohmann::json rows = page_section(page, "Commit c2")["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], nlohmann::json::parse(R"(["regression", "incast8", "wall", "1 s", "1.5 s", "+50.0 %", "c2"])"));
  EXPECT_EQ(rows[1][0], "expected: <b>wider</b>");
  EXPECT_EQ(html.find("<b>wider"), std::string::npos);
}

// There is no share of nothing, and none beyond the largest number.
TEST(HistorySite, ChangesThatAreNoShareSaySo) {
  dashboards::history::CheckResult check;
  check.head = "c2";
  std::vector<Trend> trends;
  for (const auto& [base, head] : {std::pair(0.0, 7.0), std::pair(1e-300, 1e300)}) {
    dashboards::history::Finding finding{"incast8", "run", "c1", "c2", {}};
    finding.difference.base = base;
    finding.difference.head = head;
    finding.difference.base_count = 1;
    finding.difference.head_count = 1;
    finding.difference.verdict = dashboards::history::Verdict::kChanged;
    check.findings.push_back(finding);
    trends.push_back(made_trend(3, "marks", Better::kExact, {base, head}));
    trends.back().changes = {{1, base, head, 0}};
  }
  const std::vector<SitePage> site = history_site(trends, check);
  const nlohmann::json found = page_section(page_data(site[0].html), "Commit c2")["rows"];
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0][5], "from 0");
  EXPECT_EQ(found[1][5], "beyond all bounds");
  const nlohmann::json changes = page_section(page_data(site[1].html), "Changes")["rows"];
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0][6], "from 0");
  EXPECT_EQ(changes[1][6], "beyond all bounds");
}

}  // namespace
}  // namespace fabrictwin
