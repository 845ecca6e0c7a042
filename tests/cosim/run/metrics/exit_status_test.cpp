// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/exit_status.h"

#include <gtest/gtest.h>

#include "cosim/observe/metric_report.h"

namespace fabrictwin {
namespace {

TEST(ExitStatus, IsOneSeriesWithoutLabels) {
  for (const int code : {0, 1, 130}) {
    observe::MetricReports reports;
    observe::MetricReporter reporter(reports, true);
    run::metrics::measure_exit_status(code, reporter);
    ASSERT_EQ(reports.size(), 1);
    EXPECT_EQ(reports[0].name(), "fabrictwin_exit_status");
    EXPECT_EQ(reports[0].value(), code);
    EXPECT_TRUE(reports[0].labels().empty());
  }
}

}  // namespace
}  // namespace fabrictwin
