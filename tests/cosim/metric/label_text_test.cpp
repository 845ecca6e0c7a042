// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/metric/label_text.h"

#include <gtest/gtest.h>

namespace fabrictwin::metric {
namespace {

TEST(LabelTextTest, QuotesTheValue) { EXPECT_EQ(label_text("link", "router[0].1"), R"(link="router[0].1")"); }

TEST(LabelTextTest, NothingInAValueEndsTheLabelOrTheLine) {
  EXPECT_EQ(label_text("run", "a\"b\\c\nd"), R"(run="a\"b\\c\nd")");
}

}  // namespace
}  // namespace fabrictwin::metric
