// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The input-queued router model against BookSim2, on points that take a few seconds. iq_validation runs all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/models/router/input_queued/booksim_points.h"

namespace fabrictwin {
namespace {

const std::string kPoints = "tests/models/router/input_queued/data/booksim-torus.csv";

std::string name(const BooksimPoint& point) {
  return point.dims + " " + point.traffic + " " + point.variant + " at " + std::to_string(point.load);
}

TEST(IqValidation, LatencyWithinThreePercentUpToSixtyPercentOfSaturation) {
  const auto points = read_booksim_points(kPoints);
  ASSERT_TRUE(points.ok()) << points.status();
  int checked = 0;
  for (const BooksimPoint& point : *points) {
    const bool chosen = point.load == 0.1 || point.load == 0.2 || point.load == 0.4 || point.load == 0.45;
    if (!chosen || point.throughput || point.unstable || point.load > 0.605 * booksim_saturation(*points, point))
      continue;
    const auto report = run_booksim_torus(settings_of(point), 1);
    ASSERT_TRUE(report.ok()) << report.status();
    const v1::TrafficReport& traffic = report->traffic();
    EXPECT_FALSE(traffic.saturated()) << name(point);
    EXPECT_NEAR(traffic.latency_cycles().mean() / point.latency, 1, 0.03) << name(point);
    EXPECT_NEAR(traffic.latency_cycles().network_mean() / point.network_latency, 1, 0.03) << name(point);
    EXPECT_NEAR(traffic.mean_hops() / point.hops, 1, 0.02) << name(point);
    EXPECT_NEAR(traffic.accepted_load() / point.load, 1, 0.03) << name(point);
    ++checked;
  }
  EXPECT_EQ(checked, 20);
}

TEST(IqValidation, SaturationThroughputWithinFivePercent) {
  const auto points = read_booksim_points(kPoints);
  ASSERT_TRUE(points.ok()) << points.status();
  int checked = 0;
  for (const BooksimPoint& point : *points) {
    if (!point.throughput) continue;
    const auto report = run_booksim_torus(settings_of(point), 1);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->traffic().saturated()) << name(point);
    EXPECT_NEAR(report->traffic().accepted_load() / point.accepted, 1, 0.05) << name(point);
    EXPECT_LE(report->traffic().accepted_load_min_node(), report->traffic().accepted_load()) << name(point);
    ++checked;
  }
  EXPECT_EQ(checked, 8);
}

// In BookSim2's own words: a packet alone takes 24 + (4 + L) h cycles.
TEST(IqValidation, ZeroLoadLawIsExact) {
  struct Case {
    std::string dims;
    int hops;
  };
  for (const Case& c : {Case{"4x4x2", 2}, Case{"8x8", 6}, Case{"2x2", 0}, Case{"16", 7}}) {
    for (const int latency : {1, 16}) {
      const auto report = run_booksim_torus(
          {"topology.torus.dims=" + c.dims, "workload.traffic.pattern=tornado", "workload.traffic.load=0.002",
           "topology.torus.link_latency_cycles=" + std::to_string(latency)},
          1);
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_EQ(report->traffic().latency_cycles().min(), 24 + (4 + latency) * c.hops) << c.dims;
      EXPECT_EQ(report->traffic().mean_hops(), c.hops + 1) << c.dims;
    }
  }
}

}  // namespace
}  // namespace fabrictwin
