// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Links that degrade or fail, and detours, through the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kDegrades = "workloads/experiments/congestion/link-degrades.textproto";

json run_json(const std::string& file, const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments{"run", "--json", "--quiet", file};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const CliResult result = run_cli(arguments);
  json report = json::parse(result.out, nullptr, false);
  if (report.is_discarded()) ADD_FAILURE() << "no report: " << result.out << result.err;
  return report;
}

double value_of(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

/// Bytes of a flow that arrived after `from` milliseconds until `to`.
double arrived(const json& report, size_t flow, double from, double to) {
  double bytes = 0;
  for (const json& point : report.at("series").at("points")) {
    const double ms = value_of(point.at("seconds")) * 1e3;
    if (ms > from + 1e-6 && ms < to + 1e-6) bytes += value_of(point.at("flow_bytes").at(flow));
  }
  return bytes;
}

/// One flow over one link of 100 Gbit/s, with a fault.
std::string one_flow(const TestFolder& folder, const std::string& fault) {
  folder.write("one.csv", "source,destination,start,stop\n,,ms,ms\n0,1,0,3\n");
  return folder.write("one.textproto", R"(topology { graph {
  router { name: "left" } router { name: "right" }
  host { router: "left" } host { router: "right" }
  link { from: "left" to: "right" }
  link_rate: "100Gbps" link_latency: "1us" host_rate: "100Gbps" host_latency: "1us"
} }
router { model: PACKET packet_payload: "1000B" }
pfc { } transport { header: "48B" }
workload { flows { file: "one.csv" } }
statistics { series_interval: "100us" }
)" + fault);
}

TEST(Faults, AQuarterOfTheRateIsAQuarterOfTheGoodput) {
  const TestFolder folder;
  const json report =
      run_json(one_flow(folder, "fault { link: \"left.p0\" at: \"1ms\" until: \"2ms\" rate: 0.25 one_way: true }\n"));
  // Packets of 1000 bytes are 1048 on the link: 10^11 / (8 x 1048) packets a second, and a packet at either end.
  EXPECT_NEAR(arrived(report, 0, 0.2, 0.9), 0.7e-3 * 1e11 / 8 / 1048 * 1000, 1000);
  EXPECT_NEAR(arrived(report, 0, 1.1, 1.9), 0.8e-3 * 0.25e11 / 8 / 1048 * 1000, 1000);
  EXPECT_NEAR(arrived(report, 0, 2.1, 2.9), 0.8e-3 * 1e11 / 8 / 1048 * 1000, 1000);
  ASSERT_EQ(report.at("faults").size(), 1U);
  EXPECT_EQ(value_of(report.at("faults").at(0).at("rate")), 0.25);
}

// The port of the second host fails from 0.5 ms to 3 ms, and everything before it pauses. For 1 ms of that the trunk
// fails as well: then what waits for it is not held up by its pause.
TEST(Faults, APauseOfAFailedLinkDoesNotCount) {
  const TestFolder folder;
  const std::string host =
      "pfc { buffer: \"1MB\" } fault { link: \"right.h0\" at: \"500us\" until: \"3ms\" one_way: true }\n";
  const std::string trunk = "fault { link: \"left.p0\" at: \"1ms\" until: \"2ms\" one_way: true }\n";
  const auto report = [&folder](const std::string& text) {
    const std::string file = one_flow(folder, text);
    std::string all = read_file(file);
    all.replace(all.find("pfc { } "), 8, "");
    return run_json(folder.write("one.textproto", all));
  };
  const json one = report(host);
  const json both = report(host + trunk);
  EXPECT_EQ(both.at("timing_digest"), one.at("timing_digest"));
  const auto paused = [](const json& of) { return value_of(of.at("queues").at("paused_seconds")); };
  EXPECT_GT(paused(one), 2 * 2.2e-3) << "the trunk, and the host";
  EXPECT_NEAR(paused(one) - paused(both), 1e-3, 1e-12);
}

TEST(Faults, NothingArrivesOverALinkThatFailsAndAllThatWasSentDoes) {
  const TestFolder folder;
  const json report = run_json(one_flow(folder, "fault { link: \"left.p0\" at: \"1ms\" until: \"2ms\" }\n"));
  EXPECT_EQ(arrived(report, 0, 1.1, 2.0), 0);
  EXPECT_NEAR(arrived(report, 0, 2.1, 2.9), 0.8e-3 * 1e11 / 8 / 1048 * 1000, 1000);
  EXPECT_TRUE(report.value("complete", false));
}

TEST(Faults, AFaultThatStaysEndsTheRunAndSaysWhoWaits) {
  const TestFolder folder;
  const CliResult result = run_cli({"run", "--quiet", one_flow(folder, "fault { link: \"left.p0\" at: \"1ms\" }\n")});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.out + result.err,
              HasSubstr("left.p0 has failed at 1 ms and does not return: packets of host[0] wait for it"));
}

TEST(Faults, OneAfterTheEndIsWarnedOf) {
  const json late = run_json(kDegrades, {"--set", "fault[0].at=1s", "--set", "fault[0].until=2s"});
  ASSERT_EQ(late.at("warnings").size(), 1u);
  EXPECT_THAT(
      late.at("warnings").at(0).get<std::string>(),
      ::testing::AllOf(::testing::StartsWith("the fault of router[0].up0 begins at 1 s, and the run ended at 4"),
                       ::testing::EndsWith("so it changed nothing; write an earlier at")));
  EXPECT_EQ(run_json(kDegrades).value("warnings", json::array()).size(), 0u);
}

// Four of eight flows cross the uplink: they get a quarter of its 400 Gbit/s, and the others what they leave.
TEST(Faults, FlowsOfADegradedUplinkLoseUnlessRoutingAvoidsIt) {
  const json report = run_json(kDegrades);
  double losers = 0;
  for (const size_t flow : {1, 3, 4, 5}) {
    const double gbps = arrived(report, flow, 1.2, 2.0) * 8e-9 / 0.8e-3;
    EXPECT_NEAR(gbps, 100 / 4 / 1.048, 0.3) << flow;
    losers += gbps;
  }
  EXPECT_NEAR(losers, 100 / 1.048, 0.5);
  for (const size_t flow : {2, 6}) EXPECT_NEAR(arrived(report, flow, 1.2, 2.0) * 8e-9 / 0.8e-3, 50 / 1.048, 0.3);
  // What waits is sent at full rate, so the first interval of the series has all of it again.
  EXPECT_NEAR(value_of(report.at("faults").at(0).at("goodput_recovery_seconds")), 50e-6, 1e-9);
  const json adaptive = run_json(kDegrades, {"--set", "routing.algorithm=UP_DOWN"});
  for (size_t flow = 0; flow < 8; ++flow)
    EXPECT_NEAR(arrived(adaptive, flow, 1.2, 2.0) * 8e-9 / 0.8e-3, 50 / 1.048, 0.3) << flow;
  EXPECT_LT(value_of(adaptive.at("faults").at(0).at("queue_bytes")), 10'000);
}

TEST(Faults, SchemesKeepTheQueueShort) {
  const auto queue = [](const std::string& set) {
    const json report = run_json(kDegrades, {"--set", set});
    EXPECT_EQ(value_of(report.value("pauses", json(0))), 0);
    // Rates have fallen, and rise over several intervals.
    EXPECT_GE(value_of(report.at("faults").at(0).at("goodput_recovery_seconds")), 99e-6) << set;
    EXPECT_LE(value_of(report.at("faults").at(0).at("goodput_recovery_seconds")), 500e-6) << set;
    return value_of(report.at("faults").at(0).at("queue_bytes"));
  };
  EXPECT_LT(queue("congestion.dcqcn.pmax=0.2"), 2'500'000);
  EXPECT_LT(queue("congestion.hpcc.stages=5"), 250'000);
}

TEST(Faults, ThreadsDoNotShow) {
  for (const std::string fault : {"fault[0].rate=0.25", "fault[0].rate=0"}) {
    for (const std::string routing : {"ECMP", "UP_DOWN"}) {
      std::vector<std::string> digests;
      for (const std::string threads : {"1", "2", "4"}) {
        const json report = run_json(kDegrades, {"--threads", threads, "--set", fault, "--set",
                                                 "routing.algorithm=" + routing, "--set", "congestion.dcqcn.pmax=0.2"});
        digests.push_back(report.at("timing_digest").dump() + report.at("faults").dump());
      }
      EXPECT_EQ(digests[1], digests[0]) << fault << routing;
      EXPECT_EQ(digests[2], digests[0]) << fault << routing;
    }
  }
}

/// Flows between hosts of all leaves of four, by ways that ECMP draws.
std::string flows_of_all(const TestFolder& folder, const std::string& more) {
  std::string list = "source,destination,bytes\n";
  for (int flow = 0; flow < 48; ++flow)
    list += std::to_string(flow % 16) + "," + std::to_string((flow % 16 + 3 + flow / 16 * 4) % 16) + ",40000\n";
  folder.write("all.csv", list);
  return folder.write("all.textproto",
                      "topology { spine_leaf { spines: 4 leaves: 4 hosts_per_leaf: 4 link_latency: \"1us\" "
                      "host_latency: \"1us\" } }\nrouter { model: PACKET packet_payload: \"1000B\" }\n"
                      "routing { algorithm: ECMP }\npfc { }\nworkload { flows { file: \"all.csv\" } }\nseed: 1\n" +
                          more);
}

TEST(Faults, RandomPathsDoNotDependOnThreads) {
  const TestFolder folder;
  const std::string file = flows_of_all(folder, "");
  std::vector<json> digests;
  for (const std::string threads : {"1", "2", "4"})
    digests.push_back(run_json(file, {"--threads", threads}).at("timing_digest"));
  EXPECT_EQ(digests[1], digests[0]);
  EXPECT_EQ(digests[2], digests[0]);
}

// A slower output closes buffers for longer than packets take to come, also for those of other shards.
TEST(Faults, WhatWaitsBehindASlowOutputIsCountedAlike) {
  const std::vector<int> destinations = {4,  10, 0,  6, 12, 2,  8, 14, 4,  10, 0,  6, 1,  2, 8, 14, 7, 13, 3,  9,
                                         15, 10, 11, 1, 7,  13, 3, 9,  15, 5,  11, 1, 10, 0, 6, 12, 2, 8,  14, 4};
  std::string list = "source,destination,bytes,start\n,,kB,us\n";
  for (size_t flow = 0; flow < destinations.size(); ++flow)
    list += fmt::format("{},{},{},{}\n", flow % 16, destinations[flow], 100 + 7 * flow, 2 * flow);
  const TestFolder folder;
  folder.write("torus.csv", list);
  const std::string file = folder.write("torus.textproto", R"(
    topology { torus { dims: 4 dims: 4 link_rate: "100Gbps" tile_rate: "100Gbps" link_latency_cycles: 100
                       tile_latency_cycles: 20 } }
    router { model: PACKET packet_payload: "1000B" vcs: 3 }
    routing { algorithm: MINIMAL_ADAPTIVE }
    transport { header: "48B" } congestion { hpcc { } }
    fault { link: "router[5].x+" at: "20us" until: "80us" rate: 0.1 }
    workload { flows { file: "torus.csv" } } seed: 1)");
  const json one = run_json(file, {"--threads", "1"});
  for (const std::string threads : {"2", "4"}) {
    const json more = run_json(file, {"--threads", threads});
    EXPECT_EQ(more.at("timing_digest"), one.at("timing_digest"));
    EXPECT_EQ(more.at("queues"), one.at("queues"));
  }
}

TEST(Faults, AFaultThatStaysSaysTheSameWithSeveralThreads) {
  const TestFolder folder;
  const std::string file = flows_of_all(folder, "fault { link: \"router[1].up2\" at: \"2us\" }\n");
  std::vector<std::string> said;
  for (const std::string threads : {"1", "4"}) {
    const CliResult result =
        run_cli({"run", "--quiet", file, "--threads", threads, "--set", "routing.algorithm=D_MOD_K"});
    EXPECT_NE(result.exit_code, 0);
    const size_t at = result.err.find("router[1].up2 has failed");
    ASSERT_NE(at, std::string::npos) << result.err;
    said.push_back(result.err.substr(at, result.err.find('\n', at) - at));
  }
  EXPECT_EQ(said[1], said[0]);
}

struct Mistake {
  const char* name;
  const char* fault;
  const char* said;
};

class FaultMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(FaultMistakes, ArePlacedAndExplained) {
  const TestFolder folder;
  const CliResult result = run_cli({"check", one_flow(folder, GetParam().fault)});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(GetParam().said)) << GetParam().fault;
}

INSTANTIATE_TEST_SUITE_P(
    All, FaultMistakes,
    ::testing::Values(
        Mistake{"NoLink", "fault { rate: 0.5 }\n", "11:1: error: the fault names no link"},
        Mistake{"Element", "fault { link: \"lef.right\" }\n", "(did you mean \"left\"?)"},
        Mistake{"Port", "fault { link: \"left.right\" }\n", "left has no port \"right\"; its ports are h0, p0"},
        Mistake{"NoPort", "fault { link: \"left\" }\n", "left has 2 ports, and the fault is that of one link"},
        Mistake{"Until", "fault { link: \"left.p0\" at: \"2ms\" until: \"1ms\" }\n",
                ":11:42: error: until 1 ms: the fault begins at 2 ms"},
        Mistake{"Rate", "fault { link: \"left.p0\" rate: 1 }\n", ":11:31: error: rate 1: it is the share"},
        Mistake{"Negative", "fault { link: \"left.p0\" rate: -0.5 }\n", "rate -0.5: it is the share"},
        Mistake{"Overlap", "fault { link: \"left.p0\" until: \"2ms\" }\nfault { link: \"right.p0\" at: \"1ms\" }\n",
                ":12:15: error: right.p0 has this fault from 1 ms on while that of \"left.p0\""},
        Mistake{"Model", "router { model: INPUT_QUEUED }\nfault { link: \"left.p0\" }\n", "error: "}),
    [](const auto& info) { return std::string(info.param.name); });

// A dragonfly of 72 hosts, global links of 100 cycles and local ones of 10, as BookSim2 has it.
class Detours : public ::testing::Test {
 protected:
  json traffic(const std::string& routing, const std::string& pattern, double load,
               const std::string& model = "INPUT_QUEUED") {
    const std::string file = folder_.write(
        "dragonfly.textproto",
        fmt::format(R"(topology {{ dragonfly {{ groups: 9 rows: 1 columns: 4 hosts_per_router: 2 global_ports: 2
  row_links: 1 column_links: 1 local_rate: "84Gbps" global_rate: "84Gbps" host_rate: "84Gbps"
  local_latency_cycles: 10 global_latency_cycles: 100 host_latency_cycles: 1 }} }}
router {{ model: {} vcs: 3 vc_buffer_flits: 288 }}
routing {{ algorithm: {} }}
workload {{ traffic {{ pattern: {} load: {} payload: "256B" }} }}
seed: 1
)",
                    model, routing, pattern, load));
    return run_json(file).at("traffic");
  }
  double latency(const std::string& routing) {
    return value_of(traffic(routing, "UNIFORM", 0.1).at("latency_cycles").at("mean"));
  }
  double accepted(const std::string& routing, double load) {
    return value_of(traffic(routing, "GROUP_NEXT", load).at("accepted_load"));
  }

 private:
  TestFolder folder_;
};

TEST_F(Detours, LongWiresAreNoCongestion) {
  const double minimal = latency("MINIMAL");
  EXPECT_NEAR(minimal, 141.5, 3) << "BookSim2: 140.9 to 142.0";
  EXPECT_LE(latency("UGAL_L"), 1.06 * minimal);
  EXPECT_LE(latency("UGAL_L bias: 30"), 1.01 * minimal);
  EXPECT_GE(latency("UGAL_L queue_measure: IN_FLIGHT"), 1.1 * minimal) << "flits on the wire count";
}

// With notices, the first router knows the queue of the global link behind the next one.
TEST_F(Detours, NoticesShortenTheWay) {
  const auto latency = [this](const std::string& routing) {
    return value_of(traffic(routing, "GROUP_NEXT", 0.2, "PACKET").at("mean_latency_seconds"));
  };
  EXPECT_LE(latency("UGAL_L notification { threshold: \"1KiB\" interval: \"100ns\" }"), 0.92 * latency("UGAL_L"));
}

// As threads do not show in flows with notices.
TEST_F(Detours, NoticesAreTheSameForAnyThreads) {
  TestFolder folder;
  const std::string file = folder.write("flows.textproto", R"(topology { dragonfly {
  groups: 9 rows: 1 columns: 4 hosts_per_router: 2 global_ports: 2 row_links: 1 column_links: 1 } }
router { model: PACKET vcs: 3 }
routing { algorithm: UGAL_L notification { threshold: "1KiB" interval: "100ns" } }
workload { flows { sizes: "WEBSEARCH" load: 0.3 duration: "100us" } }
seed: 3
)");
  const json one = run_json(file, {"--threads", "1"});
  EXPECT_EQ(run_json(file, {"--threads", "2"}).at("timing_digest"), one.at("timing_digest"));
  EXPECT_EQ(run_json(file, {"--threads", "4"}).at("timing_digest"), one.at("timing_digest"));
}

TEST_F(Detours, CarryWhatTheStraightWayCannot) {
  EXPECT_LE(accepted("MINIMAL", 0.2), 0.125) << "one global link for the eight hosts of a group";
  EXPECT_GE(accepted("UGAL_L", 0.2), 0.16);
  EXPECT_GE(accepted("VALIANT", 0.4), 0.30);
}

}  // namespace
}  // namespace fabrictwin
