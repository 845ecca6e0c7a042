// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/workloads/flows/made_flows.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;

constexpr int32_t kIncastHosts = 16;

std::vector<v1::FlowReport> incast_flows(const std::string& fields, uint64_t seed = 1) {
  const auto list =
      test::make_flows("topology { torus { dims: [4, 4] } } router { model: PACKET } seed: " + std::to_string(seed) +
                       " workload { incast { " + fields + " } }");
  EXPECT_TRUE(list.ok()) << list.status();
  return list.ok() ? *list : std::vector<v1::FlowReport>();
}

std::vector<int32_t> incast_sources(const std::string& fields) {
  std::vector<int32_t> sources;
  for (const v1::FlowReport& flow : incast_flows(fields)) sources.push_back(flow.source());
  return sources;
}

TEST(Incast, SpreadsSourcesEvenlyOverTheOthers) {
  for (const int32_t destination : {0, 7, kIncastHosts - 1}) {
    for (int32_t count = 1; count < kIncastHosts; ++count) {
      const std::string fields =
          "bytes: \"1kB\" sources: " + std::to_string(count) + " destination: " + std::to_string(destination);
      const std::vector<v1::FlowReport> list = incast_flows(fields);
      ASSERT_EQ(list.size(), static_cast<size_t>(count)) << fields;
      // Among the hosts that are not the destination, neighbouring sources are equally far apart, but for one.
      std::vector<int32_t> places;
      for (const v1::FlowReport& flow : list) {
        EXPECT_EQ(flow.destination(), destination) << fields;
        EXPECT_NE(flow.source(), destination) << fields;
        EXPECT_EQ(flow.bytes(), 1000u) << fields;
        EXPECT_EQ(flow.start_seconds(), 0) << fields;
        places.push_back(flow.source() < destination ? flow.source() : flow.source() - 1);
      }
      places.push_back(places.front() + kIncastHosts - 1);
      for (size_t i = 1; i < places.size(); ++i) {
        EXPECT_GE(places[i] - places[i - 1], (kIncastHosts - 1) / count) << fields;
        EXPECT_LE(places[i] - places[i - 1], (kIncastHosts - 2) / count + 1) << fields;
      }
    }
  }
}

TEST(Incast, LeavesOutTheDestination) {
  EXPECT_THAT(incast_sources("bytes: \"1kB\" sources: 3"), ElementsAre(1, 6, 11)) << "to host 0 by default";
  EXPECT_THAT(incast_sources("bytes: \"1kB\" sources: 3 destination: 15"), ElementsAre(0, 5, 10));
  EXPECT_THAT(incast_sources("bytes: \"1kB\" sources: 3 destination: 5"), ElementsAre(0, 6, 11));
}

TEST(Incast, RepeatsItself) {
  const std::vector<v1::FlowReport> list =
      incast_flows("sources: 2 bytes: \"64B\" start: \"2us\" rounds: 3 period: \"1ms\"");
  ASSERT_EQ(list.size(), 6u);
  std::map<int32_t, std::vector<double>> starts;
  for (const v1::FlowReport& flow : list) starts[flow.source()].push_back(flow.start_seconds());
  ASSERT_EQ(starts.size(), 2u);
  for (const auto& [source, times] : starts) {
    ASSERT_EQ(times.size(), 3u) << source;
    EXPECT_DOUBLE_EQ(times[0], 2e-6);
    EXPECT_DOUBLE_EQ(times[1], 1.002e-3);
    EXPECT_DOUBLE_EQ(times[2], 2.002e-3);
  }
}

// Rounds at 0, 20 and 40 us of each storm, of which one begins each 200 us.
TEST(Incast, ComesInStorms) {
  const std::vector<v1::FlowReport> list =
      incast_flows("sources: 1 bytes: \"64B\" start: \"2us\" rounds: 7 period: \"20us\" on: \"50us\" off: \"150us\"");
  const std::vector<double> starts{2e-6, 22e-6, 42e-6, 202e-6, 222e-6, 242e-6, 402e-6};
  ASSERT_EQ(list.size(), starts.size());
  for (size_t i = 0; i < starts.size(); ++i) EXPECT_NEAR(list[i].start_seconds(), starts[i], 1e-15) << i;
}

TEST(Incast, DelaysEachSourceByItsOwnTime) {
  const std::string fields = "sources: 15 bytes: \"64B\" start: \"3us\" rounds: 4 period: \"1ms\" jitter: \"10us\"";
  const std::vector<v1::FlowReport> list = incast_flows(fields);
  ASSERT_EQ(list.size(), 60u);
  std::set<double> delays;
  double sum = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const double delay = list[i].start_seconds() - 3e-6 - 1e-3 * static_cast<double>(i / 15);
    EXPECT_GE(delay, -1e-15) << i;
    EXPECT_LT(delay, 10e-6) << i;
    delays.insert(delay);
    sum += delay;
  }
  EXPECT_EQ(delays.size(), 60u) << "other sources and rounds wait for other times";
  EXPECT_NEAR(sum / 60, 5e-6, 1.5e-6) << "four times what a mean of 60 varies by";

  const auto starts = [](const std::vector<v1::FlowReport>& made) {
    std::vector<double> times;
    for (const v1::FlowReport& flow : made) times.push_back(flow.start_seconds());
    return times;
  };
  EXPECT_EQ(starts(incast_flows(fields)), starts(list));
  EXPECT_NE(starts(incast_flows(fields, 2)), starts(list));
}

// Who else sends is no matter to a source.
TEST(Incast, DelaysASourceAlikeInSmallerIncasts) {
  const std::string fields = " bytes: \"64B\" rounds: 2 period: \"1ms\" jitter: \"10us\"";
  std::multimap<int32_t, double> all;
  for (const v1::FlowReport& flow : incast_flows("sources: 15" + fields)) {
    all.emplace(flow.source(), flow.start_seconds());
  }
  const std::vector<v1::FlowReport> few = incast_flows("sources: 5" + fields);
  ASSERT_EQ(few.size(), 10u);
  for (const v1::FlowReport& flow : few) {
    bool found = false;
    const auto [from, to] = all.equal_range(flow.source());
    for (auto at = from; at != to; ++at) found = found || at->second == flow.start_seconds();
    EXPECT_TRUE(found) << flow.source();
  }
}

}  // namespace
}  // namespace fabrictwin
