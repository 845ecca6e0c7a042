// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/test_folder.h"
#include "tests/workloads/flows/made_flows.h"

namespace fabrictwin {
namespace {

/// Hosts with links of 100 Gb/s.
std::string on_a_switch(int32_t hosts, const std::string& fields, uint64_t seed = 1) {
  return "topology { fat_tree { down: " + std::to_string(hosts) +
         " host_rate: \"100Gbps\" } } router { model: PACKET } seed: " + std::to_string(seed) + " workload { flows { " +
         fields + " } }";
}

/// Sources, destinations, sizes and starts of flows as text.
std::vector<std::string> lines_of(const std::vector<v1::FlowReport>& list) {
  std::vector<std::string> lines;
  lines.reserve(list.size());
  for (const v1::FlowReport& flow : list) lines.push_back(flow.ShortDebugString());
  return lines;
}

/// A distribution in which all flows have 1000 bytes.
constexpr const char* kAllAlike = "bytes,percent\n1000,0\n1000,100\n";

TEST(Flows, AreThoseOfAFileBesideTheExperiment) {
  const TestFolder folder;
  folder.write("some.csv", "source,destination,bytes,start_us\n2,0,5000,7\n1,3,64,3\n");
  const auto list = test::make_flows(on_a_switch(4, "file: \"some.csv\""), folder.file("e.textproto"));
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->size(), 2u);
  EXPECT_EQ((*list)[0].source(), 2) << "in the order of the file";
  EXPECT_EQ((*list)[0].destination(), 0);
  EXPECT_EQ((*list)[0].bytes(), 5000u);
  EXPECT_DOUBLE_EQ((*list)[0].start_seconds(), 7e-6);
  EXPECT_EQ((*list)[1].source(), 1);
  EXPECT_EQ((*list)[1].destination(), 3);
}

TEST(Flows, HaveTheLoadThatIsWritten) {
  constexpr int32_t kHosts = 4;
  const TestFolder folder;
  folder.write("alike.csv", kAllAlike);
  for (const double load : {0.25, 0.5}) {
    const auto list =
        test::make_flows(on_a_switch(kHosts, "sizes: \"alike.csv\" duration: \"1ms\" load: " + std::to_string(load)),
                         folder.file("e.textproto"));
    ASSERT_TRUE(list.ok()) << list.status();
    double bytes = 0;
    double before = 0;
    std::map<std::pair<int32_t, int32_t>, int> pairs;
    for (const v1::FlowReport& flow : *list) {
      ASSERT_EQ(flow.bytes(), 1000u);
      ASSERT_GE(flow.start_seconds(), before) << "by start";
      ASSERT_LT(flow.start_seconds(), 1e-3);
      before = flow.start_seconds();
      bytes += 1000;
      ++pairs[{flow.source(), flow.destination()}];
    }
    // 1 ms of four links of 100 Gb/s is 50 MB. The numbers of flows are those of Poisson processes: these bounds are
    // over four of their standard deviations.
    const double expected = load * 50e6;
    EXPECT_NEAR(bytes, expected, 0.04 * expected);
    EXPECT_EQ(pairs.size(), size_t{kHosts * (kHosts - 1)}) << "each to each";
    for (const auto& [pair, count] : pairs) {
      EXPECT_NE(pair.first, pair.second);
      EXPECT_NEAR(count, expected / 1000 / (kHosts * (kHosts - 1)), 0.15 * expected / 1000 / (kHosts * (kHosts - 1)))
          << pair.first << " to " << pair.second;
    }
  }
}

TEST(Flows, AreTheSameWithTheSameSeed) {
  const std::string fields = "sizes: \"HADOOP\" load: 0.5 duration: \"500us\"";
  const auto first = test::make_flows(on_a_switch(8, fields, 3));
  const auto again = test::make_flows(on_a_switch(8, fields, 3));
  const auto other = test::make_flows(on_a_switch(8, fields, 4));
  ASSERT_TRUE(first.ok() && again.ok() && other.ok()) << first.status();
  EXPECT_GT(first->size(), 20u);
  EXPECT_EQ(lines_of(*first), lines_of(*again));
  EXPECT_NE(lines_of(*first), lines_of(*other));
}

// More time adds flows behind those that there were.
TEST(Flows, BeginAlikeInLongerRuns) {
  const std::string fields = "sizes: \"WEBSEARCH\" load: 0.5 duration: ";
  const auto shorter = test::make_flows(on_a_switch(8, fields + "\"1ms\""));
  const auto longer = test::make_flows(on_a_switch(8, fields + "\"3ms\""));
  ASSERT_TRUE(shorter.ok() && longer.ok()) << shorter.status();
  ASSERT_GT(shorter->size(), 10u);
  ASSERT_GT(longer->size(), shorter->size());
  std::vector<std::string> start = lines_of(*longer);
  start.resize(shorter->size());
  EXPECT_EQ(lines_of(*shorter), start);
}

}  // namespace
}  // namespace fabrictwin
