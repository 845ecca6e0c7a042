// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics through the command line, for both kinds of routers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cosim/report/trace_events.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The link series of a run of `file` with these options.
nlohmann::json link_series_of(const std::string& file, const std::vector<std::string>& options) {
  std::vector<std::string> line{"run", file, "--json", "--quiet", "--set", "statistics.link_interval=200ns"};
  line.insert(line.end(), options.begin(), options.end());
  const CliResult result = run_cli(line);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false).value("link_series", nlohmann::json::object());
}

class StatisticsTest : public ::testing::TestWithParam<const char*> {
 protected:
  std::string read(const std::string& name) const { return read_file(temporary_.file(name)); }

  const TestFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  const std::string file_ = temporary_.write("e.textproto", GetParam());
};

TEST_P(StatisticsTest, AreInReportAndFileAndChangeNothing) {
  const std::string out = (folder_ / "out").string();
  const CliResult plain = run_cli({"run", file_, "--json", "--quiet"});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const CliResult result =
      run_cli({"run", file_, "--json", "--quiet", "--out", out, "--set", "statistics.packet_trace.sample=1", "--set",
               "statistics.packet_trace.max_packets=40", "--set", "statistics.occupancy_interval=200ns", "--set",
               "statistics.latency_histogram=true", "--set", "statistics.per_node=true"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, IsEmpty());

  const auto before = nlohmann::json::parse(plain.out);
  const auto report = nlohmann::json::parse(result.out);
  for (const char* same : {"timing_digest", "payload_digest", "simulated_fs", "packets_delivered"})
    EXPECT_EQ(before.at(same), report.at(same)) << same;
  EXPECT_FALSE(before.contains("occupancy"));
  EXPECT_FALSE(before.contains("packet_trace"));
  EXPECT_GT(before.at("traffic").at("jain_index"), 0.5);

  const auto& traffic = report.at("traffic");
  const bool cycles = traffic.contains("latency_cycles");
  const auto& latency = traffic.at(cycles ? "latency_cycles" : "latency_seconds");
  EXPECT_LE(latency.at("min"), latency.at("p50"));
  EXPECT_LE(latency.at("p50"), latency.at("p90"));
  EXPECT_LE(latency.at("p90"), latency.at("p99"));
  EXPECT_LE(latency.at("p99"), latency.at("p99_9"));
  EXPECT_LE(latency.at("p99_9"), latency.at("p99_99"));
  EXPECT_LE(latency.at("p99_99").get<double>(), latency.at("max").get<double>() * (1 + 1e-12));
  EXPECT_FALSE(latency.at("histogram").empty());
  EXPECT_EQ(traffic.at("accepted_load_by_node").size(), 4u);
  EXPECT_GT(report.at("occupancy").at("intervals").size(), 5u);
  EXPECT_EQ(report.at("packet_trace").at("packets"), 40);
  EXPECT_EQ(report.at("packet_trace").at("file"), "packets.perfetto.json");

  EXPECT_EQ(read_trace_events(read("out/packets.perfetto.json")).size(), 40u);
  const std::string text = read("out/report.txt");
  for (const char* part :
       {"p99.99 ", "Jain index", "busiest links", "input buffers of 4 routers", "40 packets in packets.perfetto.json"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_P(StatisticsTest, APacketTraceNeedsAFolder) {
  const std::vector<std::string> line = {"run", file_, "--set", "statistics.packet_trace.sample=0.5"};
  const CliResult result = run_cli(line);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(result.err,
            "--set:1:12: error: packets are followed into a file, and none is named; add --out DIR or --perfetto FILE\n"
            "statistics.packet_trace.sample=0.5\n"
            "           ^\n");
  std::vector<std::string> dry = line;
  dry.emplace_back("--dry-run");
  EXPECT_EQ(run_cli(dry).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Routers, StatisticsTest,
                         ::testing::Values("topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.4 "
                                           "duration: \"8us\" } }\n",
                                           "topology { torus { dims: 2 dims: 2 } }\nrouter { model: INPUT_QUEUED }\n"
                                           "workload { traffic { load: 0.4 sample_cycles: 500 } }\n"));

TEST(LinksOverTime, AreTheSameWhereverTheirRoutersAre) {
  const TestFolder folder;
  const std::string traffic =
      "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.4 duration: \"8us\" } }\n";
  const std::string words = folder.write("words.textproto", traffic);
  const nlohmann::json here = link_series_of(words, {});
  ASSERT_GT(here.at("intervals").size(), 10u);
  EXPECT_THAT(here.at("unknown"), IsEmpty());
  EXPECT_TRUE(link_series_of(words, {"--use", "router[1..2]=MODEL@worker:unix"}) == here);
  EXPECT_TRUE(link_series_of(words, {"--use", "router[3]=RTL", "--use", "router[1]=RTL@worker:shm"}) == here);
  const std::string packets = folder.write("packets.textproto", traffic + "router { model: PACKET }\n");
  const nlohmann::json whole = link_series_of(packets, {});
  EXPECT_TRUE(link_series_of(packets, {"--use", "router[1..2]=MODEL@worker:shm"}) == whole);
  EXPECT_TRUE(link_series_of(packets, {"--split", "2"}) == whole);
}

TEST(LinksOverTime, AreUnknownWhereABoardSends) {
  const TestFolder folder;
  const std::string file = folder.write(
      "e.textproto", "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.4 duration: \"2us\" } }\n");
  const nlohmann::json series = link_series_of(file, {"--use", "router[0]=BOARD@soft"});
  EXPECT_EQ(series.at("unknown").size(), 5u);
  EXPECT_GT(series.at("intervals").at(3).at("mean_utilization"), 0.0);
}

}  // namespace
}  // namespace fabrictwin
