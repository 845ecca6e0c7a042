// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two transmission control logics over two channels: random traffic both ways, damage, credits, health.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "VApelinkLinkCell__inputs.h"
#include "VApelinkLinkDeep__inputs.h"
#include "VApelinkLinkFar__inputs.h"
#include "VApelinkLinkFast__inputs.h"
#include "VApelinkLink__inputs.h"
#include "tests/rtl/apelink/link_traffic.h"

namespace fabrictwin::test {
namespace {

struct Shape {
  const char* name;
  std::function<std::unique_ptr<LinkPins>()> make;
  int max_payload;
  int buffer = 64;
};

/// The same link with other parameters; see CMakeLists.txt.
const std::array<Shape, 5> kShapes = {{
    {"plain", [] { return std::make_unique<ModelLink<VApelinkLink>>(); }, 512},
    {"cell", [] { return std::make_unique<ModelLink<VApelinkLinkCell>>(); }, 256},
    {"far", [] { return std::make_unique<ModelLink<VApelinkLinkFar>>(); }, 512},
    {"fast", [] { return std::make_unique<ModelLink<VApelinkLinkFast>>(); }, 512},
    {"deep", [] { return std::make_unique<ModelLink<VApelinkLinkDeep>>(); }, 512, 1152},
}};

class LinkShapes : public testing::TestWithParam<Shape> {
 protected:
  std::map<std::string, int> run(TrafficPlan plan, uint64_t seed) {
    const auto link = GetParam().make();
    plan.max_payload = GetParam().max_payload;
    if (plan.buffer == 64) plan.buffer = GetParam().buffer;
    LinkTraffic traffic(*link, plan, seed);
    traffic.run();
    return traffic.coverage;
  }
};

void expect_hit(const std::map<std::string, int>& coverage, std::initializer_list<const char*> corners) {
  for (const char* corner : corners) {
    const auto it = coverage.find(corner);
    EXPECT_TRUE(it != coverage.end() && it->second > 0) << "never happened: " << corner;
  }
}

TEST_P(LinkShapes, DeliversAllWithoutDamage) {
  const auto coverage = run({}, 1);
  expect_hit(coverage, {"VCs interleaved", "no payload", "largest payload", "partial word"});
  for (const char* never : {"resynchronised", "header uncorrectable", "CRC wrong", "packets lost", "footer marked"}) {
    EXPECT_EQ(coverage.count(never) != 0 ? coverage.at(never) : 0, 0) << never;
  }
}

TEST_P(LinkShapes, KeepsItsPromisesWithStallsEverywhere) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const auto n = static_cast<int>(seed);
    run({.packets = 150,
         .send = 20 + 10 * n,
         .drain = 5 + 12 * n,
         .stall_in = 70 - 8 * n,
         .stall_out = 6 * n,
         .tred_change = 3,
         .health_change = 2},
        100 + seed);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST_P(LinkShapes, SurvivesDamageOfEveryPart) {
  std::map<std::string, int> all;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const auto coverage = run({.packets = 300,
                               .send = 60,
                               .drain = 20,
                               .stall_in = 20,
                               .stall_out = 10,
                               .damage = 50 << seed,
                               .tred_change = 2,
                               .health_change = 2},
                              200 + seed);
    for (const auto& [corner, count] : coverage) all[corner] += count;
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  expect_hit(all, {"header corrected",
                   "header damaged once",
                   "header damaged twice",
                   "header uncorrectable",
                   "payload damaged",
                   "footer damaged",
                   "CRC damaged",
                   "CRC wrong",
                   "footer marked",
                   "Start damaged",
                   "Magic or Start damaged",
                   "credit word damaged",
                   "idle damaged",
                   "resynchronised",
                   "packets lost",
                   "stalled for credits",
                   "TRED changed",
                   "TRED below a packet",
                   "health changed",
                   "VCs interleaved",
                   "no payload",
                   "largest payload",
                   "no word for the wire"});
  std::string table;
  for (const auto& [corner, count] : all) table += corner + " " + std::to_string(count) + ", ";
  RecordProperty("coverage", table);
  printf("[ coverage ] %s: %s\n", GetParam().name, table.c_str());
}

TEST_P(LinkShapes, HealsWhileTheChannelErrsAtRandom) {
  // One word in 64 is damaged, in one lane or both.
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const auto coverage = run({.packets = 300, .drain = 40, .error_rate = 1U << 25}, 300 + seed);
    expect_hit(coverage, {"footer marked", "packets lost", "resynchronised"});
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

using DeepLinks = LinkShapes;

TEST_P(DeepLinks, SaysMoreThanShortCountsWhereItHasTo) {
  std::map<std::string, int> all;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const auto coverage =
        run({.packets = 400, .send = 100, .drain = 1 + static_cast<int>(seed % 2), .damage = seed < 2 ? 0 : 400},
            500 + seed);
    for (const auto& [corner, count] : coverage) all[corner] += count;
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  expect_hit(all,
             {"long credit words", "more in use than short counts say", "more freed at once than short counts say"});
}

TEST_P(LinkShapes, StopsWithoutCreditsAndGoesOn) {
  // Buffers that are hardly emptied.
  const auto coverage = run({.packets = 60, .buffer = GetParam().max_payload / 16 + 2, .drain = 1}, 400);
  EXPECT_EQ(coverage.count("resynchronised") != 0 ? coverage.at("resynchronised") : 0, 0);
}

TEST_P(LinkShapes, DiscardsWordsThatBeginNoPacketAndReturnsTheirCredits) {
  const auto link = GetParam().make();
  EXPECT_FALSE(link->error(0));
  // Neither the first of a packet, nor a length that can be.
  link->tx(0, {0, false, false, false, {1, 2, 3, 4}});
  link->edge();
  link->tx(0, {1, true, false, false, {1, 600U << 16, 3, 4}});
  link->edge();
  std::array<int, 2> credits{};
  for (int k = 0; k < 2000; ++k) {
    link->edge();
    if (const auto credit = link->credit_out(0)) credits[credit->vc] += credit->count;
    EXPECT_FALSE(link->rx(1).has_value());
  }
  EXPECT_EQ(credits[0], 1);
  EXPECT_EQ(credits[1], 1);
  EXPECT_TRUE(link->error(0));
  EXPECT_EQ(link->used(0, 0) + link->used(0, 1), 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, LinkShapes, testing::ValuesIn(kShapes),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Shapes, DeepLinks, testing::Values(kShapes[4]),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fabrictwin::test
