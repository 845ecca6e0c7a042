// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/destination_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

std::vector<int32_t> destinations(v1::TrafficPattern pattern, const std::vector<int32_t>& dims) {
  traffic::TrafficSpec spec;
  spec.pattern = pattern;
  int32_t hosts = 1;
  for (const int32_t size : dims) hosts *= size;
  const auto made = traffic::DestinationPattern::create(spec, dims, hosts);
  EXPECT_TRUE(made.ok()) << made.status();
  RandomStream random(1, 0, RandomPurpose::kTest);
  std::vector<int32_t> result;
  for (int32_t host = 0; host < hosts; ++host) result.push_back(made->next(host, random, 0));
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

std::map<int32_t, int> draw(const traffic::TrafficSpec& spec, int32_t source, int draws) {
  const auto pattern = traffic::DestinationPattern::create(spec, {4, 4}, 16);
  EXPECT_TRUE(pattern.ok()) << pattern.status();
  RandomStream random(1, 0, RandomPurpose::kTest);
  std::map<int32_t, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[pattern->next(source, random, static_cast<uint64_t>(i))];
  return counts;
}

TEST(DestinationPattern, UniformDrawsAllOthers) {
  traffic::TrafficSpec spec;
  spec.pattern = v1::UNIFORM;
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
  traffic::TrafficSpec spec;
  spec.pattern = v1::HOTSPOT;
  spec.hotspot_fraction = 0.4;
  spec.hotspot_hosts = {2, 5};
  const std::map<int32_t, int> counts = draw(spec, 3, 30'000);
  for (const auto& [host, count] : counts) {
    EXPECT_NEAR(count, host == 2 || host == 5 ? 6000 + 1200 : 1200, 250) << host;
  }
}

absl::StatusOr<traffic::DestinationPattern> incast(std::vector<int32_t> sources, int32_t fan_in, int32_t destination) {
  traffic::TrafficSpec spec;
  spec.pattern = v1::INCAST;
  spec.incast_sources = std::move(sources);
  spec.incast_fan_in = fan_in;
  spec.incast_destination = destination;
  return traffic::DestinationPattern::create(spec, {}, 8);
}

Hosts senders_of(const traffic::DestinationPattern& pattern) {
  Hosts senders;
  for (int32_t host = 0; host < 8; ++host) {
    if (pattern.sends(host)) senders.push_back(host);
  }
  EXPECT_EQ(pattern.senders(), static_cast<int32_t>(senders.size()));
  return senders;
}

TEST(DestinationPattern, IncastHasItsSourcesAndOneDestination) {
  EXPECT_EQ(senders_of(incast({}, 0, 0).value()), (Hosts{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(senders_of(incast({5, 2}, 0, 0).value()), (Hosts{2, 5}));
  EXPECT_EQ(senders_of(incast({}, 2, 3).value()), (Hosts{4, 7})) << "spread evenly";
  EXPECT_EQ(senders_of(incast({}, 7, 3).value()).size(), 7u);
  const traffic::DestinationPattern pattern = incast({5, 2}, 0, 3).value();
  RandomStream random(1, 0, RandomPurpose::kTest);
  EXPECT_EQ(pattern.next(2, random, 7), 3);
  EXPECT_TRUE(pattern.receives(3));
  EXPECT_FALSE(pattern.receives(2));
}

// Of several that do not exist the largest is named, as that is where the mistake is placed.
TEST(DestinationPattern, RefusesHostsThatDoNotExist) {
  EXPECT_EQ(incast({}, 0, 8).status().message(), "incast_destination has host 8, and there are hosts 0 to 7");
  EXPECT_EQ(incast({1, 12, 9}, 0, 8).status().message(), "incast_sources has host 12, and there are hosts 0 to 7");
  EXPECT_EQ(incast({}, 8, 0).status().message(), "incast_fan_in 8: of 8 hosts at most 7 can send to another one");
  traffic::TrafficSpec spec;
  spec.pattern = v1::HOTSPOT;
  spec.hotspot_hosts = {0, 8};
  EXPECT_EQ(traffic::DestinationPattern::create(spec, {}, 8).status().message(),
            "hotspot_hosts has host 8, and there are hosts 0 to 7");
}

TEST(DestinationPattern, CoordinatesNeedALatticeWithOneHostAtEachPlace) {
  traffic::TrafficSpec spec;
  for (const v1::TrafficPattern pattern : {v1::TORNADO, v1::NEIGHBOR, v1::TRANSPOSE}) {
    spec.pattern = pattern;
    EXPECT_THAT(traffic::DestinationPattern::create(spec, {}, 16).status().message(),
                testing::HasSubstr("hosts in a lattice"));
    EXPECT_THAT(
        traffic::DestinationPattern::create(spec, {4, 4}, 48).status().message(),
        testing::HasSubstr("needs one host at each position of the lattice, and here are 3 at each; use a torus "
                           "with hosts_per_router: 1"));
  }
}

TEST(DestinationPattern, AllToAllIsAPermutationAtEachTurn) {
  traffic::TrafficSpec spec;
  spec.pattern = v1::ALL_TO_ALL;
  const auto pattern = traffic::DestinationPattern::create(spec, {}, 6);
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  RandomStream random(1, 0, RandomPurpose::kTest);
  std::vector<std::set<int32_t>> met(6);
  for (uint64_t packet = 0; packet < 10; ++packet) {
    std::set<int32_t> destinations;
    for (int32_t host = 0; host < 6; ++host) {
      const int32_t destination = pattern->next(host, random, packet);
      EXPECT_NE(destination, host);
      destinations.insert(destination);
      if (packet < 5) met[host].insert(destination);
    }
    EXPECT_EQ(destinations.size(), 6u);
  }
  for (const std::set<int32_t>& others : met) EXPECT_EQ(others.size(), 5u);
  EXPECT_EQ(pattern->next(2, random, 0), 3);
  EXPECT_EQ(pattern->next(2, random, 5), 3);
}

TEST(DestinationPattern, PermutationsComeFromTheirFile) {
  const TestFolder folder;
  traffic::TrafficSpec spec;
  spec.pattern = v1::PERMUTATION;
  spec.permutation_file = folder.write("pairs.txt", "1 2\n2 0\n");
  const auto pattern = traffic::DestinationPattern::create(spec, {}, 4);
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  RandomStream random(1, 0, RandomPurpose::kTest);
  EXPECT_EQ(pattern->next(1, random, 0), 2);
  EXPECT_EQ(pattern->next(2, random, 0), 0);
  EXPECT_EQ(pattern->senders(), 2);
  EXPECT_TRUE(pattern->sends(1) && !pattern->sends(0) && !pattern->sends(3));
  EXPECT_TRUE(pattern->receives(0) && pattern->receives(2) && !pattern->receives(1));
  EXPECT_THAT(traffic::DestinationPattern::create(spec, {}, 2).status().message(),
              testing::HasSubstr("pairs.txt:1:3: error"));
}

TEST(DestinationPattern, GroupNextDrawsFromTheNextGroup) {
  traffic::ClassSpec spec;
  spec.pattern = v1::GROUP_NEXT;
  const auto pattern = traffic::DestinationPattern::create(spec, {}, 7, {0, 0, 1, 1, 1, 2, 2});
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  RandomStream random(1, 0, RandomPurpose::kTest);
  std::map<int32_t, int> from_first;
  std::set<int32_t> from_last;
  for (uint64_t i = 0; i < 3000; ++i) {
    ++from_first[pattern->next(1, random, i)];
    from_last.insert(pattern->next(5, random, i));
  }
  EXPECT_THAT(from_last, testing::ElementsAre(0, 1));
  ASSERT_EQ(from_first.size(), 3u);
  for (const auto& [host, packets] : from_first) {
    EXPECT_THAT(host, testing::AllOf(testing::Ge(2), testing::Le(4)));
    EXPECT_NEAR(packets, 1000, 120);
  }
  EXPECT_EQ(pattern->senders(), 7);
}

TEST(DestinationPattern, GroupNextNeedsTwoGroups) {
  traffic::ClassSpec spec;
  spec.pattern = v1::GROUP_NEXT;
  for (const std::vector<int32_t>& groups : {std::vector<int32_t>{}, std::vector<int32_t>{0, 0, 0}}) {
    EXPECT_THAT(traffic::DestinationPattern::create(spec, {}, 3, groups).status().message(),
                testing::HasSubstr("needs two groups of hosts or more"));
  }
}

TEST(DestinationPattern, OnlyTheHostsOfAClassSend) {
  traffic::ClassSpec spec;
  spec.hosts = {{1, 2}, {5, 5}};
  for (const v1::TrafficPattern kind : {v1::UNIFORM, v1::BITCOMP, v1::INCAST}) {
    spec.pattern = kind;
    const auto pattern = traffic::DestinationPattern::create(spec, {}, 8);
    ASSERT_TRUE(pattern.ok()) << pattern.status();
    EXPECT_EQ(pattern->senders(), 3);
    for (int32_t host = 0; host < 8; ++host) EXPECT_EQ(pattern->sends(host), host == 1 || host == 2 || host == 5);
  }
  spec.pattern = v1::BITCOMP;
  const auto pattern = traffic::DestinationPattern::create(spec, {}, 8);
  for (int32_t host = 0; host < 8; ++host) EXPECT_EQ(pattern->receives(host), host == 6 || host == 5 || host == 2);
  spec.hosts = {{6, 8}};
  EXPECT_EQ(traffic::DestinationPattern::create(spec, {}, 8).status().message(),
            "hosts has host 8, and there are hosts 0 to 7");
}

TEST(DestinationPattern, OnlyHotspotsReceiveAllThatGoesToThem) {
  traffic::ClassSpec spec;
  spec.pattern = v1::HOTSPOT;
  spec.hotspot_hosts = {3};
  for (const double fraction : {1.0, 0.99}) {
    spec.hotspot_fraction = fraction;
    const auto pattern = traffic::DestinationPattern::create(spec, {}, 8);
    EXPECT_TRUE(pattern->receives(3));
    EXPECT_EQ(pattern->receives(2), fraction < 1);
  }
}

}  // namespace
}  // namespace fabrictwin
