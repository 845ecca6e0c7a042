// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/exposition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using dashboards::metrics::Exposition;
using dashboards::metrics::parse_exposition;
using ::testing::HasSubstr;

Exposition parsed(std::string_view page) {
  absl::StatusOr<Exposition> exposition = parse_exposition(page);
  EXPECT_TRUE(exposition.ok()) << exposition.status();
  return exposition.ok() ? *std::move(exposition) : Exposition();
}

std::string why_not(std::string_view page) {
  const absl::StatusOr<Exposition> exposition = parse_exposition(page);
  EXPECT_TRUE(absl::IsDataLoss(exposition.status())) << page;
  return std::string(message_of(exposition.status()));
}

TEST(ExpositionTest, ReadsWhatTheFormatAllows) {
  const Exposition page = parsed(
      "# HELP a_total What is counted\n# TYPE a_total counter\n"
      "a_total 12\n\n   # a comment\n"
      "a:b_2\t{ x = \"1\" , y=\"2\", } 1.5e-3 1395066363000\r\n"
      "a:b_2{} -7\n"
      "none{x=\"\"} +3");
  EXPECT_EQ(page.value("a_total"), 12);
  ASSERT_EQ(page.all("a:b_2").size(), 2u);
  EXPECT_EQ(page.all("a:b_2")[0].value, 1.5e-3);
  EXPECT_EQ(page.all("a:b_2")[0].label("x"), "1");
  EXPECT_EQ(page.all("a:b_2")[0].label("y"), "2");
  EXPECT_EQ(page.all("a:b_2")[0].label("z"), "");
  EXPECT_EQ(page.all("a:b_2")[1].value, -7);
  EXPECT_EQ(page.value("none"), 3);
  EXPECT_EQ(page.value("other"), std::nullopt);
  EXPECT_TRUE(page.has_prefix("a_"));
  EXPECT_FALSE(page.has_prefix("b"));
  EXPECT_FALSE(parsed("").has_prefix(""));
}

TEST(ExpositionTest, TakesEscapesOfLabelsBack) {
  const Exposition page = parsed(R"(m{a="say \"hi\"",b="C:\\dir\nnext",c="\t {},=# ü"} 1)");
  EXPECT_EQ(page.all("m")[0].label("a"), "say \"hi\"");
  EXPECT_EQ(page.all("m")[0].label("b"), "C:\\dir\nnext");
  EXPECT_EQ(page.all("m")[0].label("c"), "\\t {},=# ü") << "an escape that is none stays";
}

TEST(ExpositionTest, ReadsValuesThatAreNoNumbers) {
  const Exposition page = parsed("a NaN\nb +Inf\nc -Inf\nd 0\n");
  EXPECT_TRUE(std::isnan(page.all("a")[0].value));
  EXPECT_EQ(page.all("b")[0].value, INFINITY);
  EXPECT_EQ(page.all("c")[0].value, -INFINITY);
  EXPECT_EQ(page.value("a"), std::nullopt);
  EXPECT_EQ(page.value("b"), std::nullopt);
  EXPECT_EQ(page.value("d"), 0);
}

TEST(ExpositionTest, SaysWhichLineHasAnotherForm) {
  EXPECT_THAT(why_not("a 1\n<html>\n"), HasSubstr("line 2 is not in the text format of Prometheus"));
  EXPECT_THAT(why_not("a"), HasSubstr("line 1"));
  EXPECT_THAT(why_not("a b"), HasSubstr("its value is no number"));
  EXPECT_THAT(why_not("a +-1"), HasSubstr("its value is no number"));
  EXPECT_THAT(why_not("a 1 2 3"), HasSubstr("timestamp"));
  EXPECT_THAT(why_not("a 1 x"), HasSubstr("timestamp"));
  EXPECT_THAT(why_not("a{b} 1"), HasSubstr("no ="));
  EXPECT_THAT(why_not("a{b=c} 1"), HasSubstr("not in quotes"));
  EXPECT_THAT(why_not("a{b=\"c} 1"), HasSubstr("not in quotes"));
  EXPECT_THAT(why_not("a{b=\"c\\"), HasSubstr("not in quotes"));
  EXPECT_THAT(why_not("a{b=\"c\"d=\"e\"} 1"), HasSubstr("no , or }"));
  EXPECT_THAT(why_not("a{b=\"c\",b=\"d\"} 1"), HasSubstr("twice"));
  EXPECT_THAT(why_not("a{,} 1"), HasSubstr("no name"));
  EXPECT_THAT(why_not("a{1=\"c\"} 1"), HasSubstr("no name"));
  EXPECT_THAT(why_not("1a 1"), HasSubstr("does not begin"));
}

// Whatever a label holds comes back as it was written.
RC_GTEST_PROP(ExpositionProperty, KeepsAnyLabel, (const std::string& value)) {
  std::string escaped;
  for (const char c : value) escaped += c == '\\' ? "\\\\" : c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(1, c);
  const auto page = parse_exposition("m{l=\"" + escaped + "\"} 1\n");
  RC_ASSERT(page.ok());
  RC_ASSERT(page->all("m")[0].label("l") == value);
}

// Any bytes are a page or an error that says why.
RC_GTEST_PROP(ExpositionProperty, TakesAnyBytes, (const std::string& bytes)) {
  const auto page = parse_exposition(bytes);
  if (!page.ok()) RC_ASSERT(!page.status().message().empty());
  if (page.ok()) RC_ASSERT(page->all("").empty());
}

}  // namespace
}  // namespace fabrictwin
