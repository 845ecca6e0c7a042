// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "dashboards/history/result.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

using ::testing::HasSubstr;

v1::Provenance here() {
  v1::Provenance made;
  made.set_command("fabrictwin history add some.file");
  made.set_host("node1");
  made.set_cpu("A processor");
  made.set_date("2026-03-01T12:00:00Z");
  return made;
}

std::vector<Result> imported(std::string_view text, const ImportOptions& options = {}) {
  const absl::StatusOr<std::vector<Result>> results = import_results(text, "some.file", options, here());
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Result>(1);
}

std::string error_of(std::string_view text, const ImportOptions& options = {}) {
  const absl::StatusOr<std::vector<Result>> results = import_results(text, "some.file", options, here());
  EXPECT_FALSE(results.ok());
  return std::string(message_of(results.status()));
}

const Metric* metric_of(const Result& result, const std::string& name) {
  const auto found = std::find_if(result.metrics.begin(), result.metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == result.metrics.end() ? nullptr : &*found;
}

TEST(HistoryImport, LinesOfFigures) {
  const std::vector<Result> results =
      imported("# of synthesis\nluts 1234 -\n\nlatency 1.5e-6 s exact\nbandwidth 9 GB/s\n");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].name, "some");
  EXPECT_EQ(results[0].kind, "figures");
  EXPECT_EQ(results[0].provenance.host(), "node1");
  ASSERT_EQ(results[0].metrics.size(), 3u);
  EXPECT_EQ(results[0].metrics[0].better, Better::kLower);
  EXPECT_EQ(results[0].metrics[0].unit, "");
  EXPECT_EQ(results[0].metrics[1].better, Better::kExact);
  EXPECT_EQ(results[0].metrics[1].value, 1.5e-6);
  EXPECT_EQ(results[0].metrics[2].better, Better::kHigher);
}

TEST(HistoryImport, OfRatesHigherIsBetter) {
  const auto better = [](const std::string& unit) { return imported("a 1 " + unit + "\n")[0].metrics.at(0).better; };
  for (const std::string unit :
       {"Hz",           "kHz",        "MHz",       "GHz",     "bps",        "kbps",       "Mbps",       "Gbps",
        "FLOPS",        "GFLOPS",     "IOPS",      "kIOPS",   "fps",        "ops",        "Mops",       "pps",
        "1/s",          "GB/s",       "GiB/s",     "GFLOP/s", "B/ns",       "1/ms",       "flits/us",   "jobs/h",
        "images/min",   "packets/us", "GB/s/node", "Gb/d",    "items/msec", "items/usec", "items/nsec", "jobs/hours",
        "jobs/minutes", "jobs/days",  "Ops",       "MOPS",    "TOPS",       "GOps"})
    EXPECT_EQ(better(unit), Better::kHigher) << unit;
  for (const std::string unit :
       {"-",     "s",    "us",    "B",    "s/op",   "ns/B", "ns/op", "s/s",  "ms/s",    "%",    "J",
        "flops", "hops", "drops", "B/op", "cycles", "W",    "d",     "msec", "usec/op", "hours"})
    EXPECT_EQ(better(unit), Better::kLower) << unit;
}

TEST(HistoryImport, ACommentBeginsBehindASpace) {
  const Result result = imported("luts 1234 - # of synthesis\nlatency 1.5 us lower\t#c\n  # whole\nqueue#1 3 B\n")[0];
  ASSERT_EQ(result.metrics.size(), 3u);
  EXPECT_EQ(result.metrics[0].unit, "");
  EXPECT_EQ(result.metrics[1].unit, "us");
  EXPECT_EQ(result.metrics[2].name, "queue#1");
  EXPECT_THAT(error_of("a 1 us#c\n"), HasSubstr("some.file:1:7: error: a unit has no '#' in it; a comment begins"));
  EXPECT_THAT(error_of("a 1 #us\n"), HasSubstr("some.file:1:1: error: a line is NAME VALUE UNIT"));
}

TEST(HistoryImport, MistakesInLinesHaveALocation) {
  EXPECT_THAT(error_of("a 1 s\nb two s\n"), HasSubstr("some.file:2:3: error: \"two\" is no number"));
  EXPECT_THAT(error_of("a 1\n"), HasSubstr("some.file:1:1: error: a line is NAME VALUE UNIT"));
  EXPECT_THAT(error_of("a 1 s best\n"), HasSubstr("some.file:1:7: error: \"best\" does not say what is better"));
  EXPECT_THAT(error_of("a 1 s\na 2 s\n"), HasSubstr("some.file:2:1: error: \"a\" is there twice"));
  EXPECT_THAT(error_of("a nan s\n"), HasSubstr("is no number"));
  EXPECT_THAT(error_of("# nothing\n"), HasSubstr("there is no line"));
  EXPECT_THAT(error_of(" \n"), HasSubstr("the file is empty"));
}

TEST(HistoryImport, AReportWithItsProvenance) {
  const std::vector<Result> results = imported(R"({
    "timing_digest": "abc", "simulated_seconds": 0.5, "wall_seconds": 2, "complete": true,
    "run": {"experiment": "dir/incast8.textproto", "threads": 2},
    "links": [{"busy": 1}], "partition_timeline": {"deep": 7, "rows": [{"partition": "models"}]},
    "new_in_next_version": {"deep": 7},
    "classes": [{"name": "victims", "accepted": 0.25}],
    "provenance": {"command": "fabrictwin run x", "commit": "0123", "host": "other", "of_next_version": 1}})");
  ASSERT_EQ(results.size(), 1u);
  const Result& result = results[0];
  EXPECT_EQ(result.name, "incast8");
  EXPECT_EQ(result.kind, "run");
  EXPECT_EQ(result.provenance.commit(), "0123");
  EXPECT_EQ(result.provenance.host(), "other");
  ASSERT_EQ(result.texts.size(), 1u);
  EXPECT_EQ(result.texts[0].value, "abc");
  ASSERT_NE(metric_of(result, "simulated_seconds"), nullptr);
  EXPECT_EQ(metric_of(result, "simulated_seconds")->better, Better::kExact);
  EXPECT_EQ(metric_of(result, "wall_seconds")->better, Better::kLower);
  EXPECT_EQ(metric_of(result, "wall_seconds")->unit, "s");
  EXPECT_EQ(metric_of(result, "new_in_next_version.deep")->value, 7);
  EXPECT_EQ(metric_of(result, "classes[victims].accepted")->value, 0.25);
  EXPECT_EQ(metric_of(result, "run.threads"), nullptr);
  EXPECT_EQ(metric_of(result, "links[0].busy"), nullptr);
  EXPECT_EQ(metric_of(result, "partition_timeline.deep"), nullptr) << "wall-clock data is another each time";
}

TEST(HistoryImport, WhatIsNoReport) {
  EXPECT_THAT(
      error_of(R"({"a": 1})"),
      HasSubstr(
          "neither a report of fabrictwin (run, compare, osu, reproduce, validate, karma or nanet with --json) nor"));
  EXPECT_THAT(error_of(R"([1, 2])"), HasSubstr("neither a report"));
  EXPECT_THAT(error_of("{\"a\": 1,\n \"b\" 2}"), HasSubstr("some.file:2:6: error: this is no JSON"));
  EXPECT_THAT(error_of("{\"a\": 1,\n"), HasSubstr("the JSON ends too early"));
  EXPECT_THAT(error_of("{\"timing_digest\": \"a\", \"x\": 1e999}"),
              HasSubstr("some.file: error: a number in the JSON is larger than any can be"));
  const std::string deep =
      "{\"timing_digest\": \"[[\\\"\",\n\"x\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_THAT(error_of(deep), HasSubstr("some.file:2:69: error: the JSON is nested too deeply"));
  EXPECT_THAT(error_of(R"({"timing_digest": "a", "complete": false, "simulated_seconds": 1})"),
              HasSubstr("a run that ended early"));
  EXPECT_THAT(error_of(std::string("SQLite format 3\0\x10", 17)), HasSubstr("some.file: error: it is no text"));
  EXPECT_THAT(error_of(R"({"provenance": 7, "x": 1})"), HasSubstr("its provenance cannot be read"));
}

TEST(HistoryImport, TheKindIsTheCommandThatHasWrittenTheReport) {
  const auto report_of = [](const std::string& command) {
    return R"({"simulated_seconds": 1, "provenance": {"command": ")" + command + R"("}})";
  };
  EXPECT_EQ(imported(report_of("'/opt/my tools/fabrictwin' osu latency x"))[0].kind, "osu");
  EXPECT_THAT(error_of(report_of("fabrictwin describe x --json")),
              HasSubstr("\"fabrictwin describe x --json\" is none of fabrictwin run, compare"));
  EXPECT_THAT(error_of(report_of("")), HasSubstr("is none of fabrictwin run"));
  // Reports of versions without provenance are added by a command of another name.
  const Result result = imported(R"({"timing_digest": "a", "simulated_seconds": 1})")[0];
  EXPECT_EQ(result.kind, "run");
  EXPECT_EQ(result.name, "some");
}

TEST(HistoryImport, NumbersHaveTheUnitThatTheirReportNames) {
  const Result osu = imported(R"({"benchmark": "bw", "ranks": 2, "unit": "MB/s", "results": [
      {"bytes": 8, "value": 12.5, "message_rate": 3, "iterations": 20}], "provenance": {"command": "f osu bw x"}})")[0];
  EXPECT_EQ(osu.name, "bw");
  EXPECT_EQ(metric_of(osu, "results[8].value")->unit, "MB/s");
  EXPECT_EQ(metric_of(osu, "results[8].message_rate")->unit, "1/s");
  EXPECT_EQ(metric_of(osu, "results[8].iterations")->unit, "");
  const Result figures = imported(R"({"figures": [{"id": "a", "unit": "us", "paper": 1, "predicted": 2, "error": 1},
      {"id": "b", "unit": "%", "paper": 1, "predicted": 2}], "provenance": {"command": "f reproduce"}})")[0];
  EXPECT_EQ(metric_of(figures, "figures[a].predicted")->unit, "us");
  EXPECT_EQ(metric_of(figures, "figures[a].error")->unit, "");
  EXPECT_EQ(metric_of(figures, "figures[b].paper")->unit, "%");
}

// The same comparison has the same metrics from whatever folder it is made.
TEST(HistoryImport, ExperimentsOfAComparisonAreNamedByTheirStem) {
  const auto compared = [](const std::string& first, const std::string& second) {
    return imported(R"({"comparison": [{"experiment": ")" + first +
                    R"(", "scheme": "none", "x": 1}, {"experiment": ")" + first +
                    R"(", "scheme": "dcqcn", "x": 2}, {"experiment": ")" + second +
                    R"(", "scheme": "none", "x": 3}], "provenance": {"command": "f compare x"}})")[0];
  };
  for (const std::string folder : {"", "./", "/opt/experiments/"}) {
    const Result result = compared(folder + "incast8.textproto", folder + "victim.textproto");
    ASSERT_NE(metric_of(result, "comparison[incast8,dcqcn].x"), nullptr) << folder;
    EXPECT_EQ(metric_of(result, "comparison[incast8,dcqcn].x")->value, 2);
    EXPECT_NE(metric_of(result, "comparison[victim,none].x"), nullptr);
  }
  const Result same = compared("a/incast8.textproto", "b/incast8.textproto");
  EXPECT_NE(metric_of(same, "comparison[a/incast8.textproto,dcqcn].x"), nullptr);
  EXPECT_NE(metric_of(same, "comparison[b/incast8.textproto,none].x"), nullptr);
}

TEST(HistoryImport, NamesThatATerminalWouldObeyAreRefused) {
  EXPECT_THAT(error_of("a\x1b[31mX 1 -\n"), HasSubstr("the name or unit of a metric has a control character in it"));
  EXPECT_THAT(error_of("a 1 s\n", {.name = "n\x1b[2Jm"}), HasSubstr("the name of the result has a control character"));
  EXPECT_THAT(error_of("a 1 s\n", {.commit = "zz zz"}), HasSubstr("\"zz zz\" is no commit"));
}

TEST(HistoryImport, TextsThatATerminalWouldObeyAreRefused) {
  const auto report_of = [](const std::string& fields, const std::string& provenance) {
    return R"({"timing_digest": "abc", "simulated_seconds": 1, )" + fields +
           R"("provenance": {"command": "fabrictwin run x")" + provenance + "}}";
  };
  for (const char* const field : {"host", "cpu", "system", "compiler", "version", "commit", "date", "experiment"}) {
    const std::string name = field;
    EXPECT_THAT(error_of(report_of("", ", \"" + name + R"(": "a\u001b[31mb")")),
                HasSubstr("some.file: error: provenance." + name + " has a control character in it; leave that out"));
  }
  EXPECT_THAT(error_of(report_of("", R"(, "inputs": [{"path": "a\u001bb"}])")),
              HasSubstr("provenance.inputs.path has"));
  EXPECT_THAT(error_of(report_of("",
                                 ", \"host\": \"a\xc2\x9b"
                                 "31mb\"")),
              HasSubstr("provenance.host has a control"));
  EXPECT_THAT(error_of(report_of("", R"(, "host": "a\nb")")), HasSubstr("a text of the provenance has a control"));
  EXPECT_THAT(error_of(report_of(R"("other_digest": "a\u007fb", )", "")), HasSubstr("other_digest has a control"));
  EXPECT_THAT(error_of(report_of(R"("other_digest": "a\nb", )", "")), HasSubstr("other_digest has a control"));
  EXPECT_THAT(error_of(report_of(R"("a\u001bb": 1, )", "")), HasSubstr("the name of a field has a control"));
  EXPECT_THAT(error_of(R"({"provenance": {"command": "x\u001b[2J"}})"), HasSubstr("provenance.command has a control"));
  EXPECT_THAT(error_of(R"({"context": {}, "benchmarks": [
      {"name": "A", "error_occurred": true, "error_message": "\u001b[2J"}]})"),
              HasSubstr("benchmarks.error_message has a control"));
  // Lines are no harm where there are such.
  const Result result = imported(report_of("", R"(, "experiment": "seed: 1\r\n\t# \u00e4\u20ac\n")"))[0];
  EXPECT_EQ(result.provenance.experiment(), "seed: 1\r\n\t# \u00e4\u20ac\n");
  EXPECT_EQ(imported(report_of("", R"(, "inputs": [{"path": "a\tb"}])"))[0].provenance.inputs(0).path(), "a\tb");
  EXPECT_THAT(error_of(report_of("", R"(, "inputs": [{"path": "a\nb"}])")), HasSubstr("an input of the provenance"));
  // Nor is what is never shown.
  EXPECT_EQ(imported(report_of(R"("warnings": ["a\u001b[31mb"], "links": [{"name": "\u0007"}], )", "")).size(), 1u);
  EXPECT_THAT(error_of(report_of(R"("run": {"experiment": "a\u001bb.textproto"}, )", "")),
              HasSubstr("the name of the result has a control"));
}

TEST(HistoryImport, ValuesOfTheWrongTypeAreRefused) {
  const auto report_of = [](const std::string& fields, const std::string& date = "null") {
    return R"({"timing_digest": "abc", "x": 1, )" + fields + R"("provenance": {"command": "f run x", "date": )" + date +
           "}}";
  };
  EXPECT_THAT(error_of(report_of(R"("simulated_seconds": "fast", )")),
              HasSubstr("some.file: error: simulated_seconds is no number; take the report as fabrictwin has"));
  EXPECT_THAT(error_of(report_of(R"("jobs": [{"time_seconds": true}], )")), HasSubstr("jobs[0].time_seconds is no"));
  EXPECT_THAT(error_of(report_of(R"("complete": "no", )")), HasSubstr("its field complete is neither true nor false"));
  EXPECT_THAT(error_of(report_of("", "7")), HasSubstr("its provenance cannot be read"));
  EXPECT_THAT(error_of(report_of("", "\"10000-01-01T00:00:00Z\"")), HasSubstr("is no date"));
  // A number that is not known is null.
  const Result result = imported(report_of(R"("simulated_seconds": null, "latency_seconds": {"mean": 1}, )"))[0];
  EXPECT_EQ(metric_of(result, "simulated_seconds"), nullptr);
  EXPECT_EQ(metric_of(result, "latency_seconds.mean")->value, 1);
  EXPECT_EQ(result.provenance.date(), "2026-03-01T12:00:00Z") << "of now";
  EXPECT_EQ(imported(R"({"point": {"settings": {"stop_seconds": "1s"}, "x": 1}, "provenance": {"command": "f run x"}})")
                .size(),
            1u);
}

TEST(HistoryImport, TimesOfBenchmarksHaveAUnit) {
  const auto benchmark = [](const std::string& time, const std::string& unit) {
    return R"({"context": {}, "benchmarks": [{"name": "b", "real_time": )" + time + R"(, "time_unit": ")" + unit +
           R"("}]})";
  };
  EXPECT_THAT(error_of(benchmark("1", "parsec")), HasSubstr("time_unit \"parsec\" of b is not ns, us, ms or s"));
  EXPECT_THAT(error_of(benchmark("\"x\"", "ns")), HasSubstr("real_time of b is no number"));
}

TEST(HistoryImport, EachRepetitionOfABenchmarkIsAResult) {
  const std::vector<Result> results = imported(R"({
    "context": {"executable": "./build/packet_bench", "host_name": "node1"},
    "benchmarks": [
      {"name": "Hop/8", "run_name": "Hop/8", "run_type": "iteration", "repetition_index": 0, "iterations": 10,
       "real_time": 5, "cpu_time": 4, "time_unit": "ns", "items_per_second": 100, "load": 0.5},
      {"name": "Hop/8", "run_name": "Hop/8", "run_type": "iteration", "repetition_index": 1, "iterations": 10,
       "real_time": 6, "cpu_time": 5, "time_unit": "ns", "items_per_second": 90, "load": 0.5},
      {"name": "Hop/8_median", "run_name": "Hop/8", "run_type": "aggregate", "aggregate_name": "median",
       "real_time": 5.5, "cpu_time": 4.5, "time_unit": "ns"}]})");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].name, "packet_bench");
  EXPECT_EQ(results[0].kind, "benchmark");
  ASSERT_NE(metric_of(results[1], "Hop/8.real_time"), nullptr);
  EXPECT_EQ(metric_of(results[1], "Hop/8.real_time")->value, 6);
  EXPECT_EQ(metric_of(results[1], "Hop/8.real_time")->unit, "ns");
  EXPECT_EQ(metric_of(results[1], "Hop/8.items_per_second")->better, Better::kHigher);
  EXPECT_EQ(metric_of(results[1], "Hop/8.iterations"), nullptr);
  EXPECT_EQ(results[0].provenance.cpu(), "A processor");
}

TEST(HistoryImport, BenchmarksOfAggregatesOfAnotherMachineOrFailed) {
  const std::vector<Result> results = imported(R"({
    "context": {"host_name": "node2"},
    "benchmarks": [{"name": "A_median", "run_name": "A", "run_type": "aggregate", "aggregate_name": "median",
                    "real_time": 5.5, "time_unit": "ms"},
                   {"name": "A_mean", "run_name": "A", "run_type": "aggregate", "aggregate_name": "mean",
                    "real_time": 7, "time_unit": "ms"}]})");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].metrics.size(), 1u);
  EXPECT_EQ(results[0].provenance.host(), "node2");
  EXPECT_EQ(results[0].provenance.cpu(), "");
  EXPECT_THAT(
      error_of(R"({"context": {}, "benchmarks": [{"name": "A", "error_occurred": true, "error_message": "no"}]})"),
      HasSubstr("A has failed (no)"));
  EXPECT_THAT(error_of(R"({"context": {}, "benchmarks": []})"), HasSubstr("there is no benchmark"));
}

TEST(HistoryImport, BenchmarksThatWereSkippedAreLeftOut) {
  const std::string skipped = R"({"name": "A", "run_name": "A", "run_type": "iteration", "repetition_index": 0,
      "skipped": true, "skip_message": "no device", "iterations": 0, "real_time": 0, "cpu_time": 0, "time_unit": "ns"})";
  const std::string old =
      R"({"name": "C", "skip_message": "no device", "iterations": 0, "real_time": 0, "time_unit": "ns"})";
  const std::string measured = R"({"name": "B", "run_name": "B", "run_type": "iteration", "repetition_index": 0,
      "skipped": false, "iterations": 5, "real_time": 3, "time_unit": "ns"})";
  const auto file_of = [](const std::string& benchmarks) {
    return R"({"context": {}, "benchmarks": [)" + benchmarks + "]}";
  };
  const std::vector<Result> results = imported(file_of(skipped + "," + old + "," + measured));
  ASSERT_EQ(results.size(), 1u);
  ASSERT_EQ(results[0].metrics.size(), 1u);
  EXPECT_EQ(results[0].metrics[0].name, "B.real_time");
  EXPECT_THAT(error_of(file_of(skipped + "," + old)), HasSubstr("there is no benchmark in it that was measured"));
}

TEST(HistoryImport, ABenchmarkIsThereOnceWithEachRepetitionIndex) {
  const auto entry = [](const std::string& fields, int time) {
    return R"({"name": "A", "run_name": "A", )" + fields + R"("time_unit": "ns", "real_time": )" +
           std::to_string(time) + "}";
  };
  const auto file_of = [](const std::string& one, const std::string& other) {
    return R"({"context": {}, "benchmarks": [)" + one + "," + other + "]}";
  };
  const std::string first = R"("repetition_index": 0, )";
  const std::string second = R"("repetition_index": 1, )";
  const std::string median = R"("run_type": "aggregate", "aggregate_name": "median", )";
  const std::string mean = R"("run_type": "aggregate", "aggregate_name": "mean", )";
  EXPECT_THAT(error_of(file_of(entry(first, 1), entry(first, 2))),
              HasSubstr("some.file: error: A is there twice with the repetition_index 0; a result has one value"));
  // What has no number is counted.
  for (const std::string& each : {std::string(), median}) {
    const std::vector<Result> results = imported(file_of(entry(each, 1), entry(each, 2)));
    ASSERT_EQ(results.size(), 2u) << each;
    EXPECT_EQ(metric_of(results[0], "A.real_time")->value, 1);
    EXPECT_EQ(metric_of(results[1], "A.real_time")->value, 2);
  }
  EXPECT_EQ(imported(file_of(entry(first, 1), entry(second, 2))).size(), 2u);
  EXPECT_EQ(imported(file_of(entry(first, 1), entry(median, 2))).size(), 1u);
  EXPECT_EQ(imported(file_of(entry(median, 1), entry(mean, 2))).size(), 1u);
}

TEST(HistoryImport, WhatAPersonSaysOverridesTheFile) {
  const std::vector<Result> results = imported("a 1 s\n", {"luts", "feed", "2025-12-31"});
  EXPECT_EQ(results[0].name, "luts");
  EXPECT_EQ(results[0].provenance.commit(), "feed");
  EXPECT_EQ(results[0].provenance.date(), "2025-12-31T00:00:00Z");
  EXPECT_THAT(error_of("a 1 s\n", {"", "", "yesterday"}), HasSubstr("\"yesterday\" is no date"));
  EXPECT_THAT(error_of("a 1 s\n", {"", "", "2026-02-30"}), HasSubstr("is no date"));
  // They are sorted as texts.
  EXPECT_THAT(error_of("a 1 s\n", {"", "", "10000-01-01"}), HasSubstr("is no date"));
  EXPECT_THAT(error_of("a 1 s\n", {"", "", "-999-01-01"}), HasSubstr("is no date"));
  EXPECT_EQ(imported("a 1 s\n", {"", "", "9999-12-31"})[0].provenance.date(), "9999-12-31T00:00:00Z");
}

}  // namespace
}  // namespace fabrictwin::dashboards::history::formats
