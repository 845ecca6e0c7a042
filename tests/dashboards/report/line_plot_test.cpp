// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/line_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/dashboards/report/xml_check.h"

namespace fabrictwin {
namespace {

using test::xml_fault;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// The picture, which must be well-formed.
std::string svg_of(const dashboards::report::LinePlot& plot) {
  const absl::StatusOr<std::string> svg = plot.svg();
  EXPECT_TRUE(svg.ok()) << svg.status();
  EXPECT_EQ(xml_fault(svg.value_or("")), "") << *svg;
  return svg.value_or("");
}

/// What `pattern` finds in its first group, in order.
std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) found.push_back((*i)[1]);
  return found;
}

/// The corners of the first polyline.
std::vector<dashboards::report::PlotPoint> corners(const std::string& svg) {
  const std::vector<std::string> lines = all(svg, "<polyline points=\"([^\"]*)\"");
  std::vector<dashboards::report::PlotPoint> points;
  if (lines.empty()) return points;
  const std::regex pair("([0-9.]+),([0-9.]+)");
  for (std::sregex_iterator i(lines[0].begin(), lines[0].end(), pair), end; i != end; ++i)
    points.push_back({std::stod((*i)[1]), std::stod((*i)[2])});
  return points;
}

absl::Status status_of(std::vector<dashboards::report::PlotPoint> points, bool log2 = false) {
  dashboards::report::LinePlot plot("t", {.title = "x", .unit = "B", .log = log2}, {.title = "y", .unit = "%"});
  plot.add_line("curve", std::move(points));
  return plot.svg().status();
}

TEST(XmlFault, FindsWhatIsWrong) {
  EXPECT_EQ(xml_fault("<a b=\"1 &lt; 2\"><c/>x &amp; y<d></d></a>\n"), "");
  for (const char* wrong :
       {"", "x", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a b=\"1/>", "<a b=\"1\" b=\"2\"/>", "<a>&x;</a>",
        "<a>a & b</a>", "<a b=\"<\"/>", "<a>\x01</a>", "<a>\xff</a>", "<a/>x", "</a>", "<a b=\"1\"c=\"2\"/>"})
    EXPECT_NE(xml_fault(wrong), "") << wrong;
}

TEST(LinePlot, HasTitleAxesUnitsTicksAndLegend) {
  dashboards::report::LinePlot plot("Bandwidth", {.title = "payload", .unit = "B", .log = true},
                                    {.title = "efficiency", .unit = "%", .from = 0, .to = 100});
  plot.add_line("router", {{32, 50}, {64, 66.67}, {512, 94.12}});
  plot.add_points("published", {{512, 76}});
  const std::string svg = svg_of(plot);
  EXPECT_THAT(svg, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, AllOf(HasSubstr("<title>Bandwidth</title>"), HasSubstr(">payload (B)</text>"),
                         HasSubstr(">efficiency (%)</text>")));
  EXPECT_THAT(all(svg, "text-anchor=\"middle\">([0-9]+)</text>"), ElementsAre("32", "64", "128", "256", "512"));
  EXPECT_THAT(all(svg, "text-anchor=\"end\">([0-9]+)</text>"), ElementsAre("0", "20", "40", "60", "80", "100"));
  EXPECT_THAT(svg, AllOf(HasSubstr(">router</text>"), HasSubstr(">published</text>"),
                         HasSubstr("<title>published: 512, 76</title>")));
}

// As latencies beyond saturation are, in ns.
TEST(LinePlot, LongTextsOfTicksDoNotReachTheTitleOfTheirAxis) {
  dashboards::report::LinePlot plot("Latency by class", {.title = "load"}, {.title = "latency", .unit = "ns"});
  plot.add_line("hot", {{0.1, 800}, {0.2, 1.2e6}});
  const std::string svg = svg_of(plot);
  const std::vector<std::string> left = all(svg, "<text x=\"([0-9.]+)\" y=\"[0-9.]+\" text-anchor=\"end\">1.2e\\+06<");
  const std::vector<std::string> title = all(svg, "<text x=\"([0-9.]+)\" y=\"[0-9.]+\" [^>]*>latency \\(ns\\)<");
  ASSERT_THAT(left, SizeIs(1));
  ASSERT_THAT(title, SizeIs(1));
  // Digits of DejaVu Sans are 7.63 wide, and letters of the title go 3 below its line.
  EXPECT_GT(std::stod(left[0]) - 7.63 * 7, std::stod(title[0]) + 3);
  // Curves begin at the axis.
  const std::vector<std::string> axis = all(svg, "<rect x=\"([0-9.]+)\"");
  ASSERT_THAT(axis, SizeIs(1));
  EXPECT_GT(std::stod(axis[0]), std::stod(left[0]));
  EXPECT_GE(corners(svg)[0].x, std::stod(axis[0]));
}

TEST(LinePlot, PlacesRiseWithTheValues) {
  for (const bool log2 : {false, true}) {
    dashboards::report::LinePlot plot("t", {.title = "x", .unit = "", .log = log2}, {.title = "y", .unit = ""});
    plot.add_line("up", {{1, -5}, {2, 0}, {4, 1}, {8, 100}, {16, 100.5}});
    const std::vector<dashboards::report::PlotPoint> points = corners(svg_of(plot));
    ASSERT_THAT(points, SizeIs(5));
    for (size_t i = 1; i < points.size(); ++i) {
      EXPECT_GT(points[i].x, points[i - 1].x);
      EXPECT_LT(points[i].y, points[i - 1].y) << "y of SVG goes down";
      if (log2) {
        EXPECT_NEAR(points[i].x - points[i - 1].x, points[1].x - points[0].x, 0.02);
      }
    }
    if (!log2) {
      EXPECT_NEAR(points[4].x - points[3].x, 8 * (points[1].x - points[0].x), 0.1);
    }
  }
}

TEST(LinePlot, PointsAreAtTheTicksOfTheirValues) {
  dashboards::report::LinePlot plot("t", {.title = "x", .unit = "B", .log = true},
                                    {.title = "y", .unit = "", .from = 0, .to = 10});
  plot.add_line("a", {{4, 0}, {8, 10}});
  const std::string svg = svg_of(plot);
  const std::vector<dashboards::report::PlotPoint> points = corners(svg);
  const std::vector<std::string> x = all(svg, "class=\"tick-x\" d=\"M([0-9.]+) ");
  const std::vector<std::string> y = all(svg, "class=\"tick-y\" d=\"M[0-9.]+ ([0-9.]+)H");
  ASSERT_THAT(points, SizeIs(2));
  ASSERT_THAT(x, SizeIs(2));
  EXPECT_EQ(std::stod(x.front()), points[0].x);
  EXPECT_EQ(std::stod(x.back()), points[1].x);
  EXPECT_EQ(std::stod(y.front()), points[0].y);
  EXPECT_EQ(std::stod(y.back()), points[1].y);
}

TEST(LinePlot, EscapesTexts) {
  dashboards::report::LinePlot plot("a < b & \"c\"", {.title = "<x>", .unit = "'"}, {.title = "y & z", .unit = "µs"});
  plot.add_line("</svg><script>&amp;", {{1, 1}, {2, 2}});
  const std::string svg = svg_of(plot);
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  EXPECT_THAT(svg, HasSubstr("&lt;/svg&gt;&lt;script&gt;&amp;amp;"));
  EXPECT_THAT(svg, HasSubstr("µs"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

TEST(LinePlot, RefusesTextThatXmlCannotHold) {
  for (const char* text : {"\xff", "a\x01", "two\nlines"}) {
    EXPECT_EQ(dashboards::report::LinePlot(text, {}, {}).svg().status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(dashboards::report::LinePlot("t", {.title = text, .unit = ""}, {}).svg().status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(dashboards::report::LinePlot("t", {}, {.title = "", .unit = text}).svg().status().code(),
              absl::StatusCode::kInvalidArgument);
    dashboards::report::LinePlot plot("t", {}, {});
    plot.add_line(text, {});
    EXPECT_THAT(std::string(plot.svg().status().message()), HasSubstr("label of a series"));
  }
}

TEST(LinePlot, EmptySeriesAreInTheLegendOnly) {
  dashboards::report::LinePlot plot("t", {.title = "x", .unit = ""}, {.title = "y", .unit = "", .log = true});
  EXPECT_THAT(svg_of(plot), Not(HasSubstr("class=\"series\"")));
  plot.add_line("nothing", {});
  plot.add_points("no points", {});
  const std::string svg = svg_of(plot);
  EXPECT_THAT(svg, AllOf(HasSubstr(">nothing</text>"), HasSubstr(">no points</text>"), Not(HasSubstr("<polyline"))));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  // With others it changes nothing of theirs.
  dashboards::report::LinePlot one("t", {}, {}), two("t", {}, {});
  one.add_line("a", {{1, 1}, {2, 3}});
  two.add_line("a", {{1, 1}, {2, 3}});
  two.add_line("b", {});
  ASSERT_THAT(corners(svg_of(one)), SizeIs(2));
  EXPECT_EQ(corners(svg_of(one))[1].y, corners(svg_of(two))[1].y);
}

TEST(LinePlot, RefusesWhatHasNoPlace) {
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(status_of({{1, 1}, {2, nan}}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status_of({{1, 1}, {2, nan}}).message()), HasSubstr("series \"curve\", y of point 1: nan"));
  EXPECT_THAT(std::string(status_of({{nan, 1}}).message()), HasSubstr("x of point 0"));
  EXPECT_THAT(std::string(status_of({{1, -infinite}}).message()), HasSubstr("-inf"));
  EXPECT_FALSE(status_of({{1, 1e301}}).ok());
  EXPECT_THAT(std::string(status_of({{0, 1}}, true).message()), HasSubstr("above zero"));
  EXPECT_FALSE(status_of({{-1, 1}}, true).ok());
  EXPECT_TRUE(status_of({{0, 0}, {-1, -1}}).ok());
  EXPECT_THAT(
      std::string(
          dashboards::report::LinePlot("t", {.title = "x", .unit = "", .from = nan}, {}).svg().status().message()),
      HasSubstr("axis \"x\""));
}

TEST(LinePlot, TakesValuesOfAnySize) {
  for (const std::vector<dashboards::report::PlotPoint>& points :
       std::vector<std::vector<dashboards::report::PlotPoint>>{{{1, 1}},
                                                               {{0, 0}},
                                                               {{5, 7}, {5, 7}},
                                                               {{-1e300, -1e300}, {1e300, 1e300}},
                                                               {{1e-320, 5e-324}, {2e-320, 1e-323}},
                                                               {{1e9, 1e9}, {1e9 + 1e-3, 1e9 + 1e-6}},
                                                               {{1e-9, -1e-9}, {2e-9, 3e-7}}}) {
    dashboards::report::LinePlot plot("t", {}, {});
    plot.add_line("a", points);
    const std::string svg = svg_of(plot);
    EXPECT_THAT(svg, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
    EXPECT_LT(svg.size(), 20'000u);
  }
}

TEST(LinePlot, CurvesDifferAndPointsLookLikeTheirCurve) {
  dashboards::report::LinePlot plot("t", {}, {});
  for (int i = 0; i < 6; ++i) plot.add_line(std::to_string(i), {{1, 1}, {2, 2}});
  const std::string svg = svg_of(plot);
  const std::vector<std::string> styles = all(svg, "<polyline points=\"[^\"]*\" ([^/]*)/>");
  EXPECT_THAT(std::set<std::string>(styles.begin(), styles.end()), SizeIs(6));
  std::vector<std::string> dashes = all(svg, "<polyline [^>]*stroke-dasharray=\"([^\"]*)\"");
  EXPECT_THAT(std::set<std::string>(dashes.begin(), dashes.end()), SizeIs(5)) << "the first is drawn through";
  const std::vector<std::string> markers = all(svg, "<(?:path d=\"M[0-9. ]+)?(circle|m[^\"]*)\"?[^>]*><title>");
  EXPECT_THAT(std::set<std::string>(markers.begin(), markers.end()), SizeIs(6));

  dashboards::report::LinePlot two("t", {}, {});
  two.add_line("a", {{1, 1}, {2, 2}});
  const size_t b = two.add_line("b", {{1, 2}, {2, 4}});
  two.add_points("published b", {{1, 3}}, b);
  const std::vector<std::string> colours =
      all(svg_of(two), "(?:fill|stroke)=\"(#[0-9a-f]+)\" stroke=\"[^\"]*\"><title>");
  const std::vector<std::string> strokes = all(svg_of(two), "stroke=\"(#[0-9a-f]+)\"><title>b:");
  ASSERT_THAT(colours, SizeIs(1)) << "only single points are filled";
  ASSERT_THAT(strokes, SizeIs(2));
  EXPECT_EQ(colours[0], strokes[0]);
}

TEST(LinePlot, TheSameCallsGiveTheSameText) {
  const auto make = [] {
    dashboards::report::LinePlot plot("t", {.title = "x", .unit = "", .log = true}, {});
    plot.add_line("a", {{1, 0.1}, {1000, 0.7}});
    return plot.svg().value_or("");
  };
  EXPECT_EQ(make(), make());
  EXPECT_THAT(make(), Not(IsEmpty()));
}

}  // namespace
}  // namespace fabrictwin
