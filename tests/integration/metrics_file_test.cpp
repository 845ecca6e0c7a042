// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of metrics over simulated time, through the command line and into a Prometheus database.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTorus =
    "topology { torus { dims: 4 dims: 4 } }\n"
    "workload { traffic { load: 0.3 duration: \"20us\" } }\nseed: 3\n";
constexpr const char* kFlits =
    "topology { torus { dims: 4 dims: 4 } }\nrouter { model: INPUT_QUEUED }\n"
    "workload { traffic { load: 0.3 duration: \"20us\" } }\nseed: 3\n";
constexpr const char* kPackets =
    "topology { torus { dims: 4 dims: 4 } }\nrouter { model: PACKET }\n"
    "workload { traffic { load: 0.3 duration: \"20us\" } }\nseed: 3\n";

bool is_of_wall_time(const std::string& line) {
  for (const char* each : {"run_info", "wall_", "partition_", "transport_"})
    if (line.starts_with(std::string("fabrictwin_") + each)) return true;
  return false;
}

/// The latest time stamp of a file, in seconds since 1970.
double latest_stamp(const std::string& file) {
  std::ifstream stream(file);
  double latest = 0;
  for (std::string line; std::getline(stream, line);)
    if (!line.starts_with('#')) latest = std::max(latest, std::stod(line.substr(line.rfind(' '))));
  return latest;
}

class MetricsFileCli : public ::testing::Test {
 protected:
  /// The values of the file of a run, without those of wall-clock time and what names the run.
  std::string values_of(const std::string& experiment, std::vector<std::string> more, std::string* digest = nullptr) {
    const std::string file = folder_.file("run.om");
    more.insert(more.begin(), {"run", folder_.write("e.textproto", experiment), "--quiet", "--json"});
    more.insert(more.end(), {"--metrics-file", file});
    const CliResult result = run_cli(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    report_ = nlohmann::json::parse(result.out);
    if (digest != nullptr) *digest = report_.at("timing_digest");
    std::ifstream stream(file);
    std::string text;
    for (std::string line; std::getline(stream, line);) {
      if (is_of_wall_time(line)) continue;
      // The label "instance" names the run, and the last word of a sample is its time stamp.
      if (const size_t begin = line.find("instance=\""); begin != std::string::npos) {
        line.erase(begin, line.find('"', begin + 10) + 1 - begin);
        line.erase(line.rfind(' '));
      }
      text += line + "\n";
    }
    return text;
  }

  const TestFolder folder_;
  nlohmann::json report_;  ///< That of the last run.
};

// The experiment is in simulated time alone, so all samples are of the same hotspot.
TEST_F(MetricsFileCli, QueuesThatAreSetAsideAreMeasuredOfBothModels) {
  for (const char* model : {"INPUT_QUEUED vcs: 4", "PACKET vcs: 4 vc_buffer_flits: 96"}) {
    const std::string values = values_of(
        std::string("topology { torus { dims: 4 dims: 4 link_latency_cycles: 3 } }\nrouter { clock: \"1GHz\" model: ") +
            model +
            " }\nqueues { scheme: FBICM detect: 2 }\nworkload { traffic { pattern: HOTSPOT hotspot_fraction: 0.5 load: "
            "0.6 duration: \"10us\" } }\nseed: 4\n",
        {});
    uint64_t most = 0;
    std::istringstream lines(values);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("fabrictwin_set_aside_queues")) continue;
      most = std::max<uint64_t>(most, std::stoull(line.substr(line.rfind(' '))));
    }
    EXPECT_GT(most, 0u) << model;
    EXPECT_LE(most, report_.at("queues").at("set_aside_most").get<uint64_t>()) << model;
  }
}

// Samples cut the advances of the network into pieces, of which the digest must know nothing.
TEST_F(MetricsFileCli, SamplesAreTheSameForAnyThreadsAndChangeNothing) {
  for (const char* experiment : {kTorus, kFlits, kPackets}) {
    std::string one;
    std::string two;
    const std::string values = values_of(experiment, {"--threads", "1"}, &one);
    EXPECT_EQ(values, values_of(experiment, {"--threads", "2"}, &two));
    EXPECT_EQ(one, two);
    EXPECT_THAT(values, HasSubstr("# EOF"));
    EXPECT_THAT(values, HasSubstr("fabrictwin_link_class_bytes_total{"));
    const CliResult without = run_cli({"run", folder_.file("e.textproto"), "--quiet", "--json"});
    EXPECT_EQ(nlohmann::json::parse(without.out).at("timing_digest"), one);
  }
}

// Where models have two depths, the first ones are sampled.
TEST_F(MetricsFileCli, SamplesOfTwoDepthsAreTheSameForAnyThreads) {
  const std::vector<std::string> uses{"--use", "router[0,5]=MODEL/PACKET", "--threads"};
  std::vector<std::string> one = uses;
  one.emplace_back("1");
  std::vector<std::string> two = uses;
  two.emplace_back("2");
  const std::string values = values_of(kTorus, one);
  EXPECT_EQ(values, values_of(kTorus, two));
  // The last sample is of the time at which the run ended, wherever the partitions stopped.
  EXPECT_THAT(values, HasSubstr(fmt::format("fabrictwin_simulated_seconds_total{{job=\"fabrictwin\",}} {}\n",
                                            report_.at("simulated_seconds").get<double>())));
  EXPECT_THAT(values, HasSubstr("fabrictwin_packet_latency_seconds_count{"));
}

TEST_F(MetricsFileCli, PrometheusTakesItIn) {
  for (const char* experiment : {kTorus, kPackets}) {
    values_of(experiment, {});
    EXPECT_LE(latest_stamp(folder_.file("run.om")), static_cast<double>(std::time(nullptr)));
    const std::string database = folder_.file("prometheus");
    const CliResult made =
        run_process({"promtool", "tsdb", "create-blocks-from", "openmetrics", folder_.file("run.om"), database});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    // Without a log of what a server writes, promtool does not look at blocks.
    std::filesystem::create_directory(database + "/wal");
    const CliResult dump = run_process({"promtool", "tsdb", "dump", database});
    ASSERT_EQ(dump.exit_code, 0) << dump.err;
    EXPECT_THAT(dump.out, HasSubstr("fabrictwin_packet_latency_seconds_count"));
    EXPECT_THAT(dump.out, HasSubstr("fabrictwin_time_stretch_ratio"));
    std::filesystem::remove_all(database);
  }
}

TEST_F(MetricsFileCli, RunsWithRtlHaveTheirEnd) {
  const std::string values = values_of(kTorus, {"--use", "router[5]=RTL", "--set", "workload.traffic.duration=2us"});
  EXPECT_THAT(values, HasSubstr("fabrictwin_run_state{job=\"fabrictwin\",} 1"));
  EXPECT_THAT(values, HasSubstr("fabrictwin_exit_status{job=\"fabrictwin\",} 0"));
  EXPECT_THAT(values, HasSubstr("fabrictwin_packet_latency_seconds_count{"));
}

// The last sample of a class agrees with what the report says of it.
TEST_F(MetricsFileCli, ClassesOfTrafficHaveSeriesOfTheirOwn) {
  for (const char* model : {"EXANET", "INPUT_QUEUED", "PACKET"}) {
    const std::string values = values_of(
        fmt::format("topology {{ torus {{ dims: 4 dims: 4 }} }}\nrouter {{ model: {} }}\n"
                    "workload {{ traffic {{ class {{ name: \"a\" load: 0.1 }} class {{ name: \"b\" load: 0.2 }} "
                    "duration: \"20us\" }} }}\n",
                    model),
        {});
    for (const nlohmann::json& of_class : report_.at("classes")) {
      const std::string name = of_class.at("name");
      const auto series = [&](std::string_view metric) {
        return fmt::format("fabrictwin_class_{}{{job=\"fabrictwin\",,class=\"{}\"}} ", metric, name);
      };
      const uint64_t sent = of_class.at("packets_sent");
      EXPECT_THAT(values, HasSubstr(fmt::format("{}{}\n", series("packets_sent_total"), sent))) << model;
      const double accepted = of_class.at("accepted_load");
      EXPECT_THAT(values, HasSubstr(fmt::format("{}{}\n", series("accepted_load_ratio"), accepted))) << model;
      EXPECT_THAT(values, HasSubstr(series("packet_latency_seconds_count"))) << model;
    }
  }
}

TEST_F(MetricsFileCli, FlowsHaveSeriesOfTheirOwn) {
  const std::string values = values_of(
      "topology { spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 2 } }\nrouter { model: PACKET }\n"
      "pfc {} congestion { dcqcn { kmin: \"4KB\" kmax: \"40KB\" pmax: 1 } }\n"
      "workload { incast { sources: 3 bytes: \"200KB\" } }\n",
      {});
  const nlohmann::json& flows = report_.at("flows");
  ASSERT_EQ(flows.size(), 3u);
  for (size_t flow = 0; flow < 3; ++flow) {
    const uint64_t marks = flows[flow].at("marks");
    EXPECT_GT(marks, 0u);
    EXPECT_THAT(values, HasSubstr(fmt::format("fabrictwin_flow_marks_total{{job=\"fabrictwin\",,flow=\"{}\"}} {}\n",
                                              flow, marks)));
    const int source = flows[flow].at("source");
    EXPECT_THAT(values, HasSubstr(fmt::format("fabrictwin_flow_received_bytes_total{{job=\"fabrictwin\",,flow=\"{}\","
                                              "source=\"{}\",destination=\"0\"}} 200000\n",
                                              flow, source)));
  }
  EXPECT_THAT(values, HasSubstr("fabrictwin_flow_slowdown_ratio_count{job=\"fabrictwin\",,size=\"to 1 MB\"} 3\n"));
  EXPECT_THAT(values, HasSubstr("fabrictwin_false_marks_total{job=\"fabrictwin\",} 0\n"));
  EXPECT_THAT(values, HasSubstr("fabrictwin_flow_min_over_max_min_ratio{job=\"fabrictwin\",} "));
}

TEST_F(MetricsFileCli, JobsOfFlowsHaveTheirBytes) {
  const std::string values = values_of(
      "topology { spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 2 } }\nrouter { model: PACKET }\n"
      "workload { jobs {\n"
      "  job { name: \"few\" incast { sources: 1 bytes: \"10KB\" } placement { hosts: \"0,1\" } }\n"
      "  job { name: \"many\" incast { sources: 1 bytes: \"20KB\" } placement { hosts: \"2,3\" } }\n"
      "} }\n",
      {});
  const auto series = [](std::string_view job) {
    return fmt::format("fabrictwin_flow_job_received_bytes_total{{job=\"fabrictwin\",,mpi_job=\"{}\"}} ", job);
  };
  EXPECT_THAT(values, HasSubstr(series("few") + "10000\n"));
  EXPECT_THAT(values, HasSubstr(series("many") + "20000\n"));
}

TEST_F(MetricsFileCli, MistakesAreRefused) {
  const std::string experiment = folder_.write("e.textproto", kTorus);
  CliResult result = run_cli({"run", experiment, "--metrics-file", folder_.file("missing/run.om")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--metrics-file"));
  result = run_cli({"run", experiment, "--metrics-file", ""});
  EXPECT_EQ(result.exit_code, 2);
  result = run_cli(
      {"run", experiment, "--metrics-file", folder_.file("run.om"), "--sweep", "workload.traffic.load=0.1,0.2"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--metrics-file"));
}

}  // namespace
}  // namespace fabrictwin
