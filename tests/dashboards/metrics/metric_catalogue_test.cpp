// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/metric_catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace fabrictwin {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

TEST(MetricCatalogue, NamesFollowTheRules) {
  std::set<std::string_view> names;
  for (const dashboards::metrics::Metric* metric : dashboards::metrics::metric_catalogue()) {
    const std::string name(metric->name);
    EXPECT_TRUE(names.insert(metric->name).second) << name << " is there twice";
    EXPECT_THAT(name, StartsWith("fabrictwin_"));
    EXPECT_THAT(name, MatchesRegex("[a-z_]+"));
    EXPECT_THAT(std::string(metric->help), MatchesRegex("[A-Z].*[a-z]")) << name;
    if (metric->type == dashboards::metrics::MetricType::kCounter) {
      EXPECT_THAT(name, EndsWith("_total"));
    } else {
      EXPECT_THAT(name, Not(EndsWith("_total")));
    }
    // Base units only, and named in the name.
    EXPECT_THAT(std::string(metric->unit), MatchesRegex("1|bytes|seconds")) << name;
    if (metric->unit != "1") {
      EXPECT_THAT(name, HasSubstr("_" + std::string(metric->unit)));
    }
    std::set<std::string_view> labels;
    for (const std::string_view label : metric->labels())
      EXPECT_TRUE(labels.insert(label).second) << name << " " << label;
  }
  EXPECT_GE(names.size(), 20u);
}

TEST(MetricCatalogue, DocumentationHoldsExactlyTheCatalogue) {
  std::ifstream file("docs/metrics.md");
  ASSERT_TRUE(file) << "docs/metrics.md is missing";
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string begin = "<!-- metric catalogue: begin -->\n";
  const std::string end = "<!-- metric catalogue: end -->";
  const size_t from = text.find(begin);
  const size_t to = text.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(text.substr(from + begin.size(), to - from - begin.size()), dashboards::metrics::metric_table())
      << "docs/metrics.md must hold this between its two marks:\n"
      << dashboards::metrics::metric_table();
}

}  // namespace
}  // namespace fabrictwin
