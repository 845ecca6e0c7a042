// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/run_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cosim/observe/link_series.h"
#include "cosim/run/partition_timeline.h"
#include "dashboards/pages/result_page.h"
#include "dashboards/pages/validation_page.h"
#include "tests/dashboards/html/page_data.h"
#include "workloads/job/activity.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;
using ::testing::Not;

TEST(RunPageTest, SaysWhereTheResultComesFrom) {
  v1::Report report;
  v1::Provenance& from = *report.mutable_provenance();
  from.set_command("fabrictwin run a.textproto --set 'x=<b>'");
  from.set_version("1.2.3");
  from.set_commit("0123456789abcdef0123456789abcdef01234567");
  from.set_dirty(true);
  from.set_compiler("GCC 12.2.0, Release");
  from.set_host("node1");
  from.set_cpu("A processor");
  from.set_cores(4);
  from.set_system("Linux 6.1 x86_64");
  from.set_date("2026-03-01T12:00:00Z");
  const nlohmann::json facts = page_section(page_data(dashboards::pages::run_page({}, report, "")), "Summary")["facts"];
  const auto value = [&](const std::string& name) {
    for (const nlohmann::json& fact : facts)
      if (fact[0] == name) return fact[1].get<std::string>();
    return std::string();
  };
  EXPECT_EQ(value("Command"), from.command());
  EXPECT_EQ(value("Program"), "1.2.3, commit 0123456789ab+, GCC 12.2.0, Release");
  EXPECT_EQ(value("Machine"), "node1 (A processor), 4 core(s), Linux 6.1 x86_64");
  EXPECT_EQ(value("Date"), from.date());
}

TEST(RunPageTest, HasSectionsOfWhatTheReportHas) {
  v1::Report report;
  report.set_complete(true);
  report.mutable_run()->set_experiment("small.textproto");
  const nlohmann::json least = page_data(dashboards::pages::run_page({}, report, "as text"));
  EXPECT_EQ(least["title"], "small.textproto");
  EXPECT_EQ(least["alert"], "");
  EXPECT_THAT(page_titles(least), ElementsAre("Summary", "Network", "The report as text"));
  EXPECT_EQ(page_section(least, "The report as text")["text"], "as text");

  for (int i = 0; i < 3; ++i) {
    v1::Rank& rank = *report.add_ranks();
    rank.set_rank(i);
    rank.set_compute_seconds(0.001 * i);
    rank.set_communication_seconds(0.002);
    v1::FlowReport& flow = *report.add_flows();
    flow.set_bytes(static_cast<uint64_t>(3000 - 1000 * i));
    flow.set_slowdown(1 + i);
    flow.set_fct_seconds(1e-6 * (3 - i));
  }
  report.add_flows()->set_bytes(7);  // It has not finished.
  report.add_warnings("a warning");
  report.add_jobs()->set_name("job");
  report.add_partitions()->set_name("models");
  report.mutable_osu()->set_benchmark("latency");
  report.mutable_osu()->add_results()->set_bytes(8);
  v1::SeriesPoint& point = *report.mutable_series()->add_points();
  point.set_seconds(2e-3);
  point.add_flow_bytes(1000);
  point.add_flow_bytes(1500);
  point.set_queue_bytes(4000);
  const nlohmann::json data = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_THAT(page_titles(data), ElementsAre("Summary", "Warnings", "Network", "Jobs", "Ranks", "Slowdown of flows",
                                             "Flow completion times", "Goodput over time", "Longest queue over time",
                                             "OSU latency", "Partitions", "The report as text"));
  EXPECT_EQ(page_section(data, "Ranks")["curves"][0]["y"].dump(), "[2.0,3.0,4.0]");
  EXPECT_EQ(page_section(data, "Ranks")["curves"][1]["y"].dump(), "[2.0,2.0,2.0]");
  EXPECT_EQ(page_section(data, "Slowdown of flows")["x"].dump(), "[1000.0,2000.0,3000.0]");
  EXPECT_EQ(page_section(data, "Slowdown of flows")["curves"][0]["y"].dump(), "[3.0,2.0,1.0]");
  EXPECT_EQ(page_section(data, "Flow completion times")["curves"][0]["y"].dump(), "[33.3333,66.6667,100.0]");
  EXPECT_EQ(page_section(data, "Goodput over time")["curves"][0]["y"].dump(), "[0.01]");
  EXPECT_EQ(page_section(data, "Longest queue over time")["curves"][0]["y"].dump(), "[4.0]");
}

TEST(RunPageTest, LatenciesAreDrawnAndListed) {
  v1::Report report;
  v1::LatencySeconds& latency = *report.mutable_traffic()->mutable_latency_seconds();
  latency.set_count(4);
  latency.set_min(1e-6);
  latency.set_p50(2e-6);
  latency.set_p99(5e-6);
  latency.set_max(5e-6);
  const std::string drawn = "Latency of packets";
  const std::string listed = "Latency of packets, percentiles";
  nlohmann::json data = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_TRUE(page_section(data, drawn).is_null());
  EXPECT_EQ(page_section(data, listed)["rows"].size(), 7u);
  for (const auto& [greatest, count] : {std::pair{2e-6, 3}, std::pair{5e-6, 1}}) {
    v1::HistogramBucket& bucket = *latency.add_histogram();
    bucket.set_greatest(greatest);
    bucket.set_count(static_cast<uint64_t>(count));
  }
  data = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_EQ(page_section(data, drawn)["x"].dump(), "[2.0,5.0]");
  EXPECT_EQ(page_section(data, drawn)["curves"][0]["y"].dump(), "[75.0,100.0]");
  EXPECT_EQ(page_section(data, listed)["rows"][0].dump(), R"(["least","1"])");
  EXPECT_EQ(page_section(data, listed)["rows"][3].dump(), R"(["99","5"])");
}

// Routers of the model INPUT_QUEUED tell of nothing else, and those of PACKET of all.
TEST(RunPageTest, SetAsideQueuesAreDrawnOverTime) {
  v1::Report report;
  report.mutable_queues()->set_set_aside_most(3);
  for (const uint64_t set_aside : {2, 3}) {
    v1::SeriesPoint& point = *report.mutable_series()->add_points();
    point.set_seconds(1e-3 * static_cast<double>(set_aside));
    point.set_set_aside(set_aside);
  }
  const nlohmann::json alone = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_THAT(page_titles(alone),
              ElementsAre("Summary", "Network", "Set-aside queues over time", "The report as text"));
  EXPECT_EQ(page_section(alone, "Set-aside queues over time")["x"].dump(), "[2.0,3.0]");
  EXPECT_EQ(page_section(alone, "Set-aside queues over time")["curves"][0]["y"].dump(), "[2.0,3.0]");
  report.add_classes()->set_name("hot");
  for (v1::SeriesPoint& point : *report.mutable_series()->mutable_points()) {
    point.set_queue_bytes(0);
    point.add_class_bytes(1000);
  }
  const nlohmann::json all = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_EQ(page_section(all, "Goodput over time")["curves"].size(), 1u);
  EXPECT_EQ(page_section(all, "Goodput over time")["curves"][0]["label"], "hot");
  EXPECT_EQ(page_section(all, "Goodput over time")["curves"][0]["y"].dump(), "[0.004,0.008]");
  EXPECT_THAT(page_titles(page_data(dashboards::pages::run_page({}, report, ""))),
              ElementsAre("Summary", "Network", "Traffic classes", "Goodput over time", "Longest queue over time",
                          "Set-aside queues over time", "The report as text"));
}

TEST(RunPageTest, APointOfALongSeriesStandsForSeveral) {
  v1::Report report;
  for (int i = 0; i < 2500; ++i) {
    v1::SeriesPoint& point = *report.mutable_series()->add_points();
    point.set_seconds(1e-3 * (i + 1));
    point.add_flow_bytes(1250);
    point.set_queue_bytes(i == 1 ? 4000 : 0);
  }
  const nlohmann::json data = page_data(dashboards::pages::run_page({}, report, ""));
  const nlohmann::json queue = page_section(data, "Longest queue over time");
  ASSERT_EQ(queue["x"].size(), 834u) << "threes, and the one that is left";
  EXPECT_EQ(queue["x"][0], 3.0);
  EXPECT_EQ(queue["x"].back(), 2500.0);
  EXPECT_EQ(queue["curves"][0]["y"][0], 4.0);
  EXPECT_EQ(queue["curves"][0]["y"][1], 0.0);
  const nlohmann::json goodput = page_section(data, "Goodput over time");
  for (const size_t point : {0u, 400u, 833u})
    EXPECT_NEAR(goodput["curves"][0]["y"][point].get<double>(), 0.01, 1e-6) << point;
}

TEST(RunPageTest, ShowsWhatRanksDidAndToWhomTheySent) {
  v1::Report report;
  for (int i = 0; i < 3; ++i) report.add_ranks()->set_rank(i);
  v1::MessageMatrix& matrix = *report.mutable_message_matrix();
  matrix.set_ranks(3);
  matrix.set_cells(2);
  for (const uint64_t bytes : {0, 100, 7, 0}) {
    matrix.add_bytes(bytes);
    matrix.add_messages(bytes / 7);
  }
  v1::RankTimeline& timeline = *report.mutable_rank_timeline();
  timeline.set_end_seconds(0.004);
  timeline.set_ticks(1000);
  for (const char* state : {"compute", "recv"}) {
    timeline.add_states(state);
    v1::RankStateTime& time = *timeline.add_times();
    time.set_state(state);
    time.set_seconds(state[0] == 'c' ? 0.003 : 0.009);
    time.set_most_seconds(0.003);
    time.set_most_rank(2);
  }
  v1::RankRow& row = *timeline.add_rows();
  row.set_rank(2);
  row.add_states(1);
  row.add_ticks(1000);
  const nlohmann::json data = page_data(dashboards::pages::run_page({}, report, ""));
  const nlohmann::json shown = page_section(data, "Messages between ranks");
  EXPECT_EQ(shown["labels"].dump(), R"(["0-1","2"])");
  EXPECT_EQ(shown["values"][0].dump(), "[0.0,100.0,7.0,0.0]");
  EXPECT_THAT(shown["note"].get<std::string>(), HasSubstr("3 ranks are added up in cells"));
  const nlohmann::json drawn = page_section(data, "What ranks did");
  EXPECT_EQ(drawn["end"], 4.0);
  EXPECT_EQ(drawn["time"]["unit"], "ms");
  EXPECT_EQ(drawn["rows"].dump(), R"([{"label":"2","states":[1],"ticks":[1000]}])");
  EXPECT_THAT(drawn["note"].get<std::string>(), HasSubstr("1 of 3 ranks"));
  const nlohmann::json times = page_section(data, "Time of ranks by call");
  EXPECT_EQ(times["rows"].dump(), R"([["recv","75.00","3","3","2"],["compute","25.00","1","3","2"]])");
}

/// A torus of 8x8x8 routers with a host each.
system::SystemGraph large_torus() {
  constexpr int32_t kRouters = 512;
  system::SystemGraph graph;
  graph.dims = {8, 8, 8};
  for (int32_t i = 0; i < 2 * kRouters; ++i) {
    system::Element& element = graph.elements.emplace_back();
    const int32_t router = i - kRouters;
    element.name = router < 0 ? fmt::format("host[{}]", i) : fmt::format("router[{}]", router);
    element.kind = router < 0 ? system::ElementKind::kHost : system::ElementKind::kRouter;
    if (router >= 0) element.coordinates = {router % 8, router / 8 % 8, router / 64};
    element.ports = router < 0 ? std::vector<std::string>{"tile"}
                               : std::vector<std::string>{"tile", "x+", "x-", "y+", "y-", "z+", "z-"};
  }
  for (int32_t i = 0; i < kRouters; ++i) {
    graph.links.push_back({{{i, 0}, {kRouters + i, 0}}});
    for (int32_t d = 0, stride = 1; d < 3; ++d, stride *= 8) {
      const int32_t next = i + (i / stride % 8 == 7 ? -7 * stride : stride);
      graph.links.push_back({{{kRouters + i, 2 * d + 1}, {kRouters + next, 2 * d + 2}}});
    }
  }
  graph.build_index();
  return graph;
}

// As long as reports are at most: docs/models/statistics.md.
TEST(RunPageTest, OfManyRanksIsSmall) {
  const system::SystemGraph graph = large_torus();
  v1::Report report;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    v1::LinkReport& link = *report.add_links();
    link.set_name(graph.channel_name(channel));
    link.set_bytes(123'456 + static_cast<uint64_t>(channel));
    link.set_utilization(0.0001 * channel);
    link.set_credit_stall_seconds(1.23456e-6 * channel);
  }
  for (size_t i = 0; i < observe::LinkSeries::kMostValues / static_cast<size_t>(graph.channel_count()); ++i) {
    v1::LinkInterval& interval = *report.mutable_link_series()->add_intervals();
    interval.set_end_seconds(1e-3 * static_cast<double>(i));
    for (int32_t channel = 0; channel < graph.channel_count(); ++channel)
      interval.add_permille(100 + static_cast<uint32_t>(channel) % 900);
  }
  v1::RankTimeline& timeline = *report.mutable_rank_timeline();
  timeline.set_end_seconds(1);
  timeline.set_ticks(50'000);
  for (int i = 0; i < 20; ++i) timeline.add_states("state");
  for (int rank = 0; rank < 512; ++rank) {
    report.add_ranks()->set_rank(rank);
    v1::RankRow& row = *timeline.add_rows();
    row.set_rank(rank);
    for (int i = 0; i < job::Activity::kMostSegments / 512; ++i) {
      row.add_states(static_cast<uint32_t>(10 + i % 10));
      row.add_ticks(350);
    }
  }
  v1::MessageMatrix& matrix = *report.mutable_message_matrix();
  matrix.set_ranks(512);
  matrix.set_cells(64);
  for (uint64_t i = 0; i < 64 * 64; ++i) {
    matrix.add_bytes(123'456 + i);
    matrix.add_messages(1234 + i);
  }
  EXPECT_LT(dashboards::pages::run_page(graph, report, std::string(5000, 'x')).size(), 1'500'000u);

  // Loads of links are sampled where there is one partition only.
  report.clear_link_series();
  v1::PartitionTimeline& partitions = *report.mutable_partition_timeline();
  constexpr size_t kPartitions = 500;
  for (size_t i = 0; i < run::PartitionTimeline::kMostCells / kPartitions; ++i)
    partitions.add_wall_end_seconds(0.01 * static_cast<double>(i + 1));
  for (uint32_t p = 0; p < kPartitions; ++p) {
    v1::PartitionRow& row = *partitions.add_rows();
    row.set_partition(fmt::format("router[{}]", p));
    for (int i = 0; i < partitions.wall_end_seconds_size(); ++i) {
      row.add_busy_permille((p + 10 * static_cast<uint32_t>(i)) % 1000);
      row.add_waits_for(1 + p % 400);
    }
  }
  EXPECT_LT(dashboards::pages::run_page(graph, report, std::string(5000, 'x')).size(), 1'500'000u);
}

TEST(RunPageTest, ComparesTheWallTimeOfPartitions) {
  v1::Report report;
  for (int i = 0; i < 2; ++i) {
    v1::PartitionReport& partition = *report.add_partitions();
    partition.set_busy_seconds(1 + i);
    partition.set_wait_seconds(3);
  }
  const nlohmann::json chart =
      page_section(page_data(dashboards::pages::run_page({}, report, "")), "Wall time of partitions");
  EXPECT_EQ(chart["bars"], true);
  EXPECT_EQ(chart["curves"][0]["y"].dump(), "[4.0,5.0]");
  EXPECT_EQ(chart["curves"][1]["y"].dump(), "[1.0,2.0]");
}

v1::Report with_partition_timeline() {
  v1::Report report;
  v1::PartitionTimeline& timeline = *report.mutable_partition_timeline();
  for (const double end : {0.010, 0.020, 0.040}) timeline.add_wall_end_seconds(end);
  const std::vector<std::vector<std::pair<uint32_t, uint32_t>>> rows = {{{404, 2}, {396, 2}, {1000, 0}},
                                                                        {{1000, 0}, {0, 1}, {0, 1}}};
  for (const auto& cells : rows) {
    v1::PartitionRow& row = *timeline.add_rows();
    row.set_partition(timeline.rows_size() == 1 ? "models" : "router[3]");
    for (const auto& [busy, waits_for] : cells) {
      row.add_busy_permille(busy);
      row.add_waits_for(waits_for);
    }
  }
  for (const uint32_t partition : {1u, 0u}) {
    v1::PartitionWait& wait = *timeline.add_waits();
    wait.set_partition(partition);
    wait.set_peer(1 - partition);
    wait.set_wall_seconds(partition == 1 ? 0.030 : 0.010);
  }
  return report;
}

TEST(RunPageTest, ShowsPartitionsOverWallClockTime) {
  v1::Report report = with_partition_timeline();
  const nlohmann::json data = page_data(dashboards::pages::run_page({}, report, ""));
  const nlohmann::json drawn = page_section(data, "Partitions over wall-clock time");
  EXPECT_EQ(drawn["time"].dump(), R"({"log":0,"title":"wall time","unit":"ms"})");
  EXPECT_EQ(drawn["level"]["title"], "busy");
  EXPECT_EQ(drawn["row_title"], "partition");
  EXPECT_EQ(drawn["end"], 40.0);
  EXPECT_EQ(drawn["states"].dump(), R"(["","waits for models","waits for router[3]"])");
  EXPECT_EQ(drawn["rows"][0].dump(), R"({"label":"models","levels":[40,100],"states":[2,0],"ticks":[5000,5000]})");
  EXPECT_EQ(drawn["rows"][1]["ticks"].dump(), "[2500,7500]");
  EXPECT_THAT(drawn["note"].get<std::string>(), Not(HasSubstr("other processes")));
  const nlohmann::json table = page_section(data, "Who waits for whom");
  EXPECT_EQ(table["rows"].dump(), R"([["router[3]","models","75.0","75.0"],["models","router[3]","25.0","25.0"]])");

  v1::PartitionRow& elsewhere = *report.mutable_partition_timeline()->mutable_rows(1);
  elsewhere.set_place("worker:unix");
  report.mutable_partition_timeline()->clear_waits();
  nlohmann::json other = page_data(dashboards::pages::run_page({}, report, ""));
  const std::string asked = page_section(other, "Partitions over wall-clock time")["note"];
  EXPECT_THAT(asked, HasSubstr("Partitions of other processes are asked"));
  EXPECT_THAT(asked, Not(HasSubstr("only at the end")));
  elsewhere.set_spread(true);
  other = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_THAT(page_section(other, "Partitions over wall-clock time")["note"].get<std::string>(),
              HasSubstr(" Told only at the end, and spread over all of the run: router[3]."));
  EXPECT_THAT(page_section(other, "Who waits for whom")["note"].get<std::string>(), HasSubstr("No partition was seen"));
}

TEST(RunPageTest, SaysThatARunEndedEarly) {
  v1::Report report;
  report.set_reason("worker w1 was lost");
  const nlohmann::json data = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_THAT(data["alert"].get<std::string>(), HasSubstr("ended early"));
  EXPECT_THAT(data["alert"].get<std::string>(), HasSubstr("worker w1 was lost"));
}

TEST(RunPageTest, ShowsTheBusiestLinks) {
  v1::Report report;
  for (int i = 0; i < 50; ++i) {
    v1::LinkReport& link = *report.add_links();
    link.set_name("link" + std::to_string(i));
    link.set_utilization(0.01 * ((i * 7) % 50));
  }
  const nlohmann::json table = page_section(page_data(dashboards::pages::run_page({}, report, "")), "Busiest links");
  ASSERT_EQ(table["rows"].size(), 20u);
  EXPECT_EQ(table["rows"][0][0], "link7");
  EXPECT_EQ(table["rows"][0][1], "49.000");
  EXPECT_EQ(table["note"], "20 of 50 directions of links.");
}

TEST(OsuChartTest, StandsBesideReferences) {
  v1::OsuReport osu;
  osu.set_benchmark("latency");
  osu.set_unit("us");
  for (const uint64_t bytes : {0, 64}) {
    v1::OsuResult& result = *osu.add_results();
    result.set_bytes(bytes);
    result.set_value(bytes == 0 ? 1 : 5);
    if (bytes == 0) continue;
    result.set_min(4);
    result.set_max(6);
  }
  const dashboards::html::Chart chart = dashboards::pages::osu_chart(osu, {{"published: a", {{0, 1.2}, {4096, 9}}}});
  EXPECT_THAT(chart.x, ElementsAre(0.5, 64, 4096));
  EXPECT_THAT(chart.note, HasSubstr("0 B stands at 0.5 B"));
  ASSERT_EQ(chart.curves.size(), 2u);
  EXPECT_THAT(chart.curves[0].y, ElementsAre(1, 5, IsNan()));
  EXPECT_THAT(chart.curves[0].low, ElementsAre(IsNan(), 4, IsNan()));
  EXPECT_THAT(chart.curves[0].high, ElementsAre(IsNan(), 6, IsNan()));
  EXPECT_EQ(chart.curves[1].label, "published: a");
  EXPECT_TRUE(chart.curves[1].points);
  EXPECT_THAT(chart.curves[1].y, ElementsAre(1.2, IsNan(), 9));
}

TEST(ResultPageTest, SaysWhereTheResultComesFrom) {
  v1::Provenance from;
  from.set_command("fabrictwin compare a.textproto");
  from.set_date("2026-03-01T00:00:00Z");
  const nlohmann::json data =
      page_data(dashboards::pages::result_page({.title = "comparison",
                                                .alert = "",
                                                .provenance = from,
                                                .charts = {{"c", {"x", ""}, {"y", ""}, {1, 2}, {{"l", {3, 4}}}}}}));
  EXPECT_THAT(page_titles(data), ElementsAre("Summary", "c", "The result as text"));
  EXPECT_THAT(page_section(data, "Summary").dump(), HasSubstr("fabrictwin compare a.textproto"));
}

TEST(ResultPageTest, AValidationShowsErrorsAndRuns) {
  v1::ValidationReport report;
  report.mutable_errors()->set_messages(10);
  report.mutable_errors()->mutable_relative()->set_p99(0.125);
  for (const double up_to : {0.0, 0.01, 0.1}) {
    v1::ErrorBucket& bucket = *report.mutable_errors()->add_histogram();
    bucket.set_up_to(up_to);
    bucket.set_early(1);
    bucket.set_late(2);
  }
  report.mutable_errors()->add_histogram()->set_late(1);
  report.mutable_errors()->add_worst()->set_relative(-0.5);
  report.add_runs()->set_seed(7);
  const nlohmann::json data = page_data(dashboards::pages::validation_page(report, "", "text"));
  EXPECT_THAT(page_titles(data), ElementsAre("Errors of latencies", "Runs", "Largest errors", "Messages by their error",
                                             "The result as text"));
  EXPECT_EQ(page_section(data, "Errors of latencies")["rows"][0][3], "12.5");
  EXPECT_EQ(page_section(data, "Runs")["rows"][0][0], "7");
  EXPECT_EQ(page_section(data, "Largest errors")["rows"][0][5], "-50");
  EXPECT_EQ(page_section(data, "Messages by their error")["curves"][0]["y"].dump(), "[30.0,60.0,90.0]");
}

TEST(ResultPageTest, AValidationShowsWhatCoarserRoutersChange) {
  v1::ValidationReport report;
  v1::IslandErrors& island = *report.mutable_island();
  island.set_hosts(8);
  island.set_tolerance(0.05);
  v1::IslandLatencies& all = *island.add_latencies();
  all.set_messages("all");
  all.set_error_of_mean(-0.0125);
  const nlohmann::json data = page_data(dashboards::pages::validation_page(report, "", "text"));
  const auto& section = page_section(data, "Messages of the island");
  EXPECT_EQ(section["rows"][0][0], "all");
  EXPECT_EQ(section["rows"][0][4], "-1.25");
  EXPECT_THAT(section.dump(), HasSubstr("5 %: exceeded"));
}

TEST(ResultPageTest, HasTablesPicturesAndText) {
  const nlohmann::json data = page_data(dashboards::pages::result_page({.title = "sweep",
                                                                        .alert = "partial",
                                                                        .provenance = {},
                                                                        .tables = {{"t", {"a"}, {{"1"}}}},
                                                                        .pictures = {{"p", "<svg/>"}},
                                                                        .text = "text"}));
  EXPECT_EQ(data["alert"], "partial");
  EXPECT_THAT(page_titles(data), ElementsAre("t", "p", "The result as text"));
  EXPECT_EQ(page_section(data, "p")["svg"], "<svg/>");
}

}  // namespace
}  // namespace fabrictwin
