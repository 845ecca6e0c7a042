// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/flow_measures.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

namespace fabrictwin {
namespace {

using partition::statistics::convergence_seconds;

/// Two flows with equal fair rates, of which the second one begins at 1 ms; `share` says what part of 1000 bytes a
/// microsecond the first one has in an interval of 10 us after that, which has a number.
v1::Report report_of(const std::function<double(int)>& share, int points = 200) {
  v1::Report report;
  v1::SeriesReport& series = *report.mutable_series();
  series.set_interval_seconds(10e-6);
  double first = 0;
  double second = 0;
  for (int number = 0; number < points; ++number) {
    v1::SeriesPoint& point = *series.add_points();
    point.set_seconds((number + 1) * 10e-6);
    const double part = number < 100 ? 1 : share(number - 100);
    point.add_flow_bytes(static_cast<uint64_t>(10'000 * part));
    point.add_flow_bytes(static_cast<uint64_t>(10'000 * (1 - part)));
    first += 10'000 * part;
    second += 10'000 * (1 - part);
  }
  const double end = points * 10e-6;
  for (const bool later : {false, true}) {
    v1::FlowReport& flow = *report.add_flows();
    const double start = later ? 1e-3 : 0;
    flow.set_start_seconds(start);
    flow.set_bytes_received(static_cast<uint64_t>(later ? second : first));
    flow.set_goodput_gbps((later ? second : first) * 8e-9 / (end - start));
    flow.set_max_min_gbps(4);
  }
  return report;
}

TEST(Convergence, IsFromTheLastStartOn) {
  const std::optional<double> seconds =
      convergence_seconds(report_of([](int number) { return number < 20 ? 0.7 : 0.52; }));
  ASSERT_TRUE(seconds.has_value());
  EXPECT_NEAR(*seconds, 200e-6, 1e-9);
}

TEST(Convergence, FlowsMustStayFair) {
  EXPECT_FALSE(convergence_seconds(report_of([](int number) { return number == 98 ? 0.7 : 0.5; })).has_value());
  const auto again = convergence_seconds(report_of([](int number) { return number == 50 ? 0.7 : 0.5; }));
  ASSERT_TRUE(again.has_value());
  EXPECT_NEAR(*again, 510e-6, 1e-9);
}

TEST(Convergence, AtOnceIsZero) {
  EXPECT_NEAR(convergence_seconds(report_of([](int) { return 0.5; })).value_or(-1), 0, 1e-9);
}

TEST(Convergence, IsOfFlowsThatAreTogetherForLongEnough) {
  const auto fair = [](int) { return 0.5; };
  EXPECT_TRUE(convergence_seconds(report_of(fair, 112)).has_value());
  EXPECT_FALSE(convergence_seconds(report_of(fair, 105)).has_value());
  EXPECT_FALSE(convergence_seconds(v1::Report()).has_value());
}

// With fair shares of 3 and 1, half each is not fair.
TEST(Convergence, SharesAreThoseOfTheMaxMinFairRates) {
  v1::Report report = report_of([](int) { return 0.75; });
  report.mutable_flows(0)->set_max_min_gbps(6);
  report.mutable_flows(1)->set_max_min_gbps(2);
  EXPECT_TRUE(convergence_seconds(report).has_value());
  report.mutable_flows(1)->set_max_min_gbps(6);
  EXPECT_FALSE(convergence_seconds(report).has_value());
}

}  // namespace
}  // namespace fabrictwin
