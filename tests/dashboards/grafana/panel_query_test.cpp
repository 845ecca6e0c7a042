// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/grafana/panel_query.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/dashboards/grafana/panel_unit.h"

namespace fabrictwin::test {
namespace {

TEST(PanelQueryTest, VariablesAreFilledIn) {
  const std::map<std::string, std::string> values{
      {"instance", ".*"}, {"__rate_interval", "4s"}, {"metric", "up"}, {"a", "$metric"}};
  EXPECT_EQ(fill_variables("rate($metric{instance=~\"$instance\"}[$__rate_interval])", values),
            "rate(up{instance=~\".*\"}[4s])");
  EXPECT_EQ(fill_variables("${metric}s $metrics $unknown ${unknown} ${metric", values),
            "ups $metrics $unknown ${unknown} ${metric");
  EXPECT_EQ(fill_variables("$", values), "$");
  EXPECT_EQ(fill_variables("${", values), "${");
  EXPECT_EQ(fill_variables("$a", values), "$metric") << "values are not filled in again";
}

TEST(PanelQueryTest, LegendsNameLabels) {
  const std::map<std::string, std::string> labels{{"__name__", "up"}, {"instance", "a"}, {"job", "{{instance}}"}};
  EXPECT_EQ(legend_text("{{instance}} now", labels), "a now");
  EXPECT_EQ(legend_text("{{ instance }}-{{missing}}", labels), "a-");
  EXPECT_EQ(legend_text("{{job}}", labels), "{{instance}}");
  EXPECT_EQ(legend_text("{{instance", labels), "{{instance");
  EXPECT_EQ(legend_text("", labels), "up{instance=\"a\", job=\"{{instance}}\"}");
  EXPECT_EQ(legend_text("", {{"__name__", "up"}}), "up");
  EXPECT_EQ(legend_text("", {}), "{}");
}

TEST(PanelQueryTest, ParametersOfUrlsAreEncoded) {
  EXPECT_EQ(url_encoded("a{b=\"\xc3\xbc\"}"), "a%7Bb%3D%22%C3%BC%22%7D");
}

TEST(PanelUnitTest, ValuesAreShownInTheirUnits) {
  EXPECT_EQ(value_text(0.256, "percentunit"), "25.6 %");
  EXPECT_EQ(value_text(1, "percentunit"), "100 %");
  EXPECT_EQ(value_text(2.5e-7, "s"), "250 ns");
  EXPECT_EQ(value_text(2.5e-3, "s"), "2.5 ms");
  EXPECT_EQ(value_text(90, "s"), "90 s");
  EXPECT_EQ(value_text(180, "s"), "3 min");
  EXPECT_EQ(value_text(0, "s"), "0 s");
  EXPECT_EQ(value_text(1536, "bytes"), "1.5 KiB");
  EXPECT_EQ(value_text(9.5e9, "bps"), "9.5 Gbit/s");
  EXPECT_EQ(value_text(1500, "Bps"), "1.5 kB/s");
  EXPECT_EQ(value_text(1500, "pps"), "1.5 thousand packets/s");
  EXPECT_EQ(value_text(2571, "none"), "2571");
  EXPECT_EQ(value_text(2.5e6, "none"), "2.5 million");
  EXPECT_EQ(value_text(3, "furlongs"), "3 furlongs");
  EXPECT_EQ(value_text(std::numeric_limits<double>::quiet_NaN(), "s"), "NaN");
  EXPECT_EQ(value_text(-std::numeric_limits<double>::infinity(), "s"), "-Inf");
}

}  // namespace
}  // namespace fabrictwin::test
