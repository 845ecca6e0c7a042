// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Several classes of traffic at once, with routers of all models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/workloads/run_helpers.h"

namespace fabrictwin {
namespace {

constexpr const char* kClassModels[] = {"EXANET", "INPUT_QUEUED", "PACKET"};

/// 4x4 routers, whose links carry a word in each cycle of 6.4 ns.
v1::Report classes_report(const std::string& model, const std::string& traffic, int seed = 5) {
  const Outcome outcome = run_text(fmt::format(
      "topology {{ torus {{ dims: [4, 4] link_rate: \"20Gbps\" tile_rate: \"20Gbps\" link_latency: \"100ns\" "
      "tile_latency: \"50ns\" }} }}\nrouter {{ model: {} }}\nworkload {{ traffic {{ {} }} }}\nseed: {}\n",
      model, traffic, seed));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_TRUE(outcome.report.complete());
  return outcome.report;
}

class Classes : public ::testing::TestWithParam<const char*> {};

TEST_P(Classes, TheOnlyOneIsTrafficWithoutClasses) {
  for (const char* fields : {"pattern: HOTSPOT load: 0.2 payload: \"96B\"", "process: BURSTY load: 0.1",
                             "process: CLOSED_LOOP window: 2 think_time: \"30ns\" pattern: TORNADO"}) {
    for (const char* method : {"duration: \"8us\"", "sample_cycles: 400 warmup_samples: 1 max_samples: 4"}) {
      const v1::Report plain = classes_report(GetParam(), fmt::format("{} {}", fields, method));
      const v1::Report one = classes_report(GetParam(), fmt::format("class {{ {} }} {}", fields, method));
      EXPECT_EQ(plain.timing_digest(), one.timing_digest()) << fields;
      EXPECT_EQ(plain.payload_digest(), one.payload_digest()) << fields;
      EXPECT_EQ(plain.traffic().SerializeAsString(), one.traffic().SerializeAsString()) << fields;
      EXPECT_EQ(plain.bytes_delivered(), one.bytes_delivered());
      EXPECT_EQ(plain.classes_size(), 0);
      ASSERT_EQ(one.classes_size(), 1);
      const v1::ClassReport& of_class = one.classes(0);
      EXPECT_EQ(of_class.name(), "class0");
      EXPECT_EQ(of_class.packets_received(), one.traffic().packets_received());
      EXPECT_EQ(of_class.latency().SerializeAsString(), one.traffic().latency_seconds().SerializeAsString());
      // Of packets that have arrived, and of flits.
      EXPECT_NEAR(of_class.accepted_load(), one.traffic().accepted_load(), 0.02);
    }
  }
}

TEST_P(Classes, AreMeasuredApart) {
  const v1::Report report = classes_report(GetParam(), R"(
      class { name: "hot" pattern: HOTSPOT hotspot_fraction: 1 hotspot_hosts: 5 load: 0.03 payload: "64B" }
      class { name: "others" load: 0.1 hosts: "0..3,8" }
      class { name: "window" process: CLOSED_LOOP window: 2 hosts: "9" pattern: NEIGHBOR }
      duration: "40us")");
  ASSERT_EQ(report.classes_size(), 3);
  const v1::ClassReport& hot = report.classes(0);
  const v1::ClassReport& others = report.classes(1);
  const v1::ClassReport& window = report.classes(2);
  EXPECT_EQ(hot.name(), "hot");
  EXPECT_EQ(hot.offered_load(), 0.03);
  EXPECT_NEAR(hot.accepted_load(), 16 * 0.03, 0.06);  // All for one host.
  EXPECT_EQ(hot.jain_index(), 1);
  EXPECT_EQ(others.offered_load(), 0.1);
  EXPECT_NEAR(others.accepted_load(), 5 * 0.1 / 16, 0.01);
  EXPECT_LT(others.jain_index(), 1);
  EXPECT_EQ(window.offered_load(), 0);
  EXPECT_GT(window.accepted_load(), 0.1);
  uint64_t packets = 0;
  for (const v1::ClassReport& of_class : report.classes()) {
    EXPECT_EQ(of_class.packets_sent(), of_class.packets_received());
    EXPECT_EQ(of_class.latency().count(), of_class.packets_received());
    packets += of_class.packets_received();
    // In 40 us; some packets arrive after that.
    const double bytes = static_cast<double>(of_class.packets_received()) * (of_class.name() == "hot" ? 64 : 256);
    EXPECT_NEAR(of_class.goodput_gbps(), bytes * 8 / 40e3, 0.05 * bytes * 8 / 40e3) << of_class.name();
  }
  EXPECT_EQ(packets, report.traffic().packets_received());
  EXPECT_EQ(report.bytes_delivered(),
            64 * hot.packets_received() + 256 * (others.packets_received() + window.packets_received()));
  EXPECT_NEAR(report.traffic().offered_load(), 0.03 + 0.1 * 5 / 16, 1e-12);
}

// One that sends nothing while the others do, and one whose packets are all made before the measurement begins.
TEST_P(Classes, ThatMeasureNothingAreNamed) {
  const auto warnings = [](const v1::Report& report) {
    return std::vector<std::string>(report.warnings().begin(), report.warnings().end());
  };
  const v1::Report rare = classes_report(GetParam(), R"(
      class { name: "busy" load: 0.1 } class { name: "rare" load: 0.000001 hosts: "3" } duration: "5us")");
  EXPECT_THAT(warnings(rare), ::testing::Contains(::testing::HasSubstr(
                                  "class rare: it has sent no packet, so it has no latencies; raise its load")));
  const v1::Report early = classes_report(GetParam(), R"(
      class { name: "busy" load: 0.1 } class { name: "early" load: 0.5 stop: "500ns" }
      sample_cycles: 400 warmup_samples: 2 max_samples: 4)");
  EXPECT_THAT(warnings(early), ::testing::Contains(::testing::HasSubstr(
                                   "class early: none of its packets was measured, so it has no latencies; raise ")));
  const v1::Report both = classes_report(GetParam(), "class { load: 0.1 } class { load: 0.1 } duration: \"5us\"");
  EXPECT_THAT(warnings(both), ::testing::Not(::testing::Contains(::testing::HasSubstr("latencies"))));
}

// Each class has random streams of its own, so that another one changes nothing of what it generates.
TEST_P(Classes, GenerateIndependently) {
  const std::string first = "class { load: 0.1 process: BURSTY }";
  const v1::Report alone = classes_report(GetParam(), first + " duration: \"30us\"");
  const v1::Report beside =
      classes_report(GetParam(), first + " class { load: 0.2 pattern: TORNADO } duration: \"30us\"");
  EXPECT_EQ(alone.classes(0).packets_sent(), beside.classes(0).packets_sent());
  const v1::Report twice = classes_report(GetParam(), first + first + " duration: \"30us\"");
  EXPECT_EQ(alone.classes(0).packets_sent(), twice.classes(0).packets_sent());
  EXPECT_NE(twice.classes(1).packets_sent(), twice.classes(0).packets_sent());
}

TEST_P(Classes, AreGeneratedFromStartToStop) {
  const v1::Report report = classes_report(GetParam(), R"(
      class { name: "storm" load: 0.5 start: "10us" stop: "14us" }
      class { name: "late" load: 0.5 start: "36us" }
      class { name: "loop" process: CLOSED_LOOP start: "10us" stop: "14us" hosts: "3" pattern: NEIGHBOR }
      class { name: "whole" load: 0.05 }
      duration: "40us")");
  // 16 hosts for 4 us: 625 slots, and a packet is 18 of them.
  const double packets = 16 * 625 * 0.5 / 18;
  EXPECT_NEAR(static_cast<double>(report.classes(0).packets_sent()), packets, 0.2 * packets);
  EXPECT_NEAR(static_cast<double>(report.classes(1).packets_sent()), packets, 0.2 * packets);
  EXPECT_GT(report.classes(2).packets_sent(), 2u);
  EXPECT_LT(report.classes(2).packets_sent(), 20u);
  for (const v1::ClassReport& of_class : report.classes())
    EXPECT_EQ(of_class.packets_sent(), of_class.packets_received()) << of_class.name();
}

TEST_P(Classes, OfAllMethodsEnd) {
  const v1::Report report = classes_report(GetParam(), R"(
      class { name: "storm" load: 0.9 stop: "2us" } class { name: "short" load: 0.1 stop: "10us" payload: "32B" }
      sample_cycles: 500 warmup_samples: 1 max_samples: 4)");
  ASSERT_EQ(report.classes_size(), 2);
  EXPECT_GT(report.classes(0).packets_received(), 0u);
  EXPECT_GT(report.classes(1).accepted_load(), 0);
}

TEST_P(Classes, FollowTheSeed) {
  const std::string traffic = "class { load: 0.1 } class { load: 0.2 pattern: HOTSPOT } duration: \"5us\"";
  const v1::Report first = classes_report(GetParam(), traffic);
  EXPECT_EQ(first.timing_digest(), classes_report(GetParam(), traffic).timing_digest());
  EXPECT_NE(first.timing_digest(), classes_report(GetParam(), traffic, 6).timing_digest());
}

INSTANTIATE_TEST_SUITE_P(Models, Classes, ::testing::ValuesIn(kClassModels),
                         [](const ::testing::TestParamInfo<const char*>& info) { return info.param; });

}  // namespace
}  // namespace fabrictwin
