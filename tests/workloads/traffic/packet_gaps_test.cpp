// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/packet_gaps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace fabrictwin {
namespace {

constexpr int64_t kFlits = 18;

traffic::TrafficSpec bursty(double load, double burst_load, double packets) {
  traffic::TrafficSpec spec;
  spec.process = v1::BURSTY;
  spec.load = load;
  spec.burst_load = burst_load;
  spec.burst_packets = packets;
  return spec;
}

std::vector<int64_t> draw(const traffic::PacketGaps& gaps, int count) {
  RandomStream random(1, 2, RandomPurpose::kTest);
  std::vector<int64_t> drawn = {gaps.first(random)};
  while (static_cast<int>(drawn.size()) < count) drawn.push_back(gaps.next(random));
  return drawn;
}

double load_of(const std::vector<int64_t>& gaps) {
  double slots = 0;
  for (const int64_t gap : gaps) slots += static_cast<double>(gap + 1);
  return static_cast<double>(kFlits * static_cast<int64_t>(gaps.size())) / slots;
}

// The number of packets in a window, variance over mean: 1 - p for a Bernoulli process, more for bursts.
double dispersion(const std::vector<int64_t>& gaps, int64_t window) {
  std::vector<double> counts;
  int64_t slot = -1;
  for (const int64_t gap : gaps) {
    slot += gap + 1;
    counts.resize(static_cast<size_t>(slot / window) + 1);
    ++counts.back();
  }
  double sum = 0, squares = 0;
  for (const double count : counts) {
    sum += count;
    squares += count * count;
  }
  const double mean = sum / static_cast<double>(counts.size());
  return (squares / static_cast<double>(counts.size()) - mean * mean) / mean;
}

TEST(PacketGaps, BernoulliDrawsWhatGeometricGapsDraw) {
  traffic::TrafficSpec spec;
  spec.load = 0.3;
  const traffic::PacketGaps gaps(spec, kFlits);
  const traffic::GeometricGap geometric(0.3 / kFlits);
  RandomStream random(1, 2, RandomPurpose::kTest);
  for (const int64_t gap : draw(gaps, 1000)) ASSERT_EQ(gap, geometric.next(random));
}

TEST(PacketGaps, BurstsHaveTheMeanLoad) {
  for (const double load : {0.05, 0.3, 0.8}) {
    for (const double packets : {1.0, 4.0, 20.0}) {
      const std::vector<int64_t> gaps = draw(traffic::PacketGaps(bursty(load, 0.9, packets), kFlits), 200'000);
      EXPECT_NEAR(load_of(gaps), load, load * 0.04) << load << ", " << packets;
    }
  }
}

TEST(PacketGaps, BurstsAreBursts) {
  // A window of about ten packets of the mean load. The number of packets in it varies more the longer bursts are.
  constexpr int64_t kWindow = 10 * kFlits * 10;
  traffic::TrafficSpec plain;
  plain.load = 0.1;
  EXPECT_NEAR(dispersion(draw(traffic::PacketGaps(plain, kFlits), 200'000), kWindow), 1, 0.05);
  const double short_bursts = dispersion(draw(traffic::PacketGaps(bursty(0.1, 1, 4), kFlits), 200'000), kWindow);
  const double long_bursts = dispersion(draw(traffic::PacketGaps(bursty(0.1, 1, 16), kFlits), 200'000), kWindow);
  EXPECT_GT(short_bursts, 3);
  EXPECT_GT(long_bursts, 2 * short_bursts);
}

TEST(PacketGaps, WithinABurstTheLoadIsItsOwn) {
  // Bursts without end: only the beginning may be off.
  const std::vector<int64_t> gaps = draw(traffic::PacketGaps(bursty(0.1, 0.5, 1e6), kFlits), 50'000);
  double slots = 0;
  for (size_t i = 1; i < gaps.size(); ++i) slots += static_cast<double>(gaps[i] + 1);
  EXPECT_NEAR(static_cast<double>(kFlits) * static_cast<double>(gaps.size()) / slots, 0.5, 0.01);
}

TEST(PacketGaps, AHostIsOffAtFirstAsOftenAsLater) {
  const traffic::PacketGaps gaps(bursty(0.25, 1, 1000), kFlits);
  int off = 0;
  constexpr int kHosts = 4000;
  for (uint64_t host = 0; host < kHosts; ++host) {
    RandomStream random(1, host, RandomPurpose::kTest);
    if (gaps.first(random) > 20 * kFlits) ++off;  // Mean off time: 54000 slots; within a burst: 17.
  }
  EXPECT_NEAR(off, 0.75 * kHosts, 0.03 * kHosts);
}

TEST(PacketGaps, ABurstAtTheMeanLoadNeverEnds) {
  traffic::TrafficSpec spec = bursty(0.4, 0.4, 8);
  const std::vector<int64_t> always = draw(traffic::PacketGaps(spec, kFlits), 100);
  spec.process = v1::BERNOULLI;
  EXPECT_EQ(draw(traffic::PacketGaps(spec, kFlits), 100), always);
}

}  // namespace
}  // namespace fabrictwin
