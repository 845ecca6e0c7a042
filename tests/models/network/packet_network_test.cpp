// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What networks of routers of the model PACKET are refused for before they are built.
#include "models/network/packet_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "models/network/builder.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

absl::Status plan_status(const std::string& text, const std::vector<std::string>& sets = {}) {
  experiment::Overrides overrides;
  overrides.sets = sets;
  const auto experiment = test::parse_experiment(text, "e.textproto", overrides);
  if (!experiment.ok()) return experiment.status();
  return network::build_system(*experiment).status();
}

/// Two leaves below `spines`. The rest begins on line 3.
std::string tree(const std::string& rest, int spines = 1, const std::string& router = "") {
  return "topology { spine_leaf { spines: " + std::to_string(spines) +
         R"( leaves: 2 hosts_per_leaf: 2 link_rate: "100Gbps" host_rate: "50Gbps" } }
router { model: PACKET )" +
         router + " }\n" + rest + "\nworkload { incast { sources: 2 bytes: \"1MB\" } }\n";
}

/// Three hosts at one switch. A packet of 1048 bytes and the acknowledgement of 64 take 4183.92 ns there and back: four
/// links of 1 us, twice 83.84 and twice 5.12 ns for all bits, and twice 3 cycles in the switch. In that time a host
/// sends 52299 bytes.
std::string star_with(const std::string& scheme) {
  return R"(topology { fat_tree { down: 3 host_rate: "100Gbps" host_latency: "1us" } }
router { model: PACKET clock: "1GHz" packet_payload: "1000B" }
congestion { )" +
         scheme + " }\n" + R"(pfc { } transport { header: "48B" } workload { incast { sources: 2 bytes: "1MB" } })";
}

std::string star(const std::string& least_window) {
  return star_with("back_pressure { least_window: \"" + least_window + "\" }");
}

std::string torus(const std::string& rest, const std::string& router = "") {
  return "topology { torus { dims: [4, 4] } }\nrouter { model: PACKET " + router + " }\n" + rest + "\n";
}
const std::string kTraffic = " workload { traffic { load: 0.1 } }";

std::string tree_with_traffic(const std::string& rest) {
  return "topology { spine_leaf { spines: 2 leaves: 2 hosts_per_leaf: 2 } }\nrouter { model: PACKET }\n" + rest +
         kTraffic;
}

struct NetworkCase {
  const char* name;
  std::string text;
  const char* error;  ///< How the only diagnostic begins.
};

const NetworkCase kNetworkErrors[] = {
    {"Headroom", tree("pfc {\n  headroom: \"1kB\"\n}"),
     "e.textproto:4:13: error: pfc: 1000 bytes of headroom are too few for port 0 of "},
    {"Buffer", tree("pfc { buffer: \"4KiB\" }"),
     "e.textproto:3:15: error: pfc: reserve and headroom of the 3 ports of "},
    {"Reserve", tree("pfc { reserve: \"32MiB\" }"),
     "e.textproto:3:16: error: pfc: reserve and headroom of the 3 ports of "},
    {"HeadroomBeyondTheBuffer", tree("pfc { share: 1 headroom: \"32MiB\" }"),
     "e.textproto:3:26: error: pfc: reserve and headroom of the 3 ports of "},
    {"HeaderBeyondTheBuffer", tree("transport { header: \"1KiB\" }", 1, "vc_buffer_flits: 64 packet_payload: \"512B\""),
     "e.textproto:2:41: error: the buffer of a VC has 64 flits, and a packet with all of its headers has up to 1536 "
     "bytes, which are 96; write router { vc_buffer_flits: 384 } or more"},
    {"HeaderBeyondTheDefault", tree("transport { header: \"1KiB\" }", 1, "packet_payload: \"64B\""),
     "e.textproto:3:21: error: the buffer of a VC has 24 flits, and a packet with all of its headers has up to 1088"},
    {"TelemetryBeyondTheDefault", tree("congestion { hpcc { telemetry: \"1KiB\" } }", 1, "packet_payload: \"64B\""),
     "e.textproto:3:32: error: the buffer of a VC has 24 flits"},
    {"QueuesOfAdaptiveRouting",
     torus("queues {\n scheme: VOQNET }" + kTraffic + " routing { algorithm: MINIMAL_ADAPTIVE }", "vcs: 3"),
     "e.textproto:4:10: error: with VOQNET a packet waits in a queue for one output, and this routing chooses among "
     "several by the load or takes detours; write routing { algorithm: } DIMENSION_ORDER, SHORTEST, D_MOD_K, ECMP or "
     "RANDOM_UP, or leave queues out"},
    {"QueuesOfAnyPathUp", tree("queues { scheme: DBBM } routing { algorithm: UP_DOWN }", 2),
     "e.textproto:3:18: error: with DBBM a packet waits in a queue for one output"},
    {"SetAsideOfSeveralPaths", tree("queues { scheme: FBICM detect: 2 stop: 2 } routing { algorithm: ECMP }", 2),
     "e.textproto:3:18: error: with FBICM all packets for a host must leave a router by one output, and this routing "
     "has several for them; write routing { algorithm: } DIMENSION_ORDER, SHORTEST or D_MOD_K, or another scheme"},
    {"QueuesInHostsOfPathsByPacket",
     tree_with_traffic("queues { scheme: VOQSW admittance: AS_ROUTER } routing { algorithm: RANDOM_UP }"),
     "e.textproto:3:36: error: with VOQSW each packet of a message may go to another queue of the router"},
    {"QueuesOfRdma", torus("host { nic: RDMA } queues { scheme: DBBM } workload { exchange { } }"),
     "e.textproto:3:20: error: queues is for plain network interfaces; leave nic out, or queues"},
    {"AdmittanceOfOne", torus("queues { admittance: PER_DESTINATION }" + kTraffic),
     "e.textproto:3:22: error: with the scheme ONE nothing holds up some packets of a host and not others"},
    {"Detect", torus("queues { scheme: FBICM detect: 100 }" + kTraffic),
     "e.textproto:3:32: error: the buffer of a VC holds 4 of the largest packets, so that detect 100 would hardly"},
    {"DetectOfASmallBuffer", torus("queues { scheme: FBICM }" + kTraffic, "vc_buffer_flits: 36"),
     "e.textproto:2:41: error: the buffer of a VC holds 2 of the largest packets, so that detect 8 would hardly"},
    {"Stop", torus("queues { scheme: FBICM detect: 1 stop: 4 }" + kTraffic),
     "e.textproto:3:40: error: the buffer of a VC holds 4 of the largest packets, so that stop 4 would hardly"},
    {"TwoWays", tree("pfc { }\ncongestion {\n  max_min { } }", 2),
     "e.textproto:5:3: error: max_min needs one path for all packets of a flow, and there are several from host 0 to "
     "2"},
    {"WaysByPacket", tree("routing { algorithm: RANDOM_UP } congestion { max_min { } }", 2),
     "e.textproto:3:47: error: max_min needs one path for all packets of a flow"},
    {"LeastRate", tree("pfc { }\ncongestion { dcqcn { pmax: 1 least_rate: \"50Gbps\" } }"),
     "e.textproto:4:42: error: least_rate 50 Gbps: no flow would be slower than that, and links of hosts have 50 Gbps, "
     "so dcqcn would control nothing; write a lower rate"},
    {"LeastRateOfHpcc", tree("congestion { hpcc { least_rate: \"60Gbps\" } }"),
     "e.textproto:3:33: error: least_rate 60 Gbps: no flow"},
    {"LeastRateOfTimely", tree("congestion { timely { least_rate: \"60Gbps\" } }"),
     "e.textproto:3:35: error: least_rate 60 Gbps: no flow"},
    {"LeastRateOfDctcp", tree("congestion { dctcp { least_rate: \"60Gbps\" } }"),
     "e.textproto:3:34: error: least_rate 60 Gbps: no flow"},
    {"LeastWindow", star("52299B"),
     "e.textproto:3:44: error: least_window 52299 B: no flow would have a smaller window, and flows begin with 52299 B "
     "at most, what the link of a host sends in a round trip of the empty network, rounded up to packets where they "
     "are "
     "few, so back_pressure would control nothing; write a smaller one, or leave it out"},
    {"LeastWindowOfAGigabyte", tree("congestion { back_pressure { least_window: \"1GB\" } }"),
     "e.textproto:3:44: error: least_window 1000000000 B: no flow would have a smaller window"},
    // Twice 26 us are 650000 bytes at 100 Gb/s, 620.2 packets of 1048 bytes.
    {"LeastWindowOfSwift", star_with("swift { least_window: 620.3 }"),
     "e.textproto:3:36: error: least_window 620.3: no flow would have a smaller window, and flows have 620.2 packets "
     "at "
     "most, what the link of a host sends in twice the target, so swift would control nothing; write a smaller one, or "
     "leave it out"},
    {"LeastWindowOfSwiftOfAMillion", tree("congestion { swift { least_window: 1000000 } }"),
     "e.textproto:3:36: error: least_window 1000000: no flow would have a smaller window"},
};

class PacketNetworkError : public ::testing::TestWithParam<NetworkCase> {};

TEST_P(PacketNetworkError, IsPlacedAndExplained) {
  const absl::Status status = plan_status(GetParam().text);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  const std::string error(message_of(status));
  EXPECT_THAT(error, StartsWith(GetParam().error));
  EXPECT_EQ(error.find(": error: "), error.rfind(": error: ")) << "there is more than one: " << error;
}

INSTANTIATE_TEST_SUITE_P(Table, PacketNetworkError, ::testing::ValuesIn(kNetworkErrors),
                         [](const ::testing::TestParamInfo<NetworkCase>& info) { return info.param.name; });

TEST(PacketNetworkCheck, TakesWhatIsNextToThat) {
  for (const std::string& text :
       {tree("pfc { }"), tree("pfc { headroom: \"100kB\" buffer: \"1MB\" }"),
        tree("pfc { } transport { header: \"1KiB\" }", 1, "packet_payload: \"64B\""),
        tree("transport { header: \"1KiB\" }", 1, "vc_buffer_flits: 96 packet_payload: \"512B\""),
        tree("pfc { } routing { algorithm: D_MOD_K } congestion { max_min { } }", 2),
        tree("congestion { max_min { } }"), star("52298B"), star("1B"), star_with("swift { least_window: 620.2 }"),
        star_with("swift { least_window: 900 most_window: 900 }"),
        tree("congestion { dcqcn { least_rate: \"49Gbps\" } }"),
        torus("queues { scheme: FBICM detect: 3 stop: 3 }" + kTraffic),
        torus("queues { scheme: VOQNET admittance: AS_ROUTER }" + kTraffic),
        tree("queues { scheme: VOQNET } routing { algorithm: RANDOM_UP }", 2),
        tree("queues { scheme: OBQA } routing { algorithm: RANDOM_UP }", 2),
        tree_with_traffic("queues { scheme: VOQSW admittance: AS_ROUTER } routing { algorithm: ECMP }"),
        tree_with_traffic("queues { scheme: DBBM admittance: AS_ROUTER } routing { algorithm: RANDOM_UP }")}) {
    const absl::Status status = plan_status(text);
    EXPECT_TRUE(status.ok()) << text << status;
  }
}

// Everything that is wrong is said at once, and what an argument has written is shown there.
TEST(PacketNetworkCheck, FindsAllMistakes) {
  const std::string error(message_of(
      plan_status(tree("pfc { }\ncongestion { max_min { } }", 2), {"pfc.headroom=1B", "congestion.max_min.target=1"})));
  EXPECT_THAT(error, HasSubstr("--set:1:14: error: pfc: 1 bytes of headroom are too few"));
  EXPECT_THAT(error, HasSubstr("e.textproto:4:14: error: max_min needs one path"));
}

}  // namespace
}  // namespace fabrictwin
