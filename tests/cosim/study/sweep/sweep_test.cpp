// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/sweep/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "cosim/base/text.h"
#include "tests/dashboards/report/xml_check.h"
#include "workloads/tenants.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kFile = "workloads/experiments/booksim-torus.textproto";

double load_of(const experiment::Experiment& experiment) {
  return experiment.workload_as<traffic::TrafficSpec>()->load;
}

/// What a network would say that takes up to 0.4.
v1::Report report_of(const experiment::Experiment& experiment) {
  v1::Report report;
  report.set_complete(true);
  report.set_timing_digest("digest");
  report.add_links()->set_name("a link");
  v1::TrafficReport& traffic = *report.mutable_traffic();
  traffic.set_offered_load(load_of(experiment));
  traffic.set_accepted_load(std::min(0.4, load_of(experiment)));
  traffic.set_saturated(load_of(experiment) > 0.4);
  traffic.mutable_latency_cycles()->set_mean(100 * load_of(experiment));
  traffic.mutable_latency_cycles()->set_network_mean(0);
  return report;
}

study::sweep::Parts parts_of(
    std::function<absl::StatusOr<v1::Report>(const experiment::Experiment&, std::stop_token)> run) {
  return {[](const experiment::Experiment&) { return absl::OkStatus(); }, std::move(run), workloads::tenants()};
}

study::sweep::Parts parts() {
  return parts_of(
      [](const experiment::Experiment& experiment, const std::stop_token&) { return report_of(experiment); });
}

absl::StatusOr<study::sweep::Sweep> make(std::vector<std::string> sweeps, study::sweep::Parts with = parts(),
                                         int jobs = 1, std::optional<double> precision = std::nullopt,
                                         std::vector<std::string> sets = {}) {
  study::sweep::Request request;
  request.file = kFile;
  request.sweeps = std::move(sweeps);
  request.overrides.sets = std::move(sets);
  request.precision = precision;
  request.jobs = jobs;
  return study::sweep::Sweep::create(request, std::move(with));
}

study::sweep::Result run(absl::StatusOr<study::sweep::Sweep> sweep, std::stop_token stop = {}) {
  EXPECT_TRUE(sweep.ok()) << sweep.status();
  if (!sweep.ok()) return {};
  sweep->run(stop, [](size_t) {});
  return sweep->result();
}

std::string error_of(const absl::StatusOr<study::sweep::Sweep>& sweep) {
  return std::string(message_of(sweep.status()));
}

TEST(Sweep, RunsEveryPointWithItsSettings) {
  const study::sweep::Result result = run(make({"load=0.1:0.5:0.2", "pattern=uniform,Tornado"}));
  ASSERT_EQ(result.points.size(), 6u);
  EXPECT_TRUE(result.complete());
  EXPECT_DOUBLE_EQ(result.points[4].report.traffic().offered_load(), 0.3);
  const auto json = nlohmann::json::parse(study::sweep::to_json(result));
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("experiment"), kFile);
  EXPECT_EQ(json.at("sweep")[0].at("path"), "workload.traffic.load");
  EXPECT_EQ(json.at("sweep")[0].at("values"), nlohmann::json::parse("[0.1, 0.3, 0.5]"));
  const auto& point = json.at("points")[5];
  EXPECT_EQ(point.at("settings"),
            nlohmann::json::parse(R"({"workload.traffic.load": 0.5, "workload.traffic.pattern": "Tornado"})"));
  EXPECT_EQ(point.at("traffic").at("accepted_load"), 0.4);
  EXPECT_EQ(point.at("traffic").at("saturated"), true);
  EXPECT_EQ(point.at("timing_digest"), "digest");
  EXPECT_THAT(point.at("links"), testing::IsEmpty());
}

TEST(Sweep, TakesOutcomesOfOtherProcesses) {
  absl::StatusOr<study::sweep::Sweep> sweep = make({"load=0.1:0.3:0.1"});
  ASSERT_TRUE(sweep.ok()) << sweep.status();
  ASSERT_EQ(sweep->experiments().size(), 3u);
  EXPECT_DOUBLE_EQ(load_of(sweep->experiments()[1]), 0.2);
  study::point::Outcome outcome;
  outcome.report.set_complete(true);
  sweep->take(0, outcome);
  outcome.status = absl::UnavailableError("lost");
  sweep->take(2, outcome);
  outcome.status = absl::CancelledError("interrupted");
  sweep->take(1, outcome);
  EXPECT_EQ(sweep->result().progress(), "2 of 3 points");
  EXPECT_TRUE(sweep->result().points[0].status.ok() && sweep->result().points[0].report.complete());
  EXPECT_EQ(message_of(sweep->result().points[2].status), "lost");
}

TEST(Sweep, TellsItAsTableAndForSpreadsheets) {
  const study::sweep::Result result = run(make({"load=0.1,0.5"}));
  EXPECT_EQ(study::sweep::to_table(result),
            "                          +/-  least                     network\n"
            "load  offered  accepted  95 %   node  latency  min  max     mean   p50   p90\n"
            "0.1    0.1000    0.1000     -      -    10.00    0    0     0.00  0.00  0.00\n"
            "0.5    0.5000    0.4000     -      -    50.00    0    0     0.00  0.00  0.00\n"
            "\n"
            "load   p99  p99.9  p99.99  saturated\n"
            "0.1   0.00   0.00    0.00         no\n"
            "0.5   0.00   0.00    0.00        yes\n");
  EXPECT_EQ(study::sweep::to_csv(result),
            "workload.traffic.load,status,offered_load,accepted_load,accepted_load_confidence,accepted_load_min_node,"
            "latency_mean,latency_min,latency_max,latency_network_mean,latency_p50,latency_p90,latency_p99,latency_p99_"
            "9,latency_p99_99,saturated\n"
            "0.1,ok,0.1,0.1,,,10,0,0,0,0,0,0,0,0,0\n"
            "0.5,ok,0.5,0.4,,,50,0,0,0,0,0,0,0,0,1\n");
}

// Traffic that is measured for a fixed time is told in seconds.
TEST(Sweep, TellsSecondsInNanoseconds) {
  study::sweep::Request request;
  request.file = "workloads/experiments/uniform.textproto";
  request.sweeps = {"load=0.1,0.5"};
  const study::sweep::Result result = run(study::sweep::Sweep::create(
      request, parts_of([](const experiment::Experiment& experiment, const std::stop_token&) {
        v1::Report report;
        report.set_complete(true);
        v1::TrafficReport& traffic = *report.mutable_traffic();
        traffic.set_offered_load(load_of(experiment));
        if (load_of(experiment) > 0.1) return report;
        traffic.set_accepted_load(0.1);
        traffic.set_accepted_load_min_node(0.05);
        traffic.set_mean_latency_seconds(1.23456e-6);
        traffic.set_max_latency_seconds(4e-6);
        traffic.mutable_latency_seconds()->set_p50(1.2e-6);
        traffic.mutable_latency_seconds()->set_p99(3.5e-6);
        return report;
      })));
  EXPECT_EQ(study::sweep::to_table(result),
            "load  offered  accepted  least node  latency (ns)  p50 (ns)  p99 (ns)  max (ns)\n"
            "0.1    0.1000    0.1000      0.0500       1234.56   1200.00   3500.00   4000.00\n"
            "0.5    0.5000    0.0000           -             -         -         -         -\n");
  EXPECT_EQ(study::sweep::to_csv(result),
            "workload.traffic.load,status,offered_load,accepted_load,accepted_load_min_node,mean_latency_seconds,"
            "p50_latency_seconds,p99_latency_seconds,max_latency_seconds\n"
            "0.1,ok,0.1,0.1,0.05,1.23456e-06,1.2e-06,3.5e-06,4e-06\n"
            "0.5,ok,0.5,0,,,,,\n");
}

TEST(Sweep, PlotsACurveForEachValueOfTheOtherAxes) {
  const auto svg = study::sweep::to_svg(run(make({"load=0.1:0.5:0.2", "pattern=uniform,tornado"})));
  ASSERT_TRUE(svg.ok()) << svg.status();
  ASSERT_TRUE(svg->has_value());
  EXPECT_EQ(test::xml_fault(**svg), "");
  EXPECT_THAT(**svg, AllOf(HasSubstr("pattern=uniform: 0.1, 10"), HasSubstr("pattern=tornado: 0.3, 30"),
                           HasSubstr("pattern=tornado: 0.5, 0.4")));
  EXPECT_THAT(**svg, Not(HasSubstr("0.5, 50"))) << "what is saturated has no latency";
  // The axis of numbers need not be the first one; without one there is nothing to draw over.
  EXPECT_THAT(study::sweep::to_svg(run(make({"pattern=uniform,tornado", "load=0.1,0.2"})))->value(),
              HasSubstr("pattern=tornado: 0.2, 20"));
  EXPECT_FALSE(study::sweep::to_svg(run(make({"pattern=uniform,tornado"})))->has_value());
}

TEST(Sweep, ChartsMarkWhereCurvesSaturate) {
  const study::sweep::Result result = run(make({"load=0.1:0.5:0.2", "pattern=uniform,tornado"}));
  const std::vector<dashboards::html::Chart> charts = study::sweep::to_charts(result);
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0].title, "Mean latency of packets");
  EXPECT_THAT(charts[0].x, ElementsAre(0.1, 0.3, 0.5));
  ASSERT_EQ(charts[0].curves.size(), 2u);
  EXPECT_EQ(charts[0].curves[1].label, "pattern=tornado");
  EXPECT_EQ(charts[0].curves[1].y[1], 30);
  EXPECT_TRUE(std::isnan(charts[0].curves[1].y[2])) << "what is saturated has no latency";
  EXPECT_EQ(charts[0].x_axis.log, 0);
  ASSERT_EQ(charts[1].marks.size(), 2u);
  EXPECT_EQ(charts[1].marks[0].x, 0.5);
  EXPECT_EQ(charts[1].marks[0].label, "saturated: pattern=uniform");
}

TEST(Sweep, ChartsHaveConfidenceBandsAndWideAxes) {
  const study::sweep::Result result =
      run(make({"load=0.001,0.01,0.1"}, parts_of([](const experiment::Experiment& experiment, const std::stop_token&) {
                 v1::Report report = report_of(experiment);
                 if (load_of(experiment) > 0.001) report.mutable_traffic()->set_accepted_load_confidence(0.005);
                 return report;
               })));
  const dashboards::html::Chart accepted = study::sweep::to_charts(result).at(1);
  EXPECT_EQ(accepted.x_axis.log, 10);
  EXPECT_EQ(accepted.y_axis.log, 10);
  ASSERT_EQ(accepted.curves.size(), 1u);
  EXPECT_THAT(accepted.curves[0].low, ElementsAre(0.001, 0.005, DoubleNear(0.095, 1e-12)));
  EXPECT_THAT(accepted.curves[0].high, ElementsAre(0.001, 0.015, DoubleNear(0.105, 1e-12)));
  EXPECT_THAT(accepted.note, HasSubstr("95 %"));
  EXPECT_TRUE(study::sweep::to_charts(run(make({"pattern=uniform,tornado"}))).empty()) << "nothing to draw over";
}

// Values with units are drawn over numbers, and what flows are judged by has charts of its own.
TEST(Sweep, ChartsOfFlowsOverASize) {
  const study::sweep::Result result =
      run(make({"workload.traffic.payload=64B,256B"},
               parts_of([](const experiment::Experiment& experiment, const std::stop_token&) {
                 const auto bytes = static_cast<double>(experiment.workload_as<traffic::TrafficSpec>()->payload.count);
                 v1::Report report;
                 report.set_complete(true);
                 report.set_simulated_seconds(bytes * 1e-6);
                 report.mutable_flow_summary()->set_max_fct_seconds(bytes * 1e-7);
                 v1::FlowBin& bin = *report.mutable_flow_summary()->add_bins();
                 bin.set_slowdown_mean(bytes / 64);
                 bin.set_slowdown_p99(bytes / 32);
                 report.mutable_queues()->set_max_bytes(static_cast<uint64_t>(bytes) * 10);
                 report.mutable_queues()->set_p50_bytes(1);
                 return report;
               })));
  const std::vector<dashboards::html::Chart> charts = study::sweep::to_charts(result);
  std::vector<std::string> titles;
  for (const dashboards::html::Chart& chart : charts) {
    titles.push_back(chart.title);
    EXPECT_EQ(chart.x_axis.unit, "B");
    EXPECT_THAT(chart.x, ElementsAre(64, 256));
  }
  ASSERT_THAT(titles, ElementsAre("Simulated time", "Completion of the last flow", "Slowdown of flows, 99 of 100",
                                  "Longest queue"));
  EXPECT_THAT(charts[1].curves.at(0).y, ElementsAre(64e-7, 256e-7));
  EXPECT_THAT(charts[2].curves.at(0).y, ElementsAre(2, 8));
  EXPECT_THAT(charts[3].curves.at(0).y, ElementsAre(640, 2560));
  EXPECT_EQ(charts[3].y_axis.unit, "B");
}

/// A hotspot and its victims, over which a scheme works.
v1::Report report_of_classes(const experiment::Experiment& experiment, bool sampled) {
  v1::Report report = sampled ? report_of(experiment) : v1::Report();
  const double load = load_of(experiment);
  report.set_complete(true);
  report.mutable_traffic()->set_offered_load(load);
  report.mutable_traffic()->set_accepted_load(load);
  if (!sampled) report.mutable_traffic()->set_accepted_load_min_node(load);
  for (const auto& [name, share] : {std::pair("hot", 0.5), std::pair("victims", 0.25)}) {
    v1::ClassReport& of_class = *report.add_classes();
    of_class.set_name(name);
    of_class.set_accepted_load(share * load);
    of_class.set_goodput_gbps(10 * share * load);
    of_class.mutable_latency()->set_mean(share * 1e-6);
    if (sampled) of_class.mutable_latency_cycles()->set_mean(100 * share);
  }
  report.mutable_queues()->set_max_bytes(3000);
  report.mutable_queues()->set_p50_bytes(1000);
  report.mutable_queues()->set_p99_bytes(2500);
  report.mutable_queues()->set_paused_seconds(4e-6);
  report.set_pauses(5);
  report.mutable_control()->set_marks(12);
  report.mutable_control()->set_notices(7);
  return report;
}

study::sweep::Result sweep_of_classes(bool sampled, std::vector<std::string> sweeps) {
  study::sweep::Request request;
  request.file = sampled ? kFile : "workloads/experiments/uniform.textproto";
  request.sweeps = std::move(sweeps);
  return run(study::sweep::Sweep::create(
      request, parts_of([sampled](const experiment::Experiment& experiment, const std::stop_token&) {
        return report_of_classes(experiment, sampled);
      })));
}

// A curve for each class, and with another axis for each class and value.
TEST(Sweep, ClassesHaveChartsOfTheirOwn) {
  for (const bool sampled : {false, true}) {
    const study::sweep::Result result = sweep_of_classes(sampled, {"load=0.1,0.2"});
    const std::vector<dashboards::html::Chart> charts = study::sweep::to_charts(result);
    std::vector<std::string> titles;
    for (const dashboards::html::Chart& chart : charts) titles.push_back(chart.title);
    ASSERT_THAT(titles, ElementsAre("Mean latency of packets", "Accepted load", "Accepted load by class",
                                    "Latency by class", "Longest queue", "Pauses"));
    ASSERT_EQ(charts[2].curves.size(), 2u);
    EXPECT_EQ(charts[2].curves[0].label, "hot");
    EXPECT_EQ(charts[2].curves[1].label, "victims");
    EXPECT_THAT(charts[2].curves[1].y, ElementsAre(0.025, 0.05));
    EXPECT_EQ(charts[3].y_axis.unit, sampled ? "cycles" : "ns");
    EXPECT_THAT(charts[3].curves[0].y, ElementsAre(DoubleNear(sampled ? 50 : 500, 1e-9), testing::_));
    const auto svg = study::sweep::to_svg(result);
    ASSERT_TRUE(svg.ok() && svg->has_value()) << svg.status();
    EXPECT_EQ(test::xml_fault(**svg), "");
    EXPECT_THAT(**svg, AllOf(HasSubstr("Accepted load by class"), HasSubstr("Latency by class"),
                             HasSubstr("victims: 0.2, 0.05")));
  }
  const auto both = study::sweep::to_charts(sweep_of_classes(true, {"load=0.1,0.2", "pattern=uniform,tornado"}));
  ASSERT_EQ(both.at(2).curves.size(), 4u);
  EXPECT_EQ(both[2].curves[3].label, "victims pattern=tornado");
  for (const dashboards::html::Chart& chart : study::sweep::to_charts(run(make({"load=0.1,0.2"}))))
    EXPECT_THAT(chart.title, Not(HasSubstr("class")));
}

// A sweep of traffic tells of a scheme what a comparison does; the table has only some of it.
TEST(Sweep, TrafficHasTheMetricsOfComparisons) {
  const study::sweep::Result result = sweep_of_classes(false, {"load=0.1,0.2"});
  const std::string csv = study::sweep::to_csv(result);
  const std::string header = csv.substr(0, csv.find('\n'));
  EXPECT_THAT(header,
              AllOf(HasSubstr(",classes.hot.goodput_gbps"), HasSubstr(",queue_max_bytes,"),
                    HasSubstr(",queue_p50_bytes,queue_p99_bytes,pauses,paused_seconds,marks,"), HasSubstr(",notices")));
  EXPECT_THAT(header, Not(HasSubstr("class_hot"))) << "classes have columns of their own";
  EXPECT_EQ(header.find(",accepted_load,"), header.rfind(",accepted_load,"));
  EXPECT_THAT(csv, HasSubstr(",3000,0,1000,2500,5,4e-06,12,0,7\n"));
  const std::string table = study::sweep::to_table(result);
  EXPECT_THAT(table, HasSubstr("  queue  mean\n"));
  EXPECT_THAT(table, HasSubstr("(kB)  pauses\n"));
  EXPECT_THAT(table, Not(HasSubstr("marks")));
  EXPECT_THAT(study::sweep::to_svg(sweep_of_classes(false, {"load=0.1,0.2", "payload=64B,128B"}))->value(),
              HasSubstr(">paused_seconds<"))
      << "it has a map";
}

// What is computed from lists that a sweep does not keep, and of those that it keeps.
TEST(Sweep, JobsFaultsAndFlowsHaveColumns) {
  const study::sweep::Result result =
      run(make({"load=0.1"}, parts_of([](const experiment::Experiment&, const std::stop_token&) {
                 v1::Report report;
                 report.set_complete(true);
                 report.add_flows()->set_goodput_gbps(3);
                 v1::FlowSummary& flows = *report.mutable_flow_summary();
                 flows.set_goodput_gbps(40);
                 flows.set_least_goodput_gbps(3);
                 flows.set_jain_over_max_min(0.5);
                 flows.set_convergence_seconds(0.25);
                 for (const uint64_t bound : {0, 10'000, 100'000}) {
                   v1::FlowBin& bin = *flows.add_bins();
                   bin.set_above_bytes(bound / 10);
                   bin.set_up_to_bytes(bound);
                   bin.set_slowdown_mean(2);
                   bin.set_slowdown_p95(4);
                   bin.set_fct_p95_seconds(0.125);
                 }
                 v1::JobReport& job = *report.add_jobs();
                 job.set_name("lammps");
                 job.set_slowdown(1.5);
                 job.set_goodput_gbps(8);
                 report.add_faults()->set_recovery_seconds(0.0625);
                 report.mutable_series()->add_points();
                 return report;
               })));
  const std::string csv = study::sweep::to_csv(result);
  const auto value_of = [&csv](const std::string& key) {
    const std::string header = "," + csv.substr(0, csv.find('\n')) + ",";
    const size_t at = header.find("," + key + ",");
    if (at == std::string::npos) return std::string("no ") + key;
    std::string row = csv.substr(csv.find('\n') + 1);
    for (auto commas = std::count(header.begin(), header.begin() + static_cast<ptrdiff_t>(at), ','); commas > 0;
         --commas)
      row.erase(0, row.find(',') + 1);
    return row.substr(0, row.find_first_of(",\n"));
  };
  EXPECT_EQ(value_of("goodput_gbps"), "40");
  EXPECT_EQ(value_of("goodput_least_gbps"), "3");
  EXPECT_EQ(value_of("slowdown_p95"), "4");
  EXPECT_EQ(value_of("slowdown_p95_up_to_10kB"), "4");
  EXPECT_EQ(value_of("fct_p95_up_to_100kB_seconds"), "0.125");
  EXPECT_EQ(value_of("jain_over_max_min"), "0.5");
  EXPECT_EQ(value_of("convergence_seconds"), "0.25");
  EXPECT_EQ(value_of("job_slowdown"), "1.5");
  EXPECT_EQ(value_of("job_lammps_goodput_gbps"), "8");
  EXPECT_EQ(value_of("fault_0_recovery_seconds"), "0.0625");
  const auto point = nlohmann::json::parse(study::sweep::to_json(result)).at("points")[0];
  EXPECT_EQ(point.at("jobs")[0].at("name"), "lammps");
  EXPECT_THAT(point.at("flows"), testing::IsEmpty());
  EXPECT_FALSE(point.contains("series")) << "it may be longer than all the rest";
}

TEST(Sweep, IsTheSameWithAnyNumberOfJobs) {
  const std::vector<std::string> sweeps = {"load=0.01:0.5:0.01", "seed=1,2"};
  const std::string one = study::sweep::to_json(run(make(sweeps)));
  EXPECT_EQ(study::sweep::to_json(run(make(sweeps, parts(), 3))), one);
  EXPECT_EQ(study::sweep::to_json(run(make(sweeps, parts(), 1000))), one);
}

TEST(Sweep, AFailedPointKeepsTheOthers) {
  const study::sweep::Result result =
      run(make({"load=0.1,0.2,0.3"}, parts_of([](const experiment::Experiment& experiment, const std::stop_token&) {
                 return load_of(experiment) == 0.2 ? absl::StatusOr<v1::Report>(absl::UnavailableError("it\nbroke"))
                                                   : report_of(experiment);
               })));
  EXPECT_TRUE(result.complete());
  const auto json = nlohmann::json::parse(study::sweep::to_json(result));
  EXPECT_EQ(json.at("points")[1].at("error"), "it\nbroke");
  EXPECT_FALSE(json.at("points")[1].contains("traffic"));
  EXPECT_EQ(json.at("points")[2].at("traffic").at("accepted_load"), 0.3);
  EXPECT_THAT(study::sweep::to_table(result), AllOf(HasSubstr("\n0.3"), HasSubstr("load=0.2 failed: it\n")));
  EXPECT_THAT(study::sweep::to_csv(result), HasSubstr("\n0.2,failed,,"));
  EXPECT_TRUE(study::sweep::to_svg(result).ok());
}

// A run that stop.after_simulated ends has not measured what it was to measure.
TEST(Sweep, SaysWhatWasStopped) {
  const study::sweep::Result result =
      run(make({"load=0.1,0.2"}, parts_of([](const experiment::Experiment& experiment, const std::stop_token&) {
                 v1::Report report = report_of(experiment);
                 report.set_complete(load_of(experiment) < 0.2);
                 report.add_warnings("too short");
                 return report;
               })));
  EXPECT_TRUE(result.ended());
  EXPECT_FALSE(result.complete());
  const auto json = nlohmann::json::parse(study::sweep::to_json(result));
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("reason"), "1 of 2 points were stopped before they had ended");
  EXPECT_EQ(json.at("points")[1].at("complete"), false);
  EXPECT_EQ(json.at("points")[1].at("warnings")[0], "too short");
  EXPECT_THAT(study::sweep::to_csv(result), AllOf(HasSubstr("\n0.1,ok,"), HasSubstr("\n0.2,partial,")));
  EXPECT_THAT(study::sweep::to_table(result), AllOf(HasSubstr("saturated   status\n"), HasSubstr("no  partial\n"),
                                                    HasSubstr("partial: 1 of 2 points were stopped")));
}

TEST(Sweep, RefusesWhatASearchOrManyRunsCannotUse) {
  EXPECT_THAT(error_of(make({}, parts(), 1, 0.1, {"stop.after_simulated=80us"})),
              AllOf(StartsWith("--set:1:22: error: --saturation needs runs"), HasSubstr("max_samples")));
  EXPECT_THAT(error_of(make({"seed=1,2"}, parts(), 1, std::nullopt, {"statistics.packet_trace.sample=0.1"})),
              HasSubstr("error: packet_trace is for a single run"));
  EXPECT_EQ(error_of(make({"load=0.1,0.2"}, parts(), 1, std::nullopt, {"router.vcs=4", "workload.traffic.load=0.5"})),
            "--set:1:1: error: --sweep gives this field its values, so this one would not be used; leave one of them "
            "out\nworkload.traffic.load=0.5\n^");
  EXPECT_THAT(error_of(make({}, parts(), 1, 0.1, {"workload.traffic.load=0.5"})),
              StartsWith("--set:1:1: error: --saturation gives this field its values"));
  // Where there is no traffic, it makes some.
  study::sweep::Request request;
  request.precision = 0.1;
  request.file = "workloads/experiments/all-model.textproto";
  request.overrides.sets = {"topology.torus.dims=4x4", "router.model=input_queued", "workload.traffic.load=1"};
  EXPECT_EQ(error_of(study::sweep::Sweep::create(request, parts())), "");
}

TEST(Sweep, AStopKeepsWhatHasEnded) {
  std::stop_source source;
  const study::sweep::Result result = run(
      make({"load=0.1,0.2,0.3"}, parts_of([&](const experiment::Experiment& experiment, const std::stop_token& stop) {
             if (load_of(experiment) == 0.2) source.request_stop();
             if (stop.stop_requested()) return absl::StatusOr<v1::Report>(absl::CancelledError("stopped"));
             return absl::StatusOr<v1::Report>(report_of(experiment));
           })),
      source.get_token());
  EXPECT_EQ(result.points_done(), 1u);
  const auto json = nlohmann::json::parse(study::sweep::to_json(result));
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("reason"), "interrupted after 1 of 3 points");
  EXPECT_EQ(json.at("points").size(), 1u);
  EXPECT_THAT(study::sweep::to_table(result), HasSubstr("partial: 1 of 3 points"));
}

TEST(Sweep, MistakesArePlacedInTheArgumentAndNothingRuns) {
  int runs = 0;
  const study::sweep::Parts counting = parts_of([&](const experiment::Experiment& experiment, const std::stop_token&) {
    ++runs;
    return report_of(experiment);
  });
  EXPECT_EQ(error_of(make({"load=0.5:1.5:0.5"}, counting)),
            "--sweep:1:10: error: load 1.5: it is a fraction of the link rate, above 0 and at most 1\n"
            "load=0.5:1.5:0.5\n"
            "         ^");
  EXPECT_THAT(error_of(make({"load=0.1", "pattern=uniform,tornadoes"}, counting)),
              AllOf(StartsWith("--sweep:1:17: error: unknown pattern"), HasSubstr("did you mean \"TORNADO\"")));
  EXPECT_THAT(error_of(make({"router.cvs=2,4"}, counting)),
              AllOf(StartsWith("--sweep:1:8: error: unknown field \"cvs\""), HasSubstr("\"vcs\"")));
  EXPECT_THAT(error_of(make({"router.vcs=2,33"}, counting)), StartsWith("--sweep:1:14: error: vcs 33"));
  EXPECT_THAT(error_of(make({"laod=0.1"}, counting)), StartsWith("--sweep:1:1: error: unknown field \"laod\""));
  EXPECT_THAT(error_of(make({"load=0.1"}, counting, 1, 0.1)),
              StartsWith("--sweep:1:1: error: --saturation varies the load"));
  EXPECT_EQ(runs, 0);
}

TEST(Sweep, ChecksEachNetworkOnce) {
  std::multiset<std::string> checked;
  study::sweep::Parts with = parts();
  with.check = [&](const experiment::Experiment& experiment) {
    checked.insert(std::to_string(experiment.router.vcs));
    return experiment.router.vcs == 8 ? absl::InvalidArgumentError("eight") : absl::OkStatus();
  };
  EXPECT_TRUE(make({"load=0.1,0.2", "seed=1,2", "router.vcs=2,4"}, with).ok());
  EXPECT_THAT(checked, ElementsAre("2", "4"));
  EXPECT_EQ(error_of(make({"router.vcs=4,8"}, with)), "eight");
}

TEST(Sweep, MayBeOverSeeds) {
  study::sweep::Request request;
  request.file = kFile;
  request.sweeps = {"seed=5,6"};
  std::vector<uint64_t> seeds;
  const auto parts = parts_of([&](const experiment::Experiment& experiment, const std::stop_token&) {
    seeds.push_back(experiment.seed);
    return report_of(experiment);
  });
  run(study::sweep::Sweep::create(request, parts));
  EXPECT_THAT(seeds, ElementsAre(5, 6));
  request.overrides.seed = 9;
  EXPECT_THAT(error_of(study::sweep::Sweep::create(request, parts)),
              HasSubstr("--seed says what --sweep gives other values"));
}

TEST(Sweep, RunsWithoutSystemcGoOnSideBySide) {
  study::sweep::Request request;
  request.file = "workloads/experiments/uniform.textproto";
  request.sweeps = {"load=0.1,0.2"};
  request.jobs = 2;
  EXPECT_THAT(error_of(study::sweep::Sweep::create(request, parts())),
              AllOf(HasSubstr("--jobs 2"), HasSubstr("SystemC")));
  request.jobs = 1;
  EXPECT_TRUE(study::sweep::Sweep::create(request, parts()).ok());
  request.jobs = 2;
  request.overrides.sets = {"router.model=PACKET"};
  EXPECT_TRUE(study::sweep::Sweep::create(request, parts()).ok());
}

TEST(Sweep, SearchesWhereTrafficIsSampled) {
  study::sweep::Request request;
  request.file = "workloads/experiments/uniform.textproto";
  request.precision = 0.1;
  for (const char* model : {"EXANET", "PACKET"}) {
    request.overrides.sets = {std::string("router.model=") + model};
    EXPECT_THAT(error_of(study::sweep::Sweep::create(request, parts())),
                AllOf(HasSubstr("uniform.textproto:4:1: error: --saturation needs traffic that is measured in samples"),
                      HasSubstr("--set workload.traffic.duration=)")));
    request.overrides.sets.insert(request.overrides.sets.end(),
                                  {"workload.traffic.duration=", "workload.traffic.sample_cycles=500"});
    const study::sweep::Result result = run(study::sweep::Sweep::create(request, parts()));
    EXPECT_DOUBLE_EQ(result.points.at(0).saturation.load, 0.4) << model;
  }
}

TEST(Sweep, SearchesForSaturation) {
  const study::sweep::Result single = run(make({}, parts(), 1, 0.1));
  const auto json = nlohmann::json::parse(study::sweep::to_json(single));
  EXPECT_DOUBLE_EQ(json.at("saturation_load"), 0.4);
  EXPECT_DOUBLE_EQ(json.at("saturation_load_above"), 0.5);
  EXPECT_DOUBLE_EQ(json.at("saturation_throughput"), 0.4);
  EXPECT_EQ(json.at("precision"), 0.1);
  EXPECT_EQ(json.at("probes")[0].at("load"), 1);
  EXPECT_EQ(json.at("probes")[0].at("traffic").at("accepted_load"), 0.4);
  EXPECT_THAT(study::sweep::to_table(single),
              AllOf(HasSubstr("probe"), HasSubstr("saturation load  saturated at  throughput")));

  const study::sweep::Result both = run(make({"router.vcs=2,4"}, parts(), 2, 0.1));
  const auto points = nlohmann::json::parse(study::sweep::to_json(both)).at("points");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].at("settings").at("router.vcs"), 4);
  EXPECT_DOUBLE_EQ(points[1].at("saturation_load"), 0.4);
  EXPECT_THAT(study::sweep::to_svg(both)->value(), HasSubstr("Saturation throughput"));
}

TEST(Sweep, AStoppedSearchTellsItsProbes) {
  int probes = 0;
  const study::sweep::Result result =
      run(make({}, parts_of([&](const experiment::Experiment& experiment, const std::stop_token&) {
                 if (++probes > 2) return absl::StatusOr<v1::Report>(absl::CancelledError(""));
                 return absl::StatusOr<v1::Report>(report_of(experiment));
               }),
               1, 0.1));
  EXPECT_EQ(nlohmann::json::parse(study::sweep::to_json(result)).at("reason"), "interrupted after 2 probes");
  EXPECT_THAT(study::sweep::to_table(result), HasSubstr("partial: 2 probes\n"));
}

TEST(Sweep, SearchesUpToTheLoadOfABurst) {
  const study::sweep::Result result =
      run(make({}, parts(), 1, 0.05, {"workload.traffic.process=bursty", "workload.traffic.burst_load=0.35"}));
  EXPECT_DOUBLE_EQ(result.points[0].saturation.load, 0.35);
}

TEST(Sweep, RefusesToSearchWhereThereIsNoLoad) {
  EXPECT_THAT(error_of(make({}, parts(), 1, 0.1, {"workload.traffic.process=closed_loop", "workload.traffic.load=0"})),
              AllOf(HasSubstr("booksim-torus.textproto:"), HasSubstr("CLOSED_LOOP has none")));
  study::sweep::Request request;
  request.precision = 0.1;
  request.file = "workloads/experiments/uniform.textproto";
  EXPECT_THAT(error_of(study::sweep::Sweep::create(request, parts())), HasSubstr("measured in samples"));
  request.file = "workloads/experiments/all-model.textproto";
  EXPECT_THAT(error_of(study::sweep::Sweep::create(request, parts())), HasSubstr("this is another workload"));
}

}  // namespace
}  // namespace fabrictwin
