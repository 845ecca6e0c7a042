// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for IP between hosts of an ExaNeSt machine: the same digests wherever parts run, the same payload with RTL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kFile = "workloads/experiments/exanest-ip.textproto";

/// The ready experiment with fewer packets.
const std::vector<std::string> kShort = {kFile,
                                         "--set",
                                         "workload.ip.stream[0].bytes=96KiB",
                                         "--set",
                                         "workload.ip.stream[1].bytes=96KiB",
                                         "--set",
                                         "workload.ip.ping[0].count=3",
                                         "--set",
                                         "workload.ip.ping[0].interval=100us",
                                         "--set",
                                         "workload.ip.ping[1].count=3"};

nlohmann::json ip_of(const std::vector<std::string>& uses) {
  std::vector<std::string> arguments{"run", "--json", "--quiet"};
  arguments.insert(arguments.end(), kShort.begin(), kShort.end());
  for (const std::string& use : uses) arguments.insert(arguments.end(), {"--use", use});
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
  return report.is_object() && report.contains("ip") ? report.at("ip") : nlohmann::json();
}

TEST(IpLaw, RtlGivesTheSamePayload) {
  const Digests models = digests_of(kShort, {});
  ASSERT_GT(models.packets, 500u);
  for (const char* select : {"qfdb[0].router,qfdb[1].switch[1]", "qfdb[*].*"}) {
    const Digests rtl = digests_of(kShort, {std::string(select) + "=RTL"});
    EXPECT_EQ(rtl.payload, models.payload) << select;
    EXPECT_EQ(rtl.packets, models.packets) << select;
  }
}

TEST(IpLaw, PlacesAndThreadsDoNotShow) {
  const std::string select = "qfdb[0].router,qfdb[1].switch[2]";
  const Digests mixed = digests_of(kShort, {select + "=RTL"});
  EXPECT_EQ(digests_of(kShort, {select + "=RTL@worker:shm"}), mixed);
  EXPECT_EQ(digests_of(kShort, {"qfdb[0].router=RTL@worker:unix", "qfdb[1].switch[2]=RTL"}), mixed);
  EXPECT_EQ(digests_of(kShort, {select + "=RTL"}, {"--threads", "2"}), mixed);
}

// Hosts that are elsewhere tell what they have measured.
TEST(IpLaw, HostsMayBeAnywhere) {
  const Digests models = digests_of(kShort, {});
  const std::vector<std::string> apart = {"qfdb[1].*=MODEL@worker:shm"};
  EXPECT_EQ(digests_of(kShort, apart), models);
  const nlohmann::json whole = ip_of({});
  ASSERT_EQ(whole.at("streams").size(), 2u);
  EXPECT_EQ(ip_of(apart), whole);
}

TEST(IpLaw, OverRdmaAdaptersToo) {
  const std::string text =
      "topology { torus { dims: [2, 2] } }\n"
      "workload { ip { stream { destination: 3 bytes: \"64KiB\" transport: WINDOW } ping { source: 2 count: 3 } } }\n"
      "host { profile: \"x86\" ";
  const auto digests = [&](const std::string& host, const std::string& router, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "--json", "--quiet", "-"});
    const CliResult result = run_cli_with_input(more, text + host + "}\n" + router);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return digests_in(result.out);
  };
  const Digests words = digests("", "", {});
  EXPECT_EQ(digests("", "", {"--use", "router[1]=RTL"}).payload, words.payload);
  const std::string packet = "router { model: PACKET }\n";
  EXPECT_EQ(digests("nic: RDMA", packet, {}).payload, words.payload);
  const Digests packets = digests("", packet, {});
  EXPECT_EQ(packets.payload, words.payload);
  EXPECT_EQ(digests("", packet, {"--use", "router[2..3]=MODEL@worker:shm"}), packets);
}

// Zero is not what nobody has written: hosts elsewhere read the experiment again.
TEST(IpLaw, HostZeroMayBeTheDestination) {
  const std::string text =
      "topology { torus { dims: 4 dims: 4 } } router { model: PACKET }\n"
      "workload { ip { stream { source: 5 destination: 0 bytes: \"64KiB\" } ping { source: 9 destination: 0 count: 2 } "
      "} }\n"
      "stop { at_workload_end: true after_simulated: \"1s\" }\n";
  const auto digests = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "--json", "--quiet", "-"});
    const CliResult result = run_cli_with_input(more, text);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return digests_in(result.out);
  };
  const Digests whole = digests({});
  EXPECT_GT(whole.packets, 4u);
  EXPECT_EQ(digests({"--split", "2"}), whole);
}

// What the ready experiment gave when it was last looked at.
TEST(Ip, TheReadyExperimentKeepsItsDigests) {
  EXPECT_EQ(digests_of({kFile}, {}), (Digests{"f96d7d33806efed5", "2918cc1c80992788", 8810}));
}

TEST(Ip, ARunThatIsStoppedTellsWhatItHas) {
  const CliResult result = run_cli({"run", "--json", "--quiet", kFile, "--set", "stop.after_simulated=500us"});
  const nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << result.err;
  EXPECT_FALSE(report.at("complete").get<bool>());
  EXPECT_LT(report.at("ip").at("streams").at(0).at("received").get<int>(), 65);
  EXPECT_GT(report.at("ip").at("streams").at(0).at("received").get<int>(), 0);
}

TEST(Ip, MistakesEndWithCode2) {
  const CliResult window = run_cli({"run", kFile, "--set", "workload.ip.stream[0].window=1KiB"});
  EXPECT_EQ(window.exit_code, 2);
  EXPECT_THAT(window.err, HasSubstr("UDP has no window"));
  const CliResult host = run_cli({"run", kFile, "--set", "workload.ip.ping[1].source=77"});
  EXPECT_EQ(host.exit_code, 2);
  EXPECT_THAT(host.err, HasSubstr("exanest-ip.textproto:6:1: error: a ping from host 77 to host 1"));
  EXPECT_TRUE(host.out.empty());
}

}  // namespace
}  // namespace fabrictwin
