// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/heat_map.h"

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

using dashboards::report::heat_map_picture;
using dashboards::report::HeatMap;
using ::testing::HasSubstr;

TEST(HeatMap, DrawsACellForEachPair) {
  const HeatMap map{"slowdown p99",
                    "",
                    "kmin",
                    "step",
                    {"100kB", "400kB", "1MB"},
                    {"40Mbps", "80Mbps"},
                    {5, 6.5, std::nullopt, 8, 9, 10}};
  const auto picture = heat_map_picture(map);
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_EQ(test::xml_fault(picture->svg), "");
  const std::regex cell("class=\"cell\"");
  EXPECT_EQ(std::distance(std::sregex_iterator(picture->svg.begin(), picture->svg.end(), cell), std::sregex_iterator()),
            6);
  for (const char* text : {">6.5<", ">100kB<", ">80Mbps<", ">kmin<", ">rows: step<"})
    EXPECT_THAT(picture->svg, HasSubstr(text));
  // The least value is lightest, the greatest darkest.
  EXPECT_THAT(picture->svg, HasSubstr("fill=\"#ffffd9\""));
  EXPECT_THAT(picture->svg, HasSubstr("fill=\"#081d58\""));
}

TEST(HeatMap, LongNamesFitAndCloseValuesDiffer) {
  const std::string name = "congestion.dcqcn.additive_increase_of_all";
  const auto picture = heat_map_picture({"t", "", name, name, {"1", "2"}, {"1"}, {0.999991, 0.999999}});
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_GT(picture->width, 6.6 * static_cast<double>(name.size()));
  EXPECT_EQ(picture->svg.find("rotate"), std::string::npos);
  for (const char* text : {">0.99999<", ">1<", ">rows: congestion"})
    EXPECT_NE(picture->svg.find(text), std::string::npos) << text;
}

TEST(HeatMap, TellsWhatCannotBeDrawn) {
  EXPECT_FALSE(heat_map_picture({"t", "", "x", "y", {"1"}, {"1"}, {}}).ok());
  EXPECT_FALSE(heat_map_picture({"t", "", "x", "y", {"1"}, {"1"}, {std::numeric_limits<double>::infinity()}}).ok());
  EXPECT_FALSE(heat_map_picture({"t", "", "x\n", "y", {"1"}, {"1"}, {1.0}}).ok());
}

TEST(HeatMap, EqualAndUnknownValuesCanBeDrawn) {
  for (const std::optional<double> value : {std::optional<double>(3), std::optional<double>()}) {
    const auto picture = heat_map_picture({"t", "us", "x", "y", {"1", "2"}, {"1"}, {value, value}});
    ASSERT_TRUE(picture.ok());
    EXPECT_EQ(test::xml_fault(picture->svg), "");
  }
}

}  // namespace
}  // namespace fabrictwin
