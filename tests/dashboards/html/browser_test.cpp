// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A page with all that pages can have, in a real browser.
#include "tests/dashboards/html/browser.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "dashboards/html/page.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using dashboards::html::Chart;
using dashboards::html::Page;
using test::attribute;
using test::document;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Page page() {
  Page page("A page <b>&amp;</b>");
  page.add_facts("Summary", {{"<script>x()</script>", "</dd><img src=x onerror=x()>"}});
  Chart wave{"Wave", {"x", "s"}, {"y", ""}, {}, {{"sine", {}}, {"cosine", {}}}};
  for (int i = 0; i <= 400; ++i) {
    wave.x.push_back(i);
    wave.curves[0].y.push_back(std::sin(i / 40.0));
    wave.curves[1].y.push_back(std::cos(i / 40.0));
  }
  page.add_chart(wave);
  page.add_chart(
      {"Logs", {"x", "B", 2}, {"y", "us", 10}, {1, 2, 1024}, {{"c", {1, 10, 1000}}, {"p", {2, 3, 4}, true}}});
  page.add_chart({"Bars", {"x", ""}, {"y", ""}, {0, 1, 2}, {{"c", {3, 1, 2}}}, true});
  Chart bands{
      "Bands", {"load", ""}, {"accepted", ""}, {0.1, 0.2, 0.3}, {{"c", {1, 2, 3}, false, {0, 1, 2}, {2, 3, 4}}}};
  bands.marks = {{0.2, "saturated"}};
  page.add_chart(bands);
  page.add_map({"Network",
                {{"load", "%"}},
                {{0, 0, false, "a"}, {1, 0, true, "b"}},
                {{0, 1, false, "a->b", {50}}, {1, 0, true, "b->a", {0}}},
                "",
                {{1.5, {1000, 0}}, {3, {250, 100}}},
                {"simulated time", "us"},
                {"load", "%"},
                0.1});
  page.add_matrix(
      {"Matrix", "from", "to", {"0", "1"}, {{"bytes", "B"}, {"messages", ""}}, {{0, 64, 4096, 0}, {0, 1, 2, 0}}});
  page.add_timeline({"Timeline",
                     {"time", "us"},
                     10,
                     1000,
                     {"compute", "recv", "ended"},
                     {{"0", {0, 1}, {500, 500}}, {"1", {0, 1, 2}, {100, 300, 600}}}});
  page.add_timeline({"Levels",
                     {"wall time", "ms"},
                     10,
                     1000,
                     {"", "waits for router[3]"},
                     {{"models", {1, 0}, {500, 500}, {40, 100}}, {"router[3]", {0}, {1000}, {100}}},
                     "A note",
                     "partition",
                     {"busy", "%"}});
  page.add_table({"Table", {"name", "value"}, {{"<i>a</i>", "1"}, {"b", "2"}}});
  page.add_text("Text", "<pre>");
  page.add_picture("Picture", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"></svg>");
  return page;
}

TEST(BrowserTest, DrawsAndReactsAtAnyWidth) {
  const TestFolder folder;
  for (const int width : {360, 1600}) {
    SCOPED_TRACE(width);
    const std::string made = document(folder, page().html(), width);
    EXPECT_EQ(attribute(made, "errors"), "absent");
    EXPECT_EQ(attribute(made, "ready"), "yes");
    EXPECT_EQ(attribute(made, "console"), "absent");
    EXPECT_EQ(attribute(made, "logged"), "absent");
    EXPECT_EQ(attribute(made, "images"), "1");
    EXPECT_EQ(attribute(made, "images-drawn"), "1");
    EXPECT_EQ(attribute(made, "width"), fmt::format("{}", width));
    EXPECT_EQ(attribute(made, "overflow"), "false");
    EXPECT_EQ(attribute(made, "charts"), "4");
    EXPECT_EQ(attribute(made, "drawn"), "4");
    EXPECT_EQ(attribute(made, "hidden-edges"), "2") << "edges of bands have no line in the legend";
    ASSERT_EQ(attribute(made, "probed"), "yes");
    // In the middle of 0 to 400; after zooming, the left end is a quarter of it.
    EXPECT_NEAR(std::atof(attribute(made, "tooltip").c_str()), 200, 4);
    EXPECT_NEAR(std::atof(attribute(made, "zoomed").c_str()), 100, 6);
    EXPECT_NEAR(std::atof(attribute(made, "scale-from").c_str()), 100, 6);
    EXPECT_NEAR(std::atof(attribute(made, "scale-to").c_str()), 300, 6);
    EXPECT_EQ(attribute(made, "values"), "0; 1; 2");
  }
}

TEST(BrowserTest, NumbersDoNotReachTheTitleOfTheirAxis) {
  const TestFolder folder;
  for (const int width : {360, 1600}) {
    for (const int log : {0, 10}) {
      SCOPED_TRACE(fmt::format("{} {}", width, log));
      Page wide("A page");
      wide.add_chart({"Latency by class", {"load", ""}, {"latency", "ns", log}, {1, 2}, {{"hot", {90, 1.2e11}}}});
      const std::string made = document(folder, wide.html(), width);
      EXPECT_EQ(attribute(made, "errors"), "absent");
      EXPECT_GE(std::atof(attribute(made, "room").c_str()), 0) << attribute(made, "room");
      EXPECT_EQ(attribute(made, "drawn"), "1");
      EXPECT_EQ(attribute(made, "overflow"), "false");
    }
  }
}

TEST(BrowserTest, LabelsStandForNumbersWhereValuesAreReadOff) {
  const TestFolder folder;
  Page labelled("A page");
  Chart chart{"Over commits", {"result", ""}, {"value", "s"}, {1, 2, 3}, {{"value", {4, 5, 6}, true}}};
  chart.x_labels = {"1: 0123456789ab 2026-03-01", "2: <img src=x onerror=x()> & \"", "3: c2 2026-03-03"};
  labelled.add_chart(chart);
  const std::string made = document(folder, labelled.html(), 1600);
  EXPECT_EQ(attribute(made, "errors"), "absent");
  EXPECT_EQ(attribute(made, "console"), "absent");
  EXPECT_EQ(attribute(made, "images"), "0") << "a label is no markup";
  EXPECT_THAT(attribute(made, "tooltip"), AllOf(StartsWith("2: "), HasSubstr("img src=x onerror=x()")));
  EXPECT_THAT(attribute(made, "values"),
              AllOf(StartsWith("1: 0123456789ab 2026-03-01; 2: "), EndsWith("; 3: c2 2026-03-03")));
  EXPECT_THAT(made, HasSubstr("<td class=\"number\">1: 0123456789ab 2026-03-01</td>"));
}

TEST(BrowserTest, ShowsWhatRanksPartitionsAndLinksDid) {
  const TestFolder folder;
  for (const int width : {360, 1600}) {
    SCOPED_TRACE(width);
    const std::string made = document(folder, page().html(), width);
    EXPECT_EQ(attribute(made, "errors"), "absent");
    EXPECT_GT(std::atoi(attribute(made, "matrix-pixels").c_str()), 1000);
    EXPECT_EQ(attribute(made, "matrix-tip"), "from 0, to 1, 64 B, 1 messages");
    EXPECT_EQ(attribute(made, "matrix-keys"), "from 1, to 0, 4096 B, 2 messages");
    EXPECT_GT(std::atoi(attribute(made, "timeline-pixels").c_str()), 1000);
    EXPECT_EQ(attribute(made, "timeline-tip"), "rank 0: recv, 5 to 10 us");
    EXPECT_EQ(attribute(made, "timeline-view"), "500 to 750");
    EXPECT_EQ(attribute(made, "timeline-moved"), "438");
    EXPECT_EQ(attribute(made, "timeline-all"), "0 to 1000");
    EXPECT_EQ(attribute(made, "timeline-keys"), "rank 1: ended, 4 to 10 us");
    EXPECT_EQ(attribute(made, "timeline-values"), "0 compute 0 5; 0 recv 5 10");
    EXPECT_EQ(attribute(made, "matrix-values"), "0 1 64 1; 1 0 4096 2");
    EXPECT_GT(std::atoi(attribute(made, "levels-pixels").c_str()), 1000);
    EXPECT_EQ(attribute(made, "levels-tip"), "partition models: busy 40 %, waits for router[3], 0 to 5 ms");
    EXPECT_EQ(attribute(made, "levels-free"), "partition router[3]: busy 100 %, 0 to 10 ms");
    EXPECT_EQ(attribute(made, "map-whole"), "rgb(180,4,38); a-&gt;b: 50 %; the whole run");
    EXPECT_EQ(attribute(made, "map-frame"), "rgb(141,176,254); a-&gt;b: 25 %; load [%], 1.5 to 3 us");
  }
}

TEST(BrowserTest, IsDrawnInEitherTheme) {
  const TestFolder folder;
  for (const bool dark : {false, true}) {
    SCOPED_TRACE(dark);
    const std::string made = document(folder, page().html(), 1600, dark);
    EXPECT_EQ(attribute(made, "errors"), "absent");
    EXPECT_EQ(attribute(made, "dark"), dark ? "true" : "false");
    EXPECT_EQ(attribute(made, "back"), dark ? "rgb(22, 24, 27)" : "rgb(255, 255, 255)");
    // What WCAG 2.1 wants of text (AA).
    EXPECT_GE(std::atof(attribute(made, "contrast").c_str()), 4.5);
    EXPECT_EQ(attribute(made, "drawn"), "4");
    EXPECT_EQ(attribute(made, "maps"), "1");
    EXPECT_EQ(attribute(made, "maps-drawn"), "1");
    EXPECT_EQ(attribute(made, "matrices-drawn"), "1");
    EXPECT_EQ(attribute(made, "timelines-drawn"), "2");
  }
}

TEST(BrowserTest, IsReadWithTheKeyboardAndAloud) {
  const TestFolder folder;
  const std::string made = document(folder, page().html(), 1600);
  EXPECT_GT(std::atoi(attribute(made, "focusable").c_str()), 20);
  for (const char* none : {"unfocusable", "out-of-order", "unnamed", "dead-links"})
    EXPECT_EQ(attribute(made, none), "0") << none;
}

// What is not drawn, or has no name, is found.
TEST(BrowserTest, SeesWhatIsNotDrawn) {
  const TestFolder folder;
  const std::string made =
      document(folder,
               "<!DOCTYPE html><html><head></head><body><div class=\"tip\"></div><figure class=\"timeline\">"
               "<canvas></canvas><p></p><details></details></figure><figure class=\"map\"></figure><nav><a "
               "href=\"#none\" tabindex=\"1\">a</a>"
               "</nav></body></html>",
               1600);
  EXPECT_EQ(attribute(made, "timelines"), "1");
  EXPECT_EQ(attribute(made, "timelines-drawn"), "0");
  EXPECT_EQ(attribute(made, "maps-drawn"), "0");
  EXPECT_EQ(attribute(made, "out-of-order"), "1");
  EXPECT_EQ(attribute(made, "unnamed"), "3");
  EXPECT_EQ(attribute(made, "dead-links"), "1");
}

TEST(BrowserTest, TextOfUsersMakesNoElements) {
  const TestFolder folder;
  const std::string made = document(folder, page().html(), 1600);
  EXPECT_THAT(made, HasSubstr("<h1>A page &lt;b&gt;&amp;amp;&lt;/b&gt;</h1>"));
  EXPECT_THAT(made, HasSubstr("<dt>&lt;script&gt;x()&lt;/script&gt;</dt>"));
  EXPECT_THAT(made, Not(HasSubstr("<img src=\"x\"")));
  EXPECT_THAT(made, HasSubstr("<td>&lt;i&gt;a&lt;/i&gt;</td>"));
}

// From the first script on, and not only from when the page has been drawn.
TEST(BrowserTest, SeesWhatScriptsOfAPageComplainOf) {
  const TestFolder folder;
  const std::string made = document(folder,
                                    "<!DOCTYPE html><html><head></head><body><img src=\"data:image/png;base64,none\">"
                                    "<script>console.error(\"drawn\", \"wrongly\"); console.warn(\"in doubt\"); "
                                    "this_is_no_function();</script></body></html>",
                                    1600);
  ASSERT_EQ(attribute(made, "probed"), "yes");
  for (const char* told : {"drawn wrongly", "in doubt", "this_is_no_function"}) {
    EXPECT_THAT(attribute(made, "console"), HasSubstr(told));
    EXPECT_THAT(attribute(made, "logged"), HasSubstr(told));
  }
  EXPECT_THAT(attribute(made, "console"), HasSubstr("a missing img"));
  EXPECT_EQ(attribute(made, "images"), "1");
  EXPECT_EQ(attribute(made, "images-drawn"), "0");
}

TEST(BrowserTest, SaysWhatIsWrongWithAPage) {
  const TestFolder folder;
  const std::string broken = absl::StrReplaceAll(page().html(), {{"{\"title\":", "{\"titel\" "}});
  EXPECT_THAT(attribute(document(folder, broken, 1600), "errors"), HasSubstr("SyntaxError"));
}

}  // namespace
}  // namespace fabrictwin
