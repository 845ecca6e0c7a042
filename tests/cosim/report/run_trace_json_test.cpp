// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/run_trace_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fabrictwin::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The events of one phase, each as text: "pid/tid name at".
std::vector<std::string> events(const v1::Report& report, const std::string& phase) {
  const auto json = nlohmann::json::parse(run_trace_json(report, {}, nullptr));
  std::vector<std::string> found;
  for (const auto& event : json.at("traceEvents")) {
    if (event.at("ph") != phase) continue;
    std::string text = event.at("pid").dump() + "/" + event.at("tid").dump();
    if (event.contains("name")) text += " " + event.at("name").get<std::string>();
    if (event.contains("ts")) text += " " + event.at("ts").dump();
    if (phase == "C" || phase == "M") text += " " + event.at("args").dump();
    found.push_back(text);
  }
  return found;
}

TEST(RunTraceJsonTest, RanksAreTracks) {
  v1::Report report;
  v1::RankTimeline& timeline = *report.mutable_rank_timeline();
  timeline.set_end_seconds(10e-6);
  timeline.set_ticks(100);
  timeline.add_states("compute");
  timeline.add_states("allreduce");
  v1::RankRow& row = *timeline.add_rows();
  row.set_rank(3);
  for (const auto& [state, ticks] : std::vector<std::pair<uint32_t, uint32_t>>{{0, 25}, {1, 50}, {0, 0}, {0, 25}}) {
    row.add_states(state);
    row.add_ticks(ticks);
  }
  EXPECT_THAT(events(report, "B"),
              ElementsAre("2000000000/4 compute 0.0", "2000000000/4 allreduce 2.5", "2000000000/4 compute 7.5"));
  EXPECT_THAT(events(report, "E"), ElementsAre("2000000000/4 2.5", "2000000000/4 7.5", "2000000000/4 10.0"));
  EXPECT_THAT(events(report, "M")[1], testing::HasSubstr("rank 3"));
}

TEST(RunTraceJsonTest, IntervalsAreCounters) {
  v1::Report report;
  for (const double load : {0.25, 0.5}) {
    v1::LinkInterval& interval = *report.mutable_link_series()->add_intervals();
    interval.set_end_seconds(report.link_series().intervals_size() * 1e-6);
    interval.set_mean_utilization(load);
    interval.set_max_utilization(1);
  }
  EXPECT_THAT(events(report, "C"), ElementsAre(R"(2000000001/0 load of links [%] 0.0 {"mean":25,"most":100})",
                                               R"(2000000001/0 load of links [%] 1.0 {"mean":50,"most":100})"));
}

TEST(RunTraceJsonTest, PointsOfASeriesAreCounters) {
  v1::Report report;
  report.mutable_queues()->set_set_aside_most(2);
  v1::SeriesPoint& point = *report.mutable_series()->add_points();
  point.set_seconds(2e-6);
  point.set_set_aside(2);
  const char* const set_aside = R"(2000000001/0 set-aside queues 2.0 {"in use":2})";
  EXPECT_THAT(events(report, "C"), ElementsAre(set_aside));
  // Routers of the model PACKET count all of what waits.
  point.set_queue_bytes(0);
  point.add_flow_bytes(1000);
  EXPECT_THAT(events(report, "C"),
              ElementsAre(set_aside, testing::StartsWith(R"(2000000001/0 goodput [Gbit/s] 0.0 {"all flows":4)"),
                          R"(2000000001/0 longest queue [bytes] 2.0 {"longest":0})"));
  report.add_classes()->set_name("hot");
  point.clear_flow_bytes();
  point.add_class_bytes(250);
  EXPECT_THAT(events(report, "C")[1], R"(2000000001/0 goodput [Gbit/s] 0.0 {"hot":1})");
}

TEST(RunTraceJsonTest, PartitionsHaveTheirSums) {
  v1::Report report;
  v1::PartitionReport& partition = *report.add_partitions();
  partition.set_name("a \"quoted\"\nname");
  partition.set_busy_seconds(2e-3);
  partition.set_wait_seconds(1e-3);
  EXPECT_THAT(events(report, "B"), ElementsAre("2000000002/1 busy 0.0", "2000000002/1 waiting 2000.0"));
}

TEST(RunTraceJsonTest, PartitionsHaveTheirTimeline) {
  v1::Report report;
  report.add_partitions()->set_busy_seconds(1);
  v1::PartitionTimeline& timeline = *report.mutable_partition_timeline();
  for (const double end : {0.001, 0.002, 0.004}) timeline.add_wall_end_seconds(end);
  const std::vector<std::vector<std::pair<uint32_t, uint32_t>>> rows = {{{1000, 0}, {500, 2}, {0, 2}},
                                                                        {{0, 0}, {0, 1}, {250, 1}}};
  for (const auto& cells : rows) {
    v1::PartitionRow& row = *timeline.add_rows();
    row.set_partition(timeline.rows_size() == 1 ? "models" : "router[\"1\"]");
    row.set_place("inproc");
    for (const auto& [busy, waits_for] : cells) {
      row.add_busy_permille(busy);
      row.add_waits_for(waits_for);
    }
  }
  EXPECT_THAT(events(report, "B"), ElementsAre("2000000002/1 busy 0.0", "2000000002/1 waits for router[\"1\"] 1500.0",
                                               "2000000002/2 waiting 0.0", "2000000002/2 waits for models 1000.0",
                                               "2000000002/2 busy 2000.0", "2000000002/2 waits for models 2500.0"));
  EXPECT_THAT(events(report, "E"), ElementsAre("2000000002/1 1500.0", "2000000002/1 4000.0", "2000000002/2 1000.0",
                                               "2000000002/2 2000.0", "2000000002/2 2500.0", "2000000002/2 4000.0"));
  EXPECT_THAT(events(report, "M")[2], testing::HasSubstr("models (inproc)"));
}

TEST(RunTraceJsonTest, AnIndexThatIsNoRowIsOnlyAWait) {
  v1::Report report;
  v1::PartitionTimeline& timeline = *report.mutable_partition_timeline();
  timeline.add_wall_end_seconds(0.001);
  v1::PartitionRow& row = *timeline.add_rows();
  row.add_busy_permille(0);
  row.add_waits_for(9);
  EXPECT_THAT(events(report, "B"), ElementsAre("2000000002/1 waiting 0.0"));
}

TEST(RunTraceJsonTest, AnEmptyReportIsAFile) { EXPECT_THAT(events({}, "B"), IsEmpty()); }

}  // namespace
}  // namespace fabrictwin::report
