// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dashboards/history/database.h"
#include "dashboards/history/text.h"
#include "fmt/format.h"
#include "tests/dashboards/history/made_results.h"
#include "tests/test_folder.h"

namespace fabrictwin::dashboards::history {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kOdd = "a \"b\", \\c|<script>";

using Export = absl::Status(const Database&, std::span<const ResultKey>, formats::Write);

/// A database with these results, which is made anew.
Database database_of(const std::vector<Result>& results) {
  Database database = *Database::open(fresh_file("export_test.db"), true);
  EXPECT_TRUE(database.add(results).ok());
  return database;
}

std::string text_of(const Database& database, Export write, const ListFilter& filter = {}) {
  std::string text;
  const absl::Status status = write(database, database.keys(filter).value(), [&](std::string_view piece) {
    text += piece;
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  return text;
}

std::string text_of(const std::vector<Result>& results, Export write) { return text_of(database_of(results), write); }

std::vector<Result> two_results() {
  return {made_result("aaaa", 1, {time("wall_seconds", 0.5)}, {{"digest", "x"}}),
          made_result("bbbb", 2, {time("wall_seconds", 0.25), exact(kOdd, 7)})};
}

/// All that makes two exports differ: names that other formats must escape or that sort in another way once they are
/// escaped, metrics that only some results have or that differ in unit or kind only, several experiments of one name,
/// results that are alike, out of order, or without a date.
std::vector<Result> odd_results() {
  std::vector<Result> results;
  int minute = 0;
  const auto add = [&](const std::string& name, const std::string& commit, std::vector<Metric> metrics,
                       std::vector<Text> texts = {}) -> Result& {
    Result& made = results.emplace_back(made_result(commit, ++minute, std::move(metrics), std::move(texts)));
    made.name = name;
    return made;
  };
  for (const std::string name :
       {"a", "a b", "a!", "a\"", "a\\", "a\n", "a#", "a,b", "\u00e9|*_[x](y)<z>&`", "", kOdd.c_str()})
    add(name, "aaaa", {exact(name, 1), exact(name + "!", -0.0), time("t", 1e-9)}, {{name, name}, {"d", "\t\x01"}});
  add("metrics", "0123456789abcdef0123",
      {exact("only in the first", 1), time("t", 3), rate("t", 1e300), exact("t", 0.1)});
  add("metrics", "0123456789ab", {time("t", 1), rate("t", 2), exact("t", 5e-324), {"t", "1/s", Better::kLower, 17}});
  add("metrics", "0123456789ab", {time("t", 2), rate("t", 3), exact("t", 1), {"u\"\\\n", "|s", Better::kLower, 1e22}},
      {{"digest", "0123"}});
  add("metrics", "0123456789ab", {});
  for (const int seed : {1, 2, 3, 2, 1}) {
    Result& made = add("experiments", "bbbb", {exact("x", seed), time("t", 10 * seed + minute)});
    made.provenance.set_experiment("seed: " + std::to_string(seed) + "\nname: \"\\\"\"\n");
    made.provenance.set_dirty(seed == 2);
    made.kind = seed == 3 ? "ru" : "run";
  }
  add("experiments", "aaaa", {exact("x", 7)}).provenance.set_date("2026-02-28T23:59:59Z");
  for (const double value : {1, 2, 3}) {
    // The value of the last one that has it remains.
    Result& made = add("alike", "cccc", {exact("x", value)});
    made.provenance.set_date("2026-03-02T00:00:00Z");
    if (value < 3) made.metrics.push_back(exact("y", value));
  }
  add("no date", "", {exact("x", 1)}).provenance.clear_date();
  add("no date", "v1.0", {exact("x", 2)}).provenance.set_date("yesterday");
  add("machines", "dddd", {time("t", 1)}).provenance.set_host("b");
  Result& other = add("machines", "dddd", {time("t", 2)});
  other.provenance.clear_cpu();
  other.provenance.set_host("a\"|");
  return results;
}

TEST(HistoryExport, CsvQuotesWhatItMust) {
  const std::string csv = text_of(two_results(), formats::export_csv);
  EXPECT_THAT(csv, HasSubstr("id,name,kind,date,commit,machine,metric,value,unit,better\n"));
  EXPECT_THAT(csv, HasSubstr("1,incast8,run,2026-03-01T00:01:00Z,aaaa,node1 (A processor),wall_seconds,0.5,s,lower\n"));
  EXPECT_THAT(csv, HasSubstr("1,incast8,run,2026-03-01T00:01:00Z,aaaa,node1 (A processor),digest,x,,exact\n"));
  EXPECT_THAT(csv, HasSubstr("\"a \"\"b\"\", \\c|<script>\",7,,exact\n"));
}

TEST(HistoryExport, JsonHasEverything) {
  const auto json = nlohmann::json::parse(text_of(two_results(), formats::export_json));
  ASSERT_EQ(json["results"].size(), 2u);
  // By names.
  EXPECT_EQ(json["results"][1]["metrics"][0]["metric"], kOdd);
  EXPECT_EQ(json["results"][0]["digests"]["digest"], "x");
  EXPECT_EQ(json["results"][0]["provenance"]["commit"], "aaaa");
}

TEST(HistoryExport, JsonIsLaidOutAsOneObject) {
  for (const std::vector<Result>& results : {std::vector<Result>(), odd_results()}) {
    const std::string text = text_of(results, formats::export_json);
    EXPECT_EQ(text, nlohmann::ordered_json::parse(text).dump(2) + "\n");
  }
}

TEST(HistoryExport, OpenMetricsHasDatesAndEnds) {
  const std::string text = text_of(two_results(), formats::export_openmetrics);
  EXPECT_THAT(text, HasSubstr("# TYPE fabrictwin_result gauge\n"));
  // 2026-03-01T00:01:00Z.
  EXPECT_THAT(text, HasSubstr("metric=\"wall_seconds\",unit=\"s\",commit=\"aaaa\",machine=\"node1 (A processor)\"} 0.5 "
                              "1772323260\n"));
  EXPECT_THAT(text, HasSubstr("metric=\"a \\\"b\\\", \\\\c|<script>\""));
  EXPECT_TRUE(text.ends_with("# EOF\n"));
}

TEST(HistoryExport, OpenMetricsHasSamplesOfASeriesTogether) {
  const std::string text = text_of(odd_results(), formats::export_openmetrics);
  std::vector<std::string> series;
  int64_t last = 0;
  for (size_t begin = text.find("fabrictwin_result{"); begin != std::string::npos;) {
    const size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    const std::string labels = line.substr(0, line.rfind('}'));
    const int64_t time = std::stoll(line.substr(line.rfind(' ')));
    if (series.empty() || series.back() != labels) {
      series.push_back(labels);
    } else {
      EXPECT_LT(last, time) << line;
    }
    last = time;
    begin = text.find("fabrictwin_result{", end);
  }
  EXPECT_GT(series.size(), 40u);
  EXPECT_TRUE(std::ranges::is_sorted(series));
  EXPECT_EQ(std::ranges::adjacent_find(series), series.end());
}

TEST(HistoryExport, MarkdownOfTheNewestHasNoMarkupOfNames) {
  const std::string text = text_of(two_results(), formats::export_markdown);
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
  const std::string text = text_of(results, formats::export_markdown);
  EXPECT_THAT(text, HasSubstr("| metric | median of 3 | spread |\n"));
  EXPECT_THAT(text, HasSubstr("| wall\\_seconds | 2 s | 74.1 % |\n"));
}

struct Format {
  const char* name;
  Export* write;
};

class HistoryExportFormats : public ::testing::TestWithParam<Format> {};

// The files were written by the first version of the export, which held all results in memory and sorted them there.
TEST_P(HistoryExportFormats, OfOddResultsIsTheSameByteForByte) {
  const Database database = database_of(odd_results());
  EXPECT_EQ(text_of(database, GetParam().write),
            read_file(fmt::format("tests/dashboards/history/data/odd-{}.txt", GetParam().name)));
}

TEST_P(HistoryExportFormats, HasOnlyWhatTheFilterMeans) {
  const Database database = database_of(odd_results());
  const ListFilter filter{.name = "ex*", .commit = "", .limit = 3};
  EXPECT_EQ(text_of(database, GetParam().write, filter),
            read_file(fmt::format("tests/dashboards/history/data/odd-{}-last-3.txt", GetParam().name)));
}

TEST_P(HistoryExportFormats, StopsWhenNobodyTakesIt) {
  const Database database = database_of(odd_results());
  const std::vector<ResultKey> keys = database.keys({}).value();
  // The first pieces, and one in the middle.
  for (const int taken : {0, 1, 3}) {
    int pieces = 0;
    const absl::Status status = GetParam().write(database, keys, [&](std::string_view) {
      return pieces++ < taken ? absl::OkStatus() : absl::UnavailableError("the disk is full");
    });
    EXPECT_EQ(status, absl::UnavailableError("the disk is full"));
    EXPECT_EQ(pieces, taken + 1);
  }
}

TEST_P(HistoryExportFormats, OfARemovedResultIsAnError) {
  Database database = database_of(odd_results());
  const std::vector<ResultKey> keys = database.keys({}).value();
  const std::vector<int64_t> removed = {keys.front().id};
  ASSERT_TRUE(database.remove(removed).ok());
  EXPECT_TRUE(absl::IsNotFound(GetParam().write(database, keys, [](std::string_view) { return absl::OkStatus(); })));
}

INSTANTIATE_TEST_SUITE_P(All, HistoryExportFormats,
                         ::testing::Values(Format{"csv", formats::export_csv}, Format{"json", formats::export_json},
                                           Format{"openmetrics", formats::export_openmetrics},
                                           Format{"markdown", formats::export_markdown}),
                         [](const auto& info) { return std::string(info.param.name); });

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
