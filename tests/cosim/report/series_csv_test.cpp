// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/series_csv.h"

#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

TEST(SeriesCsv, HasAColumnForEachClassAndFlow) {
  v1::Report report;
  report.add_classes()->set_name("victims");
  v1::FlowReport& flow = *report.add_flows();
  flow.set_source(3);
  flow.set_destination(9);
  v1::SeriesPoint& first = *report.mutable_series()->add_points();
  first.set_seconds(1e-6);
  first.set_queue_bytes(640);
  first.set_pauses(2);
  first.add_class_bytes(100);
  first.add_flow_bytes(50);
  v1::SeriesPoint& second = *report.mutable_series()->add_points();
  second.set_seconds(2e-6);
  second.set_set_aside(4);
  second.add_class_bytes(101);
  second.add_flow_bytes(51);
  EXPECT_EQ(report::series_csv(report),
            "seconds,queue_bytes,pauses,set_aside,victims_bytes,flow0_3_to_9_bytes\n"
            "1e-06,640,2,0,100,50\n"
            "2e-06,,,4,101,51\n");
}

TEST(SeriesCsv, HasWhatASchemeLetsFlowsDo) {
  v1::Report report;
  report.add_flows();
  v1::SeriesPoint& point = *report.mutable_series()->add_points();
  point.set_seconds(1);
  point.add_flow_bytes(8);
  point.add_flow_rate_bps(25'000'000'000);
  point.add_flow_window_bytes(4096);
  EXPECT_EQ(report::series_csv(report),
            "seconds,queue_bytes,pauses,set_aside,flow0_0_to_0_bytes,flow0_rate_bps,flow0_window_bytes\n"
            "1,,,0,8,25000000000,4096\n");
}

TEST(SeriesCsv, ManyFlowsAndTrafficWithoutClassesAreOneColumn) {
  v1::Report report;
  for (int i = 0; i < 3; ++i) report.add_flows();
  v1::SeriesPoint& point = *report.mutable_series()->add_points();
  point.set_seconds(0.5);
  point.add_class_bytes(7);
  point.add_flow_bytes(8);
  EXPECT_EQ(report::series_csv(report),
            "seconds,queue_bytes,pauses,set_aside,traffic_bytes,flows_bytes\n0.5,,,0,7,8\n");
}

}  // namespace
}  // namespace fabrictwin
