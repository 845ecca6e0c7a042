// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/point/saturation_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

/// A network that accepts up to `capacity`, and whose latency only shows `late` above that.
v1::Report report_at(double load, double capacity, double late = 0) {
  v1::Report report;
  report.mutable_traffic()->set_offered_load(load);
  report.mutable_traffic()->set_accepted_load(std::min(load, capacity));
  report.mutable_traffic()->set_saturated(load > capacity + late);
  return report;
}

study::point::SaturationResult find(double precision, double capacity, double max_load = 1) {
  study::point::SaturationResult result;
  const absl::Status status = study::point::find_saturation(
      precision, max_load, [&](double load) { return report_at(load, capacity); }, result);
  EXPECT_TRUE(status.ok()) << status;
  return result;
}

RC_GTEST_PROP(SaturationSearch, FindsTheLoadToThePrecision, ()) {
  const double capacity = *rc::gen::inRange(1, 999) / 1000.0;
  const double precision = *rc::gen::inRange(1, 500) / 1000.0;
  const study::point::SaturationResult result = find(precision, capacity);
  RC_ASSERT(result.load <= capacity);
  RC_ASSERT(result.load_above > capacity);
  RC_ASSERT(result.load_above - result.load <= precision * (1 + 1e-6));
  RC_ASSERT(result.throughput == capacity);
  RC_ASSERT(result.probes.front().load == 1);
}

TEST(SaturationSearch, TakesFewProbes) {
  const study::point::SaturationResult result = find(0.01, 0.437);
  EXPECT_DOUBLE_EQ(result.load, 0.43);
  EXPECT_DOUBLE_EQ(result.load_above, 0.44);
  EXPECT_LE(result.probes.size(), 8u);
}

TEST(SaturationSearch, ANetworkThatBearsEverythingNeedsOneProbe) {
  const study::point::SaturationResult result = find(0.01, 1);
  EXPECT_EQ(result.load, 1);
  EXPECT_EQ(result.load_above, 0);
  EXPECT_EQ(result.probes.size(), 1u);
  EXPECT_DOUBLE_EQ(find(0.01, 0.2, 0.5).probes[0].load, 0.5);
}

TEST(SaturationSearch, ANetworkThatBearsNothingSaysSo) {
  const study::point::SaturationResult result = find(0.1, 0.01);
  EXPECT_EQ(result.load, 0);
  EXPECT_DOUBLE_EQ(result.load_above, 0.1);
}

TEST(SaturationSearch, TooLittleAcceptedIsSaturationBeforeTheLatencyShowsIt) {
  v1::TrafficReport traffic = report_at(0.5, 0.45, 1).traffic();
  EXPECT_FALSE(traffic.saturated());
  EXPECT_TRUE(study::point::is_saturated(traffic));
  traffic.set_accepted_load_confidence(0.045);  // May as well be noise.
  EXPECT_FALSE(study::point::is_saturated(traffic));
  traffic.set_saturated(true);
  EXPECT_TRUE(study::point::is_saturated(traffic));
  EXPECT_FALSE(study::point::is_saturated(report_at(0.5, 0.495, 1).traffic()));
}

TEST(SaturationSearch, KeepsTheProbesBeforeAFailure) {
  study::point::SaturationResult result;
  int calls = 0;
  const absl::Status status = study::point::find_saturation(
      0.01, 1,
      [&](double load) -> absl::StatusOr<v1::Report> {
        if (++calls == 3) return absl::UnavailableError("no more");
        return report_at(load, 0.3);
      },
      result);
  EXPECT_EQ(status, absl::UnavailableError("no more"));
  EXPECT_EQ(result.probes.size(), 2u);
}

}  // namespace
}  // namespace fabrictwin
