// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts with network interfaces of descriptors beside EXANET routers, from text to report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/models/router/packet/packet_run.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

using Sets = std::vector<std::string>;

/// Both router models run these.
constexpr const char* kTofuMinife =
    "topology { tofu { x: 1 y: 1 z: 1 tnis: 4 } }\nrouter { model: EXANET }\n"
    "workload { skeleton { minife { global: \"16x16x16\" iterations: 2 } ranks: 12 } }\nseed: 1\n";
constexpr const char* kTorusExchange =
    "topology { torus { dims: [3, 2] } }\nrouter { model: EXANET }\n"
    "workload { exchange { bytes: \"10000B\" iterations: 2 } }\nseed: 1\n";
constexpr const char* kTorusPuts =
    "topology { torus { dims: 4 } }\nrouter { model: EXANET }\nhost { nic: RDMA }\n"
    "workload { puts { source: 1 destinations: [0, 2] sizes: [\"8B\", \"300B\", \"100kB\"] count: 3 window: 2 } }\n";
/// Neighbours of host 0: 1 and 2 in a ring, 6 and 12 in another, 3 and 18 in pairs.
constexpr const char* kTofuPut =
    "topology { tofu { x: 3 y: 1 z: 1 } }\nrouter { model: EXANET }\nhost { nic: TOFU }\n"
    "workload { puts { sizes: \"8B\" } }\nseed: 1\n";

v1::Report report_of(const std::string& text, const Sets& sets) {
  const auto report = run_models(text, sets);
  EXPECT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(!report.ok() || report->complete());
  return report.ok() ? *report : v1::Report();
}

std::string error_of(const std::string& text, const Sets& sets) {
  return std::string(run_models(text, sets).status().message());
}

double seconds_of(const std::string& text, const Sets& sets) {
  const v1::Report report = report_of(text, sets);
  return report.puts().results_size() == 1 ? report.puts().results(0).mean_latency_seconds() : -1;
}

TEST(ExanetNicRun, DeliversWhatPlainOnesAndPacketNetworksDo) {
  const v1::Report plain = report_of(kTofuMinife, {});
  for (const std::string nic : {"host.nic=tofu", "host.nic=rdma"}) {
    const v1::Report words = report_of(kTofuMinife, {nic});
    const v1::Report packets = report_of(kTofuMinife, {nic, "router.model=packet"});
    EXPECT_EQ(words.payload_digest(), plain.payload_digest()) << nic;
    EXPECT_EQ(words.payload_digest(), packets.payload_digest()) << nic;
    EXPECT_EQ(words.bytes_delivered(), plain.bytes_delivered()) << "envelopes and bodies";
    EXPECT_GT(words.simulated_fs(), plain.simulated_fs()) << "a network interface takes time";
    EXPECT_NEAR(static_cast<double>(words.simulated_fs()) / static_cast<double>(packets.simulated_fs()), 1, 0.02)
        << nic;
  }
}

// Hosts that send to themselves too.
TEST(ExanetNicRun, EveryTopologyCarriesTheSame) {
  for (const std::string topology :
       {"torus { dims: [3, 3] }", "fat_tree { down: [4, 2] }", "spine_leaf { spines: 2 leaves: 3 hosts_per_leaf: 2 }",
        "blue_gene_q { dims: [2, 2, 1, 2] }",
        "dragonfly { groups: 3 rows: 1 columns: 2 hosts_per_router: 1 row_links: 1 column_links: 1 global_ports: 1 "
        "}"}) {
    const std::string text = "topology { " + topology +
                             " }\nworkload { traffic { load: 0.5 include_self: true duration: \"10us\" } }\nseed: 2\n";
    const v1::Report plain = report_of(text, {});
    const v1::Report rdma = report_of(text, {"host.nic=rdma"});
    EXPECT_GT(plain.bytes_delivered(), 10'000u) << topology;
    EXPECT_EQ(rdma.payload_digest(), plain.payload_digest()) << topology;
    EXPECT_EQ(rdma.bytes_delivered(), plain.bytes_delivered()) << topology;
  }
}

TEST(ExanetNicRun, PutsAndGetsDeliverWhatThoseOfPacketNetworksDo) {
  for (const std::string operation : {"workload.puts.operation=put", "workload.puts.operation=get"}) {
    const v1::Report words = report_of(kTorusPuts, {operation});
    const v1::Report packets = report_of(kTorusPuts, {operation, "router.model=packet"});
    ASSERT_EQ(words.puts().results_size(), 3);
    EXPECT_EQ(words.puts().results(2).count(), 6u);
    EXPECT_EQ(words.payload_digest(), packets.payload_digest());
    EXPECT_EQ(words.bytes_delivered(), packets.bytes_delivered());
  }
  EXPECT_EQ(report_of(kTorusPuts, {"host.nic=plain"}).payload_digest(), report_of(kTorusPuts, {}).payload_digest());
}

// The network's part of the published time is that of packet networks; words, clock edges and whole packets at the
// footer are the difference.
TEST(ExanetNicRun, AShortPutToANeighbourTakesNearlyThePublishedTime) {
  const std::string generation = "topology.tofu.generation=";
  EXPECT_NEAR(seconds_of(kTofuPut, {}), 0.49e-6, 8e-9);
  EXPECT_NEAR(seconds_of(kTofuPut, {"host.tofu.far_cmg=true"}), 0.54e-6, 8e-9);
  EXPECT_NEAR(seconds_of(kTofuPut, {generation + "tofu2"}), 0.71e-6, 8e-9);
  EXPECT_NEAR(seconds_of(kTofuPut, {generation + "tofu"}), 0.91e-6, 8e-9);
}

TEST(ExanetNicRun, StreamsOfAHostUseItsPorts) {
  const Sets large{"topology.tofu.tnis=6", "workload.puts.sizes=1MiB"};
  Sets six = large;
  six.emplace_back("workload.puts.destinations=1x2x3x6x12x18");
  EXPECT_NEAR(seconds_of(kTofuPut, six) / seconds_of(kTofuPut, large), 1, 0.01);
  EXPECT_EQ(report_of(kTofuPut, large).packets_delivered(), (1048576 / 1920) * 8 + 1 + 2 + 1)
      << "a whole packet is eight on the link, nine with an envelope, the last one two, and the end is reported";
}

TEST(ExanetNicRun, MemoryBoundsWhatAHostSendsAndTakes) {
  const std::string text = kTorusPuts;
  const Sets large{"workload.puts.sizes=1MiB", "workload.puts.destinations=2"};
  Sets slow = large;
  slow.insert(slow.end(), {"host.memory.bandwidth=1GB/s", "host.memory.latency=30ns", "host.memory.outstanding=64"});
  const double free = report_of(text, large).puts().results(0).bytes_per_second();
  const double bounded = report_of(text, slow).puts().results(0).bytes_per_second();
  EXPECT_GT(free, 1.0e9);
  EXPECT_NEAR(bounded / 1e9, 1, 0.01);
  EXPECT_EQ(report_of(text, slow).payload_digest(), report_of(text, large).payload_digest());
  // What stretches a run is advanced in means nothing to it.
  Sets rdma{"host.nic=rdma", slow[2], slow[3]};
  const auto stepped = run_models(kTorusExchange, rdma, Time::from_ns(77));
  ASSERT_TRUE(stepped.ok()) << stepped.status();
  EXPECT_EQ(stepped->timing_digest(), report_of(kTorusExchange, rdma).timing_digest());
}

TEST(ExanetNicRun, ThePacketPayloadIsTheMtu) {
  const v1::Report large = report_of(kTorusExchange, {"host.nic=rdma"});
  const v1::Report small = report_of(kTorusExchange, {"host.nic=rdma", "router.packet_payload=256B"});
  EXPECT_EQ(large.payload_digest(), small.payload_digest());
  EXPECT_GT(small.packets_delivered(), large.packets_delivered());
}

TEST(ExanetNicRun, RefusesWhatItIsNot) {
  EXPECT_THAT(error_of(kTorusExchange, {"host.nic=tofu"}), HasSubstr("write that topology, or nic: RDMA"));
  EXPECT_THAT(error_of(kTorusPuts, {"host.nic=plain", "workload.puts.operation=get"}),
              HasSubstr("network interfaces that are PLAIN cannot read from others"));
  EXPECT_THAT(error_of(kTorusExchange, {"host.nic=rdma", "router.packet_payload=300B"}), HasSubstr("write 256B, 512B"));
  EXPECT_THAT(error_of(kTorusExchange, {"router.packet_payload=256B"}),
              HasSubstr("packet_payload is for routers of the model INPUT_QUEUED or PACKET"));
  constexpr const char* kExanest = "topology { exanest { } }\nhost { nic: RDMA }\nworkload { puts { } }\n";
  EXPECT_THAT(error_of(kExanest, {}), HasSubstr("bring their own network interfaces, which are logic"));
  EXPECT_THAT(error_of(kExanest, {}), HasSubstr("puts measure what host { nic: } names"));
}

}  // namespace
}  // namespace fabrictwin
