// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/compute_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace fabrictwin {
namespace {

/// 1 GB/s: a byte a nanosecond.
constexpr Bandwidth kGigabyte{8'000'000'000};

struct Begin {
  int64_t at_ns;
  int64_t alone_ns;
  uint64_t bytes;
};

/// When each phase ends, in the order of their slots.
std::vector<Time> ends_of(const ComputeChannel::Config& config, const std::vector<Begin>& begins) {
  ComputeChannel channel(config, static_cast<int32_t>(begins.size()));
  std::vector<Time> ends(begins.size());
  size_t begun = 0;
  int32_t slot = 0;
  while (begun < begins.size() || !channel.idle()) {
    const Time begin = begun < begins.size() ? Time::from_ns(begins[begun].at_ns) : Time::never();
    const Time now = std::min(begin, channel.next_end());
    while (channel.take_ended(now, slot)) ends[static_cast<size_t>(slot)] = now;
    if (now == begin) {
      channel.start(now, static_cast<int32_t>(begun), Time::from_ns(begins[begun].alone_ns), begins[begun].bytes);
      ++begun;
    }
  }
  return ends;
}

std::vector<Time> ns(const std::vector<int64_t>& times) {
  std::vector<Time> all;
  for (const int64_t time : times) all.push_back(Time::from_ns(time));
  return all;
}

TEST(ComputeChannel, OneRankTakesItsTimeAlone) {
  EXPECT_EQ(ends_of({kGigabyte}, {{7, 1'000, 1'000}}), ns({1'007}));
  // What it moves does not matter as long as the channel has it, however the fraction rounds.
  EXPECT_EQ(ends_of({kGigabyte}, {{7, 1'234'567'891, 17}}), ns({1'234'567'898}));
}

TEST(ComputeChannel, TwoEqualPhasesTakeTwiceTheirTimeInMemory) {
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 1'000}, {0, 1'000, 1'000}}), ns({2'000, 2'000}));
  // Three quarters of the channel each: 1.5 times.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 750}, {0, 1'000, 750}}), ns({1'500, 1'500}));
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 500}, {0, 1'000, 500}}), ns({1'000, 1'000}));
}

TEST(ComputeChannel, ARateChangesWhenAnotherBeginsOrEnds) {
  // The first has 600 ns left at 400, which take 1200; then the second, which has done 600 of 1000, is alone again.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 1'000}, {400, 1'000, 1'000}}), ns({1'600, 2'000}));
  // A short one in the middle of a long one.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 1'000}, {100, 100, 100}}), ns({1'100, 300}));
  // Three at a third of the speed each until 3 x 100 have passed.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 300, 300}, {0, 300, 300}, {0, 100, 100}}), ns({700, 700, 300}));
}

TEST(ComputeChannel, WhoDemandsLessThanAnEqualShareGetsIt) {
  // A quarter of the channel; the other computes at three quarters of its speed until then.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 250}, {0, 1'000, 1'000}}), ns({1'000, 1'250}));
  // A fifth is met; half and all of the channel get two fifths each: 0.8 and 0.4 of their speed. At 1000 the second has
  // 200 left and gets the half of the channel that it demands, as does the third; at 1200 that has 500 left.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 200}, {0, 1'000, 500}, {0, 1'000, 1'000}}), ns({1'000, 1'200, 1'700}));
}

TEST(ComputeChannel, OtherCoresAndALimitOfACoreTakeTheirPart) {
  const ComputeChannel::Config load{
      .bandwidth = kGigabyte, .core_limit = {}, .load_cores = 1, .load_rate = Bandwidth{1'600'000'000}};
  EXPECT_EQ(ends_of(load, {{0, 800, 800}}), ns({1'000})) << "one fifth is taken";
  const ComputeChannel::Config greedy{
      .bandwidth = kGigabyte, .core_limit = {}, .load_cores = 3, .load_rate = kGigabyte};
  EXPECT_EQ(ends_of(greedy, {{0, 800, 800}}), ns({3'200})) << "three cores want all they can get";
  EXPECT_EQ(ends_of(greedy, {{0, 800, 200}}), ns({800})) << "a quarter is nobody else's";
  const ComputeChannel::Config limited{.bandwidth = kGigabyte, .core_limit = Bandwidth{4'000'000'000}};
  EXPECT_EQ(ends_of(limited, {{0, 800, 800}}), ns({1'600}));
  EXPECT_EQ(ends_of(limited, {{0, 800, 800}, {0, 800, 800}}), ns({1'600, 1'600}));
}

TEST(ComputeChannel, TheMemoryOfTheExperimentCountsInsteadOfTheProfiles) {
  HostSpec host;
  host.profile = "x86";
  EXPECT_FALSE(ComputeChannel::config_of(host).has_value());
  host.profile = "a53-exanest";
  ASSERT_TRUE(ComputeChannel::config_of(host).has_value());
  EXPECT_EQ(ComputeChannel::config_of(host)->bandwidth, Bandwidth{102'400'000'000});
  EXPECT_EQ(ComputeChannel::config_of(host)->core_limit, Bandwidth{});
  host.memory = HostMemorySpec{};
  host.memory->bandwidth = kGigabyte;
  // 8 bursts of 256 bytes in 4096 ns.
  host.memory->latency = Time::from_ns(4'096);
  host.memory->outstanding = 8;
  host.memory->burst = Bytes{256};
  host.memory->load_cores = 2;
  host.memory->load_rate = Bandwidth{1'000};
  const ComputeChannel::Config config = *ComputeChannel::config_of(host);
  EXPECT_EQ(config.bandwidth, kGigabyte);
  EXPECT_EQ(config.core_limit, Bandwidth{4'000'000'000});
  EXPECT_EQ(config.load_cores, 2);
  EXPECT_EQ(config.load_rate, Bandwidth{1'000});
}

TEST(ComputeChannel, LongAndFastPhasesDoNotOverflow) {
  // An hour, at demands from a bit a second to far more than any memory has.
  const int64_t hour = 3'600'000'000'000;
  const std::vector<Time> ends =
      ends_of({Bandwidth{100'000'000'000'000}}, {{0, hour, 1}, {0, hour, 45'000'000'000'000'000}});
  EXPECT_EQ(ends[0], Time::from_ns(hour));
  // One of 10^14 bits a second is missing.
  EXPECT_EQ(ends[1], Time::from_ns(hour) + Time::from_fs(36'000));
  ComputeChannel slow({Bandwidth{1}}, 2);
  slow.start(Time::zero(), 0, Time::from_ns(hour), uint64_t{1} << 60);
  slow.start(Time::zero(), 1, Time::from_ns(hour), uint64_t{1} << 60);
  EXPECT_TRUE(slow.next_end().is_never());
  EXPECT_FALSE(slow.idle());
}

// At any time the channel gives what is demanded, or all it has; nothing is lost, and nobody has more than he demands.
RC_GTEST_PROP(ComputeChannel, WorkIsConserved, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 12);
  std::vector<Begin> begins;
  int64_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    at += *rc::gen::inRange<int64_t>(0, 2'000);
    const auto alone = *rc::gen::inRange<int64_t>(1, 5'000);
    begins.push_back({at, alone, static_cast<uint64_t>(*rc::gen::inRange<int64_t>(1, alone * 2))});
  }
  const std::vector<Time> ends = ends_of({kGigabyte}, begins);
  std::map<int64_t, double> changes;
  double bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    const double demand = static_cast<double>(begins[i].bytes) / static_cast<double>(begins[i].alone_ns);
    RC_ASSERT(ends[i] >= Time::from_ns(begins[i].at_ns + begins[i].alone_ns));
    changes[begins[i].at_ns * 1'000'000] += demand;
    changes[ends[i].fs()] -= demand;
    bytes += static_cast<double>(begins[i].bytes);
  }
  double served = 0;
  double demanded = 0;
  int64_t before = 0;
  for (const auto& [time, change] : changes) {
    served += std::min(1.0, demanded) * static_cast<double>(time - before) / 1e6;
    demanded += change;
    before = time;
  }
  // Bytes of less than a femtosecond for each phase and change.
  RC_ASSERT(std::abs(served - bytes) < 1e-4 * static_cast<double>(count));
}

// It is a function of the phases: looking at it in between changes nothing.
RC_GTEST_PROP(ComputeChannel, LookingDoesNotChangeIt, ()) {
  const auto count = *rc::gen::inRange<int32_t>(1, 8);
  ComputeChannel seldom({kGigabyte}, count);
  ComputeChannel often({kGigabyte}, count);
  for (int32_t i = 0; i < count; ++i) {
    const auto alone = Time::from_ns(*rc::gen::inRange<int64_t>(1, 5'000));
    const auto bytes = *rc::gen::inRange<uint64_t>(1, 9'000);
    seldom.start(Time::zero(), i, alone, bytes);
    often.start(Time::zero(), i, alone, bytes);
  }
  int32_t slot = 0;
  int32_t other = 0;
  Time now;
  while (!seldom.idle()) {
    const Time next = seldom.next_end();
    for (const int64_t part : {1, 2, 3})
      RC_ASSERT(!often.take_ended(now + Time::from_fs((next - now).fs() * part / 4), other));
    now = next;
    while (seldom.take_ended(now, slot)) {
      RC_ASSERT(often.take_ended(now, other));
      RC_ASSERT(other == slot);
    }
  }
  RC_ASSERT(often.idle());
}

}  // namespace
}  // namespace fabrictwin
