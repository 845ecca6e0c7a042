// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns, processes and statistics of traffic through input-queued routers, from text to report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/models/router/input_queued/booksim_points.h"
#include "tests/models/router/packet/packet_run.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Sets = std::vector<std::string>;

std::string error_of(const Sets& sets) { return std::string(run_booksim_torus(sets, 1).status().message()); }

v1::Report report_of(Sets sets, uint64_t seed = 1) {
  sets.insert(sets.begin(), {"workload.traffic.sample_cycles=1000", "topology.torus.dims=4x4"});
  const auto report = run_booksim_torus(sets, seed);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : v1::Report();
}

double link_load(const v1::Report& report, const std::string& name) {
  for (const v1::LinkReport& link : report.links()) {
    if (link.name() == name) return link.utilization();
  }
  ADD_FAILURE() << "no link " << name;
  return -1;
}

Sets closed_loop(int window, const std::string& think = "0ns") {
  return {"workload.traffic.process=closed_loop", "workload.traffic.load=0",
          "workload.traffic.window=" + std::to_string(window), "workload.traffic.think_time=" + think};
}

TEST(IqTrafficPatterns, AnIncastSendsOnlyToItsDestination) {
  const v1::Report report = report_of({"workload.traffic.pattern=incast", "workload.traffic.incast_sources=1x2x3",
                                       "workload.traffic.incast_destination=5", "workload.traffic.load=0.2"});
  const v1::TrafficReport& traffic = report.traffic();
  EXPECT_FALSE(traffic.saturated());
  EXPECT_DOUBLE_EQ(traffic.offered_load(), 0.2 * 3 / 16) << "over all hosts";
  EXPECT_NEAR(traffic.accepted_load(), 0.6 / 16, 0.005);
  EXPECT_NEAR(traffic.accepted_load_min_node(), 16 * traffic.accepted_load(), 1e-9) << "of those that receive";
  EXPECT_GT(link_load(report, "host[2].tile->router[2].tile"), 0.15);
  EXPECT_EQ(link_load(report, "host[0].tile->router[0].tile"), 0);
  EXPECT_EQ(link_load(report, "router[0].tile->host[0].tile"), 0);
  // Six of them offer more than one link takes.
  const v1::TrafficReport many = report_of({"workload.traffic.pattern=incast", "workload.traffic.incast_fan_in=6",
                                            "workload.traffic.load=0.2", "workload.traffic.latency_limit_cycles=300"})
                                     .traffic();
  EXPECT_TRUE(many.saturated());
  EXPECT_NEAR(16 * many.accepted_load(), 1, 0.02);
}

TEST(IqTrafficPatterns, AllToAllLoadsEverybodyAlike) {
  const v1::TrafficReport traffic = report_of({"workload.traffic.pattern=all_to_all"}).traffic();
  EXPECT_FALSE(traffic.saturated());
  EXPECT_GT(traffic.accepted_load_min_node(), 0.9 * traffic.accepted_load());
  EXPECT_NEAR(traffic.mean_hops(), 1 + 32.0 / 15, 0.03) << "mean distance of 4x4 without oneself";
}

TEST(IqTrafficPatterns, APermutationFromAFileIsThatPattern) {
  const TestFolder folder;
  std::string text;
  for (int host = 0; host < 16; ++host) text += std::to_string(host % 4 * 4 + host / 4) + "\n";
  const std::string file = folder.write("transpose.txt", text);
  const v1::Report from_file = report_of({"workload.traffic.pattern=permutation",
                                          "workload.traffic.permutation_file=" + file, "workload.traffic.load=0.1"});
  const v1::Report built_in = report_of({"workload.traffic.pattern=transpose", "workload.traffic.load=0.1"});
  EXPECT_EQ(from_file.timing_digest(), built_in.timing_digest());
  folder.write("transpose.txt", "1 2\n2 77\n");
  EXPECT_THAT(
      error_of({"workload.traffic.pattern=permutation", "workload.traffic.permutation_file=" + file}),
      AllOf(HasSubstr("transpose.txt:2:3: error: \"77\" is not the number of a host"), HasSubstr("\n2 77\n  ^")));
}

TEST(IqTrafficProcesses, BurstsHaveTheSameLoadAndWaitLonger) {
  const Sets plain = {"workload.traffic.load=0.2", "workload.traffic.sample_cycles=20000"};
  Sets bursty = plain;
  bursty.insert(bursty.end(), {"workload.traffic.process=bursty", "workload.traffic.burst_packets=8"});
  const v1::TrafficReport without = report_of(plain).traffic();
  const v1::TrafficReport with = report_of(bursty).traffic();
  EXPECT_NEAR(with.accepted_load(), without.accepted_load(), 0.02);
  EXPECT_GT(with.latency_cycles().mean(), 1.3 * without.latency_cycles().mean());
  EXPECT_EQ(with.latency_cycles().min(), without.latency_cycles().min());
}

// One packet at a time: the next is created the cycle after the last one has arrived and takes what a packet alone
// takes, so each host sends one every 29 cycles, its way being one link.
TEST(IqTrafficProcesses, AClosedLoopOfOnePacketIsExact) {
  Sets sets = closed_loop(1);
  sets.insert(sets.end(), {"workload.traffic.pattern=neighbor", "topology.torus.dims=8"});
  const v1::TrafficReport traffic = report_of(sets).traffic();
  EXPECT_EQ(traffic.latency_cycles().min(), 29);
  EXPECT_EQ(traffic.latency_cycles().max(), 29);
  EXPECT_NEAR(traffic.accepted_load(), 18.0 / 30, 0.002);
  EXPECT_EQ(traffic.offered_load(), 0);
  EXPECT_FALSE(traffic.saturated());
  // 640 ns are 100 cycles.
  sets = closed_loop(1, "640ns");
  sets.insert(sets.end(), {"workload.traffic.pattern=neighbor", "topology.torus.dims=8"});
  EXPECT_NEAR(report_of(sets).traffic().accepted_load(), 18.0 / 130, 0.002);
}

// Little's law: packets on their way = throughput x (latency + the cycle until the host knows).
TEST(IqTrafficProcesses, AClosedLoopKeepsItsWindow) {
  double before = 0;
  for (const int window : {1, 2, 4, 16}) {
    Sets sets = closed_loop(window);
    sets.emplace_back("workload.traffic.sample_cycles=5000");
    const v1::Report report = report_of(sets);
    const v1::TrafficReport& traffic = report.traffic();
    EXPECT_TRUE(report.complete());
    EXPECT_FALSE(traffic.saturated());
    EXPECT_NEAR(traffic.accepted_load() / 18 * (traffic.latency_cycles().mean() + 1), window, 0.05 * window);
    EXPECT_GT(traffic.accepted_load(), before);
    EXPECT_LE(traffic.packets_sent() - traffic.packets_received(), static_cast<uint64_t>(16 * window));
    before = traffic.accepted_load();
  }
}

TEST(IqTrafficProcesses, AClosedIncastEnds) {
  Sets sets = closed_loop(2);
  sets.emplace_back("workload.traffic.pattern=incast");
  const v1::TrafficReport traffic = report_of(sets).traffic();
  EXPECT_NEAR(16 * traffic.accepted_load(), 1, 0.01) << "the link of the destination is full";
  EXPECT_FALSE(traffic.saturated());
}

TEST(IqTrafficStatistics, IntervalsHoldTheMeanOfALongRun) {
  const Sets sets = {"workload.traffic.load=0.3", "workload.traffic.sample_cycles=2000"};
  Sets longer = sets;
  longer.insert(longer.end(), {"workload.traffic.max_samples=200", "workload.traffic.confidence_target=0.001"});
  const v1::TrafficReport reference = report_of(longer).traffic();
  EXPECT_EQ(reference.measured_cycles(), 197 * 2000) << "the target is out of reach";
  int latency = 0;
  int accepted = 0;
  constexpr int kSeeds = 40;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const v1::TrafficReport traffic = report_of(sets, seed).traffic();
    EXPECT_GT(traffic.latency_cycles().confidence(), 0);
    EXPECT_LT(traffic.latency_cycles().confidence(), 0.2 * traffic.latency_cycles().mean());
    if (std::abs(traffic.latency_cycles().mean() - reference.latency_cycles().mean()) <=
        traffic.latency_cycles().confidence())
      ++latency;
    if (std::abs(traffic.accepted_load() - 0.3) <= traffic.accepted_load_confidence()) ++accepted;
  }
  // 38 on average; binomial, so fewer than 33 would be one case in a hundred.
  EXPECT_GE(latency, 33);
  EXPECT_GE(accepted, 33);
}

TEST(IqTrafficStatistics, TheMeasurementGoesOnUntilItIsSure) {
  const Sets sets = {"workload.traffic.load=0.3", "workload.traffic.max_samples=500"};
  Sets sure = sets;
  sure.emplace_back("workload.traffic.confidence_target=0.01");
  const v1::TrafficReport quick = report_of(sets).traffic();
  const v1::TrafficReport slow = report_of(sure).traffic();
  EXPECT_GT(slow.measured_cycles(), 2 * quick.measured_cycles());
  EXPECT_LT(slow.measured_cycles(), 497'000);
  EXPECT_LE(slow.accepted_load_confidence(), 0.01 * slow.accepted_load());
  EXPECT_LE(slow.latency_cycles().confidence(), 0.012 * slow.latency_cycles().mean()) << "the drain moves it a little";
  EXPECT_LT(slow.latency_cycles().confidence(), quick.latency_cycles().confidence());
}

TEST(IqTrafficStatistics, SaysThatItIsNotAsSureAsItShouldBe) {
  const v1::Report report = report_of(
      {"workload.traffic.load=0.3", "workload.traffic.max_samples=12", "workload.traffic.confidence_target=0.0001"});
  EXPECT_THAT(report.warnings(),
              testing::ElementsAre(testing::MatchesRegex(
                  "confidence_target 0.0001 was not reached after max_samples 12 .latency ... [0-9.]+ %, accepted load "
                  "... [0-9.]+ %.; raise max_samples or sample_cycles")));
  EXPECT_THAT(report_of({"workload.traffic.load=0.3", "workload.traffic.max_samples=500",
                         "workload.traffic.confidence_target=0.05"})
                  .warnings(),
              testing::IsEmpty());
}

TEST(IqTrafficStatistics, ASaturatedLatencyHasNoInterval) {
  const v1::TrafficReport traffic =
      report_of({"workload.traffic.load=1", "workload.traffic.latency_limit_cycles=300"}).traffic();
  EXPECT_TRUE(traffic.saturated());
  EXPECT_FALSE(traffic.latency_cycles().has_confidence());
  EXPECT_TRUE(traffic.has_accepted_load_confidence());
}

TEST(IqTrafficStatistics, ARunWithoutMeasuredPacketsSaysSo) {
  const v1::Report none = report_of({"workload.traffic.load=1e-9"});
  EXPECT_FALSE(none.traffic().has_latency_cycles());
  EXPECT_THAT(none.warnings(), testing::ElementsAre("no packet was measured, so the traffic has no latency; raise load "
                                                    "or sample_cycles"));
  // No load is above 1, and a saturated network takes no more.
  const v1::Report saturated = report_of(
      {"workload.traffic.load=1", "workload.traffic.sample_cycles=3", "workload.traffic.latency_limit_cycles=1"});
  EXPECT_TRUE(saturated.traffic().saturated());
  EXPECT_THAT(saturated.warnings(), testing::ElementsAre(HasSubstr("raise latency_limit_cycles or sample_cycles")));
  const v1::Report brief = report_of({"workload.traffic.load=1", "workload.traffic.sample_cycles=1",
                                      "workload.traffic.warmup_samples=1", "workload.traffic.max_samples=2",
                                      "workload.traffic.pattern=incast", "workload.traffic.incast_fan_in=1"});
  EXPECT_FALSE(brief.traffic().saturated());
  EXPECT_THAT(brief.warnings(), testing::ElementsAre(HasSubstr("raise sample_cycles")));
  EXPECT_THAT(report_of({}).warnings(), testing::IsEmpty());
}

// Two rates of bursts and pauses that are one, also where a link takes less than a flit a cycle.
TEST(IqTrafficPatterns, BurstsOfTheMeanLoadAreNone) {
  Sets slow = {"topology.torus.link_rate=10Gbps", "topology.torus.tile_rate=10Gbps"};
  const v1::Report plain = report_of(slow);
  EXPECT_NEAR(plain.traffic().accepted_load(), 0.3, 0.02);
  slow.insert(slow.end(), {"workload.traffic.process=bursty", "workload.traffic.burst_load=0.3"});
  EXPECT_EQ(report_of(slow).timing_digest(), plain.timing_digest());
}

TEST(IqTrafficErrors, ArePlaced) {
  EXPECT_THAT(error_of({"workload.traffic.incast_fan_in=3"}),
              AllOf(HasSubstr("--set:1:32: error: incast_fan_in is for pattern: INCAST")));
  EXPECT_THAT(error_of({"workload.traffic.pattern=incast", "workload.traffic.incast_destination=64"}),
              AllOf(HasSubstr("--set:1:37: error: incast_destination has host 64"), HasSubstr("0 to 63")));
  EXPECT_THAT(error_of({"workload.traffic.pattern=incast", "workload.traffic.incast_sources=5,99,70"}),
              HasSubstr("--set:1:33: error: incast_sources has host 99"));
  EXPECT_THAT(error_of({"workload.traffic.pattern=incast", "workload.traffic.incast_fan_in=64"}),
              HasSubstr("--set:1:32: error: incast_fan_in 64: of 64 hosts at most 63"));
  EXPECT_THAT(error_of({"workload.traffic.pattern=incast", "workload.traffic.incast_fan_in=2",
                        "workload.traffic.incast_sources=1x2"}),
              HasSubstr("say the same"));
  EXPECT_THAT(error_of({"workload.traffic.pattern=permutation"}), HasSubstr("needs permutation_file"));
  EXPECT_THAT(error_of({"workload.traffic.pattern=permutation", "workload.traffic.permutation_file=no-such-file"}),
              AllOf(HasSubstr("--set:1:35: error: there is no file"), HasSubstr("no-such-file")));
  EXPECT_THAT(error_of({"workload.traffic.burst_load=0.5"}), HasSubstr("burst_load is for process: BURSTY"));
  EXPECT_THAT(error_of({"workload.traffic.process=bursty", "workload.traffic.burst_load=0.2"}),
              HasSubstr("at least the mean, 0.3"));
  EXPECT_THAT(error_of({"workload.traffic.process=bursty", "workload.traffic.burst_packets=0.5"}),
              HasSubstr("burst_packets 0.5: write 1 to 1000000"));
  EXPECT_THAT(error_of({"workload.traffic.process=closed_loop"}), HasSubstr("the window decides how much is sent"));
  EXPECT_THAT(error_of({"workload.traffic.window=4"}), HasSubstr("window is for process: CLOSED_LOOP"));
  EXPECT_THAT(
      error_of({"workload.traffic.process=closed_loop", "workload.traffic.load=0", "workload.traffic.window=0"}),
      HasSubstr("window 0: write 1 to 65536"));
  EXPECT_THAT(error_of({"workload.traffic.process=closed"}), HasSubstr("unknown process \"closed\""));
  EXPECT_THAT(error_of({"workload.traffic.confidence_target=0"}), HasSubstr("above 0 and below 1"));
}

// Traffic goes through the network interfaces that are asked for, which take as long as beside routers of packets.
TEST(IqTraffic, TrafficHasTheNetworkInterfacesOfItsHosts) {
  const auto mean = [](const std::string& model, const std::string& nic) {
    const absl::StatusOr<v1::Report> report = run_models(
        "topology { torus { dims: [4, 4] } } workload { traffic { pattern: UNIFORM load: 0.2 duration: \"20us\" } }",
        {"router.model=" + model, "host.nic=" + nic});
    EXPECT_TRUE(report.ok()) << report.status();
    EXPECT_GT(report->traffic().packets_received(), 100u);
    return report->traffic().mean_latency_seconds();
  };
  const double plain = mean("INPUT_QUEUED", "PLAIN");
  const double rdma = mean("INPUT_QUEUED", "RDMA");
  EXPECT_GT(rdma, 2 * plain);
  EXPECT_NEAR(rdma / mean("PACKET", "RDMA"), 1, 0.1);
}

}  // namespace
}  // namespace fabrictwin
