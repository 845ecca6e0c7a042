// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Both ways to measure traffic, with routers of all models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fmt/format.h"
#include "tests/workloads/run_helpers.h"

namespace fabrictwin {
namespace {

constexpr const char* kModels[] = {"EXANET", "INPUT_QUEUED", "PACKET"};

/// 4x4 routers, whose links carry a word a router cycle.
v1::Report report_of(const std::string& model, const std::string& traffic, const std::string& more = "",
                     const std::string& dims = "[4, 4]") {
  const Outcome outcome = run_text(fmt::format(
      "topology {{ torus {{ dims: {} link_rate: \"20Gbps\" tile_rate: \"20Gbps\" link_latency: \"100ns\" tile_latency: "
      "\"50ns\" }} }}\nrouter {{ model: {} {} }}\nworkload {{ traffic {{ {} }} }}\nseed: 5\n",
      dims, model, more, traffic));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_TRUE(outcome.report.complete());
  return outcome.report;
}

class Methods : public ::testing::TestWithParam<const char*> {};

void expect_all_fields(const v1::TrafficReport& traffic, bool input_queued) {
  EXPECT_TRUE(traffic.has_latency_cycles());
  EXPECT_TRUE(traffic.has_latency_seconds());
  EXPECT_EQ(traffic.latency_seconds().count(), traffic.measured_packets());
  EXPECT_GT(traffic.measured_packets(), 0u);
  EXPECT_GT(traffic.measured_cycles(), 0);
  EXPECT_NEAR(traffic.latency_cycles().mean() * 6.4e-9, traffic.latency_seconds().mean(), 1e-15);
  EXPECT_NEAR(traffic.latency_cycles().p99() * 6.4e-9, traffic.latency_seconds().p99(), 1e-15);
  EXPECT_DOUBLE_EQ(traffic.latency_seconds().mean(), traffic.mean_latency_seconds());
  EXPECT_DOUBLE_EQ(traffic.latency_seconds().max(), traffic.max_latency_seconds());
  EXPECT_TRUE(traffic.has_accepted_load_min_node());
  EXPECT_TRUE(traffic.has_jain_index());
  EXPECT_EQ(traffic.has_mean_hops(), input_queued);
  EXPECT_EQ(traffic.latency_cycles().has_network_mean(), input_queued);
}

TEST_P(Methods, InSamplesAcceptsWhatIsOfferedBelowSaturation) {
  const v1::Report report = report_of(GetParam(), "load: 0.2 sample_cycles: 4000 warmup_samples: 2");
  const v1::TrafficReport& traffic = report.traffic();
  expect_all_fields(traffic, GetParam() == std::string("INPUT_QUEUED"));
  EXPECT_TRUE(traffic.has_saturated());
  EXPECT_FALSE(traffic.saturated());
  EXPECT_GE(traffic.measured_cycles(), 3 * 4000);
  EXPECT_EQ(traffic.measured_cycles() % 4000, 0);
  ASSERT_TRUE(traffic.has_accepted_load_confidence());
  ASSERT_TRUE(traffic.latency_cycles().has_confidence());
  EXPECT_NEAR(traffic.accepted_load(), 0.2, 3 * traffic.accepted_load_confidence());
  EXPECT_NEAR(traffic.accepted_load(), 0.2, 0.01);
  // A packet of the measurement was created in it and has arrived.
  EXPECT_NEAR(
      static_cast<double>(traffic.measured_packets()) * 18 / 16 / static_cast<double>(traffic.measured_cycles()),
      traffic.accepted_load(), 0.005);
  EXPECT_THAT(report.warnings(), testing::IsEmpty());
}

TEST_P(Methods, InSamplesTellsThatTheNetworkIsSaturated) {
  const std::string fields = "sample_cycles: 1000 warmup_samples: 1 max_samples: 6 latency_limit_cycles: 200";
  const v1::TrafficReport full = report_of(GetParam(), "pattern: INCAST load: 0.5 " + fields).traffic();
  EXPECT_TRUE(full.saturated());
  EXPECT_FALSE(full.latency_cycles().has_confidence());
  EXPECT_NEAR(16 * full.accepted_load(), 1, 0.06) << "what the link of the destination carries";
  EXPECT_FALSE(report_of(GetParam(), "pattern: INCAST load: 0.02 " + fields).traffic().saturated());
}

TEST_P(Methods, InSamplesGoesOnUntilItIsSure) {
  const std::string fields = "load: 0.3 sample_cycles: 500 max_samples: 400";
  const v1::TrafficReport quick = report_of(GetParam(), fields).traffic();
  const v1::TrafficReport sure = report_of(GetParam(), fields + " confidence_target: 0.015").traffic();
  EXPECT_GT(sure.measured_cycles(), 2 * quick.measured_cycles());
  EXPECT_LE(sure.accepted_load_confidence(), 0.015 * sure.accepted_load());
  EXPECT_LE(sure.latency_cycles().confidence(), 0.018 * sure.latency_cycles().mean()) << "the drain moves it a little";
}

TEST_P(Methods, InSamplesAClosedLoopKeepsItsWindow) {
  const v1::Report report =
      report_of(GetParam(), "process: CLOSED_LOOP window: 4 sample_cycles: 3000 warmup_samples: 1");
  const v1::TrafficReport& traffic = report.traffic();
  EXPECT_FALSE(traffic.saturated());
  // Little's law; up to a slot passes until a host knows.
  EXPECT_NEAR(traffic.accepted_load() / 18 * (traffic.latency_cycles().mean() + 1), 4, 0.2);
}

TEST_P(Methods, ForAFixedTimeMeasuresAllPackets) {
  const v1::Report report = report_of(GetParam(), "load: 0.2 duration: \"64us\"");
  const v1::TrafficReport& traffic = report.traffic();
  expect_all_fields(traffic, GetParam() == std::string("INPUT_QUEUED"));
  EXPECT_FALSE(traffic.has_saturated());
  EXPECT_FALSE(traffic.has_accepted_load_confidence());
  EXPECT_EQ(traffic.measured_cycles(), 10'000);
  EXPECT_EQ(traffic.packets_sent(), traffic.packets_received());
  EXPECT_EQ(traffic.packets_sent(), traffic.measured_packets());
  EXPECT_EQ(traffic.packets_sent(), report.packets_delivered());
  EXPECT_EQ(256 * traffic.packets_sent(), report.bytes_delivered());
  EXPECT_NEAR(traffic.accepted_load(), 0.2, 0.015);
}

TEST_P(Methods, AStoppedRunTellsWhatThereIs) {
  for (const char* fields : {"load: 0.2 duration: \"64us\"", "load: 0.2 sample_cycles: 1000 max_samples: 100"}) {
    const Outcome outcome = run_text(
        fmt::format("topology {{ torus {{ dims: [4, 4] }} }} router {{ model: {} }} workload {{ traffic {{ {} }} }} "
                    "stop {{ after_simulated: \"30us\" }} seed: 5\n",
                    GetParam(), fields));
    EXPECT_FALSE(outcome.report.complete());
    const v1::TrafficReport& traffic = outcome.report.traffic();
    EXPECT_GT(traffic.measured_packets(), 0u);
    EXPECT_GT(traffic.measured_cycles(), 0);
    EXPECT_NEAR(traffic.accepted_load(), 0.2, 0.04) << fields;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Methods, ::testing::ValuesIn(kModels),
                         [](const auto& param) { return std::string(param.param); });

// Of packets that meet nobody: the sum over links of L, (m - 1) (w + P) and d, as docs/models/packet-network.md has it.
// Four links of 50 and 100 ns, words of 6.4 ns, a pipeline of three cycles, 18 words.
TEST(MethodsOfPacket, TheMeanAtALowLoadIsThatOfAPacketAlone) {
  const v1::TrafficReport traffic =
      report_of("PACKET", "pattern: NEIGHBOR load: 0.01 sample_cycles: 20000",
                "routing_delay: 1 vc_alloc_delay: 1 switch_alloc_delay: 1 switch_delay: 1", "8")
          .traffic();
  const double alone = (50 + 100 + 50) + 2 * (6.4 + 3 * 6.4) + 18 * 6.4;
  EXPECT_NEAR(traffic.latency_seconds().min() * 1e9, alone, 1e-3);
  EXPECT_NEAR(traffic.latency_cycles().min(), alone / 6.4, 1e-3);
  EXPECT_NEAR(traffic.latency_seconds().mean() * 1e9, alone, 0.01 * alone);
}

// One packet at a time takes 29 cycles, and the next is created the cycle after: 100 of each host in 3000 cycles.
TEST(MethodsOfInputQueued, AFixedTimeIsExact) {
  const Outcome exact = run_text(
      "topology { torus { dims: 8 link_latency_cycles: 1 tile_latency_cycles: 1 } } router { model: INPUT_QUEUED vcs: "
      "2 "
      "vc_buffer_flits: 36 switching: CREDIT_PER_FLIT arbitration: ROUND_ROBIN routing_delay: 1 vc_alloc_delay: 1 "
      "switch_alloc_delay: 1 switch_delay: 1 credit_delay: 0 } workload { traffic { pattern: NEIGHBOR process: "
      "CLOSED_LOOP duration: \"19200ns\" } } seed: 1\n");
  ASSERT_TRUE(exact.status.ok()) << exact.status;
  const v1::TrafficReport& traffic = exact.report.traffic();
  EXPECT_EQ(traffic.latency_cycles().min(), 29);
  EXPECT_EQ(traffic.latency_cycles().max(), 29);
  EXPECT_EQ(traffic.packets_sent(), 800u);
  EXPECT_EQ(traffic.packets_received(), 800u);
  EXPECT_DOUBLE_EQ(traffic.accepted_load(), 0.6);
  EXPECT_EQ(exact.done, 1);
}

}  // namespace
}  // namespace fabrictwin
