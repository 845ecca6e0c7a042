// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;

TEST(TextTest, SplitKeepsEmptyParts) {
  EXPECT_THAT(split("4x4x2", "x,"), ElementsAre("4", "4", "2"));
  EXPECT_THAT(split("", ","), ElementsAre(""));
  EXPECT_THAT(split(",a,", ","), ElementsAre("", "a", ""));
}

TEST(TextTest, StripTakesBothEnds) {
  EXPECT_EQ(strip("  a b\t\r\n"), "a b");
  EXPECT_EQ(strip(" \t"), "");
  EXPECT_EQ(strip(""), "");
}

TEST(TextTest, ChangesCaseOfLettersOnly) {
  EXPECT_EQ(to_upper("uniform_1"), "UNIFORM_1");
  EXPECT_EQ(to_lower("TRUE"), "true");
}

TEST(TextTest, ReadsWholeNumbersOnly) {
  int32_t value = 7;
  EXPECT_TRUE(parse_number("-12", value));
  EXPECT_EQ(value, -12);
  for (const char* text : {"", " 1", "1 ", "+1", "1.0", "0x1", "2147483648", "a"}) {
    EXPECT_FALSE(parse_number(text, value)) << text;
  }
  EXPECT_EQ(value, -12);
  double real = 0;
  EXPECT_TRUE(parse_number("2.5e-1", real));
  EXPECT_EQ(real, 0.25);
}

TEST(TextTest, QuotesWordsForAShell) {
  EXPECT_EQ(shell_word("--set=a.b[0]=1,2"), "'--set=a.b[0]=1,2'");
  EXPECT_EQ(shell_word("dir/a_b-1.textproto"), "dir/a_b-1.textproto");
  EXPECT_EQ(shell_word("a b;$c"), "'a b;$c'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(TextTest, CellsOfCsvHaveQuotesWhereTheyNeedThem) {
  EXPECT_EQ(csv_cell("router[0].x+"), "router[0].x+");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"so\""), "\"say \"\"so\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_cell(""), "");
}

TEST(TextTest, KnowsUtf8) {
  for (const char* text :
       {"", "a", "\xc3\xb6", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const char* text : {"\x80", "\xff", "\xc0\x80", "\xc3", "\xc3(", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "a\xe2\x82"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

}  // namespace
}  // namespace fabrictwin
