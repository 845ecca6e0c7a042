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
