// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sweeps and searches through the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// A small network of input-queued routers.
class SweepCli : public ::testing::Test {
 protected:
  std::string read(const std::string& name) const { return read_file(temporary_.file(name)); }
  nlohmann::json json_of(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"run", file_, "--json", "--quiet"});
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false);
  }

  const TestFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  std::string file_ =
      temporary_.write("small.textproto",
                       "topology { torus { dims: 4 dims: 4 link_latency_cycles: 1 tile_latency_cycles: 1 } }\n"
                       "router { model: INPUT_QUEUED }\n"
                       "workload { traffic { load: 0.3 sample_cycles: 500 } }\n"
                       "seed: 3\n");
};

TEST_F(SweepCli, EachPointIsTheRunWithThatSetting) {
  const nlohmann::json sweep = json_of({"--sweep", "load=0.1:0.3:0.1", "--sweep", "pattern=uniform,tornado"});
  EXPECT_EQ(sweep.at("complete"), true);
  ASSERT_EQ(sweep.at("points").size(), 6u);
  const nlohmann::json& point = sweep.at("points")[4];
  EXPECT_EQ(point.at("settings"),
            nlohmann::json::parse(R"({"workload.traffic.load": 0.2, "workload.traffic.pattern": "tornado"})"));
  const nlohmann::json single =
      json_of({"--set", "workload.traffic.load=0.2", "--set", "workload.traffic.pattern=tornado"});
  EXPECT_EQ(point.at("timing_digest"), single.at("timing_digest"));
  EXPECT_EQ(point.at("traffic"), single.at("traffic"));
}

TEST_F(SweepCli, JobsDoNotShow) {
  std::vector<std::string> digests[2];
  for (const int jobs : {1, 2}) {
    const nlohmann::json sweep = json_of({"--sweep", "load=0.1:0.4:0.1", "--jobs", std::to_string(jobs)});
    for (const nlohmann::json& point : sweep.at("points")) digests[jobs - 1].push_back(point.at("timing_digest"));
  }
  EXPECT_EQ(digests[0].size(), 4u);
  EXPECT_EQ(digests[0], digests[1]);
}

TEST_F(SweepCli, WritesWhatItPrints) {
  const CliResult result =
      run_cli({"run", file_, "--sweep", "load=0.1,0.2", "--out", (folder_ / "out").string(), "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_EQ(read("out/sweep.txt"), result.out);
  EXPECT_THAT(result.out, AllOf(HasSubstr("\nload  offered  accepted"), HasSubstr("\n0.2 ")));
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_EQ(nlohmann::json::parse(read("out/sweep.json")).at("points").size(), 2u);
  EXPECT_THAT(read("out/sweep.csv"), StartsWith("workload.traffic.load,status,offered_load,"));
  EXPECT_THAT(read("out/sweep.svg"), AllOf(StartsWith("<svg "), HasSubstr("Accepted load")));
}

TEST_F(SweepCli, AFolderThatCannotBeIsRefusedBeforeTheFirstRun) {
  const CliResult result = run_cli({"run", file_, "--sweep", "load=0.1,0.2", "--out", "/proc/no-such-folder"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(result.err.find("1 of 2 done"), std::string::npos);
  // Each kind of result has names of its own.
  std::filesystem::create_directories(folder_ / "out" / "saturation.json");
  const std::string out = (folder_ / "out").string();
  EXPECT_EQ(run_cli({"run", file_, "--saturation", "--out", out}).exit_code, 2);
  EXPECT_EQ(run_cli({"run", file_, "--sweep", "load=0.1", "--out", out, "--quiet"}).exit_code, 0);
}

TEST_F(SweepCli, FindsSaturation) {
  const nlohmann::json found = json_of({"--saturation", "--precision", "0.05", "--sweep", "pattern=uniform,tornado"});
  ASSERT_EQ(found.at("points").size(), 2u);
  for (const nlohmann::json& point : found.at("points")) {
    EXPECT_GT(point.at("saturation_load"), 0.3);
    EXPECT_NEAR(point.at("saturation_load_above").get<double>() - point.at("saturation_load").get<double>(), 0.05,
                1e-9);
    EXPECT_LE(point.at("probes").size(), 6u);
  }
  EXPECT_THAT(run_cli({"run", file_, "--saturation", "--precision", "0.2", "--quiet"}).out,
              AllOf(HasSubstr("probe"), HasSubstr("saturation load")));
}

// The same file with routers of other models: its traffic is measured in samples.
TEST_F(SweepCli, FindsSaturationOfAllModels) {
  for (const char* model : {"EXANET", "PACKET"}) {
    const std::string file =
        temporary_.write("other.textproto",
                         std::string("topology { torus { dims: 4 tile_rate: \"10Gbps\" } } router { model: ") + model +
                             " } workload { traffic { load: 1 pattern: INCAST incast_fan_in: 2 sample_cycles: 500 "
                             "warmup_samples: 1 max_samples: 6 latency_limit_cycles: 300 } } seed: 1\n");
    std::vector<nlohmann::json> results;
    for (const char* jobs : {"1", "2"}) {
      if (model == std::string("EXANET") && jobs == std::string("2")) continue;
      const CliResult result = run_cli({"run", file, "--saturation", "--precision", "0.1", "--sweep",
                                        "incast_destination=0,1", "--jobs", jobs, "--json", "--quiet"});
      ASSERT_EQ(result.exit_code, 0) << result.err;
      results.push_back(nlohmann::json::parse(result.out));
    }
    for (const nlohmann::json& point : results.front().at("points")) {
      // Two hosts share the link of a third.
      EXPECT_GE(point.at("saturation_load"), 0.3) << model;
      EXPECT_LE(point.at("saturation_load"), 0.5) << model;
      EXPECT_NEAR(point.at("saturation_throughput").get<double>(), 0.25, 0.03) << model;
    }
    EXPECT_EQ(results.front().at("points")[0].at("saturation_load"),
              results.back().at("points")[0].at("saturation_load"));
  }
}

TEST_F(SweepCli, DryRunsListTheirPoints) {
  const CliResult result = run_cli({"run", file_, "--sweep", "load=0.1,0.2", "--sweep", "seed=1,2", "--dry-run"});
  EXPECT_EQ(result.out, "load=0.1 seed=1\nload=0.2 seed=1\nload=0.1 seed=2\nload=0.2 seed=2\n");
}

TEST_F(SweepCli, MistakesExitWithTwoAndRunNothing) {
  const std::string permutation = temporary_.write("permutation.txt", "1\n99\n");
  const std::string uniform = "workloads/experiments/uniform.textproto";
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
      {{"--sweep", "topology.torus.dims=4x4,0x4"}, "--sweep:1:25: error:"},
      {{"--sweep", "pattern=uniform,transpose", "--set", "topology.torus.dims=4x8"}, "--sweep:1:17: error: pattern"},
      {{"--sweep", "load=0.1", "--wave", "router[0]=r.fst"}, "--wave is for a single run"},
      {{"--saturation", "--precision", "2"}, "error:"},
      {{"--saturation", "--precision", "nan"}, "--precision: nan is not a number from 0.0001 to 0.5"},
      {{"--sweep", "load=0.1", "--set", "workload.traffic.load=0.5"}, "--set:1:1: error: --sweep gives this field"},
      {{"--sweep", "load=0.1", "--out", ""}, "--out: name a folder"},
      {{"--out", ""}, "--out: name a folder"},
      {{"--precision", "0.1"}, "error:"},
      {{"--jobs", "2"}, "--jobs is for --sweep"},
      {{"--sweep", "load=0.1", "--jobs", "0"}, "error:"},
      {{"--set", "workload.traffic.pattern=permutation", "--set", "workload.traffic.permutation_file=" + permutation},
       "permutation.txt:2:1: error: \"99\" is not the number of a host"},
  };
  for (const auto& [arguments, error] : lines) {
    std::vector<std::string> line = {"run", file_};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const CliResult result = run_cli(line);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(line) << "\n" << result.err;
    EXPECT_THAT(result.out, IsEmpty()) << ::testing::PrintToString(line);
    EXPECT_THAT(result.err, HasSubstr(error)) << ::testing::PrintToString(line);
  }
  EXPECT_THAT(run_cli({"run", uniform, "--sweep", "load=0.1", "--jobs", "2"}).err, HasSubstr("SystemC"));
  EXPECT_THAT(run_cli({"run", uniform, "--saturation"}).err, HasSubstr("measured in samples"));
}

TEST_F(SweepCli, RunsThatAreStoppedArePartial) {
  const nlohmann::json sweep = json_of({"--sweep", "load=0.1,0.3", "--set", "stop.after_simulated=9us"});
  EXPECT_EQ(sweep.at("complete"), false);
  for (const nlohmann::json& point : sweep.at("points")) {
    EXPECT_EQ(point.at("complete"), false);
    EXPECT_EQ(point.at("traffic").at("measured_cycles"), 0);
    EXPECT_EQ(point.at("traffic").at("accepted_load"), 0) << "of the warm-up";
    EXPECT_THAT(std::string(point.at("warnings")[0]), HasSubstr("stopped before a packet was measured"));
  }
}

TEST_F(SweepCli, ASeedThatIsSweptIsNotSetToo) {
  const CliResult result = run_cli({"run", file_, "--sweep", "seed=1,2", "--seed", "5"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(StartsWith("--sweep:1:1: error: "), HasSubstr("leave one out")));
}

// The first point has nothing to tell.
TEST_F(SweepCli, WarningsOfLaterPointsAreTold) {
  const std::string file = temporary_.write("links.textproto",
                                            "topology { torus { dims: 2 dims: 2 link_rate: \"10Gbps\" } }\n"
                                            "workload { traffic { load: 0.1 duration: \"1us\" } }\n");
  const CliResult result = run_cli({"run", file, "--sweep", "topology.torus.link_latency=10ns,10us,20us", "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("(twice 10 us at 10 Gbps)"), HasSubstr("(twice 20 us at 10 Gbps)")));
}

// Which cannot be read a second time, to see what is replaced.
TEST_F(SweepCli, APipeIsReadOnce) {
  temporary_.write("links.textproto",
                   "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.1 duration: \"1us\" } }\n");
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] { std::ofstream(pipe) << read("small.textproto"); });
  const CliResult result = run_cli({"check", pipe, "--set", "topology.spine_leaf.leaves=2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  writer.join();
  // This one needs to know what its workload says.
  writer = std::jthread([&] { std::ofstream(pipe) << read("links.textproto"); });
  const CliResult osu = run_cli({"osu", "latency", pipe, "--sizes", "8"});
  EXPECT_EQ(osu.exit_code, 2);
  EXPECT_THAT(osu.err, HasSubstr("cannot be read twice"));
}

TEST_F(SweepCli, AReplacedTopologyIsTold) {
  const CliResult result = run_cli({"check", file_, "--set", "topology.spine_leaf.leaves=3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("info: --set topology.spine_leaf.leaves=3: the topology is now spine_leaf, and "
                                    "nothing of the torus of the file counts"));
  EXPECT_THAT(run_cli({"check", file_, "--set", "topology.torus.dims=4x2"}).err, IsEmpty());
}

TEST_F(SweepCli, APermutationLiesBesideItsExperiment) {
  temporary_.write("ring.txt", "1\n2\n3\n0\n");
  file_ = temporary_.write(
      "permuted.textproto",
      "topology { torus { dims: 4 } }\n"
      "workload { traffic { pattern: PERMUTATION permutation_file: \"ring.txt\" load: 0.3 duration: \"10us\" } }\n");
  const nlohmann::json permuted = json_of({});
  file_ = temporary_.write("neighbor.textproto",
                           "topology { torus { dims: 4 } }\n"
                           "workload { traffic { pattern: NEIGHBOR load: 0.3 duration: \"10us\" } }\n");
  EXPECT_EQ(permuted.at("timing_digest"), json_of({}).at("timing_digest"));
  temporary_.write("ring.txt", "1\n2\n2\n0\n");
  const CliResult result = run_cli({"check", (folder_ / "permuted.textproto").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("ring.txt:3:1: error: host 2 is the destination of host 1 already"));
}

TEST_F(SweepCli, AnInterruptKeepsThePointsThatHaveEnded) {
  // The second point goes on for ever; the message of the first one's end shows that it has begun.
  const CliResult result = run_cli({"run", file_, "--json", "--sweep", "workload.traffic.max_samples=10,1000000",
                                    "--set", "workload.traffic.confidence_target=0.0000001"},
                                   {}, "1 of 2 done");
  EXPECT_EQ(result.exit_code, 130) << result.err;
  const nlohmann::json sweep = nlohmann::json::parse(result.out);
  EXPECT_EQ(sweep.at("complete"), false);
  EXPECT_EQ(sweep.at("reason"), "interrupted after 1 of 2 points");
  ASSERT_EQ(sweep.at("points").size(), 1u);
  EXPECT_EQ(sweep.at("points")[0].at("complete"), true);
  EXPECT_THAT(result.err, HasSubstr("the result is partial"));
}

TEST_F(SweepCli, AFailedPointKeepsTheOthers) {
  // A worker that nobody runs.
  const std::string uniform = "workloads/experiments/uniform.textproto";
  const CliResult result =
      run_cli({"run", uniform, "--json", "--set", "workload.traffic.duration=1us", "--use", "router[0]=MODEL",
               "--sweep", "use[0].place=inproc,unix:" + (folder_ / "nobody").string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const nlohmann::json sweep = nlohmann::json::parse(result.out);
  ASSERT_EQ(sweep.at("points").size(), 2u);
  EXPECT_EQ(sweep.at("complete"), true);
  EXPECT_TRUE(sweep.at("points")[0].contains("traffic"));
  EXPECT_THAT(std::string(sweep.at("points")[1].at("error")), HasSubstr("nobody"));
}

}  // namespace
}  // namespace fabrictwin
