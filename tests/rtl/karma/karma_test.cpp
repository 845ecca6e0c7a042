// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/karma/karma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <tuple>

#include "tests/rtl/random_state_context.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

/// The devices begin with random values.
const test::RandomDevices kRandomDevices;

rtl::karma::Result run(const rtl::karma::Options& options) {
  const absl::StatusOr<rtl::karma::Result> result = rtl::karma::run_karma(options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(rtl::karma::Result());
}

const char* name_of(rtl::karma::TopKind top) {
  return top == rtl::karma::TopKind::kRouter ? "router" : top == rtl::karma::TopKind::kLink ? "link" : "node";
}

// Published: 76 % and 89.5 % of a router's port at 512 bytes from one and from two senders, 90 % of a link.
class KarmaBandwidth : public ::testing::TestWithParam<std::tuple<rtl::karma::TopKind, int>> {};

TEST_P(KarmaBandwidth, AtAllSizes) {
  const auto [top, senders] = GetParam();
  std::printf("%-6s %d sender%s ", name_of(top), senders, senders == 1 ? " " : "s");
  double before = 0;
  for (const int bytes : {32, 64, 128, 256, 512}) {
    const rtl::karma::Result result = run({.top = top,
                                           .payload_bytes = bytes,
                                           .senders = senders,
                                           .hops = top == rtl::karma::TopKind::kNode ? 1 : 0,
                                           .packets = 500});
    std::printf(" %3d B %5.2f %%", bytes, result.efficiency * 100);
    EXPECT_EQ(result.errors, 0u);
    EXPECT_GT(result.efficiency, before) << name_of(top) << " " << bytes;
    before = result.efficiency;
  }
  std::printf("\n");
  EXPECT_GE(before, top == rtl::karma::TopKind::kRouter ? 0.93 : 0.92) << name_of(top);
  EXPECT_LE(before, 32.0 / 34.0) << "more than header and footer leave";
}

INSTANTIATE_TEST_SUITE_P(Some, KarmaBandwidth,
                         ::testing::Values(std::tuple(rtl::karma::TopKind::kRouter, 2),
                                           std::tuple(rtl::karma::TopKind::kLink, 1)));
INSTANTIATE_TEST_SUITE_P(More, KarmaBandwidth,
                         ::testing::Values(std::tuple(rtl::karma::TopKind::kRouter, 1),
                                           std::tuple(rtl::karma::TopKind::kLink, 2),
                                           std::tuple(rtl::karma::TopKind::kNode, 1),
                                           std::tuple(rtl::karma::TopKind::kNode, 2)));

TEST(Karma, EachHopTakesTheSameTime) {
  uint32_t one_way[rtl::karma::kKarmaNodes];
  double round_trip[rtl::karma::kKarmaNodes];
  for (int hops = 0; hops < rtl::karma::kKarmaNodes; ++hops) {
    const rtl::karma::Result result =
        run({.top = rtl::karma::TopKind::kNode, .payload_bytes = 16, .hops = hops, .packets = 2});
    one_way[hops] = result.one_way_cycles;
    round_trip[hops] = result.round_trip_ns;
    std::printf("%d hops: one way %u cycles, round trip %.1f ns\n", hops, result.one_way_cycles, result.round_trip_ns);
    EXPECT_GE(result.round_trip_ns, 2 * result.one_way_cycles * rtl::karma::kKarmaCycleNs);
  }
  // A link takes a word every two cycles, so what it does to the second hop may differ by one.
  EXPECT_NEAR(one_way[2] - one_way[1], one_way[1] - one_way[0], 4);
  // Published: two hops less one, 460 ns of round trip.
  EXPECT_LT(round_trip[2] - round_trip[1], 1000);
  EXPECT_GT(round_trip[2] - round_trip[1], 2 * 19 * rtl::karma::kKarmaCycleNs) << "less than the channel's own latency";
}

TEST(Karma, AnswersTakeAsLongAsQuestions) {
  for (const rtl::karma::TopKind top : {rtl::karma::TopKind::kRouter, rtl::karma::TopKind::kLink}) {
    const rtl::karma::Result result = run({.top = top, .payload_bytes = 16, .packets = 2});
    const double one_way = result.one_way_cycles * rtl::karma::kKarmaCycleNs;
    EXPECT_GE(result.round_trip_ns, 2 * one_way) << name_of(top);
    EXPECT_LE(result.round_trip_ns, 2 * one_way + 10 * rtl::karma::kKarmaCycleNs) << name_of(top);
  }
}

TEST(Karma, WrongBitsAreCounted) {
  const rtl::karma::Result result = run({.top = rtl::karma::TopKind::kLink, .packets = 2000, .error_rate = 1e-3});
  EXPECT_GT(result.errors, 50u);
  EXPECT_LT(result.errors, 500u);
  const rtl::karma::Result again = run({.top = rtl::karma::TopKind::kLink, .packets = 2000, .error_rate = 1e-3});
  EXPECT_EQ(again.errors, result.errors) << "a seed decides";
}

TEST(Karma, RefusesWhatMakesNoSense) {
  const auto message = [](const rtl::karma::Options& options) {
    const absl::StatusOr<rtl::karma::Result> result = rtl::karma::run_karma(options);
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(result.status().message());
  };
  EXPECT_THAT(message({.payload_bytes = 513}), HasSubstr("0 to 512 bytes of payload, not 513"));
  EXPECT_THAT(message({.payload_bytes = -1}), HasSubstr("not -1"));
  EXPECT_THAT(message({.senders = 3}), HasSubstr("1 or 2 senders, not 3"));
  EXPECT_THAT(message({.hops = 1}), HasSubstr("--top node"));
  EXPECT_THAT(message({.top = rtl::karma::TopKind::kNode, .hops = 3}), HasSubstr("0 to 2 hops, not 3"));
  EXPECT_THAT(message({.packets = 1}), HasSubstr("at least 2"));
  EXPECT_THAT(message({.top = rtl::karma::TopKind::kLink, .error_rate = 1}), HasSubstr("below 1"));
  EXPECT_THAT(message({.error_rate = 0.1}), HasSubstr("no link"));
}

}  // namespace
}  // namespace fabrictwin
