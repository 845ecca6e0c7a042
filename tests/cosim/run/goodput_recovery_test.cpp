// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/goodput_recovery.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace fabrictwin {
namespace {

/// A series with an interval of 1 ms; of each, what a flow and two classes of traffic receive.
v1::Report with_series(const std::vector<std::vector<uint64_t>>& intervals) {
  v1::Report report;
  report.mutable_series()->set_interval_seconds(1e-3);
  for (const std::vector<uint64_t>& bytes : intervals) {
    v1::SeriesPoint& point = *report.mutable_series()->add_points();
    point.set_seconds(1e-3 * report.series().points_size());
    point.add_flow_bytes(bytes[0]);
    point.add_class_bytes(bytes[1]);
    point.add_class_bytes(bytes[2]);
  }
  report.add_classes();
  report.add_classes();
  return report;
}

v1::FaultReport& add_fault(v1::Report& report, double at, double until) {
  v1::FaultReport& fault = *report.add_faults();
  fault.set_at_seconds(at);
  fault.set_until_seconds(until);
  return fault;
}

// The first interval is before rates have settled; 94 are not enough of 100, 95 are.
TEST(GoodputRecovery, AFaultIsOverWhenAllHave95PercentAgain) {
  v1::Report report =
      with_series({{9, 0, 0}, {50, 30, 20}, {60, 20, 20}, {10, 5, 5}, {40, 34, 20}, {50, 25, 20}, {50, 30, 20}});
  add_fault(report, 3e-3, 4e-3);
  add_fault(report, 3e-3, 6e-3);
  add_fault(report, 3e-3, 7e-3);
  report.add_faults()->set_at_seconds(3e-3);
  run::add_goodput_recoveries(report);
  EXPECT_NEAR(report.faults(0).goodput_recovery_seconds(), 2e-3, 1e-12);
  EXPECT_NEAR(report.faults(1).goodput_recovery_seconds(), 1e-3, 1e-12);
  EXPECT_FALSE(report.faults(2).has_goodput_recovery_seconds()) << "there is no interval after it";
  EXPECT_FALSE(report.faults(3).has_goodput_recovery_seconds()) << "it does not end";
}

TEST(GoodputRecovery, OfAClassItIsThatOfTheOthers) {
  v1::Report report = with_series({{0, 0, 80}, {0, 0, 100}, {0, 90, 10}, {0, 40, 60}, {0, 0, 96}});
  report.mutable_classes(0)->set_start_seconds(2e-3);
  report.mutable_classes(0)->set_stop_seconds(3e-3);
  run::add_goodput_recoveries(report);
  EXPECT_NEAR(report.classes(0).goodput_recovery_seconds(), 2e-3, 1e-12) << "its own last packets do not count";
  EXPECT_FALSE(report.classes(1).has_goodput_recovery_seconds());
}

TEST(GoodputRecovery, NeedsATimeBeforeAndASeries) {
  v1::Report report = with_series({{100, 0, 0}, {100, 0, 0}});
  add_fault(report, 0, 1e-3);
  run::add_goodput_recoveries(report);
  EXPECT_FALSE(report.faults(0).has_goodput_recovery_seconds());
  report.clear_series();
  run::add_goodput_recoveries(report);
  EXPECT_FALSE(report.faults(0).has_goodput_recovery_seconds());
}

}  // namespace
}  // namespace fabrictwin
