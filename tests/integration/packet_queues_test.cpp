// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Queues in the inputs of routers of the model PACKET through the command line: what they do for the victims of a
// hotspot and for a switch, beside closed forms. docs/models/queue-schemes.md has the numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kTorus = "workloads/experiments/congestion/hotspot-queues.textproto";

using Sets = std::vector<std::string>;

CliResult run_file(const std::string& file, const Sets& sets, const std::string& threads = "1") {
  std::vector<std::string> arguments{"run", "--json", "--quiet", "--threads", threads, file};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  return run_cli(arguments);
}

json report_of(const std::string& file, const Sets& sets, const std::string& threads = "1") {
  const CliResult result = run_file(file, sets, threads);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  json report = json::parse(result.out, nullptr, false);
  if (report.is_discarded()) ADD_FAILURE() << "no report: " << result.out << result.err;
  return report;
}

/// Numbers of 64 bits are strings in JSON.
double number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

struct Victims {
  const char* scheme;
  const char* admittance;
  double least, most;
  double latency;  // At most, in cycles; 49.9 without a hotspot.
};

class VictimsOfAHotspot : public ::testing::TestWithParam<Victims> {};

// They offer 0.1, 63/64 of it to others than the hot host.
TEST_P(VictimsOfAHotspot, GetWhatTheSchemeLeavesThem) {
  const Victims& expected = GetParam();
  const json report = report_of(kTorus, {fmt::format("queues.scheme={}", expected.scheme),
                                         fmt::format("queues.admittance={}", expected.admittance)});
  const json& victims = report.at("classes").at(1);
  EXPECT_GE(number(victims.at("accepted_load")), expected.least);
  EXPECT_LE(number(victims.at("accepted_load")), expected.most);
  EXPECT_LE(number(victims.at("latency_cycles").at("mean")), expected.latency);
  EXPECT_GE(number(report.at("classes").at(0).at("accepted_load")), 0.9);
  if (std::string(expected.scheme) == "FBICM") {
    EXPECT_GT(number(report.at("queues").at("set_aside_most")), 0);
    EXPECT_EQ(number(report.at("queues").at("set_aside_at_end")), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, VictimsOfAHotspot,
                         ::testing::Values(Victims{"ONE", "SINGLE", 0, 0.04, 1e9},
                                           Victims{"VOQNET", "PER_DESTINATION", 0.098, 0.1, 65},
                                           Victims{"DBBM", "PER_DESTINATION", 0.07, 0.095, 150},
                                           Victims{"FBICM", "PER_DESTINATION", 0.09, 0.1, 75}),
                         [](const auto& test) { return std::string(test.param.scheme); });

// Queues in routers do not help packets that wait behind others in their host.
TEST(PacketQueues, HostsNeedQueuesToo) {
  const json report = report_of(kTorus, {"queues.admittance=SINGLE"});
  EXPECT_LT(number(report.at("classes").at(1).at("accepted_load")), 0.06);
}

/// One switch with eight hosts, which all send as much as they can.
std::string switch_text(const std::string& traffic) {
  return "topology { fat_tree { down: 8 host_latency_cycles: 1 } }\n"
         "routing { algorithm: D_MOD_K }\n"
         "router { model: PACKET vcs: 1 vc_buffer_flits: 288\n"
         "  routing_delay: 1 vc_alloc_delay: 1 switch_alloc_delay: 1 switch_delay: 1 credit_delay: 0 }\n"
         "workload { traffic { " +
         traffic +
         " sample_cycles: 5000 warmup_samples: 3 max_samples: 6 latency_limit_cycles: 3000 } }\n"
         "seed: 1\n";
}

// Of a switch with one queue for each input, packets in front for the same output leave 1 - (1 - 1/8)^8 at first and
// 0.618 in the end (Karol, Hluchyj and Morgan 1987), less the cycles between two packets of a VC.
TEST(PacketQueues, ASwitchOfEightPorts) {
  const TestFolder folder;
  folder.write("switch.textproto", switch_text("pattern: UNIFORM include_self: true load: 1 payload: \"256B\""));
  const auto accepted = [&](const Sets& sets) {
    return number(report_of(folder.file("switch.textproto"), sets).at("traffic").at("accepted_load"));
  };
  EXPECT_NEAR(accepted({}), 0.59, 0.02);
  EXPECT_NEAR(accepted({"queues.scheme=ONE"}), 0.59, 0.02);
  EXPECT_NEAR(accepted({"queues.scheme=VOQSW", "router.vc_buffer_flits=72"}), 0.755, 0.03);
  EXPECT_GE(accepted({"queues.scheme=VOQSW", "queues.admittance=AS_ROUTER"}), 0.95);
  EXPECT_GE(accepted({"queues.scheme=FBICM", "queues.admittance=AS_ROUTER"}), 0.85);
}

// Each host sends two thirds to the next one and a third to the one behind that.
TEST(PacketQueues, ADiagonalLoad) {
  const TestFolder folder;
  folder.write("one.txt", "1\n2\n3\n4\n5\n6\n7\n0\n");
  folder.write("two.txt", "2\n3\n4\n5\n6\n7\n0\n1\n");
  folder.write("switch.textproto",
               switch_text("class { name: \"one\" pattern: PERMUTATION permutation_file: \"one.txt\" load: 0.6666 } "
                           "class { name: \"two\" pattern: PERMUTATION permutation_file: \"two.txt\" load: 0.3333 }"));
  const json report =
      report_of(folder.file("switch.textproto"), {"queues.scheme=VOQSW", "queues.admittance=AS_ROUTER"});
  EXPECT_GE(
      number(report.at("classes").at(0).at("accepted_load")) + number(report.at("classes").at(1).at("accepted_load")),
      0.8);
}

/// Flows of all hosts of a torus to host 27, and of each to another one beside that.
void write_flows(const TestFolder& folder) {
  std::string flows = "source,destination,bytes,start\n";
  for (int host = 0; host < 64; ++host) {
    if (host == 27) continue;
    flows += fmt::format("{},27,20000,0\n", host);
    if ((host + 9) % 64 != 27) flows += fmt::format("{},{},50000,5e-6\n", host, (host + 9) % 64);
  }
  folder.write("flows.csv", flows);
  folder.write("flows.textproto",
               "topology { torus { dims: 8 dims: 8 link_latency: \"50ns\" tile_latency: \"50ns\" "
               "link_rate: \"20Gbps\" tile_rate: \"20Gbps\" } }\n"
               "router { model: PACKET vc_buffer_flits: 288 }\n"
               "queues { scheme: VOQNET }\n"
               "workload { flows { file: \"flows.csv\" } }\n"
               "seed: 1\n");
}

class PacketQueuesLaw : public ::testing::TestWithParam<const char*> {};

TEST_P(PacketQueuesLaw, ThreadsDoNotShow) {
  const TestFolder folder;
  write_flows(folder);
  const std::string scheme = fmt::format("queues.scheme={}", GetParam());
  const json one = report_of(folder.file("flows.textproto"), {scheme});
  for (const char* threads : {"2", "4"}) {
    const json several = report_of(folder.file("flows.textproto"), {scheme}, threads);
    EXPECT_EQ(several.at("run").at("threads"), std::stoi(threads));
    EXPECT_EQ(several.at("timing_digest"), one.at("timing_digest"));
    EXPECT_EQ(several.at("payload_digest"), one.at("payload_digest"));
    EXPECT_EQ(several.value("queues", json()), one.value("queues", json()));
    EXPECT_EQ(several.at("flows"), one.at("flows"));
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, PacketQueuesLaw, ::testing::Values("ONE", "VOQSW", "VOQNET", "DBBM", "OBQA", "FBICM"),
                         [](const auto& test) { return std::string(test.param); });

/// A tree of four leaves and spines with a hot host, 5, and a flow of each host to a host of the next leaf beside that.
std::string write_tree(const TestFolder& folder, const std::string& rest) {
  std::string flows = "source,destination,bytes,start\n";
  for (int host = 0; host < 16; ++host) {
    if (host != 5) flows += fmt::format("{},5,50000,0\n", host);
    if ((host + 4) % 16 != 5) flows += fmt::format("{},{},100000,1e-6\n", host, (host + 4) % 16);
  }
  folder.write("flows.csv", flows);
  return folder.write("tree.textproto",
                      "topology { spine_leaf { spines: 4 leaves: 4 hosts_per_leaf: 4 link_latency: \"50ns\" "
                      "host_latency: \"50ns\" link_rate: \"20Gbps\" host_rate: \"20Gbps\" } }\n"
                      "router { model: PACKET vc_buffer_flits: 288 }\nseed: 1\n" +
                          rest);
}

class PacketQueuesOfPaths : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

// Which output the next router takes follows from flow or packet, and if the sender took another one for it, credits of
// some queue would never come back.
TEST_P(PacketQueuesOfPaths, HashesAreKnownToTheSender) {
  const auto& [routing, scheme] = GetParam();
  const TestFolder folder;
  const std::string file = write_tree(folder, "workload { flows { file: \"flows.csv\" } }\n");
  const Sets sets{fmt::format("routing.algorithm={}", routing), fmt::format("queues.scheme={}", scheme)};
  const json one = report_of(file, sets);
  EXPECT_EQ(number(one.at("flow_summary").at("finished")), 30);
  EXPECT_EQ(one.at("payload_digest"), report_of(file, {sets[0]}).at("payload_digest"));
  for (const char* threads : {"2", "4"})
    EXPECT_EQ(report_of(file, sets, threads).at("timing_digest"), one.at("timing_digest")) << threads;
}

INSTANTIATE_TEST_SUITE_P(All, PacketQueuesOfPaths,
                         ::testing::Values(std::pair("ECMP", "VOQSW"), std::pair("ECMP", "OBQA"),
                                           std::pair("ECMP", "VOQNET"), std::pair("RANDOM_UP", "VOQSW"),
                                           std::pair("RANDOM_UP", "VOQNET"), std::pair("RANDOM_UP", "DBBM")),
                         [](const auto& test) { return std::string(test.param.first) + "_" + test.param.second; });

// Hosts without queue pairs: a flow is all from one host to another.
TEST(PacketQueues, TakeHashedPathsOfMessagesToo) {
  const TestFolder folder;
  const std::string file =
      write_tree(folder, "workload { skeleton { lammps_lj { atoms: 32000 steps: 2 } ranks: 16 } }\n");
  for (const char* routing : {"ECMP", "RANDOM_UP"}) {
    const std::string way = fmt::format("routing.algorithm={}", routing);
    const json whole = report_of(file, {way, "queues.scheme=VOQSW", "queues.admittance=PER_DESTINATION"});
    EXPECT_EQ(whole.at("payload_digest"), report_of(file, {way}).at("payload_digest")) << routing;
    EXPECT_TRUE(whole.at("complete")) << routing;
  }
}

// A queue that goes on when it is empty: zero is not what nobody has written, and a worker reads the experiment again.
TEST(PacketQueues, AnEmptyQueueMayLetOthersGoOnAtOtherPlaces) {
  const TestFolder folder;
  folder.write("e.textproto",
               "topology { torus { dims: 4 dims: 4 } }\n"
               "router { model: PACKET vc_buffer_flits: 400 }\n"
               "queues { scheme: FBICM detect: 3 resume: 0 }\n"
               "workload { exchange { bytes: \"32KiB\" iterations: 2 } }\n"
               "seed: 1\n");
  const auto digest = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", folder.file("e.textproto"), "--json", "--quiet"});
    const CliResult result = run_cli(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out).at("timing_digest");
  };
  const json whole = digest({});
  EXPECT_EQ(digest({"--split", "2"}), whole);
  EXPECT_NE(digest({"--set", "queues.resume=1"}), whole);
}

// 63 x 20000 bytes take 580.6 us with their headers of 32 bytes on the last link. The others are done long before, and
// what was set aside is released as soon as the last packet has gone.
TEST(PacketQueues, OnlyTheHotFlowsWait) {
  const TestFolder folder;
  write_flows(folder);
  for (const char* scheme : {"ONE", "VOQNET", "FBICM"}) {
    const json report = report_of(folder.file("flows.textproto"), {fmt::format("queues.scheme={}", scheme)});
    double hot = 0;
    double others = 0;
    for (const json& flow : report.at("flows")) {
      double& last = flow.at("destination") == 27 ? hot : others;
      last = std::max(last, number(flow.at("fct_seconds")) * 1e6);
    }
    EXPECT_GT(hot, 63 * 20000 * 8 / 20e3 * 288 / 256) << scheme;
    if (std::string(scheme) == "ONE") {
      EXPECT_GT(others, 300);
      continue;
    }
    EXPECT_LT(hot, 600) << scheme;
    EXPECT_LT(others, 150) << scheme;
    if (std::string(scheme) != "FBICM") continue;
    EXPECT_EQ(number(report.at("queues").at("set_aside_at_end")), 0);
    EXPECT_NEAR(number(report.at("queues").at("set_aside_released_seconds")) * 1e6, hot, 5);
  }
}

struct Mistake {
  const char* name;
  Sets sets;
  const char* says;
};

class PacketQueuesMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(PacketQueuesMistake, IsRefused) {
  const CliResult result = run_file(kTorus, GetParam().sets);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Packet, PacketQueuesMistake,
    ::testing::Values(
        Mistake{
            "Adaptive", {"routing.algorithm=MINIMAL_ADAPTIVE"}, "hotspot-queues.textproto:15:18: error: with VOQNET"},
        Mistake{"Pause", {"pfc.share=0.5", "router.vcs=1"}, "switches with pfc have a queue for each output"},
        Mistake{"QueuePairs", {"transport.header=32B"}, "hosts with a transport have a queue pair"},
        Mistake{"One", {"queues.scheme=ONE"}, "queues in hosts would change nothing"},
        Mistake{"SmallBuffer", {"queues.scheme=FBICM", "router.vc_buffer_flits=72"}, "the buffer of a VC holds 4"},
        Mistake{"Flits", {"queues.flits=72"}, "flits is for routers of the model INPUT_QUEUED"}),
    [](const auto& test) { return std::string(test.param.name); });

// What waits in queues of a scheme waits for an output as well, and the whole tree leads to the output of the hot host.
TEST(TreesOfCongestion, HaveOneRootWhateverTheQueues) {
  const TestFolder folder;
  const std::string file = folder.write("tree.textproto", R"(
topology { torus { dims: 4 dims: 4 wrap: false link_rate: "10Gbps" tile_rate: "6Gbps" } }
router { model: PACKET }
statistics { tree_at: "100us" }
workload { incast { sources: 10 bytes: "1MB" destination: 0 } }
seed: 2
)");
  for (const char* scheme : {"ONE", "VOQSW", "VOQNET", "DBBM", "OBQA"}) {
    const json report = report_of(file, {fmt::format("queues.scheme={}", scheme)});
    const json& ports = report.at("trees").at(0).at("ports");
    EXPECT_GE(ports.size(), 5u) << scheme;
    for (const json& port : ports) {
      const json* at = &port;
      for (size_t steps = 0; at->contains("next"); ++steps) {
        ASSERT_LT(steps, ports.size()) << scheme;
        at = &ports.at(at->at("next").get<size_t>());
      }
      EXPECT_EQ(at->at("port"), "router[0].tile") << scheme << " " << port;
    }
  }
}

}  // namespace
}  // namespace fabrictwin
