// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/destination_pattern.h"

#include <gtest/gtest.h>

#include <map>

namespace fabrictwin {
namespace {

std::vector<int32_t> destinations(v1::TrafficPattern pattern, const std::vector<int32_t>& dims) {
  TrafficSpec spec;
  spec.pattern = pattern;
  int32_t hosts = 1;
  for (const int32_t size : dims) hosts *= size;
  const auto made = DestinationPattern::create(spec, dims, hosts);
  EXPECT_TRUE(made.ok()) << made.status();
  RandomStream random(1, 0, RandomPurpose::kTest);
  std::vector<int32_t> result;
  for (int32_t host = 0; host < hosts; ++host) result.push_back(made->next(host, random));
  return result;
}

using Hosts = std::vector<int32_t>;

TEST(DestinationPattern, Permutations) {
  EXPECT_EQ(destinations(v1::TORNADO, {5}), (Hosts{2, 3, 4, 0, 1}));
  EXPECT_EQ(destinations(v1::TORNADO, {4, 2}), (Hosts{1, 2, 3, 0, 5, 6, 7, 4}));
  EXPECT_EQ(destinations(v1::NEIGHBOR, {3, 2}), (Hosts{4, 5, 3, 1, 2, 0}));
  EXPECT_EQ(destinations(v1::TRANSPOSE, {3, 3}), (Hosts{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(destinations(v1::TRANSPOSE, {2, 1, 2, 1}), (Hosts{0, 2, 1, 3}));
  EXPECT_EQ(destinations(v1::BITCOMP, {4, 2}), (Hosts{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(destinations(v1::BITREV, {4, 2}), (Hosts{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(destinations(v1::SHUFFLE, {4, 2}), (Hosts{0, 2, 4, 6, 1, 3, 5, 7}));
}

std::map<int32_t, int> draw(const TrafficSpec& spec, int32_t source, int draws) {
  const auto pattern = DestinationPattern::create(spec, {4, 4}, 16);
  EXPECT_TRUE(pattern.ok()) << pattern.status();
  RandomStream random(1, 0, RandomPurpose::kTest);
  std::map<int32_t, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[pattern->next(source, random)];
  return counts;
}

TEST(DestinationPattern, UniformDrawsAllOthers) {
  TrafficSpec spec;
  std::map<int32_t, int> counts = draw(spec, 3, 30'000);
  EXPECT_EQ(counts.size(), 15u);
  EXPECT_EQ(counts.count(3), 0u);
  for (const auto& [host, count] : counts) EXPECT_NEAR(count, 2000, 200) << host;
  spec.include_self = true;
  counts = draw(spec, 3, 32'000);
  EXPECT_EQ(counts.size(), 16u);
  for (const auto& [host, count] : counts) EXPECT_NEAR(count, 2000, 200) << host;
}

TEST(DestinationPattern, HotspotsGetTheirShare) {
  TrafficSpec spec;
  spec.pattern = v1::HOTSPOT;
  spec.hotspot_fraction = 0.4;
  spec.hotspot_hosts = {2, 5};
  const std::map<int32_t, int> counts = draw(spec, 3, 30'000);
  for (const auto& [host, count] : counts) {
    EXPECT_NEAR(count, host == 2 || host == 5 ? 6000 + 1200 : 1200, 250) << host;
  }
}

}  // namespace
}  // namespace fabrictwin
