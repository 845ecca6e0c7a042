// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/fair_rates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace fabrictwin {
namespace {

using partition::statistics::fair_rates;
using ::testing::Each;
using ::testing::ElementsAre;

/// A flow that was there from `start` to `end`; one whose end is its start has got nothing.
void add_flow(v1::Report& report, double start, double end) {
  v1::FlowReport& flow = *report.add_flows();
  flow.set_start_seconds(start);
  if (end <= start) return;
  flow.set_bytes_received(1000);
  flow.set_goodput_gbps(8e-6 / (end - start));
}

const std::vector<double> kOneLink = {90};

TEST(FairRates, AreOfTheFlowsThatAreThereTogether) {
  v1::Report report;
  for (int flow = 0; flow < 3; ++flow) add_flow(report, 0, 1 + flow);
  EXPECT_THAT(fair_rates(kOneLink, std::vector<std::vector<uint32_t>>(3, {0}), report), Each(30));
}

// Three sources in 100 rounds, each of which begins as the one before ends, or later.
TEST(FairRates, CountRoundsOnce) {
  const std::vector<double> capacities = {90, 90, 90, 90};
  for (const double period : {0.001, 0.0017}) {
    v1::Report report;
    std::vector<std::vector<uint32_t>> paths;
    for (int round = 0; round < 100; ++round) {
      for (uint32_t source = 0; source < 3; ++source) {
        add_flow(report, round * period, round * period + 0.001);
        paths.push_back({source, 3});
      }
    }
    EXPECT_THAT(fair_rates(capacities, paths, report), Each(30)) << period;
  }
}

// Rounds that are not over as the next one begins share the link with it.
TEST(FairRates, CountRoundsThatOverlap) {
  v1::Report report;
  for (int round = 0; round < 10; ++round) add_flow(report, round, round + 1.5);
  EXPECT_THAT(fair_rates(kOneLink, std::vector<std::vector<uint32_t>>(10, {0}), report), Each(45));
}

TEST(FairRates, KeepTheNumbersOfFlowsThatGetNothing) {
  v1::Report report;
  add_flow(report, 0, 0);
  add_flow(report, 1, 2);
  EXPECT_THAT(fair_rates(kOneLink, std::vector<std::vector<uint32_t>>(2, {0}), report), ElementsAre(45, 45));
}

TEST(FairRates, AreZeroWithoutAPath) {
  v1::Report report;
  add_flow(report, 0, 1);
  add_flow(report, 0, 1);
  EXPECT_THAT(fair_rates(kOneLink, std::vector<std::vector<uint32_t>>{{}, {0}}, report), ElementsAre(0, 90));
}

}  // namespace
}  // namespace fabrictwin
