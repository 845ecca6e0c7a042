// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

/// A folder with a small experiment in it.
class CliTest : public ::testing::Test {
 protected:
  std::string read(const std::string& name) const { return read_file(temporary_.file(name)); }

  const TestFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  const std::string file_ = temporary_.write(
      "small.textproto",
      "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.3 duration: \"2us\" } }\nseed: 3\n");
};

/// A number as plots write it.
std::string shortest(double value) {
  std::ostringstream text;
  text << value;  // Six digits.
  return text.str();
}

TEST_F(CliTest, HelpAndVersionAreData) {
  const CliResult help = run_cli({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"run", "check", "describe", "worker", "board", "trace", "validate"})
    EXPECT_THAT(help.out, HasSubstr(command));
  EXPECT_THAT(help.err, IsEmpty());
  EXPECT_EQ(run_cli({"--version"}).out, "fabrictwin 0.1.0\n");
  EXPECT_EQ(run_cli({"run", "--help"}).exit_code, 0);
  for (const char* const asked : {" --help", " --version", " run --help"}) {
    const CliResult full = run_process({"sh", "-c", cli_binary() + asked + " > /dev/full"});
    EXPECT_EQ(full.exit_code, 1) << asked;
    EXPECT_THAT(full.err, HasSubstr("cannot write to standard output")) << asked;
  }
  const CliResult agent = run_process({"sh", "-c", std::string(BOARD_AGENT) + " --help > /dev/full"});
  EXPECT_EQ(agent.exit_code, 1);
  EXPECT_THAT(agent.err, HasSubstr("cannot write to standard output"));
}

// A file that is written while a standard stream is closed would have its number.
TEST_F(CliTest, FilesHaveNothingOfClosedStandardStreams) {
  const std::string page = temporary_.file("page.html");
  const std::string run = cli_binary() + " run '" + file_ + "' --html '" + page + "'";
  for (const auto& [closed, code] : {std::pair(" 2>&-", 0), std::pair(" >&-", 1), std::pair(" <&-", 0),
                                     std::pair(" <&- 2>&-", 0), std::pair(" <&- >&- 2>&-", 1)}) {
    std::filesystem::remove(page);
    EXPECT_EQ(run_process({"sh", "-c", run + closed}).exit_code, code) << closed;
    EXPECT_THAT(read("page.html"), AllOf(StartsWith("<!DOCTYPE"), EndsWith("</html>\n"))) << closed;
  }
  EXPECT_EQ(run_process({"sh", "-c", cli_binary() + " check - <&-"}).exit_code, 2);
}

TEST_F(CliTest, ExitCodesAreThoseWhereStderrTakesNothing) {
  const std::string binary = cli_binary();
  for (const char* const nowhere : {" 2> /dev/full", " 2>&-"}) {
    EXPECT_EQ(run_process({"sh", "-c", binary + " check /nonexistent" + nowhere}).exit_code, 2) << nowhere;
    EXPECT_EQ(run_process({"sh", "-c", binary + " rnu" + nowhere}).exit_code, 2) << nowhere;
    const CliResult run = run_process({"sh", "-c", binary + " run --json '" + file_ + "'" + nowhere});
    EXPECT_EQ(run.exit_code, 0) << nowhere;
    EXPECT_TRUE(nlohmann::json::accept(run.out)) << nowhere;
  }
}

TEST_F(CliTest, UsageErrorsExitWithTwoAndPrintNoData) {
  const std::vector<std::vector<std::string>> lines = {
      {},
      {"rnu"},
      {"run"},
      {"run", file_, "--nonsense"},
      {"run", file_, "--threads", "0"},
      {"run", file_, "--threads", "many"},
      {"run", file_, "--seed", "-1"},
      {"run", file_, "--watchdog", "30"},
      {"run", file_, "--wave", "router[0]"},
      {"run", file_, "--wave", "router[0]=r.fst"},
      {"run", "workloads/experiments/exanest-demo.textproto", "--wave",
       "qfdb[0].router=" + (folder_ / "r.fst").string()},
      {"run", file_, "--metrics", "9464"},
      {"run", (folder_ / "no-such-file").string()},
      {"run", folder_.string()},
      {"run", file_, "--set", "workload.traffic.load=2"},
      {"run", file_, "--use", "router[9]=RTL", "--out", (folder_ / "out").string()},
      {"check", file_, "--use", "*=RTL"},
      {"describe", file_, "--dot", "--json"},
      {"trace"},
      {"trace", "stats", (folder_ / "no-such-file").string()},
      {"trace", "stats", file_, "--json"},
      {"trace", "import", "--from", "otf2", folder_.string(), "--out", (folder_ / "x.fttrace").string()},
      {"trace", "import", "--from", "ti", folder_.string(), "--out", (folder_ / "x.fttrace").string()},
      {"worker"},
      {"board"},
      {"board", "--soft", "--listen", "127.0.0.1:0"},
      {"karma"},
      {"karma", "--plot", ""},
      {"karma", "--plot", folder_.string()},
      {"karma", "--plot", (folder_ / "no-such-folder" / "plot.svg").string()},
      {"karma", "--plot", (folder_ / "plot.svg").string(), "--top", "link"},
  };
  for (const std::vector<std::string>& line : lines) {
    const CliResult result = run_cli(line);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(line) << "\n" << result.err;
    EXPECT_THAT(result.out, IsEmpty()) << ::testing::PrintToString(line);
    EXPECT_THAT(result.err, HasSubstr("error:")) << ::testing::PrintToString(line);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.fttrace"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) EXPECT_EQ(entry.path(), file_) << "left over";
}

TEST_F(CliTest, AMetricsPortInUseIsTheMistakeOfWhoChoseIt) {
  const int taken = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(taken, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(taken, reinterpret_cast<const sockaddr*>(&address), length), 0);
  ASSERT_EQ(listen(taken, 1), 0);
  ASSERT_EQ(getsockname(taken, reinterpret_cast<sockaddr*>(&address), &length), 0);
  const std::string at = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  const std::string out = (folder_ / "out").string();
  const CliResult result = run_cli({"run", file_, "--metrics", at, "--out", out});
  close(taken);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("--metrics: cannot serve metrics at " + at));
  EXPECT_THAT(result.err, HasSubstr("choose another port, or port 0 for any free one"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(CliTest, WhatMemoryCannotHoldIsRefusedBeforeItIsBuilt) {
  // 2^23 nodes, which took half a minute to use up the memory of a machine of 24 GiB.
  const CliResult result = run_process({"/bin/sh", "-c", "ulimit -v 20000000; exec \"$@\"", "sh", cli_binary(), "run",
                                        file_, "--set", "topology.torus.dims=256x256x128", "--set",
                                        "router.model=PACKET", "--out", (folder_ / "out").string()});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err,
              HasSubstr("error: a run of 8388608 nodes takes about 93.0 GiB of memory, more than 70.3 GiB, and"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(CliTest, SuggestsTheCommandThatWasMeant) {
  EXPECT_THAT(run_cli({"descibe", file_}).err,
              StartsWith("fabrictwin: error: unknown command \"descibe\" (did you mean \"describe\"?)\n"));
  EXPECT_THAT(
      run_cli({"trace", "stast", file_}).err,
      StartsWith("fabrictwin: error: there is no \"stast\" of trace (did you mean \"stats\"?); there are import, "));
  EXPECT_THAT(run_cli({"trace", "generate", "hpgc"}).err,
              HasSubstr("no \"hpgc\" of generate (did you mean \"hpcg\"?)"));
}

TEST_F(CliTest, ErrorsAreDiagnosticsWithoutColour) {
  const CliResult result = run_cli({"run", file_, "--set", "workload.traffic.load=2"}, {"NO_COLOR=1"});
  EXPECT_EQ(result.err,
            "--set:1:23: error: load 2: it is a fraction of the link rate, above 0 and at most 1\n"
            "workload.traffic.load=2\n"
            "                      ^\n");
}

TEST_F(CliTest, ExperimentsComeFromStandardInput) {
  const std::string text = read("small.textproto");
  const CliResult check = run_cli_with_input({"check", "-", "--use", "router[1]=RTL@worker:shm"}, text);
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, StartsWith("<stdin>: ok: torus 2x2, 2 partitions at 2 places"));
  EXPECT_THAT(run_cli_with_input({"describe", "-"}, text).out, StartsWith("experiment  <stdin>\n"));

  // What is sent to a worker is the text, and a --set of another topology reads the experiment a second time.
  const std::vector<std::string> line = {
      "--json", "--quiet", "--use", "router[1]=RTL@worker:unix", "--set", "topology.torus.dims=2x2x1"};
  const auto run = [&](const std::string& file, const std::string& input) {
    std::vector<std::string> words = {"run", file};
    words.insert(words.end(), line.begin(), line.end());
    const CliResult result = run_cli_with_input(words, input);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  };
  const nlohmann::json piped = run("-", text);
  EXPECT_EQ(piped["run"]["experiment"], "<stdin>");
  EXPECT_EQ(piped["timing_digest"], run(file_, "")["timing_digest"]);
  const CliResult sweep = run_cli_with_input({"run", "-", "--sweep", "load=0.1,0.2", "--quiet"}, text);
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;

  const CliResult wrong = run_cli_with_input({"run", "-"}, "topology { torus { dims: 2 } }\nsede: 3\n");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.out, IsEmpty());
  EXPECT_THAT(wrong.err,
              HasSubstr("<stdin>:2:1: error: unknown field \"sede\" in Experiment (did you mean \"seed\"?)"));
  EXPECT_EQ(run_cli_with_input({"run", "-"}, "").exit_code, 2);
}

TEST_F(CliTest, DescribePrintsThePlan) {
  const CliResult text = run_cli({"describe", file_, "--use", "router[1]=RTL@worker:unix"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("router[1]  RTL    worker:unix"));
  EXPECT_THAT(text.out, HasSubstr("host[1].tile - router[1].tile: models - router[1]"));

  const CliResult json = run_cli({"describe", file_, "--json", "--use", "router[1]=RTL@worker:unix"});
  const auto object = nlohmann::json::parse(json.out);
  EXPECT_EQ(object.at("places").size(), 2u);
  EXPECT_EQ(object.at("partitions").at(1).at("name"), "router[1]");
  EXPECT_EQ(object.at("links").size(), 4u + 8u);

  const CliResult dot = run_cli({"describe", file_, "--dot"});
  EXPECT_THAT(dot.out, StartsWith("graph fabrictwin {\n"));
  EXPECT_THAT(dot.out, HasSubstr("\"host[0]\" -- \"router[0]\""));
}

TEST_F(CliTest, EstimateSaysWhatARunTakes) {
  const CliResult text = run_cli({"describe", file_, "--estimate"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("from    the whole run, which was over"));
  const nlohmann::json json = nlohmann::json::parse(run_cli({"describe", file_, "--estimate", "--json"}).out);
  EXPECT_GT(json["wall_seconds"].get<double>(), 0);
  EXPECT_GT(json["memory_bytes"].get<uint64_t>(), 1'000'000u);
  EXPECT_EQ(json["share"], 1);
  const CliResult wrong = run_cli({"describe", file_, "--estimate", "--set", "workload.mpi_trace.path=/nowhere"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.out, "");
}

TEST_F(CliTest, DescribeListsWhatExists) {
  const CliResult json = run_cli({"describe", "--list", "topologies", "--json"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  std::vector<std::string> names;
  const auto list = nlohmann::json::parse(json.out);
  for (const auto& topology : list.at("topologies")) names.push_back(topology.at("name"));
  EXPECT_THAT(names, IsSupersetOf({"torus", "exanest", "dragonfly", "fat_tree", "tofu", "graph"}));
  const CliResult text = run_cli({"describe", "--list", "traffic"});
  EXPECT_THAT(text.out, StartsWith("traffic\n  uniform "));
  EXPECT_EQ(run_cli({"describe", "--list", "routing", "--json"}).exit_code, 0);

  const CliResult unknown = run_cli({"describe", "--list", "topology"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("topologies"));
  EXPECT_EQ(run_cli({"describe", "--list", "traffic", file_}).exit_code, 2);
  EXPECT_EQ(run_cli({"describe"}).exit_code, 2);
}

TEST_F(CliTest, DryRunPrintsThePlanAndRunsNothing) {
  const std::string out = (folder_ / "out").string();
  const CliResult result = run_cli({"run", file_, "--dry-run", "--out", out});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("partitions\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("digest")));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(CliTest, RunPrintsItsReportAndWritesTheSame) {
  const std::string out = (folder_ / "deep" / "out").string();
  const CliResult json = run_cli({"run", file_, "--json", "--out", out, "--quiet"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  EXPECT_THAT(json.err, IsEmpty());
  EXPECT_EQ(read("deep/out/report.json"), json.out);
  EXPECT_THAT(read("deep/out/report.txt"), HasSubstr("timing digest"));
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report.at("complete"), true);
  EXPECT_EQ(report.at("timing_digest").get<std::string>().size(), 16u);
  EXPECT_EQ(report.at("run").at("seed"), 3);
  EXPECT_GT(report.at("simulated_seconds").get<double>(), 2e-6);
  EXPECT_EQ(report.at("links").size(), 2u * (4 + 8));
  EXPECT_GT(report.at("packets_delivered"), 0);
  for (const auto& entry : std::filesystem::directory_iterator(out))
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".tmp")));

  const CliResult text = run_cli({"run", file_, "--quiet"});
  EXPECT_THAT(text.out, HasSubstr("timing digest   " + report.at("timing_digest").get<std::string>()));
}

// All models of a place are one partition.
TEST_F(CliTest, TheReportSaysHowManyThreadsWereUsed) {
  for (const auto& [rule, used] : {std::pair("router[1]=MODEL", 1), std::pair("router[1]=RTL", 2)}) {
    const CliResult result = run_cli({"run", file_, "--json", "--threads", "4", "--use", rule});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(nlohmann::json::parse(result.out).at("run").at("threads"), used) << rule;
    EXPECT_THAT(result.err, HasSubstr(std::to_string(used) + " of 4 threads were used"));
  }
  EXPECT_THAT(run_cli({"run", file_, "--json"}).err, Not(HasSubstr("threads were used")));
}

TEST_F(CliTest, KarmaPlotsWhatItMeasures) {
  const std::string file = (folder_ / "plot.svg").string();
  const CliResult text = run_cli({"karma", "--plot", file, "--packets", "20"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.err, IsEmpty());
  EXPECT_THAT(text.out, HasSubstr("512 B"));
  const std::string svg = read("plot.svg");
  EXPECT_THAT(svg, StartsWith("<svg "));
  EXPECT_THAT(svg, HasSubstr("</svg>\n"));

  const CliResult json = run_cli({"karma", "--plot", file, "--packets", "20", "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto points = nlohmann::json::parse(json.out).at("points");
  EXPECT_EQ(points.size(), 3u * 5);
  EXPECT_EQ(points.at(0).at("name"), "router 32 B 1 sender");
  EXPECT_EQ(points.at(5).at("name"), "router 32 B 2 senders");
  for (const auto& point : points) {
    EXPECT_EQ(point.at("errors"), 0);
    const std::string size = std::to_string(point.at("packet_bytes").get<int>());
    EXPECT_THAT(svg, HasSubstr(": " + size + ", " + shortest(point.at("efficiency").get<double>() * 100) + "</title>"));
  }
  EXPECT_THAT(svg, HasSubstr("published: link: 512, 90</title>"));
  EXPECT_EQ(read("plot.svg"), svg) << "the same measurement gives the same picture";
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".tmp")));
}

TEST_F(CliTest, AFolderThatCannotBeIsRefusedBeforeTheRun) {
  const CliResult result = run_cli({"run", file_, "--quiet", "--out", "/proc/no-such-folder"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("cannot create /proc/no-such-folder"));
}

TEST_F(CliTest, AnInterruptEndsTheRunWithAPartialReport) {
  // Long enough for ever; the first progress line shows that it moves.
  const CliResult result =
      run_cli({"run", file_, "--json", "--set", "workload.traffic.duration=1000s"}, {}, "simulated");
  EXPECT_EQ(result.exit_code, 130) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report.at("complete"), false);
  EXPECT_NE(report.at("reason"), "");
  EXPECT_THAT(result.err, HasSubstr("interrupted; the report is partial"));
}

TEST_F(CliTest, AnInterruptedRunDoesNotWaitForAScrape) {
  const CliResult result = run_cli(
      {"run", file_, "--set", "workload.traffic.duration=10s", "--metrics", "127.0.0.1:0", "--metrics-linger", "3600s"},
      {}, "serving metrics");
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("served until")));
}

}  // namespace
}  // namespace fabrictwin
