// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/document_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "dashboards/history/database.h"
#include "tests/dashboards/history/made_results.h"
#include "tests/test_folder.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A benchmark of commit `bbbb`, measured three times in turn with `aaaa`, and figures of another machine.
std::vector<Result> benchmarks() {
  std::vector<Result> results;
  for (const double seconds : {9.0, 1.0, 9.0, 3.0, 9.0, 2.0}) {
    Result& made = results.emplace_back(made_result(seconds == 9 ? "aaaa" : "bbbb", static_cast<int>(results.size()),
                                                    {{"loop/1.real_time", "ms", Better::kLower, seconds},
                                                     rate("loop/1.items_per_second", 8.765e6 * seconds),
                                                     {"loop/4.real_time", "ms", Better::kLower, 4 * seconds},
                                                     exact("loop/4.size", 123456)}));
    made.name = "a_bench --filter=(loop|other)$";
    made.kind = "benchmark";
  }
  Result& figures = results.emplace_back(made_result("cccc", 30, {time("seconds", 0.25), exact("zero", 0)}));
  figures.name = "figures --all";
  figures.provenance.set_host("node2");
  return results;
}

absl::StatusOr<std::string> table_of(const std::string& rows) {
  Database database = *Database::open(fresh_file("document_table_test.db"), true);
  EXPECT_TRUE(database.add(benchmarks()).ok());
  const absl::StatusOr<std::vector<TableRow>> read = table_rows(rows, "rows.txt");
  if (!read.ok()) return read.status();
  std::string text;
  const absl::Status status =
      export_table(database, database.keys({}).value(), *read, "rows.txt", [&](std::string_view piece) {
        text += piece;
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return text;
}

TEST(DocumentTable, HasMediansOfTheNewestCommitOfEachName) {
  const std::string text = *table_of(
      "# A comment.\n\n"
      "a [loop](page.md) | loop/1.real_time / loop/1.items_per_second / loop/4.size | <= 3 ms | a_bench "
      "--filter=(loop|other)$\n"
      "four over one | loop/4.real_time over loop/1.real_time | 4 | a_bench --filter=(loop|other)$\n"
      "figures | seconds | - | figures --all \r\n"
      "nothing | seconds | 1 | missing_bench\n");
  EXPECT_THAT(text, HasSubstr("| what | measured | goal | command |\n|---|---|---|---|\n"
                              "| a [loop](page.md) | 2 ms ± 74.1 % / 17.5 M/s ± 74.1 % / 123 k ± 0.0 % | <= 3 ms | "
                              "`a_bench --filter=(loop\\|other)$` |\n"
                              "| four over one | 4 | 4 | `a_bench --filter=(loop\\|other)$` |\n"
                              "| figures | 0.25 s | - | `figures --all` |\n"
                              "| nothing | not measured | 1 | `missing_bench` |\n"));
  EXPECT_THAT(text,
              HasSubstr("\nMedians of 3 runs of commit bbbb on node1 (A processor), until 2026-03-01T00:05:00Z.\n"));
  EXPECT_THAT(
      text,
      HasSubstr("\nOne run of commit cccc on node2 (A processor), until 2026-03-01T00:30:00Z: `figures --all`.\n"));
}

TEST(DocumentTable, WhatIsWrongIsSaidAtItsPlace) {
  const auto error_of = [](const std::string& rows) { return std::string(table_of(rows).status().message()); };
  EXPECT_THAT(error_of("a | seconds | figures --all\n"), HasSubstr("rows.txt:1:1: error: a row is WHAT | METRIC"));
  EXPECT_THAT(error_of("a | x y | - | figures --all\n"), HasSubstr("rows.txt:1:5: error: a value is METRIC"));
  EXPECT_THAT(error_of("a | seconds / x over  | - | figures --all\n"), HasSubstr("rows.txt:1:15: error: a value is"));
  EXPECT_THAT(error_of("\na | seconds / second | - | figures --all\n"),
              HasSubstr("rows.txt:2:15: error: results of \"figures --all\" have no metric \"second\"; they have: "
                        "seconds, zero"));
  EXPECT_THAT(error_of("a | seconds over zero | - | figures --all\n"), HasSubstr("rows.txt:1:5: error: the median of"));
  EXPECT_THAT(error_of("# nothing\n"), HasSubstr("rows.txt: error: there is no row in it"));
}

// The page is written by scripts/performance-page. Whoever edits the rows must write the page anew.
TEST(DocumentTable, ThePageOfPerformanceHasTheRowsOfItsFile) {
  const std::vector<TableRow> rows = *table_rows(read_file("tests/bench/performance.txt"), "performance.txt");
  const std::string page = read_file("docs/performance.md");
  const size_t begin = page.find("<!-- table: begin -->");
  const size_t end = page.find("<!-- table: end -->");
  ASSERT_LT(begin, end);
  ASSERT_NE(end, std::string::npos);
  std::vector<std::string> shown;
  std::vector<std::string> wanted;
  const std::string table = page.substr(begin, end - begin);
  const std::string value = "-?[0-9.]+(e[-+][0-9]+)?(/s| [kMG]?[A-Za-z]*(/s)?)?( ± [0-9.]+ %)?";
  const std::regex values(value + "( / " + value + ")*");
  const std::regex line("\\| (.*) \\| (.*) \\| (.*) \\| `.*` \\|");
  for (std::sregex_iterator each(table.begin(), table.end(), line), none; each != none; ++each) {
    shown.push_back(each->str(1) + " | " + each->str(3));
    EXPECT_TRUE(std::regex_match(each->str(2), values)) << each->str(1) << ": " << each->str(2);
  }
  for (const TableRow& row : rows) wanted.push_back(row.what + " | " + row.goal);
  EXPECT_EQ(shown, wanted);
  // What is added by hand stands behind the table, and says so: the next one who writes the page would lose it.
  const std::regex source(
      "(One run|Medians of [0-9]+ runs) of commit [0-9a-f]+\\+? on .*, until [-0-9]+T[:0-9]+Z(: `.*`)?\\.");
  for (const std::string_view each : split(table, "\n")) {
    if (each.empty() || each.starts_with("|") || each.starts_with("<!--")) continue;
    EXPECT_TRUE(std::regex_match(std::string(each), source)) << each;
  }
  // No other number of speeds is written by hand as a table.
  EXPECT_THAT(page.substr(end), Not(HasSubstr("| measured |")));
}

}  // namespace
}  // namespace fabrictwin::dashboards::history::formats
