// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Experiments with input-queued routers, from text to report.
#include "models/partition/fabric_partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cosim/run/run.h"
#include "models/network/topology.h"
#include "tests/experiments.h"
#include "tests/models/router/input_queued/booksim_points.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Sets = std::vector<std::string>;

std::string error_of(const Sets& sets) { return std::string(run_booksim_torus(sets, 1).status().message()); }

v1::Report report_of(Sets sets, uint64_t seed = 1) {
  sets.insert(sets.begin(), {"workload.traffic.sample_cycles=500", "topology.torus.dims=4x4"});
  const auto report = run_booksim_torus(sets, seed);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : v1::Report();
}

TEST(IqPartition, ReportsWhatItMeasured) {
  const v1::Report report = report_of({"workload.traffic.load=0.2"});
  EXPECT_TRUE(report.complete());
  const v1::TrafficReport& traffic = report.traffic();
  EXPECT_FALSE(traffic.saturated());
  EXPECT_NEAR(traffic.accepted_load(), 0.2, 0.02);
  EXPECT_GT(traffic.accepted_load_min_node(), 0.1);
  EXPECT_LT(traffic.accepted_load_min_node(), traffic.accepted_load());
  EXPECT_EQ(traffic.latency_cycles().min(), 24);
  EXPECT_GT(traffic.latency_cycles().mean(), traffic.latency_cycles().network_mean());
  EXPECT_GT(traffic.latency_cycles().max(), traffic.latency_cycles().mean());
  EXPECT_NEAR(traffic.mean_latency_seconds(), traffic.latency_cycles().mean() * 6.4e-9, 1e-12);
  EXPECT_GE(traffic.measured_cycles(), 1500);
  EXPECT_NEAR(
      static_cast<double>(traffic.measured_packets()) * 18 / 16 / static_cast<double>(traffic.measured_cycles()), 0.2,
      0.02);
  EXPECT_EQ(report.packets_delivered(), traffic.packets_received());
  EXPECT_EQ(report.bytes_delivered(), traffic.packets_received() * 256);
  uint64_t words = 0;
  for (const v1::LinkReport& link : report.links()) words += link.bytes() / 16;
  EXPECT_GT(words, traffic.packets_received() * 18 * 2);
  EXPECT_GT(report.partitions(0).events(), 0u);
}

TEST(IqPartition, TheSeedDecidesEverything) {
  const v1::Report first = report_of({});
  const v1::Report again = report_of({});
  const v1::Report other = report_of({}, 2);
  EXPECT_EQ(first.timing_digest(), again.timing_digest());
  EXPECT_EQ(first.payload_digest(), again.payload_digest());
  EXPECT_NE(first.timing_digest(), other.timing_digest());
  EXPECT_NE(first.payload_digest(), other.payload_digest());
}

// The clock gives cycles their length and changes nothing else.
TEST(IqPartition, TheClockScalesTime) {
  const v1::Report slow = report_of({});
  const v1::Report fast = report_of({"router.clock=1GHz"});
  EXPECT_EQ(slow.payload_digest(), fast.payload_digest());
  EXPECT_EQ(slow.traffic().latency_cycles().mean(), fast.traffic().latency_cycles().mean());
  EXPECT_NEAR(slow.simulated_seconds() / fast.simulated_seconds(), 6.4, 1e-9);
}

TEST(IqPartition, SaysWhenTheNetworkIsSaturated) {
  const v1::TrafficReport traffic =
      report_of({"workload.traffic.load=1", "workload.traffic.latency_limit_cycles=300"}).traffic();
  EXPECT_TRUE(traffic.saturated());
  EXPECT_LT(traffic.accepted_load(), 0.9);
  EXPECT_GT(traffic.accepted_load(), 0.5);
}

TEST(IqPartition, EveryPatternRuns) {
  for (const std::string pattern :
       {"uniform", "tornado", "transpose", "bitcomp", "bitrev", "shuffle", "neighbor", "hotspot"}) {
    const v1::Report report = report_of({"workload.traffic.pattern=" + pattern, "workload.traffic.load=0.05"});
    EXPECT_FALSE(report.traffic().saturated()) << pattern;
    EXPECT_NEAR(report.traffic().accepted_load(), 0.05, 0.02) << pattern;
  }
}

// Everybody sends a tenth of its packets to one host, which can take one flit a cycle.
TEST(IqPartition, AHotspotSaturatesItsHost) {
  const Sets sets = {"workload.traffic.pattern=hotspot", "workload.traffic.hotspot_fraction=0.5"};
  Sets light = sets;
  light.emplace_back("workload.traffic.load=0.05");
  EXPECT_FALSE(report_of(light).traffic().saturated());
  Sets heavy = sets;
  heavy.emplace_back("workload.traffic.load=0.3");
  const v1::Report report = report_of(heavy);
  EXPECT_TRUE(report.traffic().saturated());
  for (const v1::LinkReport& link : report.links()) {
    if (link.name() == "router[0].tile->host[0].tile") {
      EXPECT_GT(link.utilization(), 0.7);
    }
  }
}

TEST(IqPartition, AllSwitchingsAndArbitrationsRun) {
  for (const std::string switching : {"credit_per_flit", "wormhole", "virtual_cut_through"}) {
    for (const std::string arbitration : {"round_robin", "age", "fixed"}) {
      for (const std::string speedup : {"1", "2"}) {
        const v1::Report report = report_of({"router.switching=" + switching, "router.arbitration=" + arbitration,
                                             "router.internal_speedup=" + speedup, "router.vcs=4"});
        EXPECT_TRUE(report.complete());
        EXPECT_FALSE(report.traffic().saturated()) << switching << " " << arbitration << " " << speedup;
      }
    }
  }
}

// A load is a share of the rate of links, so with links of half the clock a load of 0.4 is 0.2 flits a cycle.
TEST(IqPartition, LoadsAreSharesOfTheLinkRate) {
  const v1::TrafficReport full = report_of({"workload.traffic.load=0.2"}).traffic();
  const v1::TrafficReport half = report_of({"workload.traffic.load=0.4", "topology.torus.link_rate=10Gbps"}).traffic();
  EXPECT_NEAR(half.offered_load(), 0.4, 1e-9);
  EXPECT_NEAR(half.accepted_load(), 0.4, 0.03);
  EXPECT_NEAR(static_cast<double>(half.measured_packets()) / static_cast<double>(half.measured_cycles()),
              static_cast<double>(full.measured_packets()) / static_cast<double>(full.measured_cycles()), 0.02);
  EXPECT_GT(half.latency_cycles().mean(), full.latency_cycles().mean());
  // The same flits a cycle, so twice the share; so is what it may be off by.
  ASSERT_TRUE(half.has_accepted_load_confidence() && full.has_accepted_load_confidence());
  EXPECT_GT(half.accepted_load_confidence(), 1.5 * full.accepted_load_confidence());
}

// Neither while flits queue for a wire behind the switch, nor when all hosts send without pause.
TEST(IqPartition, NoLinkCarriesMoreThanItsRate) {
  const auto fullest = [](Sets sets) {
    sets.insert(sets.end(), {"workload.traffic.load=1", "workload.traffic.sample_cycles=3000",
                             "workload.traffic.warmup_samples=1", "workload.traffic.max_samples=3"});
    const auto report = run_booksim_torus(sets, 1);
    EXPECT_TRUE(report.ok()) << report.status();
    double most = 0;
    for (const v1::LinkReport& link : report->links()) most = std::max(most, link.utilization());
    return most;
  };
  for (const std::string end : {"1s", "40us"}) {
    const double queued = fullest({"topology.blue_gene_q.dims=2x3x1x2", "routing.algorithm=up_down", "router.vcs=8",
                                   "router.vc_buffer_flits=72", "router.switching=virtual_cut_through",
                                   "router.internal_speedup=4", "stop.after_simulated=" + end});
    EXPECT_LE(queued, 1);
    EXPECT_GT(queued, 0.95);
  }
  const double straight = fullest({"topology.torus.dims=4x4", "workload.traffic.pattern=neighbor"});
  EXPECT_LE(straight, 1);
  EXPECT_GT(straight, 0.85);
}

// The warm-up ends after 1500 cycles, the first sample of the measurement after 2000.
TEST(IqPartition, StopsInTheMiddle) {
  const v1::Report warming = report_of({"stop.after_simulated=9us"});
  EXPECT_FALSE(warming.complete());
  EXPECT_GT(warming.packets_delivered(), 0u);
  EXPECT_GT(warming.traffic().packets_received(), 0u);
  EXPECT_EQ(warming.traffic().measured_packets(), 0u);
  EXPECT_EQ(warming.traffic().measured_cycles(), 0);
  EXPECT_EQ(warming.traffic().accepted_load(), 0);
  EXPECT_FALSE(warming.traffic().has_accepted_load_min_node());
  EXPECT_FALSE(warming.traffic().has_jain_index());
  EXPECT_FALSE(warming.traffic().has_latency_cycles());
  EXPECT_EQ(warming.traffic().mean_latency_seconds(), 0);
  EXPECT_THAT(warming.warnings(), testing::ElementsAre(HasSubstr("stopped before a packet was measured")));
  const v1::Report begun = report_of({"stop.after_simulated=12us"});
  EXPECT_GT(begun.traffic().measured_packets(), 0u);
  EXPECT_TRUE(begun.traffic().has_latency_cycles());
  EXPECT_EQ(begun.traffic().measured_cycles(), 0);
  EXPECT_EQ(begun.traffic().accepted_load(), 0);
  const v1::Report sampled = report_of({"stop.after_simulated=14us"});
  EXPECT_EQ(sampled.traffic().measured_cycles(), 500);
  EXPECT_NEAR(sampled.traffic().accepted_load(), 0.3, 0.05);
}

// A slow clock makes slow links where no rate is written.
TEST(IqPartition, LinksThatAreNotWrittenFollowTheClock) {
  const v1::Report slow = report_of({"router.clock=100MHz"});
  EXPECT_TRUE(slow.complete());
  EXPECT_EQ(slow.traffic().latency_cycles().mean(), report_of({}).traffic().latency_cycles().mean());
  EXPECT_THAT(error_of({"router.clock=100MHz", "topology.torus.tile_rate=20Gbps"}), HasSubstr("faster than its clock"));
}

TEST(IqPartition, RefusesPatternsThatDoNotExist) {
  EXPECT_THAT(error_of({"topology.torus.dims=4x4x2", "workload.traffic.pattern=transpose"}),
              AllOf(HasSubstr("--set:1:"), HasSubstr("halves of the coordinates"), HasSubstr("8x8"),
                    HasSubstr("workload.traffic.pattern=transpose\n                         ^")));
  EXPECT_THAT(error_of({"topology.torus.dims=8x4", "workload.traffic.pattern=transpose"}), HasSubstr("8x4"));
  for (const std::string pattern : {"bitcomp", "bitrev", "shuffle"}) {
    EXPECT_THAT(error_of({"topology.torus.dims=3x3", "workload.traffic.pattern=" + pattern}),
                AllOf(HasSubstr("9 hosts are no power of two"), HasSubstr("8 or 16")));
  }
  EXPECT_THAT(error_of({"workload.traffic.load=1.2"}), HasSubstr("load 1.2"));
  EXPECT_THAT(error_of({"workload.traffic.hotspot_fraction=0.1"}), HasSubstr("pattern: HOTSPOT"));
  EXPECT_THAT(error_of({"workload.traffic.pattern=hotspot", "workload.traffic.hotspot_fraction=1.5"}),
              HasSubstr("hotspot_fraction 1.5"));
  EXPECT_THAT(error_of({"workload.traffic.pattern=hotspot", "workload.traffic.hotspot_hosts=64"}),
              AllOf(HasSubstr("--set:1:32: error:"), HasSubstr("hosts 0 to 63")));
  EXPECT_THAT(error_of({"topology.torus.hosts_per_router=2", "workload.traffic.pattern=tornado"}),
              AllOf(HasSubstr("--set:1:26: error:"), HasSubstr("and here are 2 at each")));
  EXPECT_THAT(error_of({"workload.traffic.pattern=tornadoes"}), HasSubstr("did you mean \"TORNADO\""));
}

TEST(IqPartition, RefusesRoutersThatCannotBe) {
  EXPECT_THAT(error_of({"router.vcs=1"}), AllOf(HasSubstr("--set:1:"), HasSubstr("2 classes of VCs")));
  EXPECT_THAT(error_of({"router.vcs=33"}), HasSubstr("write 1 to 32"));
  EXPECT_THAT(error_of({"router.vc_buffer_flits=17", "router.switching=virtual_cut_through"}), HasSubstr("18 flits"));
  EXPECT_THAT(error_of({"router.vc_buffer_flits=0"}), HasSubstr("write 1 to 4096"));
  EXPECT_THAT(error_of({"router.buffer_words=64"}), HasSubstr("vc_buffer_flits"));
  EXPECT_THAT(error_of({"router.vc_alloc_delay=65"}), HasSubstr("vc_alloc_delay 65"));
  EXPECT_THAT(error_of({"topology.torus.link_rate=100Gbps"}), HasSubstr("faster than its clock"));
  EXPECT_THAT(error_of({"topology.torus.link_latency=10us"}), HasSubstr("say the same"));
  EXPECT_THAT(error_of({"topology.torus.link_latency_cycles=0"}), HasSubstr("not zero"));
  EXPECT_THAT(error_of({"topology.torus.link_latency_cycles=2000"}),
              AllOf(HasSubstr("--set:1:36: error:"), HasSubstr("take 1024 at most")));
  EXPECT_THAT(error_of({"workload.traffic.duration=10us"}), HasSubstr("sample_cycles"));
  EXPECT_THAT(error_of({"workload.traffic.max_samples=3"}), HasSubstr("max_samples: 4"));
  EXPECT_THAT(error_of({"router.packet_payload=1KiB"}), HasSubstr("packets of traffic have a size of their own"));
  EXPECT_THAT(error_of({"topology.exanest.blades=1"}), HasSubstr("the nodes of topology { exanest { } }"));
  EXPECT_THAT(error_of({"router.model=exanet"}), HasSubstr("is for routers of the model INPUT_QUEUED"));
}

TEST(IqPartition, RefusesToBeHardware) {
  for (const std::string use : {"router[1]=RTL", "router[2]=BOARD@soft"}) {
    experiment::Overrides overrides;
    overrides.uses = {use};
    const auto experiment = test::load_experiment("workloads/experiments/booksim-torus.textproto", overrides);
    ASSERT_TRUE(experiment.ok()) << experiment.status();
    run::Registry registry;
    registry.tenants = workloads::tenants();
    registry.topology = network::build_topology;
    const auto run = run::Run::create(*experiment, registry, {}, {});
    EXPECT_THAT(std::string(run.status().message()),
                AllOf(HasSubstr("--use:1:1: error: routers of the model INPUT_QUEUED"), HasSubstr("EXANET"),
                      HasSubstr("have the depth INPUT_QUEUED")));
  }
}

}  // namespace
}  // namespace fabrictwin
