// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Results that are recorded, compared and checked through the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class HistoryCli : public ::testing::Test {
 protected:
  CliResult history(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "history");
    arguments.insert(arguments.end(), {"--db", database_});
    return run_cli(arguments);
  }

  std::string text_of(std::vector<std::string> arguments) const {
    const CliResult result = history(std::move(arguments));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  nlohmann::json json_of(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    return nlohmann::json::parse(text_of(std::move(arguments)));
  }

  void record(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin() + (arguments[0] == "osu" ? 2 : 1), file_);
    arguments.insert(arguments.end(), {"--quiet", "--record", "--db", database_});
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

  void add_lines(const std::string& lines, const std::string& commit) const {
    const CliResult result = run_cli_with_input(
        {"history", "add", "-", "--name", "synthesis", "--commit", commit, "--db", database_}, lines);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

  const TestFolder temporary_;
  const std::string database_ = temporary_.file("history.db");
  const std::string file_ = temporary_.write("small.textproto",
                                             "topology { torus { dims: 2 dims: 2 } }\n"
                                             "workload { traffic { load: 0.3 duration: \"2us\" } }\nseed: 3\n");
};

TEST_F(HistoryCli, ARunIsRecordedWithAllThatItTakesToRepeatIt) {
  record({"run", "--set", "workload.traffic.load=0.2"});
  const nlohmann::json list = json_of({"list"});
  ASSERT_EQ(list["results"].size(), 1u);
  EXPECT_EQ(list["results"][0]["name"], "small");
  EXPECT_EQ(list["results"][0]["kind"], "run");
  const nlohmann::json shown = json_of({"show", "1"});
  const nlohmann::json& from = shown["provenance"];
  EXPECT_THAT(from["command"].get<std::string>(), HasSubstr("--set workload.traffic.load=0.2"));
  EXPECT_THAT(from["experiment"].get<std::string>(), HasSubstr("load: 0.2"));
  EXPECT_EQ(from["seed"], 3);
  EXPECT_EQ(from["version"], "0.1.0");
  for (const char* field : {"compiler", "date", "host", "cpu", "system"})
    EXPECT_FALSE(from[field].get<std::string>().empty()) << field;
  EXPECT_GT(from["cores"], 0);
  // The experiment as recorded gives the same digest.
  const std::string repeated = temporary_.write("repeated.textproto", from["experiment"].get<std::string>());
  const auto report = nlohmann::json::parse(run_cli({"run", repeated, "--json", "--quiet"}).out);
  EXPECT_EQ(report["timing_digest"], shown["digests"]["timing_digest"]);
  EXPECT_EQ(report["provenance"]["experiment"], from["experiment"]);
}

TEST_F(HistoryCli, EveryCommandWithResultsRecords) {
  record({"run"});
  record({"run", "--sweep", "load=0.1,0.2"});
  record({"compare", "--schemes", "none"});
  record({"osu", "latency", "--sizes", "8", "--iterations", "1", "--warmup", "0"});
  record({"validate", "--use", "router[0]=RTL"});
  const CliResult karma =
      run_cli({"karma", "--top", "link", "--packet-bytes", "64", "--packets", "20", "--record", "--db", database_});
  EXPECT_EQ(karma.exit_code, 0) << karma.err;
  const CliResult figures = run_cli({"reproduce", "tofud", "--quiet", "--record", "--db", database_});
  EXPECT_EQ(figures.exit_code, 0) << figures.err;
  std::vector<std::string> kinds;
  const nlohmann::json list = json_of({"list"});
  for (const nlohmann::json& each : list["results"]) kinds.push_back(each["kind"]);
  EXPECT_THAT(kinds, testing::ElementsAre("run", "run", "compare", "osu", "validate", "karma", "reproduce"));
  EXPECT_EQ(list["results"][5]["name"], "karma link, 64 B, 1 sender, 0 hops, 20 packets");
}

TEST_F(HistoryCli, InputsAreHashed) {
  const std::string flows = temporary_.write("flows.csv", "source,destination,bytes,start\n,,B,ns\n0,1,1000,0\n");
  const std::string file = temporary_.write("flows.textproto",
                                            "topology { torus { dims: 2 dims: 2 } }\nrouter { model: PACKET }\n"
                                            "workload { flows { file: \"flows.csv\" } }\n");
  const CliResult result = run_cli({"run", file, "--json", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json inputs = nlohmann::json::parse(result.out)["provenance"]["inputs"];
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0]["path"], flows);
  EXPECT_EQ(inputs[0]["xxh128"].get<std::string>().size(), 32u);
}

TEST_F(HistoryCli, DiffNamesTheFieldsAndTheResultsThatDiffer) {
  record({"run"});
  record({"run", "--set", "workload.traffic.load=0.2"});
  const std::string text = text_of({"diff", "1", "2"});
  EXPECT_THAT(text, testing::ContainsRegex("workload.traffic.load +0.3 +0.2"));
  EXPECT_THAT(text, HasSubstr("timing_digest"));
  EXPECT_THAT(text, Not(HasSubstr("\n    complete")));
  record({"run"});
  EXPECT_THAT(text_of({"diff", "1", "3"}), Not(HasSubstr("timing_digest")));
}

// An experiment and a variant of it, both measured of two commits that differ in nothing.
TEST_F(HistoryCli, DiffOfCommitsComparesEachExperimentWithItself) {
  for (const std::string load : {"0.2", "0.3"}) {
    const CliResult run = run_cli({"run", file_, "--json", "--quiet", "--set", "workload.traffic.load=" + load});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const std::string file = temporary_.write("report.json", run.out);
    for (const std::string commit : {"aaaa", "bbbb", "bbcc"})
      ASSERT_EQ(history({"add", file, "--commit", commit}).exit_code, 0);
  }
  EXPECT_THAT(text_of({"diff", "aaaa", "bbbb"}), Not(HasSubstr("timing_digest")));
  const CliResult several = history({"diff", "aaaa", "bb"});
  EXPECT_EQ(several.exit_code, 2);
  const CliResult other = run_cli({"run", file_, "--json", "--quiet", "--seed", "9"});
  ASSERT_EQ(history({"add", temporary_.write("other.json", other.out), "--commit", "cccc"}).exit_code, 0);
  EXPECT_THAT(history({"diff", "aaaa", "cccc"}).err, HasSubstr("small (run): aaaa and cccc have results of several"));
  EXPECT_THAT(several.err, HasSubstr("\"bb\" is the beginning of several commits: bbbb, bbcc; write more of it"));
}

// What --record keeps is what `add` takes from the report.
TEST_F(HistoryCli, ARecordedRunHasWhatItsReportHas) {
  const std::string file = temporary_.write("fault.textproto",
                                            "topology { torus { dims: 2 dims: 2 } }\nrouter { model: PACKET }\n"
                                            "workload { traffic { load: 0.3 duration: \"5us\" } }\n"
                                            "fault { link: \"router[0].x+\" at: \"1us\" until: \"2us\" rate: 0.5 }\n"
                                            "statistics { link_interval: \"1us\" }\n");
  const CliResult run = run_cli({"run", file, "--json", "--quiet", "--record", "--db", temporary_.file("history.db")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  ASSERT_EQ(history({"add", temporary_.write("report.json", run.out)}).exit_code, 0);
  const auto names = [this](const char* id) {
    std::vector<std::string> found;
    const nlohmann::json shown = json_of({"show", id});
    for (const nlohmann::json& each : shown["metrics"]) found.push_back(each["metric"]);
    return found;
  };
  EXPECT_THAT(names("1"), testing::Contains("faults[0].queue_bytes"));
  EXPECT_EQ(names("1"), names("2"));
}

TEST_F(HistoryCli, ARegressionIsExitCodeThreeUntilItIsAcknowledged) {
  add_lines("luts 1200 - exact\nlatency 1.5 us\n", "aaaa");
  add_lines("luts 1200 - exact\nlatency 1.5 us\n", "bbbb");
  EXPECT_EQ(history({"check"}).exit_code, 0);
  add_lines("luts 1300 - exact\nlatency 1.5 us\n", "cccc");
  const CliResult found = history({"check"});
  EXPECT_EQ(found.exit_code, 3);
  EXPECT_THAT(found.out, HasSubstr("REGRESSION: luts (synthesis)"));
  EXPECT_THAT(found.out, HasSubstr("1200 in bbbb, 1300 in cccc: changed +8.3 %"));
  text_of({"ack", "luts", "--reason", "wider buffers"});
  const CliResult accepted = history({"check"});
  EXPECT_EQ(accepted.exit_code, 0);
  EXPECT_THAT(accepted.out, HasSubstr("acknowledged: wider buffers"));
  EXPECT_EQ(history({"check", "--base", "dddd"}).exit_code, 2);
}

// Base and head in turn, the head three times as slow.
TEST_F(HistoryCli, WhatTooFewResultsCannotTellIsNotTheSame) {
  const auto add_pair = [this](int i) {
    for (const auto& [commit, factor] : {std::pair("aaaa", 1), std::pair("bbbb", 3)}) {
      const int time = factor * (1000 + i);
      add_lines("latency " + std::to_string(time) + " us\nsetup " + std::to_string(time) + " us\n", commit);
    }
  };
  for (int i = 0; i < 5; ++i) add_pair(i);
  const CliResult few = history({"check"});
  EXPECT_EQ(few.exit_code, 0);
  EXPECT_THAT(few.out, HasSubstr("note: latency (synthesis)"));
  EXPECT_THAT(few.out, HasSubstr("2 with too few results to tell: measure each commit 6 times or more"));
  EXPECT_THAT(few.out, Not(HasSubstr("no regression")));
  const std::string difference = text_of({"diff", "aaaa", "bbbb"});
  EXPECT_THAT(difference, HasSubstr("too few"));
  EXPECT_THAT(difference, HasSubstr("0 metrics and digests are the same"));
  const nlohmann::json json = json_of({"diff", "aaaa", "bbbb"});
  EXPECT_EQ(json["series"][0]["results"][0]["results_needed"], 6);
  add_pair(5);
  const CliResult enough = history({"check"});
  EXPECT_EQ(enough.exit_code, 3);
  EXPECT_THAT(enough.out, HasSubstr("REGRESSION: latency (synthesis)"));
}

TEST_F(HistoryCli, TrendsExportsAndGarbage) {
  for (int i = 0; i < 5; ++i) add_lines("luts " + std::to_string(i / 3) + " - exact\n", "c" + std::to_string(i));
  const nlohmann::json trend = json_of({"trend", "lu*"})["trends"];
  ASSERT_EQ(trend.size(), 1u);
  EXPECT_EQ(trend[0]["points"].size(), 5u);
  ASSERT_EQ(trend[0]["changes"].size(), 1u);
  EXPECT_EQ(trend[0]["changes"][0]["commit"], "c3");
  EXPECT_THAT(text_of({"export", "--last", "1"}), HasSubstr("c4"));
  EXPECT_THAT(text_of({"export", "--openmetrics"}), HasSubstr("# EOF\n"));
  EXPECT_THAT(text_of({"export", "--markdown"}), HasSubstr("| luts | 1 |"));
  const std::string out = temporary_.file("values.csv");
  EXPECT_THAT(text_of({"export", "--out", out}), IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(out));
  EXPECT_THAT(history({"export", "--out", "-"}).err, HasSubstr("--out: values are printed without it; name a file"));
  const std::string site = temporary_.file("site");
  EXPECT_EQ(text_of({"site", "--out", site}), site + "/index.html: 1 series\n");
  EXPECT_THAT(read_file(site + "/index.html"), HasSubstr("series-1.html"));
  EXPECT_THAT(read_file(site + "/series-1.html"), HasSubstr("\"luts\""));
  EXPECT_EQ(text_of({"gc", "--keep", "2", "--dry-run"}), "would remove 3 results\n");
  EXPECT_EQ(text_of({"gc", "--keep", "2"}), "removed 3 results\n");
  EXPECT_EQ(json_of({"list"})["results"].size(), 2u);
}

TEST_F(HistoryCli, AnExportIsPrintedAsItIsWritten) {
  // More than is printed at once.
  std::string lines;
  for (int i = 0; i < 8000; ++i) lines += "metric_with_a_long_name_" + std::to_string(i) + " 1 - exact\n";
  text_of({"add", temporary_.write("lines.txt", lines)});
  for (const std::string format : {"--csv", "--json", "--openmetrics", "--markdown"}) {
    const std::string out = temporary_.file("export");
    EXPECT_THAT(text_of({"export", format, "--out", out}), IsEmpty());
    const std::string text = read_file(out);
    EXPECT_GT(text.size(), size_t{1} << 18) << format;
    EXPECT_EQ(text_of({"export", format}), text) << format;
  }
}

TEST_F(HistoryCli, AnExportThatFindsNoRoomLeavesNothing) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "metric" + std::to_string(i) + " 1 - exact\n";
  add_lines(lines, "aaaa");
  const std::string old = temporary_.write("out/values.csv", "old");
  const std::string command = cli_binary() + " history export --db " + database_;
  // Files of up to 512 bytes stand for a full disk.
  const CliResult limited = run_process({"sh", "-c", "trap '' XFSZ; ulimit -f 1; " + command + " --out " + old});
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_THAT(limited.err, HasSubstr("cannot write " + old + ": File too large"));
  EXPECT_EQ(read_file(old), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(temporary_.path() / "out"), {}), 1);
  const CliResult full = run_process({"sh", "-c", command + " > /dev/full"});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.err, HasSubstr("cannot write to standard output: No space left on device"));
}

// The first of them makes the database.
TEST_F(HistoryCli, SeveralProcessesAddAtATime) {
  constexpr size_t kProcesses = 4;
  constexpr size_t kResults = 25;
  // Each repetition is a result.
  nlohmann::json benchmarks = nlohmann::json::array();
  for (size_t i = 0; i < kResults; ++i) {
    benchmarks.push_back({{"name", "loop"},
                          {"run_name", "loop"},
                          {"run_type", "iteration"},
                          {"repetition_index", i},
                          {"cpu_time", 10 + i},
                          {"time_unit", "ns"}});
  }
  const nlohmann::json measured = {{"context", {{"executable", "toy_bench"}}}, {"benchmarks", benchmarks}};
  const std::string file = temporary_.write("measured.json", measured.dump());
  std::vector<std::unique_ptr<BackgroundProcess>> processes;
  for (size_t i = 0; i < kProcesses; ++i) {
    const std::vector<std::string> words{cli_binary(), "history", "add", file, "--commit", "commit" + std::to_string(i),
                                         "--db",       database_};
    processes.push_back(
        std::make_unique<BackgroundProcess>(words, temporary_.file("add" + std::to_string(i) + ".log")));
  }
  for (const auto& process : processes) EXPECT_EQ(process->wait(), 0) << process->log();
  const nlohmann::json list = json_of({"list"})["results"];
  ASSERT_EQ(list.size(), kProcesses * kResults);
  std::set<int> numbers;
  std::map<std::string, size_t> by_commit;
  for (const nlohmann::json& result : list) {
    numbers.insert(result["id"].get<int>());
    ++by_commit[result["commit"]];
  }
  EXPECT_EQ(numbers.size(), list.size());
  EXPECT_EQ(by_commit.size(), kProcesses);
  for (const auto& [commit, results] : by_commit) EXPECT_EQ(results, kResults) << commit;
}

TEST_F(HistoryCli, WhatCannotBeRecordedIsToldBeforeTheRun) {
  add_lines("luts 1200 - exact\n", "aaaa");
  // The name of the journal beside it would be too long for any folder.
  const std::string closed = temporary_.file(std::string(247, 'h') + ".db");
  std::filesystem::rename(database_, closed);
  const std::string text = temporary_.write("text", "this is no folder");
  const std::string below = text + "/history.db";
  const std::string folder = temporary_.path().string();
  const std::vector<std::vector<std::string>> commands{
      {"run", file_, "--quiet"},
      {"run", file_, "--quiet", "--sweep", "load=0.1,0.2"},
      {"compare", file_, "--quiet", "--schemes", "none"},
      {"osu", "latency", file_, "--quiet", "--sizes", "8", "--iterations", "1", "--warmup", "0"},
      {"validate", file_, "--quiet"},
      {"reproduce", "tofud", "--quiet"},
      {"karma", "--top", "link", "--packet-bytes", "64", "--packets", "20"},
  };
  for (const std::vector<std::string>& command : commands) {
    for (const auto& [database, says] :
         {std::pair<std::string, std::string>{
              closed, "no file can be made beside it (File name too long), so nothing is recorded; name"},
          {folder, "is a folder; name a file with --db"},
          {text, "is no database of results; name one with --db"},
          {below, text + " is there and is no folder; the history would be " + below + ", and --db names another"}}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--record", "--db", database});
      const CliResult result = run_cli(arguments);
      EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(arguments);
      EXPECT_THAT(result.out, IsEmpty());
      EXPECT_THAT(result.err, AllOf(HasSubstr("--record: "), HasSubstr(says)));
    }
  }
  const std::string lines = temporary_.write("lines.txt", "luts 1 - exact\n");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"add", lines, "--commit", "bbbb"},
                                                  {"ack", "luts", "--reason", "x"},
                                                  {"gc", "--keep", "0"}}) {
    std::vector<std::string> arguments{"history", "--db", closed};
    arguments.insert(arguments.begin() + 1, command.begin(), command.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(result.err,
                HasSubstr("no file can be made beside it (File name too long), so nothing is recorded; name"));
  }
  // Nor is an empty file made a database.
  const std::string empty = temporary_.write("empty.db", "");
  EXPECT_EQ(run_cli({"run", file_, "--quiet", "--html", empty, "--record", "--db", empty}).exit_code, 2);
  EXPECT_EQ(read_file(empty), "");
}

TEST_F(HistoryCli, MistakesWriteNothing) {
  const std::string other = temporary_.write("other.db", "this is a text of somebody, and no database at all");
  const auto mistake = [](const std::vector<std::string>& arguments, const std::string& message) {
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  mistake({"run", file_, "--record", "--db", other}, "is no database of results");
  mistake({"run", file_, "--db", database_}, "--db requires --record");
  mistake({"history", "list", "--db", database_}, "there is no history in");
  mistake({"history", "add", temporary_.file("missing"), "--db", database_}, "cannot be read");
  mistake({"history", "add", file_, "--db", database_}, "small.textproto:1:1: error");
  const CliResult folder =
      run_process({"sh", "-c", "exec \"$0\" history add - --db \"$1\" < /", cli_binary(), database_});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.err, HasSubstr("standard input is a folder"));
  EXPECT_FALSE(std::filesystem::exists(database_));
  temporary_.write("history.db", "");
  mistake({"history", "list", "--db", database_}, "is empty, so there is no result in it");
  add_lines("luts 1200 - exact\n", "aaaa");
  mistake({"history", "show", "7", "--db", database_}, "there is no result 7");
  for (const std::string number : {"abc", "", "-1", "1.5", "99999999999999999999"})
    mistake({"history", "show", number, "--db", database_}, "\"" + number + "\" is not the number of a result");
  mistake({"history", "diff", "7", "abc", "--db", database_}, "neither a result nor the beginning of a commit");
  mistake({"history", "trend", "x", "--db", database_}, "has a metric or digest \"x\"");
  mistake({"history", "check", "--head", "bbbb", "--db", database_}, "there is no result of commit bbbb");
  mistake({"history", "ack", "x", "--reason", "", "--db", database_}, "say why");
  mistake({"history", "gc", "--keep", "1", "--before", "yesterday", "--db", database_}, "is no date");
  mistake({"history", "lsit"}, "did you mean");
  for (const std::string number : {"0", "2001", "100000", "ten"}) {
    mistake({"history", "trend", "luts", "--last", number, "--db", database_},
            "--last: \"" + number + "\" is not a number from 1 to 2000; to find changes among more results takes");
  }
  mistake({"history", "site", "--out", temporary_.file("site"), "--last", "2001", "--db", database_}, "from 1 to 2000");
  EXPECT_EQ(read_file(other), "this is a text of somebody, and no database at all");
}

TEST_F(HistoryCli, NamesThatNothingHasAreRefused) {
  add_lines("luts 1200 - exact\nlatency.mean 1.5 us\n", "aaaa");
  record({"run"});
  const auto mistake = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const CliResult result = history(arguments);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(message)) << testing::PrintToString(arguments);
  };
  mistake({"ack", "lust", "--reason", "x"}, "has a metric or digest \"lust\" (did you mean \"luts\"?)");
  mistake({"ack", "luts", "--name", "synthesys", "--reason", "x"},
          "no result called \"synthesys\" (did you mean \"synthesis\"?)");
  mistake({"ack", "luts", "--name", "small", "--reason", "x"}, "no result called \"small\"");
  mistake({"ack", "luts", "--commit", "bbbb", "--reason", "x"}, "no result of commit bbbb");
  mistake({"trend", "latency"}, "(did you mean \"*latency*\"?)");
  mistake({"trend", "timing_digest"}, "digests have no trend");
  mistake({"check", "--name", "smal"}, "(did you mean \"small\"?)");
  mistake({"export", "--name", "smal"}, "(did you mean \"small\"?)");
  mistake({"export", "--commit", "bbbb"}, "no result of commit bbbb");
  // A change of a digest is expected like that of a metric.
  text_of({"ack", "timing_*", "--reason", "another router"});
}

TEST_F(HistoryCli, EmptyNamesAreRefused) {
  add_lines("luts 1200 - exact\n", "aaaa");
  const std::vector<std::vector<std::string>> all{{"trend", ""},
                                                  {"trend", "luts", "--name", ""},
                                                  {"ack", "", "--reason", "x"},
                                                  {"ack", "luts", "--commit", "", "--reason", "x"},
                                                  {"diff", "", "1"},
                                                  {"diff", "1", ""},
                                                  {"check", "--base", ""},
                                                  {"check", "--head", ""},
                                                  {"list", "--commit", ""},
                                                  {"export", "--name", ""},
                                                  {"gc", "--keep", "0", "--before", ""},
                                                  {"add", ""},
                                                  {"add", "lines.txt", "--commit", ""},
                                                  {"add", "lines.txt", "--name", ""},
                                                  {"add", "lines.txt", "--date", ""}};
  for (const std::vector<std::string>& arguments : all) {
    const CliResult result = history(arguments);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(": name ")) << testing::PrintToString(arguments);
  }
  EXPECT_EQ(json_of({"list"})["results"].size(), 1u);
}

TEST_F(HistoryCli, AnExportHasOneFormat) {
  add_lines("luts 1200 - exact\n", "aaaa");
  const std::vector<std::string> formats{"--csv", "--json", "--openmetrics", "--markdown"};
  for (const std::string& one : formats) {
    for (const std::string& other : formats) {
      if (one == other) continue;
      const CliResult result = history({"export", one, other});
      EXPECT_EQ(result.exit_code, 2) << one << other;
      EXPECT_THAT(result.err, HasSubstr("excludes"));
    }
  }
}

TEST_F(HistoryCli, CommandsThatChangeItSayWhatInJson) {
  const std::string lines = temporary_.write("lines.txt", "luts 1200 - exact\n");
  for (const char* commit : {"aaaa", "bbbb", "cccc"}) {
    const nlohmann::json added = json_of({"add", lines, "--name", "router", "--commit", commit});
    ASSERT_EQ(added.at("results").size(), 1u);
    EXPECT_GT(added["results"][0], 0);
  }
  EXPECT_EQ(json_of({"ack", "luts", "--reason", "wider buffers"}),
            nlohmann::json::parse(R"({"name": "*", "metric": "luts", "commit": "cccc", "reason": "wider buffers"})"));
  const nlohmann::json site = json_of({"site", "--out", temporary_.file("json-site")});
  EXPECT_EQ(site.at("folder"), temporary_.file("json-site"));
  EXPECT_EQ(site.at("pages"), nlohmann::json::parse(R"(["index.html", "series-1.html"])"));
  EXPECT_EQ(site.at("series"), 1);
  const nlohmann::json dry = json_of({"gc", "--keep", "1", "--dry-run"});
  EXPECT_EQ(dry, nlohmann::json::parse(R"({"dry_run": true, "removed": [1, 2]})"));
  EXPECT_EQ(json_of({"gc", "--keep", "1"}).at("removed"), dry.at("removed"));
  EXPECT_EQ(json_of({"list"})["results"].size(), 1u);
}

TEST_F(HistoryCli, AnInterruptedRunIsNotRecorded) {
  const CliResult result = run_cli({"run", file_, "--quiet", "--set", "workload.traffic.duration=1s", "--set",
                                    "stop.after_simulated=1us", "--record", "--db", database_});
  EXPECT_THAT(result.err, HasSubstr("a run that ended early"));
  EXPECT_FALSE(std::filesystem::exists(database_));
}

}  // namespace
}  // namespace fabrictwin
