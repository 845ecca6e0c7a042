// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gpcnet/samples.h"

#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

using gpcnet::Samples;

gpcnet::GpcnetSpec small() {
  gpcnet::GpcnetSpec spec;
  spec.ranks_per_host = 1;
  spec.orders = 2;
  spec.iterations = 2;
  spec.latency_bytes = Bytes{8};
  spec.bandwidth_bytes = Bytes{131072};
  spec.outstanding = 8;
  return spec;
}

/// Two ranks.
Samples numbers() {
  const auto us = [](std::initializer_list<int64_t> values) {
    std::vector<Time> times;
    for (const int64_t value : values) times.push_back(Time::from_us(value));
    return times;
  };
  return {{{us({2, 4, 6, 8}), us({10, 12, 14, 16})},
           {us({1000, 1000, 2000, 2000}), us({1000, 3000, 4000, 4000})},
           {us({5, 7}), us({9, 11})}}};
}

TEST(GpcnetSamples, AreSummedUpAsByTheTool) {
  const std::vector<v1::GpcnetRow> rows = gpcnet::rows_of(small(), numbers());
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].test(), "RR Two-sided Lat (8 B)");
  EXPECT_EQ(rows[1].test(), "RR Two-sided BW+Sync (131072 B)");
  EXPECT_EQ(rows[2].test(), "Multiple Allreduce (8 B)");
  EXPECT_EQ(rows[1].unit(), "MiB/s/rank");
  // Two messages in an iteration; floor(0.99 * 8) = 7 values are not worse than 14 us.
  EXPECT_DOUBLE_EQ(rows[0].congested_mean(), 4.5);
  EXPECT_DOUBLE_EQ(rows[0].congested_p99(), 7);
  // 2 MiB in each iteration: loops of 2, 4, 4 and 8 ms; the seventh best iteration took 4 ms.
  EXPECT_DOUBLE_EQ(rows[1].congested_mean(), (2000 + 1000 + 1000 + 500) / 4.0);
  EXPECT_DOUBLE_EQ(rows[1].congested_p99(), 500);
  EXPECT_DOUBLE_EQ(rows[2].congested_mean(), 8);
  EXPECT_DOUBLE_EQ(rows[2].congested_p99(), 9);
  EXPECT_EQ(rows[0].isolated_mean(), 0);
}

TEST(GpcnetSamples, OfATestThatHasNotEndedAreNoRow) {
  Samples samples = numbers();
  samples[1][1].pop_back();
  EXPECT_EQ(gpcnet::rows_of(small(), samples).size(), 1u);
}

TEST(GpcnetSamples, ImpactIsHowMuchWorse) {
  gpcnet::GpcnetSpec spec = small();
  std::vector<v1::GpcnetRow> congested = gpcnet::rows_of(spec, numbers());
  spec.isolated = true;
  Samples half = numbers();
  for (auto& test : half) {
    for (auto& rank : test) {
      for (Time& time : rank) time = Time::from_fs(time.fs() / 2);
    }
  }
  gpcnet::compare_rows(gpcnet::rows_of(spec, half), congested);
  for (const v1::GpcnetRow& row : congested) {
    EXPECT_DOUBLE_EQ(row.cif_mean(), 2);
    EXPECT_DOUBLE_EQ(row.cif_p99(), 2);
  }
  EXPECT_DOUBLE_EQ(congested[1].isolated_mean(), 2 * congested[1].congested_mean());
}

}  // namespace
}  // namespace fabrictwin
