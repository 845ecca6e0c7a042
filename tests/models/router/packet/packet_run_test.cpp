// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Experiments with routers of the model PACKET, from text to report.
#include "tests/models/router/packet/packet_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTraffic =
    "topology { torus { dims: [4, 2, 2] } }\nworkload { traffic { load: 0.4 duration: \"10us\" } }\nseed: 3\n";
constexpr const char* kHpcg =
    "topology { torus { dims: [2, 2, 2] } }\n"
    "workload { mpi_trace { path: \"workloads/experiments/data/hpcg-8.fttrace\" eager_limit: \"4KiB\" } }\nseed: 1\n";
constexpr const char* kExchange =
    "topology { torus { dims: [4, 3, 2] } }\nrouter { model: PACKET }\n"
    "workload { exchange { bytes: \"10000B\" allreduce: \"8B\" iterations: 3 } }\nseed: 1\n";

using Sets = std::vector<std::string>;

TEST(PacketRun, DeliversWhatExanetRoutersDeliver) {
  for (const char* pattern : {"uniform", "tornado", "hotspot"}) {
    const Sets sets{fmt::format("workload.traffic.pattern={}", pattern), "workload.traffic.payload=200B"};
    EXPECT_EQ(report_of(kTraffic, sets).payload_digest(), report_of(kTraffic, sets, false).payload_digest()) << pattern;
  }
}

TEST(PacketRun, ReplaysATraceWithTheSamePayload) {
  const v1::Report report = report_of(kHpcg, {});
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.payload_digest(), "e34b8942ac9375db");
  EXPECT_EQ(report_of(kHpcg, {"router.packet_payload=2KiB"}).payload_digest(), "e34b8942ac9375db");
  EXPECT_EQ(report_of(kHpcg, {"router.packet_payload=10KiB"}).payload_digest(), "e34b8942ac9375db");
  EXPECT_EQ(report_of(kHpcg, {"router.vcs=4"}).payload_digest(), "e34b8942ac9375db");
}

TEST(PacketRun, TheSeedDecidesEverything) {
  const v1::Report first = report_of(kTraffic, {});
  EXPECT_EQ(first.timing_digest(), report_of(kTraffic, {}).timing_digest());
  EXPECT_NE(first.timing_digest(), report_of(kTraffic, {"seed=4"}).timing_digest());
}

// The last but one are simulated host by host, the others in the order of time.
TEST(PacketRun, StretchesOfTimeMakeNoDifference) {
  const std::vector<std::pair<const char*, Sets>> experiments = {
      {kTraffic, {"workload.traffic.load=0.8"}},
      {kTraffic, {"workload.traffic.load=0", "workload.traffic.process=closed_loop", "workload.traffic.window=3"}},
      {kTraffic, {"workload.traffic.duration=", "workload.traffic.sample_cycles=300", "workload.traffic.load=0.2"}},
      {kTraffic, {"workload.traffic.duration=", "workload.traffic.sample_cycles=300", "workload.traffic.load=1"}},
      {kTraffic, {"router.vcs=4", "routing.algorithm=minimal_adaptive", "workload.traffic.load=0.8"}},
      {kTraffic, {"router.vcs=4", "routing.algorithm=ugal_g", "workload.traffic.load=0.8"}},
      {kExchange, {}},
      {kExchange, {"router.vcs=4", "routing.algorithm=ugal_l"}},
      {kExchange, {"router.vcs=3", "routing.algorithm=minimal_adaptive"}},
      {kExchange, {"host.nic=RDMA"}},
  };
  for (const auto& [text, sets] : experiments) {
    const v1::Report whole = report_of(text, sets);
    EXPECT_TRUE(whole.complete());
    for (const int64_t step : {7'300'001, 45'000'000, 1'000'000'000}) {
      Sets packet = sets;
      packet.insert(packet.begin(), "router.model=PACKET");
      const auto stepped = run_models(text, packet, Time::from_fs(step));
      ASSERT_TRUE(stepped.ok()) << stepped.status();
      EXPECT_EQ(stepped->timing_digest(), whole.timing_digest())
          << fmt::format("{}: {} fs", fmt::join(sets, " "), step);
      EXPECT_EQ(stepped->simulated_fs(), whole.simulated_fs());
      EXPECT_EQ(stepped->packets_delivered(), whole.packets_delivered());
      EXPECT_EQ(stepped->partitions(0).events(), whole.partitions(0).events());
    }
  }
}

TEST(PacketRun, StretchesOfTimeMakeNoDifferenceToATrace) {
  const Sets sets{"router.model=PACKET", "workload.mpi_trace.compute_scale=0"};
  const auto whole = run_models(kHpcg, sets);
  const auto stepped = run_models(kHpcg, sets, Time::from_fs(50'000'001));
  ASSERT_TRUE(whole.ok() && stepped.ok());
  EXPECT_EQ(stepped->timing_digest(), whole->timing_digest());
  EXPECT_EQ(stepped->simulated_fs(), whole->simulated_fs());
}

// Stopping in the middle shows what had happened by then.
TEST(PacketRun, ALimitGivesAPartOfTheRun) {
  const v1::Report part = report_of(kTraffic, {"stop.after_simulated=5us"});
  EXPECT_FALSE(part.complete());
  EXPECT_GT(part.packets_delivered(), 0u);
  EXPECT_LT(part.packets_delivered(), report_of(kTraffic, {}).packets_delivered());
}

// Envelopes and bodies, packet by packet; each link carries what its packets have.
TEST(PacketRun, CountsWhatItMoves) {
  const v1::Report report = report_of(kExchange, {}, false);
  ASSERT_EQ(report.ranks_size(), 24);
  uint64_t messages = 0;
  for (const v1::Rank& rank : report.ranks()) messages += rank.messages_sent();
  // Five neighbours each (4 has two, 3 has two, 2 has one), three times, and the allreduce of 24: 8 pairs are folded
  // into 16 ranks, which take 4 steps.
  EXPECT_EQ(messages, 3u * (24 * 5 + 8 + 16 * 4 + 8));
  uint64_t packets = 0;
  for (const v1::LinkReport& link : report.links()) {
    if (link.name().starts_with("host")) packets += link.packets();
  }
  EXPECT_EQ(packets, 3u * (24 * 5 * 40 + 8 + 16 * 4 + 8));
  EXPECT_EQ(report.packets_delivered(), packets);
  EXPECT_EQ(report.payload_digest(), report_of(kExchange, {"router.packet_payload=1KiB"}, false).payload_digest());
}

TEST(PacketRun, AnExchangeRunsThroughExanetRoutersToo) {
  EXPECT_EQ(report_of(kExchange, {"router.model=EXANET"}, false).payload_digest(),
            report_of(kExchange, {}, false).payload_digest());
}

TEST(PacketRun, RefusesWhatItIsNot) {
  const Sets packet{"router.model=PACKET"};
  const auto with = [&](const std::string& set) { return Sets{"router.model=PACKET", set}; };
  EXPECT_THAT(error_of(kTraffic, with("router.switching=credit_per_flit")), HasSubstr("switch by VIRTUAL_CUT_THROUGH"));
  EXPECT_THAT(error_of(kTraffic, with("router.switching=wormhole")), HasSubstr("switch by VIRTUAL_CUT_THROUGH"));
  EXPECT_EQ(error_of(kTraffic, with("router.switching=virtual_cut_through")), "");
  EXPECT_THAT(
      error_of("topology { torus { dims: 4 } } router { model: PACKET port_buffer { ports: \"x+\" flits: 36 } } "
               "workload { traffic { load: 0.1 } }",
               {}),
      HasSubstr("port_buffer is for routers of the model INPUT_QUEUED, and these are PACKET"));
  EXPECT_THAT(error_of(kTraffic, with("router.internal_speedup=2")), HasSubstr("write model: INPUT_QUEUED, or leave"));
  EXPECT_THAT(error_of(kTraffic, with("router.buffer_words=64")),
              HasSubstr("write model: EXANET or EXTERNAL, or leave"));
  EXPECT_THAT(error_of(kTraffic, with("router.vc_buffer_flits=17")),
              HasSubstr("the largest has 18 flits; write at least that"));
  EXPECT_THAT(error_of(kTraffic, with("router.packet_payload=63B")), HasSubstr("write 64B to 10KiB"));
  EXPECT_THAT(error_of(kTraffic, with("router.packet_payload=10241B")), HasSubstr("write 64B to 10KiB"));
  EXPECT_THAT(error_of(kTraffic, with("router.vcs=33")), HasSubstr("write 1 to 32"));
  EXPECT_THAT(error_of(kTraffic, with("router.vcs=1")), HasSubstr("classes of VCs apart"));
  EXPECT_THAT(error_of(kTraffic, {"router.packet_payload=1KiB"}),
              HasSubstr("packet_payload is for routers of the model INPUT_QUEUED or PACKET"));
  EXPECT_THAT(error_of(std::string(kTraffic) + "use { select: \"router[1]\" implementation: RTL }", packet),
              HasSubstr("routers of the model PACKET cannot be RTL"));
  EXPECT_THAT(error_of("topology { exanest {} } router { model: PACKET } workload { traffic { load: 0.1 } }", {}),
              HasSubstr("has logic of its own"));
  EXPECT_THAT(error_of(kExchange, {"workload.exchange.iterations=-1"}), HasSubstr("iterations -1"));
  EXPECT_THAT(error_of(kExchange, {"workload.exchange.bytes=2GiB"}), HasSubstr("too long for a message"));
  EXPECT_THAT(error_of("topology { exanest {} } workload { exchange {} }", {}), HasSubstr("no such system"));
}

}  // namespace
}  // namespace fabrictwin
