// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a comparison is made of, and what it refuses.
#include "cosim/study/comparison/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "tests/dashboards/report/xml_check.h"

namespace fabrictwin {
namespace {

using study::comparison::Cell;
using study::comparison::Metric;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Cell cell_of(const std::string& scheme, const v1::Report& report) {
  Cell cell;
  cell.file = "a/victim.textproto";
  cell.scheme = scheme;
  cell.runs.push_back({1, true, absl::OkStatus(), report});
  return cell;
}

std::vector<std::string> keys_of(const std::vector<Cell>& cells) {
  std::vector<std::string> keys;
  for (const Metric& metric : study::comparison::metrics_of(cells, "a/victim.textproto")) keys.push_back(metric.key);
  return keys;
}

/// The titles of the columns that tables have.
std::vector<std::string> columns_of(const std::vector<Cell>& cells) {
  std::vector<std::string> titles;
  for (const Metric& metric : study::comparison::metrics_of(cells, "a/victim.textproto")) {
    if (metric.in_table) titles.push_back(metric.title);
  }
  return titles;
}

double value_of(const std::vector<Cell>& cells, const std::string& key) {
  for (const Metric& metric : study::comparison::metrics_of(cells, "a/victim.textproto")) {
    if (metric.key == key) return cells[0].value(metric)->mean;
  }
  ADD_FAILURE() << "there is no " << key;
  return 0;
}

void add_flow(v1::Report& report, int32_t destination, uint64_t bytes) {
  v1::FlowReport& flow = *report.add_flows();
  flow.set_destination(destination);
  flow.set_bytes_received(bytes);
}

// In 1 us, 1000 bytes are 8 Gbit/s.
TEST(ComparisonMetrics, FewDestinationsHaveAColumnEach) {
  v1::Report report;
  report.set_simulated_seconds(1e-6);
  add_flow(report, 9, 1000);
  add_flow(report, 9, 500);
  EXPECT_THAT(keys_of({cell_of("none", report)}), Not(::testing::Contains(StartsWith("goodput_to_"))))
      << "that is the goodput of all";
  add_flow(report, 4, 250);
  report.mutable_flow_summary()->set_goodput_gbps(14);
  report.mutable_flow_summary()->set_least_goodput_gbps(2);
  const std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_DOUBLE_EQ(value_of(cells, "goodput_gbps"), 14);
  EXPECT_DOUBLE_EQ(value_of(cells, "goodput_least_gbps"), 2);
  EXPECT_DOUBLE_EQ(value_of(cells, "goodput_to_host_9_gbps"), 12);
  EXPECT_DOUBLE_EQ(value_of(cells, "goodput_to_host_4_gbps"), 2);
  EXPECT_THAT(study::comparison::to_table(cells), HasSubstr("to host 9"));
  EXPECT_THAT(study::comparison::to_csv(cells), HasSubstr("a/victim.textproto,none,goodput_to_host_9_gbps,12,\n"));
  EXPECT_THAT(study::comparison::to_json(cells), HasSubstr("\"goodput_to_host_4_gbps\""));
  for (int32_t host = 10; host < 16; ++host) add_flow(report, host, 1);
  EXPECT_THAT(keys_of({cell_of("none", report)}), ::testing::Contains(std::string("goodput_to_host_15_gbps")));
  add_flow(report, 16, 1);
  EXPECT_THAT(keys_of({cell_of("none", report)}), Not(::testing::Contains(StartsWith("goodput_to_"))))
      << "nine are too many";
}

TEST(ComparisonMetrics, TablesHaveTheGoodputsOfTheWindow) {
  v1::Report report;
  report.set_simulated_seconds(1e-6);
  add_flow(report, 9, 1000);
  add_flow(report, 4, 250);
  v1::FlowSummary& flows = *report.mutable_flow_summary();
  flows.set_goodput_gbps(10);
  flows.set_least_goodput_gbps(2);
  flows.set_jain_index(0.7);
  const std::vector<std::string> before = columns_of({cell_of("none", report)});
  EXPECT_THAT(before, ::testing::IsSupersetOf({"Gbit/s", "least", "Jain", "to host 9"}));
  report.mutable_goodput_window()->set_until_seconds(1e-6);
  report.mutable_flows(0)->set_window_goodput_gbps(6);
  report.mutable_flows(1)->set_window_goodput_gbps(3);
  flows.set_window_goodput_gbps(9);
  flows.set_window_least_goodput_gbps(3);
  flows.set_window_jain_index(0.9);
  flows.set_window_min_over_max_min(0.5);
  const std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_DOUBLE_EQ(value_of(cells, "goodput_gbps"), 10) << "JSON and CSV have both";
  EXPECT_DOUBLE_EQ(value_of(cells, "window_goodput_gbps"), 9);
  EXPECT_DOUBLE_EQ(value_of(cells, "window_goodput_least_gbps"), 3);
  EXPECT_DOUBLE_EQ(value_of(cells, "window_goodput_to_host_9_gbps"), 6);
  EXPECT_DOUBLE_EQ(value_of(cells, "window_jain_index"), 0.9);
  EXPECT_DOUBLE_EQ(value_of(cells, "window_min_over_max_min"), 0.5);
  const std::vector<std::string> columns = columns_of(cells);
  EXPECT_THAT(columns, ::testing::IsSupersetOf({"window Gbit/s", "least", "Jain", "min/fair", "to host 9"}));
  EXPECT_EQ(std::count(columns.begin(), columns.end(), "least"), 1);
  EXPECT_THAT(columns, Not(::testing::Contains(std::string("Gbit/s"))));
}

TEST(ComparisonMetrics, TrafficHasItsLoadAndLatencies) {
  v1::Report report;
  report.mutable_traffic()->set_accepted_load(0.375);
  EXPECT_THAT(keys_of({cell_of("none", report)}), Not(::testing::Contains(std::string("accepted_load"))))
      << "it has not been measured yet";
  report.mutable_traffic()->set_accepted_load_min_node(0.25);
  report.mutable_traffic()->mutable_latency_seconds()->set_mean(2e-6);
  report.mutable_traffic()->mutable_latency_seconds()->set_p99(5e-6);
  const std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_DOUBLE_EQ(value_of(cells, "accepted_load"), 0.375);
  EXPECT_DOUBLE_EQ(value_of(cells, "latency_mean_seconds"), 2e-6);
  EXPECT_DOUBLE_EQ(value_of(cells, "latency_p99_seconds"), 5e-6);
  EXPECT_THAT(study::comparison::to_table(cells), HasSubstr("37.50"));
}

TEST(ComparisonMetrics, ClassesHaveLatenciesAndFaultsARecovery) {
  v1::Report report;
  for (const auto& [name, p99] : {std::pair("hot", 9e-6), std::pair("victims", 3e-6)}) {
    v1::ClassReport& of_class = *report.add_classes();
    of_class.set_name(name);
    of_class.mutable_latency()->set_mean(p99 / 3);
    of_class.mutable_latency()->set_p99(p99);
  }
  report.add_faults()->set_recovery_seconds(1e-5);
  report.mutable_faults(0)->set_goodput_recovery_seconds(2e-4);
  report.mutable_classes(0)->set_goodput_recovery_seconds(3e-4);
  report.add_faults();
  const std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_DOUBLE_EQ(value_of(cells, "class_victims_latency_p99_seconds"), 3e-6);
  EXPECT_DOUBLE_EQ(value_of(cells, "class_hot_latency_mean_seconds"), 3e-6);
  EXPECT_DOUBLE_EQ(value_of(cells, "fault_0_recovery_seconds"), 1e-5);
  EXPECT_DOUBLE_EQ(value_of(cells, "fault_0_goodput_recovery_seconds"), 2e-4);
  EXPECT_DOUBLE_EQ(value_of(cells, "class_hot_goodput_recovery_seconds"), 3e-4);
  EXPECT_THAT(keys_of(cells), Not(::testing::Contains(std::string("fault_1_recovery_seconds"))))
      << "the queue at its link has not become empty";
}

// A class may have any name.
TEST(ComparisonMetrics, MoreLoadOfAClassCalledLatencyIsNoWorse) {
  v1::Report less;
  for (const char* name : {"latency", "other"}) {
    less.add_classes()->set_name(name);
    less.mutable_classes(less.classes_size() - 1)->set_accepted_load(0.1);
  }
  v1::Report more = less;
  more.mutable_classes(0)->set_accepted_load(0.2);
  const auto page = study::comparison::to_page({cell_of("none", less), cell_of("dcqcn", more)});
  ASSERT_TRUE(page.ok()) << page.status();
  size_t best = 0;
  for (size_t at = page->find("class=\"best\""); at != std::string::npos; at = page->find("class=\"best\"", at + 1))
    ++best;
  EXPECT_EQ(best, 2u) << "only the least class, of which both have as much";
}

// Tables would become too wide.
TEST(ComparisonMetrics, SomeAreInFilesOnly) {
  v1::Report report;
  report.mutable_control()->set_bytes(2000);
  report.mutable_control()->set_marks(12);
  const std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_THAT(study::comparison::to_csv(cells), HasSubstr(",none,control_bytes,2000,\n"));
  EXPECT_THAT(study::comparison::to_table(cells), Not(HasSubstr("control")));
  EXPECT_THAT(study::comparison::to_table(cells), HasSubstr("marks"));
}

// Percentiles of queues, goodputs of jobs, and completion times and slowdowns by size of flows.
TEST(ComparisonMetrics, FilesHaveMoreOfQueuesJobsAndSizes) {
  v1::Report report;
  report.mutable_queues()->set_max_bytes(3000);
  report.mutable_queues()->set_p50_bytes(1000);
  report.mutable_queues()->set_p99_bytes(2500);
  v1::JobReport& storm = *report.add_jobs();
  storm.set_name("storm");
  storm.set_background(true);
  storm.set_goodput_gbps(80);
  const auto add_bin = [&report](uint64_t above, uint64_t up_to, double p95) {
    v1::FlowBin& bin = *report.mutable_flow_summary()->add_bins();
    bin.set_above_bytes(above);
    bin.set_up_to_bytes(up_to);
    bin.set_slowdown_mean(1);
    bin.set_slowdown_p95(p95);
    bin.set_fct_p50_seconds(p95 * 1e-6);
    bin.set_fct_p95_seconds(p95 * 2e-6);
    bin.set_fct_p99_seconds(p95 * 3e-6);
  };
  constexpr uint64_t kNoBound = std::numeric_limits<uint64_t>::max();
  add_bin(0, kNoBound, 7);
  add_bin(0, 10'000, 5);
  std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_THAT(keys_of(cells), Not(::testing::Contains(HasSubstr("up_to_10kB")))) << "that is all flows";
  add_bin(100'000, 1'000'000, 8);
  add_bin(10'000'000, kNoBound, 9);
  cells = {cell_of("none", report)};
  EXPECT_DOUBLE_EQ(value_of(cells, "queue_p50_bytes"), 1000);
  EXPECT_DOUBLE_EQ(value_of(cells, "job_storm_goodput_gbps"), 80);
  EXPECT_DOUBLE_EQ(value_of(cells, "fct_p95_seconds"), 14e-6);
  EXPECT_DOUBLE_EQ(value_of(cells, "fct_p50_up_to_10kB_seconds"), 5e-6);
  EXPECT_DOUBLE_EQ(value_of(cells, "fct_p99_up_to_1MB_seconds"), 24e-6);
  EXPECT_DOUBLE_EQ(value_of(cells, "slowdown_p95_up_to_1MB"), 8);
  EXPECT_DOUBLE_EQ(value_of(cells, "slowdown_p95_above_10MB"), 9);
  EXPECT_THAT(study::comparison::to_csv(cells), HasSubstr(",none,queue_p50_bytes,1000,\n"));
  EXPECT_THAT(columns_of(cells),
              ElementsAre("simulated us", "mean FCT us", "last FCT us", "slowdown p50", "p99", "queue kB", "p99 kB"));
}

TEST(ComparisonResult, NamesWithCommasAreCellsOfCsv) {
  v1::Report report;
  report.set_simulated_seconds(1);
  Cell cell = cell_of("none", report);
  cell.file = "a,b.textproto";
  EXPECT_THAT(study::comparison::to_csv({cell}), HasSubstr("\"a,b.textproto\",none,simulated_seconds,1,\n"));
}

TEST(ComparisonMetrics, ClassesHaveAColumnEach) {
  v1::Report report;
  for (const auto& [name, load] : {std::pair("hot", 0.25), std::pair("victims", 0.5)}) {
    v1::ClassReport& of_class = *report.add_classes();
    of_class.set_name(name);
    of_class.set_accepted_load(load);
    of_class.set_goodput_gbps(100 * load);
  }
  const std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_DOUBLE_EQ(value_of(cells, "class_hot_goodput_gbps"), 25);
  EXPECT_DOUBLE_EQ(value_of(cells, "class_hot_accepted"), 0.25);
  EXPECT_DOUBLE_EQ(value_of(cells, "class_victims_accepted"), 0.5);
  EXPECT_DOUBLE_EQ(value_of(cells, "class_least_accepted"), 0.25);
  EXPECT_THAT(study::comparison::to_table(cells), HasSubstr("50.00"));
}

// Those in the background end with the others.
TEST(ComparisonMetrics, JobsHaveTheTimeUntilTheirEnd) {
  v1::Report report;
  v1::JobReport& job = *report.add_jobs();
  job.set_name("lammps");
  job.set_finish_seconds(2e-3);
  job.set_completions(1);
  v1::JobReport& storm = *report.add_jobs();
  storm.set_name("storm");
  storm.set_background(true);
  storm.set_finish_seconds(1e-3);
  storm.set_completions(3);
  std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_DOUBLE_EQ(value_of(cells, "job_lammps_seconds"), 2e-3);
  EXPECT_THAT(study::comparison::to_table(cells), HasSubstr("job us"));
  EXPECT_THAT(keys_of(cells), Not(::testing::Contains(std::string("job_storm_seconds"))));
  v1::JobReport& other = *report.add_jobs();
  other.set_name("hpcg");
  cells = {cell_of("none", report)};
  EXPECT_THAT(keys_of(cells), Not(::testing::Contains(std::string("job_hpcg_seconds")))) << "it has not ended";
  EXPECT_THAT(study::comparison::to_table(cells), HasSubstr("lammps us"));
}

TEST(ComparisonMetrics, FlowsThatHaveReceivedNothingHaveNoFairness) {
  v1::Report report;
  report.mutable_flow_summary()->set_flows(2);
  std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_THAT(keys_of(cells), Not(::testing::Contains(std::string("jain_index"))));
  report.mutable_flow_summary()->set_jain_index(0.5);
  cells.push_back(cell_of("dcqcn", report));
  int found = 0;
  for (const Metric& metric : study::comparison::metrics_of(cells, "a/victim.textproto")) {
    if (metric.key != "jain_index") continue;
    ++found;
    EXPECT_FALSE(cells[0].value(metric).has_value());
    ASSERT_TRUE(cells[1].value(metric).has_value());
    EXPECT_DOUBLE_EQ(cells[1].value(metric)->mean, 0.5);
  }
  EXPECT_EQ(found, 1);
  EXPECT_THAT(study::comparison::to_table(cells), HasSubstr("0.5000"));
  EXPECT_THAT(study::comparison::to_table(cells), Not(HasSubstr("0.0000")));
}

// Starved alike: a Jain index of goodputs alone cannot tell that from what is fair.
TEST(ComparisonMetrics, FairnessIsAlsoThatOfShares) {
  v1::Report report;
  report.mutable_flow_summary()->set_jain_index(1);
  report.mutable_flow_summary()->set_jain_over_max_min(0.27);
  report.mutable_flow_summary()->set_min_over_max_min(0.125);
  const std::vector<Cell> cells{cell_of("none", report)};
  EXPECT_DOUBLE_EQ(value_of(cells, "jain_over_max_min"), 0.27);
  EXPECT_THAT(study::comparison::to_table(cells), HasSubstr("Jain/fair"));
}

/// Flows of three sizes to two hosts, two jobs, GPCNeT, two classes of traffic and a series with an interval of 1 ms.
v1::Report report_with_plots() {
  v1::Report report;
  for (int flow = 0; flow < 8; ++flow) {
    add_flow(report, flow < 6 ? 9 : 4, 1000);
    report.mutable_flows(flow)->set_goodput_gbps(flow < 6 ? 2 : 5);
    report.mutable_flows(flow)->set_fct_seconds(1e-6 * (flow + 1));
  }
  const auto add_bin = [&report](uint64_t above, uint64_t up_to, double p50) {
    v1::FlowBin& bin = *report.mutable_flow_summary()->add_bins();
    bin.set_above_bytes(above);
    bin.set_up_to_bytes(up_to);
    bin.set_slowdown_p50(p50);
    bin.set_slowdown_p99(10 * p50);
  };
  add_bin(0, std::numeric_limits<uint64_t>::max(), 2);
  add_bin(0, 10'000, 1.5);
  add_bin(10'000, 100'000, 2.5);
  add_bin(10'000'000, std::numeric_limits<uint64_t>::max(), 3.5);
  v1::JobReport& job = *report.add_jobs();
  job.set_name("lammps");
  job.set_slowdown(1.25);
  job.set_completions(1);
  job.set_finish_seconds(4e-3);
  v1::GpcnetRow& row = *report.mutable_gpcnet()->add_rows();
  row.set_test("RR Two-sided Lat (8 B)");
  row.set_cif_mean(1.5);
  row.set_cif_p99(6);
  for (const auto& [name, load] : {std::pair("hot", 0.25), std::pair("victims", 0.5)}) {
    v1::ClassReport& of_class = *report.add_classes();
    of_class.set_name(name);
    of_class.set_accepted_load(load);
  }
  report.mutable_queues()->set_set_aside_most(3);
  for (int i = 1; i <= 2; ++i) {
    v1::SeriesPoint& point = *report.mutable_series()->add_points();
    point.set_seconds(1e-3 * i);
    point.set_queue_bytes(static_cast<uint64_t>(1000 * i));
    point.set_set_aside(static_cast<uint64_t>(i));
    // In 1 ms, 125 kB are 1 Gbit/s.
    for (int flow = 0; flow < 8; ++flow) {
      point.add_flow_bytes(125'000);
      point.add_flow_rate_bps(flow < 4 ? 3'000'000'000 : 0);
    }
    point.add_class_bytes(250'000);
    point.add_class_bytes(500'000);
  }
  return report;
}

// A point of each diagram that there is.
TEST(ComparisonPlots, ShowWhatReportsHave) {
  const std::vector<Cell> cells{cell_of("none", report_with_plots())};
  const std::string csv = study::comparison::plot_csv(cells, "a/victim.textproto");
  EXPECT_THAT(csv, StartsWith("plot,series,x,y\n"));
  const std::string points[] = {
      "victim: mean goodput of a flow,6 flows to host 9,none,2",
      "victim: mean goodput of a flow,2 flows to host 4,none,5",
      "victim: slowdown of jobs,lammps,none,1.25",
      "victim: time of jobs,lammps,none,4",
      "victim: accepted load by class,victims,none,0.5",
      "\"victim: congestion impact factor, mean\",RR Two-sided Lat (8 B),none,1.5",
      "\"victim: congestion impact factor, 99th percentile\",RR Two-sided Lat (8 B),none,6",
      "victim: set-aside queues,none,2,2",
      "victim: goodput of all flows,none,1,8",
      "victim: goodput of class hot,none,1,2",
      "victim: goodput of class victims,none,2,4",
      "victim: goodput to host 9,none,2,6",
      "victim: goodput to host 4,none,2,2",
      "\"victim: rate that a flow may send at, mean\",none,1,3",
      "victim: longest queue,none,2,2",
      "victim: median of slowdowns,none,100000,2.5",
      "victim: median of slowdowns,none,100000000,3.5",
      "victim: 99th percentile of slowdowns,none,10000,15",
      "victim: flow completion times,none,4,50",
  };
  for (const std::string& point : points) EXPECT_THAT(csv, HasSubstr("\n" + point + "\n"));
  const auto svg = study::comparison::to_svg(cells, "a/victim.textproto");
  ASSERT_TRUE(svg.ok() && svg->has_value()) << svg.status();
  EXPECT_EQ(test::xml_fault(**svg), "");
  for (const char* title :
       {"mean goodput of a flow", "slowdown of jobs", "time of jobs", "accepted load by class",
        "congestion impact factor, mean", "congestion impact factor, 99th percentile", "set-aside queues",
        "goodput of all flows", "goodput of class hot", "goodput to host 4", "rate that a flow may send at, mean",
        "longest queue", "median of slowdowns", "99th percentile of slowdowns", "flow completion times"})
    EXPECT_THAT(**svg, HasSubstr(std::string(">victim: ") + title + "<"));
  // Of an experiment without any of it, nothing is drawn.
  const std::vector<Cell> bare{cell_of("none", v1::Report())};
  EXPECT_EQ(study::comparison::plot_csv(bare, "a/victim.textproto"), "");
  EXPECT_FALSE(study::comparison::to_svg(bare, "a/victim.textproto")->has_value());
}

std::string refusal(study::comparison::Request request) {
  const auto made = study::comparison::Comparison::create(request, {});
  EXPECT_EQ(made.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(message_of(made.status()));
}

TEST(Comparison, RefusesParametersOfSchemesThatAreNotCompared) {
  EXPECT_EQ(refusal({.files = {"a.textproto"},
                     .schemes = {"none", "hpcc"},
                     .seeds = {},
                     .sets = {"congestion.hpcc.stages=3", "congestion.dcqcn.pmax=0.1"}}),
            "--set:1:1: error: dcqcn is not among the schemes that are compared; name it in --schemes, or leave this "
            "out\ncongestion.dcqcn.pmax=0.1\n^");
}

TEST(Comparison, RefusesASeedBesideSeeds) {
  EXPECT_EQ(refusal({.files = {"a.textproto"}, .schemes = {"none"}, .seeds = {1}, .sets = {"seed=3"}}),
            "--set:1:1: error: --seeds gives this field its values, so this one would not be used; leave one of them "
            "out\nseed=3\n^");
}

TEST(Comparison, ShowsTheSchemeThatIsWrong) {
  const std::string known =
      "; write some of none, dcqcn, dctcp, timely, hpcc, ib_cca, swift, max_min, back_pressure, throttling, one, "
      "voqsw, "
      "voqnet, dbbm, obqa, fbicm, or one for rates with one of queues, as dcqcn+voqnet\n";
  const auto of = [](std::vector<std::string> schemes) {
    return refusal({.files = {"a.textproto"}, .schemes = std::move(schemes), .seeds = {}, .sets = {}});
  };
  EXPECT_EQ(of({"none,dcqcm"}),
            "--schemes:1:6: error: unknown scheme \"dcqcm\" (did you mean \"dcqcn\"?)" + known + "none,dcqcm\n     ^");
  // In the argument that has it.
  EXPECT_EQ(of({"none,hpcc", "red"}), "--schemes:1:1: error: unknown scheme \"red\"" + known + "red\n^");
  EXPECT_EQ(of({"none,"}), "--schemes:1:6: error: no scheme is named here" + known + "none,\n     ^");
}

TEST(Comparison, ShowsTheSchemesThatAreNotOneRow) {
  const auto of = [](const std::string& schemes) {
    return refusal({.files = {"a.textproto"}, .schemes = {schemes}, .seeds = {}, .sets = {}});
  };
  EXPECT_EQ(of("dcqcn+hpcc"),
            "--schemes:1:7: error: dcqcn and hpcc both control rates; write one of them\ndcqcn+hpcc\n      ^");
  EXPECT_EQ(
      of("voqnet+dbbm"),
      "--schemes:1:8: error: voqnet and dbbm are both schemes of queues; write one of them\nvoqnet+dbbm\n       ^");
  EXPECT_EQ(of("voqnet+none"),
            "--schemes:1:8: error: none is a row of its own; leave it out here\nvoqnet+none\n       ^");
  EXPECT_THAT(
      of("none,dcqcn+voqnett"),
      StartsWith("--schemes:1:12: error: unknown scheme \"voqnett\" (did you mean \"voqnet\"?); write some of"));
  EXPECT_THAT(of("voqnet+dcqcn,dcqcn+voqnet"),
              StartsWith("--schemes:1:14: error: dcqcn+voqnet is there twice; write each scheme once\n"));
}

TEST(Comparison, RefusesFieldsOfQueuesThatNoRowHas) {
  const auto of = [](const std::string& set) {
    return refusal({.files = {"a.textproto"}, .schemes = {"none,voqnet,dcqcn+voqsw"}, .seeds = {}, .sets = {set}});
  };
  EXPECT_EQ(of("queues.count=4"),
            "--set:1:1: error: no scheme that is compared has count; name one that has it in --schemes, or leave this "
            "out\nqueues.count=4\n^");
  EXPECT_THAT(of("queues.detect=4"), HasSubstr("no scheme that is compared has detect"));
  EXPECT_EQ(of("queues.scheme=DBBM"),
            "--set:1:1: error: --schemes gives this field its values, so this one would not be used; leave it "
            "out\nqueues.scheme=DBBM\n^");
}

TEST(Comparison, RefusesWhatWouldBeRunTwice) {
  const std::string twice = "error: dcqcn is there twice; write each scheme once\n";
  EXPECT_EQ(refusal({.files = {"a.textproto"}, .schemes = {"dcqcn,none,dcqcn"}, .seeds = {}, .sets = {}}),
            "--schemes:1:12: " + twice + "dcqcn,none,dcqcn\n           ^");
  EXPECT_EQ(refusal({.files = {"a.textproto"}, .schemes = {"dcqcn", "none", "dcqcn"}, .seeds = {}, .sets = {}}),
            "--schemes:1:1: " + twice + "dcqcn\n^");
  EXPECT_EQ(
      refusal(
          {.files = {"x/a.textproto", "b.textproto", "y/a.textproto"}, .schemes = {"none"}, .seeds = {}, .sets = {}}),
      "y/a.textproto: error: results are named after the file without its folder, and x/a.textproto has the same "
      "name; rename one of them, or write each file once");
}

}  // namespace
}  // namespace fabrictwin
