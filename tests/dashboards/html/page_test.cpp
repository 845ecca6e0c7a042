// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/html/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dashboards/html/assets.h"
#include "tests/dashboards/html/page_data.h"

namespace fabrictwin {
namespace {

using dashboards::html::Page;
using ::testing::HasSubstr;
using ::testing::Not;

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST(PageTest, HoldsAllThatItNeeds) {
  const std::string html = Page("empty").html();
  EXPECT_THAT(html, HasSubstr("Permission is hereby granted"));  // The licence of uPlot.
  EXPECT_THAT(html, HasSubstr(std::string(dashboards::html::kUplotJs)));
  EXPECT_THAT(html, HasSubstr(std::string(dashboards::html::kPageJs)));
  // No element loads anything: what could are links, scripts, images and styles.
  EXPECT_THAT(html, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"http")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("url(http")));
}

TEST(PageTest, TextOfUsersIsNeverMarkup) {
  const std::string evil = "</script><script>alert('x')</script><!--\"&amp; \\u003c";
  const size_t scripts = count(Page("").html(), "<script");
  Page page(evil);
  page.set_alert(evil);
  page.add_facts(evil, {{evil, evil}});
  page.add_table({evil, {evil}, {{evil}}, evil});
  page.add_chart({evil, {evil, evil}, {evil, evil}, {1}, {{evil, {1}}}, false, evil, {{1, evil}}, {evil}});
  page.add_map({evil, {{evil, evil}}, {{0, 0, false, evil}}, {{0, 0, false, evil, {1}}}, evil});
  page.add_matrix({evil, evil, evil, {evil}, {{evil, evil}}, {{1}}, evil});
  page.add_timeline({evil, {evil, evil}, 1, 1, {evil}, {{evil, {0}, {1}, {50}}}, evil, evil, {evil, evil}});
  page.add_text(evil, evil);
  page.add_picture(evil, evil);
  const std::string html = page.html();
  EXPECT_EQ(count(html, "<script"), scripts);
  EXPECT_THAT(html, Not(HasSubstr("alert('x')</script>")));
  const nlohmann::json data = page_data(html);
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], evil);
  EXPECT_EQ(data["alert"], evil);
  ASSERT_EQ(data["sections"].size(), 8u);
  for (const nlohmann::json& section : data["sections"]) EXPECT_EQ(section["title"], evil);
  EXPECT_EQ(data["sections"][1]["rows"][0][0], evil);
  EXPECT_EQ(data["sections"][2]["x_labels"][0], evil);
  EXPECT_EQ(data["sections"][6]["text"], evil);
}

TEST(PageTest, BytesThatAreNoTextAreReplaced) {
  Page page("a\xff");
  page.add_text("t", std::string("\x80 and \x01", 7));
  const nlohmann::json data = page_data(page.html());
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], "a\xef\xbf\xbd");
  EXPECT_EQ(data["sections"][0]["text"], "\xef\xbf\xbd and \x01");
}

TEST(PageTest, ChartsLeaveOutWhatTheirAxesDoNotHave) {
  Page page("p");
  page.add_chart({"linear", {"x", ""}, {"y", ""}, {0, 1, 2}, {{"c", {0, std::nan(""), INFINITY}}}});
  page.add_chart({"log", {"x", "", 10}, {"y", "", 10}, {0, 1, 10}, {{"c", {5, 0, 3}}, {"short", {7}}}});
  const nlohmann::json data = page_data(page.html());
  const nlohmann::json linear = page_section(data, "linear");
  EXPECT_EQ(linear["x"], nlohmann::json::parse("[0.0, 1.0, 2.0]"));
  EXPECT_EQ(linear["curves"][0]["y"], nlohmann::json::parse("[0.0, null, null]"));
  const nlohmann::json log = page_section(data, "log");
  EXPECT_EQ(log["x"], nlohmann::json::parse("[1.0, 10.0]"));
  EXPECT_EQ(log["curves"][0]["y"], nlohmann::json::parse("[null, 3.0]"));
  EXPECT_EQ(log["curves"][1]["y"], nlohmann::json::parse("[null, null]"));
}

TEST(PageTest, LabelsOfAChartGoWithItsValues) {
  Page page("p");
  dashboards::html::Chart chart{"log", {"x", "", 10}, {"y", ""}, {0, 1, 10}, {{"c", {5, 0, 3}}}};
  page.add_chart(chart);
  EXPECT_FALSE(page_section(page_data(page.html()), "log").contains("x_labels"));
  chart.title = "labelled";
  chart.x_labels = {"none", "c1", "c10"};
  page.add_chart(chart);
  chart.title = "short";
  chart.x_labels.pop_back();
  page.add_chart(chart);
  const nlohmann::json data = page_data(page.html());
  EXPECT_EQ(page_section(data, "labelled")["x"].dump(), "[1.0,10.0]");
  EXPECT_EQ(page_section(data, "labelled")["x_labels"].dump(), R"(["c1","c10"])");
  EXPECT_EQ(page_section(data, "short")["x_labels"].dump(), R"(["c1",""])");
}

TEST(PageTest, ValuesHaveSixDigits) {
  Page page("p");
  page.add_chart({"c", {"x", ""}, {"y", ""}, {1.0 / 3, 1e-300, 1e300}, {{"c", {123456789, -2.0 / 3, 0}}}});
  const nlohmann::json chart = page_section(page_data(page.html()), "c");
  EXPECT_EQ(chart["x"].dump(), "[0.333333,1e-300,1e+300]");
  EXPECT_EQ(chart["curves"][0]["y"].dump(), "[123457000.0,-0.666667,0.0]");
}

}  // namespace
}  // namespace fabrictwin
