// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/text_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr size_t kMost = 80;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split(text, "\n");
  lines.pop_back();
  return lines;
}

TEST(TextTable, AlignsColumns) {
  report::TextTable table({"name", "number", "text"});
  table.align_left(2);
  table.add({"a", "1", "x"});
  table.add({"longer", "123456789", "y z"});
  EXPECT_EQ(table.text(),
            "  name       number  text\n"
            "  a               1  x\n"
            "  longer  123456789  y z\n");
  EXPECT_THAT(table.text(0), ::testing::StartsWith("name "));
}

TEST(TextTable, CountsCharactersAndNotBytes) {
  report::TextTable table({"name", "text"});
  table.align_left(1);
  table.add({"\u00fc\u00f1", "x"});
  table.add({"ab", "y"});
  EXPECT_EQ(table.text(0), "name  text\n\u00fc\u00f1    x\nab    y\n");
}

TEST(TextTable, LongNamesAreBrokenAtTheirDots) {
  const std::string name = "points[workload.traffic.load=0.25].traffic.accepted_load_of_the_least_node_of_all_of_them";
  report::TextTable table({"metric", "value"});
  table.align_left(0);
  table.add({name, "1.5"});
  const std::string text = table.text(0);
  std::string joined;
  for (const std::string_view line : lines_of(text)) {
    EXPECT_LE(line.size(), 80u);
    joined += line.substr(0, line.find(' '));
  }
  EXPECT_EQ(joined, "metric" + name);
}

TEST(TextTable, AnEmptyOneIsNothing) {
  report::TextTable table({"name", "number"});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.text(), "");
  table.add({"a", "1"});
  EXPECT_FALSE(table.empty());
}

TEST(TextTable, HeadersTakeSeveralLinesWhereItIsTooWide) {
  report::TextTable table(
      {"partition", "a long name of a column", "another long name", "events", "records that came in"});
  table.add({"router[1]", "1", "2", "3", "4"});
  EXPECT_EQ(table.text(),
            "             a long\n"
            "               name  another          records\n"
            "               of a     long             that\n"
            "  partition  column     name  events  came in\n"
            "  router[1]       1        2       3        4\n");
}

TEST(TextTable, TextsTakeSeveralLinesWhereHeadersAreNotEnough) {
  report::TextTable table({"link", "number", "note"});
  table.align_left(2);
  table.add({"qfdb[0].switch[3].f3->qfdb[0].switch[2].f4", "1",
             "words of a note that are too many for what is left of the line"});
  table.add({"b", "2", "short"});
  const std::string text = table.text();
  const std::vector<std::string_view> lines = lines_of(text);
  for (const std::string_view line : lines) EXPECT_LE(line.size(), kMost) << line;
  EXPECT_GT(lines.size(), 3u);
  EXPECT_THAT(lines.back(), HasSubstr("short"));
}

TEST(TextTable, BecomesSeveralWhereItsNumbersAreTooMany) {
  std::vector<std::string> header = {"load", "vcs"};
  std::vector<std::string> row = {"0.5", "2"};
  for (int i = 0; i < 20; ++i) {
    header.push_back("value" + std::to_string(i));
    row.push_back(std::to_string(1000000 + i));
  }
  report::TextTable table(header);
  table.set_keys(2);
  table.add(row);
  table.add(row);
  const std::string text = table.text(0);
  size_t tables = 0;
  for (const std::string_view line : lines_of(text)) {
    EXPECT_LE(line.size(), kMost) << line;
    tables += line.starts_with("load  vcs") ? 1 : 0;
    EXPECT_TRUE(line.empty() || line.starts_with("load  vcs") || line.starts_with("0.5     2")) << line;
  }
  EXPECT_EQ(tables, 3u);
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(text, HasSubstr(" value" + std::to_string(i)));
    EXPECT_THAT(text, HasSubstr(" " + row[static_cast<size_t>(i) + 2]));
  }
}

TEST(Wrapped, GoesOnBelowItself) {
  const std::string word(20, 'x');
  const std::string four = word + " " + word + " " + word;
  EXPECT_EQ(report::wrapped("  name", 10, four + " y z"), "  name    " + four + " y z\n");
  EXPECT_EQ(report::wrapped("  name", 10, four + " " + word), "  name    " + four + "\n          " + word + "\n");
  // 80 columns fit, and not one more.
  const std::string filled(7, 'y');
  EXPECT_EQ(report::wrapped("", 10, four + " " + filled), "          " + four + " " + filled + "\n");
  EXPECT_EQ(report::wrapped("", 10, four + " " + filled + "y"), "          " + four + "\n          " + filled + "y\n");
  // A percent sign stays with its number.
  EXPECT_EQ(report::wrapped("", 0, std::string(76, 'z') + " +5 %"), std::string(76, 'z') + "\n+5 %\n");
  // So do units, but not a name behind a name.
  EXPECT_EQ(report::wrapped("", 0, std::string(75, 'z') + " 20 us, more"), std::string(75, 'z') + "\n20 us, more\n");
  EXPECT_EQ(report::wrapped("", 0, std::string(75, 'z') + " at us more"), std::string(75, 'z') + " at\nus more\n");
  EXPECT_EQ(report::wrapped("a longer name", 4, std::string(90, 'z')), "a longer name " + std::string(90, 'z') + "\n");
}

TEST(Wrapped, ListsEndLinesBetweenParts) {
  const std::string filled(60, 'z');
  EXPECT_EQ(report::wrapped_list("  list", 8, "a b, c d"), "  list  a b, c d\n");
  EXPECT_EQ(report::wrapped_list("  list", 8, filled + ", of two words, c d"),
            "  list  " + filled + ",\n        of two words, c d\n");
  EXPECT_EQ(report::wrapped_list("", 2, "one part"), "  one part\n");
}

TEST(TextTable, AWordThatIsTooLongStaysWhole) {
  const std::string word(100, 'x');
  report::TextTable table({"name", "number"});
  table.add({word, "1"});
  EXPECT_THAT(table.text(), HasSubstr(word));
}

}  // namespace
}  // namespace fabrictwin
