// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cosim/system/plan.h"
#include "cosim/system/split/parts.h"

namespace fabrictwin::system::split {
namespace {

using ::testing::HasSubstr;

/// Routers in a ring with a host each; link i goes from router i to the next.
SystemGraph ring(int32_t routers) {
  SystemGraph graph;
  graph.topology = "ring";
  for (int32_t i = 0; i < routers; ++i)
    graph.elements.push_back({fmt::format("host[{}]", i), ElementKind::kHost, i, {}, {"tile"}});
  for (int32_t i = 0; i < routers; ++i)
    graph.elements.push_back({fmt::format("router[{}]", i), ElementKind::kRouter, i, {}, {"tile", "next", "last"}});
  const auto link = [&](LinkEnd a, LinkEnd b) {
    Link& made = graph.links.emplace_back();
    made.ends[0] = a;
    made.ends[1] = b;
    made.rate = Bandwidth{10'000'000'000};
    made.latency = Time::from_ns(100);
  };
  for (int32_t i = 0; i < routers; ++i) link({i, 0}, {routers + i, 0});
  for (int32_t i = 0; i < routers; ++i) link({routers + i, 1}, {routers + (i + 1) % routers, 2});
  graph.build_index();
  return graph;
}

int cuts(const SystemGraph& graph, const std::vector<std::vector<ElementId>>& parts) {
  std::vector<size_t> part_of(graph.elements.size());
  for (size_t part = 0; part < parts.size(); ++part)
    for (const ElementId router : parts[part]) part_of[static_cast<size_t>(router)] = part;
  return static_cast<int>(std::count_if(graph.links.begin(), graph.links.end(), [&](const Link& link) {
    return link.ends[0].element >= graph.host_count() &&
           part_of[static_cast<size_t>(link.ends[0].element)] != part_of[static_cast<size_t>(link.ends[1].element)];
  }));
}

RC_GTEST_PROP(Split, KeepsAnIslandInTheFirstPart, ()) {
  const int32_t routers = *rc::gen::inRange(300, 600);
  const SystemGraph graph = ring(routers);
  const int32_t first = *rc::gen::inRange(0, routers - 3);
  const std::vector<ElementId> island{routers + first, routers + first + 1, routers + first + 3};
  const auto parts = find_parts(graph, 2, {island, island});
  RC_ASSERT(parts.ok());
  size_t all = 0;
  for (const auto& part : *parts) {
    RC_ASSERT(!part.empty());
    all += part.size();
  }
  RC_ASSERT(all == static_cast<size_t>(routers));
  for (const ElementId router : island) RC_ASSERT(std::ranges::count((*parts)[0], router) == 1);
  // What is kept counts for more than its number.
  RC_ASSERT(parts->front().size() < (*parts)[1].size());
}

RC_GTEST_PROP(Split, HasEachRouterOnceInPartsOfAboutOneSize, ()) {
  const int32_t routers = *rc::gen::inRange(2, 60);
  const int32_t count = *rc::gen::inRange(1, std::max(2, routers / 3));
  const SystemGraph graph = ring(routers);
  const auto parts = find_parts(graph, count);
  RC_ASSERT(parts.ok());
  std::vector<ElementId> all;
  for (const auto& part : *parts) {
    RC_ASSERT(std::is_sorted(part.begin(), part.end()));
    RC_ASSERT(static_cast<double>(part.size()) <= 1.5 * routers / count + 1);
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<ElementId> routers_of_graph(static_cast<size_t>(routers));
  std::iota(routers_of_graph.begin(), routers_of_graph.end(), routers);
  RC_ASSERT(all == routers_of_graph);
  RC_ASSERT(parts->front().front() == routers);
  // A selector of a part selects it.
  for (const auto& part : *parts) RC_ASSERT(*select_elements(graph, selector_of(graph, part)) == part);
}

// Sixteen hosts of a ring of 128 are busy, and what lies between them.
TEST(Split, DividesWhatIsBusy) {
  constexpr int32_t kRouters = 128;
  constexpr int32_t kBusy = 16;
  const SystemGraph graph = ring(kRouters);
  std::vector<bool> busy(kRouters, false);
  for (int32_t host = 40; host < 40 + 2 * kBusy; host += 2) busy[static_cast<size_t>(host)] = true;
  const auto parts = find_parts(graph, 4, {}, busy);
  ASSERT_TRUE(parts.ok()) << parts.status();
  for (const std::vector<ElementId>& part : *parts) {
    const auto between = std::ranges::count_if(
        part, [&](ElementId id) { return id >= kRouters + 40 && id < kRouters + 40 + 2 * kBusy - 1; });
    EXPECT_NEAR(static_cast<double>(between), (2 * kBusy - 1) / 4.0, 2);
  }
  // The same as without if all are, or none is.
  for (const bool all : {true, false})
    EXPECT_EQ(*find_parts(graph, 4, {}, std::vector<bool>(kRouters, all)), *find_parts(graph, 4));
}

TEST(Split, SelectorsNameHostsToo) {
  const SystemGraph graph = ring(4);
  EXPECT_EQ(selector_of(graph, {0, 1, 3, 4, 6, 7}), "host[0..1],host[3],router[0],router[2..3]");
}

TEST(Split, CutsARingInTwoPlaces) {
  const SystemGraph graph = ring(32);
  EXPECT_EQ(cuts(graph, *find_parts(graph, 2)), 2);
  EXPECT_EQ(cuts(graph, *find_parts(graph, 4)), 4);
}

TEST(Split, CutsLinksOfLongLatencyRatherThanOthers) {
  SystemGraph graph = ring(16);
  // Links 3 and 11 of the ring; those of hosts come first.
  for (const size_t slow : {16u + 3u, 16u + 11u}) graph.links[slow].latency = Time::from_us(10);
  const auto parts = find_parts(graph, 2);
  ASSERT_TRUE(parts.ok());
  EXPECT_EQ(selector_of(graph, (*parts)[1]), "router[4..11]");
}

TEST(Split, RoutersOfAHostStayTogether) {
  SystemGraph graph = ring(4);
  // Host 0 has a second port, to router 2.
  graph.elements[0].ports.push_back("second");
  graph.elements[6].ports.push_back("second");
  Link& link = graph.links.emplace_back(graph.links[0]);
  link.ends[0] = {0, 1};
  link.ends[1] = {6, 3};
  graph.build_index();
  const auto parts = find_parts(graph, 2);
  ASSERT_TRUE(parts.ok()) << parts.status();
  EXPECT_THAT((*parts)[0], ::testing::IsSupersetOf({4, 6}));
  const auto more = find_parts(graph, 4);
  EXPECT_THAT(std::string(more.status().message()), HasSubstr("cannot be cut into 4 parts"));
}

}  // namespace
}  // namespace fabrictwin::system::split
