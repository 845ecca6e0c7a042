// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "dashboards/history/text.h"
#include "tests/dashboards/history/made_results.h"

namespace fabrictwin::dashboards::history {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kOdd = "a \"b\", \\c|<script>";

std::vector<Result> two_results() {
  std::vector<Result> results{made_result("aaaa", 1, {time("wall_seconds", 0.5)}, {{"digest", "x"}}),
                              made_result("bbbb", 2, {time("wall_seconds", 0.25), exact(kOdd, 7)})};
  results[0].id = 1;
  results[1].id = 2;
  return results;
}

TEST(HistoryExport, CsvQuotesWhatItMust) {
  const std::string csv = formats::export_csv(two_results());
  EXPECT_THAT(csv, HasSubstr("id,name,kind,date,commit,machine,metric,value,unit,better\n"));
  EXPECT_THAT(csv, HasSubstr("1,incast8,run,2026-03-01T00:01:00Z,aaaa,node1 (A processor),wall_seconds,0.5,s,lower\n"));
  EXPECT_THAT(csv, HasSubstr("1,incast8,run,2026-03-01T00:01:00Z,aaaa,node1 (A processor),digest,x,,exact\n"));
  EXPECT_THAT(csv, HasSubstr("\"a \"\"b\"\", \\c|<script>\",7,,exact\n"));
}

TEST(HistoryExport, JsonHasEverything) {
  const auto json = nlohmann::json::parse(formats::export_json(two_results()));
  ASSERT_EQ(json["results"].size(), 2u);
  EXPECT_EQ(json["results"][1]["metrics"][1]["metric"], kOdd);
  EXPECT_EQ(json["results"][0]["digests"]["digest"], "x");
  EXPECT_EQ(json["results"][0]["provenance"]["commit"], "aaaa");
}

TEST(HistoryExport, OpenMetricsHasDatesAndEnds) {
  const std::string text = formats::export_openmetrics(two_results());
  EXPECT_THAT(text, HasSubstr("# TYPE fabrictwin_result gauge\n"));
  // 2026-03-01T00:01:00Z.
  EXPECT_THAT(text, HasSubstr("metric=\"wall_seconds\",unit=\"s\",commit=\"aaaa\",machine=\"node1 (A processor)\"} 0.5 "
                              "1772323260\n"));
  EXPECT_THAT(text, HasSubstr("metric=\"a \\\"b\\\", \\\\c|<script>\""));
  EXPECT_TRUE(text.ends_with("# EOF\n"));
}

TEST(HistoryExport, MarkdownOfTheNewestHasNoMarkupOfNames) {
  const std::string text = formats::export_markdown(two_results());
  EXPECT_THAT(text, HasSubstr("### incast8\n"));
  EXPECT_THAT(text, HasSubstr("| metric | value | spread |\n"));
  EXPECT_THAT(text, HasSubstr("| wall\\_seconds | 250 ms |  |\n"));
  EXPECT_THAT(text, Not(HasSubstr("500 ms")));
  EXPECT_THAT(text, HasSubstr("\\|\\<script\\>"));
  EXPECT_THAT(text, HasSubstr("commit bbbb, on node1 (A processor)."));
}

// Commits are measured in turn.
TEST(HistoryExport, MarkdownHasMediansOfOneCommit) {
  std::vector<Result> results;
  for (const double seconds : {9.0, 1.0, 9.0, 3.0, 9.0, 2.0})
    results.push_back(made_result(seconds == 9 ? "aaaa" : "bbbb", static_cast<int>(results.size()),
                                  {time("wall_seconds", seconds)}, {}));
  const std::string text = formats::export_markdown(results);
  EXPECT_THAT(text, HasSubstr("| metric | median of 3 | spread |\n"));
  EXPECT_THAT(text, HasSubstr("| wall\\_seconds | 2 s | 74.1 % |\n"));
}

TEST(HistoryText, ValuesHavePrefixes) {
  EXPECT_EQ(value_text(1.5e-6, "s"), "1.5 us");
  EXPECT_EQ(value_text(83.5e6, "B/s"), "83.5 MB/s");
  EXPECT_EQ(value_text(120, "s"), "120 s");
  EXPECT_EQ(value_text(0, "s"), "0 s");
  EXPECT_EQ(value_text(12, "LUTs"), "12 LUTs");
  EXPECT_EQ(value_text(12, ""), "12");
}

TEST(HistoryText, AnEmptyListSaysSo) { EXPECT_EQ(list_text({}), "There are no such results.\n"); }

}  // namespace
}  // namespace fabrictwin::dashboards::history
