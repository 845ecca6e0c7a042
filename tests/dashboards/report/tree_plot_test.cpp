// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/tree_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/dashboards/report/xml_check.h"

namespace fabrictwin {
namespace {

using dashboards::report::tree_picture;
using dashboards::report::TreeNode;
using ::testing::HasSubstr;

long count(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator());
}

TEST(TreePlot, DrawsEachNodeAndWhatItWaitsFor) {
  const auto picture = tree_picture("at 1 ms", {{"right.h0", "1.3 MB", 0.6, {}},
                                                {"left.p0", "2.1 MB", 1, 0},
                                                {"far.p1", "1 MB", 0.5, 1},
                                                {"other", "9 kB", 0, {}}});
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_EQ(test::xml_fault(picture->svg), "");
  EXPECT_EQ(count(picture->svg, "class=\"node\""), 4);
  EXPECT_EQ(count(picture->svg, "class=\"waits\""), 2);
  EXPECT_THAT(picture->svg, HasSubstr(">left.p0<"));
}

TEST(TreePlot, ACircleIsDrawn) {
  const auto picture = tree_picture("t", {{"a", "", 1, 1}, {"b", "", 1, 0}});
  ASSERT_TRUE(picture.ok());
  EXPECT_EQ(count(picture->svg, "class=\"node\""), 2);
}

TEST(TreePlot, ADeepTreeIsDrawn) {
  std::vector<TreeNode> nodes(10'000);
  for (size_t node = 1; node < nodes.size(); ++node) nodes[node].next = node - 1;
  EXPECT_TRUE(tree_picture("t", nodes).ok());
}

TEST(TreePlot, TellsWhatCannotBeDrawn) {
  EXPECT_THAT(std::string(tree_picture("t", {{"a", "", 1, 7}}).status().message()), HasSubstr("node \"a\""));
  EXPECT_FALSE(tree_picture("t\n", {}).ok());
  EXPECT_TRUE(tree_picture("t", {}).ok());
}

}  // namespace
}  // namespace fabrictwin
