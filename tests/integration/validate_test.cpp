// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// fabrictwin validate, from models and RTL to what it says of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
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
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kExanest = "workloads/experiments/exanest.textproto";
const std::string kPrototype = "workloads/experiments/data/exanest-prototype.textproto";
const std::vector<std::string> kTwoBoards = {
    "--set", "topology.exanest.blades=1",      "--set", "topology.exanest.qfdbs=2",
    "--set", "workload.traffic.duration=50us", "--set", "workload.traffic.load=0.05"};

class Validate : public ::testing::Test {
 protected:
  static CliResult validate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"validate", "--quiet"});
    return run_cli(arguments);
  }

  const TestFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  const std::string file_ = temporary_.write(
      "small.textproto",
      "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.3 duration: \"2us\" } }\nseed: 3\n");
};

TEST_F(Validate, RoutersOfATorusAreExact) {
  const CliResult result = validate({file_, "--runs", "3", "--tolerance", "0", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, IsEmpty());
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["reference"], nlohmann::json::array({"router[*]=RTL"}));
  ASSERT_EQ(report["runs"].size(), 3u);
  uint64_t compared = 0;
  for (size_t i = 0; i < 3; ++i) {
    const auto& run = report["runs"][i];
    EXPECT_EQ(run["seed"], 3 + i);
    EXPECT_EQ(run["same_timing"], true);
    EXPECT_EQ(run["same_payload"], true);
    EXPECT_EQ(run["only_in_model"], 0);
    compared += run["compared"].get<uint64_t>();
  }
  EXPECT_GT(compared, 10u);
  EXPECT_EQ(report["errors"]["messages"], compared);
  EXPECT_EQ(report["errors"]["exact"], compared);
  EXPECT_EQ(report["errors"]["relative"]["max"], 0);
  EXPECT_EQ(report["within_tolerance"], true);
  EXPECT_GT(report["errors"]["mean_model_seconds"], 300e-9);
  EXPECT_FALSE(report.contains("island")) << "all of it is words";
}

TEST_F(Validate, TakesTheRulesThatAreGiven) {
  const CliResult result = validate({file_, "--use", "router[1]=RTL", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["reference"], nlohmann::json::array({"router[1]=RTL"}));
}

// Rules for models keep their depths on both sides, and what is RTL is a model of words on that of the models.
TEST_F(Validate, KeepsTheDepthsOfModels) {
  const std::string nodes = temporary_.write("depths.textproto",
                                             "topology { exanest { blades: 1 qfdbs: 2 } }\nworkload { traffic { load: "
                                             "0.1 duration: \"10us\" } }\nseed: 1\n");
  const std::string packets = "*=MODEL/PACKET";
  const CliResult mixed =
      validate({nodes, "--use", packets, "--use", "qfdb[0].switch[1]=RTL", "--tolerance", "100", "--json"});
  ASSERT_EQ(mixed.exit_code, 0) << mixed.err;
  const auto report = nlohmann::json::parse(mixed.out);
  EXPECT_EQ(report["reference"], nlohmann::json::array({packets, "qfdb[0].switch[1]=RTL"}));
  const CliResult models =
      run_cli({"run", "--quiet", "--json", nodes, "--use", packets, "--use", "qfdb[0].switch[1]=MODEL"});
  ASSERT_EQ(models.exit_code, 0) << models.err;
  EXPECT_EQ(report["runs"][0]["model"]["timing_digest"], nlohmann::json::parse(models.out)["timing_digest"]);
}

// Without rules for RTL, all of it is the reference, and what is measured is the error of packets.
TEST_F(Validate, ComparesPacketsWithRtl) {
  const CliResult packets =
      validate({file_, "--use", "*=MODEL/PACKET", "--set", "workload.traffic.load=0.9", "--tolerance", "50", "--json"});
  ASSERT_EQ(packets.exit_code, 0) << packets.err;
  const auto report = nlohmann::json::parse(packets.out);
  EXPECT_EQ(report["reference"], nlohmann::json::array({"*=MODEL/PACKET", "router[*]=RTL"}));
  EXPECT_EQ(report["runs"][0]["same_payload"], true);
  EXPECT_EQ(report["runs"][0]["same_timing"], false);
}

// Sea and island are the same in both runs of the pair, so what the sea is off by shows against words only.
TEST_F(Validate, TellsWhatCoarserRoutersChangeForAnIsland) {
  const std::vector<std::string> load = {"--set", "workload.traffic.load=0.9"};
  const auto digest_of = [&](std::vector<std::string> uses) {
    std::vector<std::string> words = {"run", "--quiet", "--json", file_};
    words.insert(words.end(), load.begin(), load.end());
    words.insert(words.end(), uses.begin(), uses.end());
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["timing_digest"].get<std::string>();
  };
  std::vector<std::string> arguments = {file_, "--use", "*=MODEL/PACKET", "--use", "router[0]=RTL"};
  arguments.insert(arguments.end(), load.begin(), load.end());
  std::vector<std::string> strict = arguments;
  strict.insert(strict.end(), {"--tolerance", "0", "--json"});
  const CliResult result = validate(strict);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("coarser routers change the mean latency of the island's messages by "));
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["within_tolerance"], true);
  const auto& island = report["island"];
  EXPECT_EQ(island["hosts"], 1);
  EXPECT_EQ(island["tolerance"], 0);
  EXPECT_EQ(island["within_tolerance"], false);
  ASSERT_EQ(island["runs"].size(), 1u);
  EXPECT_EQ(island["runs"][0]["model"]["timing_digest"],
            digest_of({"--use", "*=MODEL/PACKET", "--use", "router[0]=MODEL/EXANET"}));
  EXPECT_EQ(island["runs"][0]["reference"]["timing_digest"], digest_of({}));
  const auto& latencies = island["latencies"];
  ASSERT_EQ(latencies.size(), 3u);
  EXPECT_EQ(latencies[0]["messages"], "all");
  EXPECT_EQ(latencies[1]["messages"], "out");
  EXPECT_EQ(latencies[2]["messages"], "in");
  EXPECT_GT(latencies[0]["count"], 10);
  EXPECT_LT(latencies[0]["count"], report["errors"]["messages"]);
  EXPECT_EQ(latencies[0]["count"], latencies[1]["count"].get<uint64_t>() + latencies[2]["count"].get<uint64_t>());
  const double mean = latencies[0]["model_seconds"]["mean"];
  const double of_words = latencies[0]["reference_seconds"]["mean"];
  EXPECT_NEAR(latencies[0]["error_of_mean"], mean / of_words - 1, 1e-9);

  const std::string page = temporary_.file("page.html");
  arguments.insert(arguments.end(), {"--tolerance", "20", "--html", page});
  const CliResult loose = validate(arguments);
  EXPECT_EQ(loose.exit_code, 0) << loose.err;
  EXPECT_THAT(loose.out, HasSubstr("messages that begin or end at 1 host beside routers of words"));
  EXPECT_THAT(loose.out, HasSubstr("tolerance 20 %: kept"));
  EXPECT_THAT(read_file(page), HasSubstr("Messages of the island"));
}

struct IslandCase {
  std::string name;
  std::string topology;
  std::string island;   ///< Selects the logic of the island.
  std::string inside;   ///< Its hosts,
  std::string outside;  ///< and all others.
  std::string duration;
  double load = 0;
  double tolerance = 0;  ///< For the mean and the median, a share.
};

class ValidateIsland : public testing::TestWithParam<IslandCase> {};

// A load of 0.26 is 60 % of what saturates the torus, and one of 0.095 of what saturates the nodes.
TEST_P(ValidateIsland, IsNearEverythingWordByWord) {
  const IslandCase& in = GetParam();
  const TestFolder folder;
  const auto traffic = [&](const char* name, const std::string& hosts) {
    return fmt::format("  class {{ name: \"{}\" hosts: \"{}\" pattern: UNIFORM load: {} }}\n", name, hosts, in.load);
  };
  const std::string file = folder.write(
      "island.textproto",
      fmt::format("topology {{ {} }}\nuse {{ select: \"*\" implementation: MODEL depth: PACKET }}\nuse {{ select: "
                  "\"{}\" implementation: RTL }}\nworkload {{ traffic {{ duration: \"{}\"\n{}{} }} }}\nseed: 5\n",
                  in.topology, in.island, in.duration, traffic("island", in.inside), traffic("sea", in.outside)));
  // Models of nodes without calibration are not near their RTL, which is another question.
  const CliResult result =
      run_cli({"validate", "--quiet", "--json", "--tolerance", fmt::format("{}", in.tolerance * 100), file});
  ASSERT_THAT(result.exit_code, testing::AnyOf(0, 3)) << result.err;
  const auto island = nlohmann::json::parse(result.out)["island"];
  EXPECT_EQ(island["within_tolerance"], true) << island;
  EXPECT_EQ(island["runs"][0]["same_payload"], true);
  EXPECT_EQ(island["runs"][0]["same_timing"], false) << "the sea is packets in one of them only";
  const auto& all = island["latencies"][0];
  EXPECT_GT(all["count"], 40);
  EXPECT_LT(std::abs(all["error_of_mean"].get<double>()), in.tolerance) << all;
  EXPECT_LT(std::abs(all["error_of_p50"].get<double>()), in.tolerance) << all;
}

IslandCase torus_island(const char* name, double load, double tolerance) {
  return {name,
          "torus { dims: [8, 8, 8] }",
          "router[0,1,8,9,64,65,72,73]",
          "0..1,8..9,64..65,72..73",
          "2..7,10..63,66..71,74..511",
          "10us",
          load,
          tolerance};
}

IslandCase nodes_island(const char* name, double load, double tolerance) {
  return {name, "exanest { blades: 2 qfdbs: 4 }", "qfdb[0].*", "0..3", "4..31", "200us", load, tolerance};
}

INSTANTIATE_TEST_SUITE_P(Full, ValidateIsland,
                         testing::Values(torus_island("Torus", 0.1, 0.05), torus_island("TorusAt60Percent", 0.26, 0.1),
                                         nodes_island("Nodes", 0.05, 0.05),
                                         nodes_island("NodesAt60Percent", 0.095, 0.1)),
                         [](const auto& info) { return info.param.name; });

TEST_F(Validate, NodesWithoutCalibrationExceedTheTolerance) {
  const std::string nodes = (folder_ / "nodes.textproto").string();
  std::ofstream(nodes) << "topology { exanest { blades: 1 qfdbs: 2 } }\nworkload { traffic { load: 0.05 duration: "
                          "\"15us\" } }\nseed: 1\n";
  const CliResult result = validate({nodes, "--worst", "2", "--out", folder_.string()});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the mean relative error of latencies is "));
  EXPECT_THAT(result.err, HasSubstr("models of nodes without a calibration"));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("reference   qfdb[*].*=RTL"), HasSubstr("worst messages"), HasSubstr("exceeded")));

  std::ostringstream text;
  text << std::ifstream(folder_ / "validation.json").rdbuf();
  const auto report = nlohmann::json::parse(text.str());
  EXPECT_EQ(report["within_tolerance"], false);
  EXPECT_EQ(report["runs"][0]["same_payload"], true);
  EXPECT_EQ(report["runs"][0]["same_timing"], false);
  ASSERT_EQ(report["errors"]["worst"].size(), 2u);
  const auto& worst = report["errors"]["worst"][0];
  EXPECT_EQ(worst["model_sent_fs"], worst["reference_sent_fs"]);
  EXPECT_LT(worst["model_arrived_fs"], worst["reference_arrived_fs"]);
  EXPECT_NE(worst["source"], worst["destination"]);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "validation.txt"));
}

TEST_F(Validate, TheCalibrationOfTheRepositoryHolds) {
  std::vector<std::string> arguments = {kExanest, "--set", "calibration=data/exanest-calibration.textproto", "--json"};
  arguments.insert(arguments.end(), kTwoBoards.begin(), kTwoBoards.end());
  const CliResult result = validate(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, IsEmpty());
  const auto errors = nlohmann::json::parse(result.out)["errors"];
  EXPECT_LT(errors["relative"]["mean"], 0.03);
  EXPECT_LT(std::abs(errors["error_of_mean"].get<double>()), 0.01);
}

// The file itself names the calibration of the published prototype.
TEST_F(Validate, CalibrationsOfOtherMachinesAreWarnedAbout) {
  const CliResult result =
      validate({kExanest, "--set", "topology.exanest.blades=1", "--set", "topology.exanest.qfdbs=1", "--set",
                "router.clock=156.25MHz", "--set", "workload.traffic.duration=3us"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("data/exanest-prototype.textproto) to something else than their RTL: "));
  EXPECT_THAT(result.err, HasSubstr("data/exanest-calibration.textproto"));
}

TEST_F(Validate, CalibratesAndThenPredicts) {
  // The calibration that the experiment names may be fitted anew.
  const std::string file = temporary_.write("c.textproto", read_file(kPrototype));
  std::vector<std::string> arguments = {
      kExanest, "--set", "router.clock=156.25MHz", "--set", "calibration=" + file, "--calibrate", file, "--json"};
  arguments.insert(arguments.end(), kTwoBoards.begin(), kTwoBoards.end());
  const CliResult result = validate(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  const auto& calibration = report["calibration"];
  EXPECT_GT(calibration["before"]["mean_relative"], 0.2);
  EXPECT_LT(calibration["residual"]["mean_relative"], 0.01);
  EXPECT_LT(calibration["residual"]["max_relative"], 0.05);
  int identified = 0;
  for (const auto& parameter : calibration["parameter"]) {
    if (parameter["identified"] == true) {
      ++identified;
    } else {
      EXPECT_NE(parameter["note"], "") << parameter;
    }
    if (parameter["name"] == "register_read") {
      EXPECT_EQ(parameter["identified"], true);
      EXPECT_GE(parameter["value"], 3);
      EXPECT_LE(parameter["value"], 5);
    }
    // Transfers of one block do not show when their answers come.
    if (parameter["name"] == "block_answered") {
      EXPECT_EQ(parameter["identified"], false);
    }
  }
  EXPECT_GE(identified, 8);
  EXPECT_LT(report["errors"]["relative"]["mean"], 0.03);

  // The file is what an experiment takes.
  EXPECT_EQ(run_cli({"check", kExanest, "--set", "calibration=" + file}).exit_code, 0);
}

TEST_F(Validate, CalibratesIntoTheFolderOfItsReports) {
  const std::filesystem::path out = folder_ / "new";
  const std::string file = (out / "c.textproto").string();
  const CliResult nothing = validate({file_, "--out", out.string(), "--calibrate", file});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("have nothing to fit"));
  EXPECT_FALSE(std::filesystem::exists(out));
  std::vector<std::string> arguments = {kExanest,      "--set", "router.clock=156.25MHz", "--out", out.string(),
                                        "--calibrate", file};
  arguments.insert(arguments.end(), kTwoBoards.begin(), kTwoBoards.end());
  const CliResult result = validate(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_TRUE(std::filesystem::exists(out / "validation.json"));
}

// At a moment in between other messages have arrived, which is no mistake of anybody.
TEST_F(Validate, RunsMayBeStopped) {
  const std::string with = "calibration=data/exanest-calibration.textproto";
  const CliResult result =
      validate({kExanest, "--set", with, "--set", "topology.exanest.blades=1", "--set", "topology.exanest.qfdbs=2",
                "--set", "workload.traffic.load=0.1", "--set", "stop.after_simulated=10us", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GT(nlohmann::json::parse(result.out)["errors"]["messages"], 10);
}

// As fast as the prototype, which is another design than the RTL beside them.
TEST_F(Validate, CalibratedModelsBesideOtherRtlAreWarnedAbout) {
  const std::vector<std::string> run = {"run",   kExanest,
                                        "--set", "topology.exanest.blades=1",
                                        "--set", "topology.exanest.qfdbs=2",
                                        "--set", "workload.traffic.duration=1us",
                                        "--json"};
  const CliResult models = run_cli(run);
  ASSERT_EQ(models.exit_code, 0) << models.err;
  EXPECT_THAT(models.err, Not(HasSubstr("calibrated models")));
  EXPECT_TRUE(nlohmann::json::parse(models.out).at("warnings").empty());

  std::vector<std::string> mixed = run;
  mixed.insert(mixed.end(), {"--use", "qfdb[1].router=RTL"});
  const CliResult result = run_cli(mixed);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("beside RTL or boards: they differ in"), HasSubstr("doorbell 10 cycles (RTL: 4)")));
  const auto warnings = nlohmann::json::parse(result.out).at("warnings");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].get<std::string>(), HasSubstr("network_link -5 cycles"));
}

TEST_F(Validate, MistakesOfTheUserExitWithTwo) {
  const auto fails = [&](std::vector<std::string> arguments, const std::string& what) {
    const CliResult result = validate(std::move(arguments));
    EXPECT_EQ(result.exit_code, 2) << what;
    EXPECT_THAT(result.err, HasSubstr(what));
    EXPECT_THAT(result.out, IsEmpty());
  };
  fails({file_, "--runs", "0"}, "--runs");
  fails({file_, "--tolerance", "nan"}, "--tolerance: nan is not a number from 0 to 1e+06");
  fails({file_, "--out", ""}, "--out: name a folder");
  fails({file_, "--limit", "0"}, "--limit");
  fails({file_, "--watchdog", "soon"}, "--watchdog: ");
  fails({file_, "--calibrate", (folder_ / "c").string()}, "have nothing to fit");
  fails({"workloads/experiments/booksim-torus.textproto"}, "there is no RTL of routers of this model");
  fails({kExanest, "--calibrate", (folder_ / "no" / "such" / "folder").string()}, "no/such/folder");

  const std::string wrong = (folder_ / "wrong.textproto").string();
  std::ofstream(wrong) << "parameter { name: \"dorbell\" value: 3 }\n";
  fails({kExanest, "--set", "calibration=" + wrong}, "did you mean \"doorbell\"?");
}

TEST_F(Validate, ReplacesNoFileThatTheExperimentReads) {
  const std::string calibration = temporary_.write("validation.json", read_file(kPrototype));
  const std::string text =
      "topology { exanest { blades: 1 qfdbs: 2 } }\nworkload { traffic { load: 0.05 duration: \"2us\" } }\n"
      "calibration: \"validation.json\"\n";
  const std::string nodes = temporary_.write("nodes.textproto", text);
  const std::string hosts = temporary_.write("hosts.txt", "1\n0\n3\n2\n");
  const std::string permuted = temporary_.write(
      "permuted.textproto",
      "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { pattern: PERMUTATION permutation_file: "
      "\"hosts.txt\" load: 0.3 duration: \"2us\" } }\n");
  EXPECT_EQ(run_cli({"check", permuted}).exit_code, 0);
  const std::string replaces = " would replace a file that the experiment reads; name another file";
  const std::pair<std::vector<std::string>, std::string> refused[] = {
      {{nodes, "--html", calibration}, "--html " + calibration + replaces},
      {{nodes, "--out", folder_.string()}, "a file of --out " + calibration + replaces},
      {{nodes, "--calibrate", nodes}, "--calibrate " + nodes + " would replace the experiment"},
      {{nodes, "--calibrate", temporary_.file("c"), "--html", temporary_.file("c")}, "are one file"},
      {{permuted, "--calibrate", hosts}, "--calibrate " + hosts + replaces},
      {{permuted, "--html", hosts}, "--html " + hosts + replaces},
  };
  for (const auto& [arguments, says] : refused) {
    const CliResult result = validate(arguments);
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_THAT(result.out, IsEmpty());
  }
  EXPECT_EQ(read_file(calibration), read_file(kPrototype));
  EXPECT_EQ(read_file(nodes), text);
  EXPECT_EQ(read_file(hosts), "1\n0\n3\n2\n");
}

TEST_F(Validate, TooSmallALimitIsTold) {
  const CliResult result = validate({file_, "--limit", "4", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["runs"][0]["compared"], 4);
  EXPECT_GT(report["runs"][0]["left_out"], 0);
}

}  // namespace
}  // namespace fabrictwin
