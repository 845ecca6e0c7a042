// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/plot_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/dashboards/report/xml_check.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

dashboards::report::LinePlot plot_of(const std::string& label, double y) {
  dashboards::report::LinePlot plot("title of " + label, {.title = "x"}, {.title = "y"});
  plot.add_line(label, {{1, y}, {2, y}});
  return plot;
}

TEST(PlotStack, PutsPlotsBelowEachOther) {
  const dashboards::report::LinePlot first = plot_of("first", 1);
  const dashboards::report::LinePlot second = plot_of("a second one with a long name", 2);
  const auto svg = dashboards::report::stack_plots({first, second});
  ASSERT_TRUE(svg.ok()) << svg.status();
  EXPECT_EQ(test::xml_fault(*svg), "");
  EXPECT_THAT(*svg, HasSubstr("title of first"));
  EXPECT_THAT(*svg, HasSubstr("title of a second one"));
  EXPECT_GT(second.width(), first.width());
  EXPECT_THAT(*svg, HasSubstr("<svg y=\"0\" "));
  EXPECT_THAT(*svg, HasSubstr("<svg y=\"" + std::to_string(static_cast<int>(first.height())) + "\" "));
  const auto size = std::to_string(static_cast<int>(first.height() + second.height()));
  EXPECT_THAT(*svg, HasSubstr("height=\"" + size + "\" viewBox"));
}

TEST(PlotStack, TellsWhatCannotBeDrawn) {
  EXPECT_EQ(
      dashboards::report::stack_plots({plot_of("fine", 1), plot_of("bad", std::numeric_limits<double>::infinity())})
          .status()
          .code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fabrictwin
