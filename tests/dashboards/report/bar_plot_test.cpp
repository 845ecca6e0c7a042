// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/bar_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <limits>
#include <optional>
#include <regex>
#include <string>

#include "tests/dashboards/report/xml_check.h"

namespace fabrictwin {
namespace {

using dashboards::report::BarPlot;
using ::testing::HasSubstr;

TEST(BarPlot, DrawsABarForEachValue) {
  BarPlot plot("goodput", {.title = "goodput", .unit = "Gbit/s"}, {"none", "a < b"});
  plot.add_bars("victim", {12.0, 95.4});
  plot.add_bars("incast, all", {11.9, std::nullopt});
  const auto picture = plot.picture();
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_EQ(test::xml_fault(picture->svg), "");
  EXPECT_THAT(picture->svg, HasSubstr("a &lt; b, victim: 95.4"));
  EXPECT_THAT(picture->svg, HasSubstr("goodput (Gbit/s)"));
  const std::regex bar("class=\"bar\"");
  EXPECT_EQ(std::distance(std::sregex_iterator(picture->svg.begin(), picture->svg.end(), bar), std::sregex_iterator()),
            3);
  EXPECT_EQ(plot.csv(), "goodput,victim,none,12\ngoodput,victim,a < b,95.4\ngoodput,\"incast, all\",none,11.9\n");
}

TEST(BarPlot, LongTextsOfTicksDoNotReachTheTitleOfTheAxis) {
  BarPlot plot("goodput", {.title = "bytes"}, {"none"});
  plot.add_bars("victim", {1.2e6});
  const auto picture = plot.picture();
  ASSERT_TRUE(picture.ok()) << picture.status();
  std::smatch text;
  ASSERT_TRUE(std::regex_search(picture->svg, text,
                                std::regex("<text x=\"([0-9.]+)\" y=\"[0-9.]+\" text-anchor=\"end\">1.2e\\+06<")));
  std::smatch title;
  ASSERT_TRUE(std::regex_search(picture->svg, title, std::regex("<text x=\"([0-9.]+)\" [^>]*rotate[^>]*>bytes<")));
  // Digits of DejaVu Sans are 7.63 wide, and letters of the title go 3 below its line.
  EXPECT_GT(std::stod(text[1]) - 7.63 * 7, std::stod(title[1]) + 3);
  std::smatch bar;
  ASSERT_TRUE(std::regex_search(picture->svg, bar, std::regex("class=\"bar\" x=\"([0-9.]+)\"")));
  EXPECT_GT(std::stod(bar[1]), std::stod(text[1]) + 8);
}

TEST(BarPlot, TellsWhatCannotBeDrawn) {
  for (const double value : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    BarPlot plot("t", {.title = "y"}, {"g"});
    plot.add_bars("bad", {value});
    EXPECT_THAT(std::string(plot.picture().status().message()), HasSubstr("bars \"bad\""));
  }
  BarPlot plot("t", {.title = "y"}, {"a\nb"});
  EXPECT_FALSE(plot.picture().ok());
}

TEST(BarPlot, WithoutBarsIsAnEmptyPicture) {
  const auto picture = BarPlot("t", {.title = "y"}, {}).picture();
  ASSERT_TRUE(picture.ok());
  EXPECT_EQ(test::xml_fault(picture->svg), "");
}

}  // namespace
}  // namespace fabrictwin
