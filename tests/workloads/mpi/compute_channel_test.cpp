// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/compute_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
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
std::vector<Time> ends_of(const mpi::ComputeChannel::Config& config, const std::vector<Begin>& begins) {
  mpi::ComputeChannel channel(config, static_cast<int32_t>(begins.size()));
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

/// Whole nanoseconds apart from what fractions round.
void expect_ends(const std::vector<Time>& ends, const std::vector<double>& expected_ns) {
  ASSERT_EQ(ends.size(), expected_ns.size());
  for (size_t i = 0; i < ends.size(); ++i)
    EXPECT_NEAR(static_cast<double>(ends[i].fs()) / 1e6, expected_ns[i], 1e-3) << "phase " << i;
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
  // Two that take the shares u and v of the channel meet there in u v of the time.
  expect_ends(ends_of({kGigabyte}, {{0, 1'000, 750}, {0, 1'000, 750}}), {1'562.5, 1'562.5});
  expect_ends(ends_of({kGigabyte}, {{0, 1'000, 500}, {0, 1'000, 500}}), {1'250, 1'250});
}

TEST(ComputeChannel, ARateChangesWhenAnotherBeginsOrEnds) {
  // The first has 600 ns left at 400, which take 1200; then the second, which has done 600 of 1000, is alone again.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 1'000}, {400, 1'000, 1'000}}), ns({1'600, 2'000}));
  // A short one in the middle of a long one.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 1'000, 1'000}, {100, 100, 100}}), ns({1'100, 300}));
  // Three at a third of the speed each until 3 x 100 have passed.
  EXPECT_EQ(ends_of({kGigabyte}, {{0, 300, 300}, {0, 300, 300}, {0, 100, 100}}), ns({700, 700, 300}));
}

TEST(ComputeChannel, WhoDemandsLessWaitsLess) {
  // A quarter of the channel and all of it: both at 1 / 1.25 of their speed.
  expect_ends(ends_of({kGigabyte}, {{0, 1'000, 250}, {0, 1'000, 1'000}}), {1'250, 1'250});
  // A fifth, half and all of it: 3/4, 3/5 and 11/20 of their speed; then half and all of it, at 2/3. The channel never
  // rests, so the last ends when all has been moved.
  expect_ends(ends_of({kGigabyte}, {{0, 1'000, 200}, {0, 1'000, 500}, {0, 1'000, 1'000}}),
              {4'000.0 / 3, 4'900.0 / 3, 1'700});
}

TEST(ComputeChannel, OtherCoresAndALimitOfACoreTakeTheirPart) {
  const mpi::ComputeChannel::Config load{
      .bandwidth = kGigabyte, .core_limit = {}, .load_cores = 1, .load_rate = Bandwidth{1'600'000'000}};
  expect_ends(ends_of(load, {{0, 800, 800}}), {960});
  const mpi::ComputeChannel::Config greedy{
      .bandwidth = kGigabyte, .core_limit = {}, .load_cores = 3, .load_rate = kGigabyte};
  EXPECT_EQ(ends_of(greedy, {{0, 800, 800}}), ns({3'200})) << "three cores want all they can get";
  expect_ends(ends_of(greedy, {{0, 800, 200}}), {1'400});
  const mpi::ComputeChannel::Config limited{.bandwidth = kGigabyte, .core_limit = Bandwidth{4'000'000'000}};
  EXPECT_EQ(ends_of(limited, {{0, 800, 800}}), ns({1'600}));
  expect_ends(ends_of(limited, {{0, 800, 800}, {0, 800, 800}}), {2'000, 2'000});
}

TEST(ComputeChannel, TheMemoryOfTheExperimentCountsInsteadOfTheProfiles) {
  experiment::HostSpec host;
  host.profile = "x86";
  EXPECT_FALSE(mpi::ComputeChannel::config_of(host).has_value());
  host.profile = "a53-exanest";
  ASSERT_TRUE(mpi::ComputeChannel::config_of(host).has_value());
  EXPECT_EQ(mpi::ComputeChannel::config_of(host)->bandwidth, Bandwidth{102'400'000'000});
  EXPECT_EQ(mpi::ComputeChannel::config_of(host)->core_limit, Bandwidth{});
  host.memory = experiment::HostMemorySpec{};
  host.memory->bandwidth = kGigabyte;
  // 8 bursts of 256 bytes in 4096 ns.
  host.memory->latency = Time::from_ns(4'096);
  host.memory->outstanding = 8;
  host.memory->burst = Bytes{256};
  host.memory->load_cores = 2;
  host.memory->load_rate = Bandwidth{1'000};
  const mpi::ComputeChannel::Config config = *mpi::ComputeChannel::config_of(host);
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
  const auto late = [&](size_t i) { return (ends[i] - Time::from_ns(hour)).fs(); };
  EXPECT_LT(late(0), 200'000);
  // One of 10^14 bits a second is missing.
  EXPECT_LT(late(1), 200'000);
  mpi::ComputeChannel slow({Bandwidth{1}}, 2);
  slow.start(Time::zero(), 0, Time::from_ns(hour), uint64_t{1} << 60);
  slow.start(Time::zero(), 1, Time::from_ns(hour), uint64_t{1} << 60);
  EXPECT_TRUE(slow.next_end().is_never());
  EXPECT_FALSE(slow.idle());
}

// Copies by the four Cortex-A53 of an AM62P, measured with LMBench (Texas Instruments, SPRADG0A): one core copies
// 1956.71 MB/s, two 3122.66, four 3605.80. A copy reads and writes. What the memory gives at most is fitted to the last
// of these, so the first is what a core demands, and the second is predicted.
TEST(ComputeChannel, TwoAndFourCopyingCoresAreAsFastAsMeasured) {
  const mpi::ComputeChannel::Config am62p{Bandwidth{8 * 7'300'000'000}};
  const auto copied = [&](size_t cores) {
    const std::vector<Time> ends = ends_of(am62p, std::vector<Begin>(cores, {0, 1'000'000, 2 * 1'956'710}));
    return static_cast<double>(cores) * 1956.71 * 1e12 / static_cast<double>(ends[0].fs());
  };
  EXPECT_NEAR(copied(1), 1956.71, 0.01);
  EXPECT_NEAR(copied(2) / 3122.66, 1, 0.03);
  EXPECT_NEAR(copied(4) / 3605.80, 1, 0.01);
}

TEST(ComputeChannel, HundredsOfCoresHaveSpeeds) {
  for (const uint64_t bytes : {uint64_t{1}, uint64_t{9'000}, uint64_t{500'000}, uint64_t{1'000'000}}) {
    const std::vector<Time> ends = ends_of({kGigabyte}, std::vector<Begin>(200, {0, 1'000'000, bytes}));
    const double all = 200 * static_cast<double>(bytes) / 1e6;
    const double slowed = static_cast<double>(ends[0].fs()) / 1e12;
    EXPECT_GE(slowed, std::max(1.0, all) * (1 - 1e-9)) << bytes;
    EXPECT_LE(slowed, 1 + all) << bytes;
  }
}

// The sums with and without a rank are of other magnitudes.
TEST(ComputeChannel, HundredsOfGreedyCoresSlowOthersDown) {
  const mpi::ComputeChannel::Config greedy{
      .bandwidth = kGigabyte, .core_limit = {}, .load_cores = 449, .load_rate = kGigabyte};
  // Shares u and v of the channel: G is 449! times this.
  const double u = 0.001;
  const double v = 0.57705;
  const double one = 1 + 449 * v;
  const double both = (1 - u) * (1 - v) + 450 * (u * (1 - v) + v * (1 - u)) + 450 * 451 * u * v;
  const double first = 100'000 * both / one;
  const double left = 100'000 - first * (1 + 449 * u) / both;
  expect_ends(ends_of(greedy, {{0, 100'000, 100}, {0, 100'000, 57'705}}), {first, first + left * one});
}

/// What mean value analysis says of all sets of `phases`, each with one customer who takes the share busy[i] of the
/// server alone: the speed of each in the whole set.
std::vector<double> speeds_by_analysis(const std::vector<double>& busy) {
  const size_t sets = size_t{1} << busy.size();
  std::vector<std::vector<double>> queue(sets, std::vector<double>(busy.size()));
  std::vector<double> speeds(busy.size());
  for (size_t set = 1; set < sets; ++set) {
    for (size_t i = 0; i < busy.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      const std::vector<double>& others = queue[set ^ (size_t{1} << i)];
      double response = 1;
      for (const double length : others) response += length;
      const double rate = 1 / (1 / busy[i] - 1 + response);
      queue[set][i] = rate * response;
      speeds[i] = rate / busy[i];
    }
  }
  return speeds;
}

RC_GTEST_PROP(ComputeChannel, IsWhatMeanValueAnalysisSays, ()) {
  const auto count = *rc::gen::inRange<int32_t>(1, 7);
  mpi::ComputeChannel channel({kGigabyte}, count);
  std::vector<double> busy;
  std::vector<double> alone;
  for (int32_t i = 0; i < count; ++i) {
    const auto nanoseconds = *rc::gen::inRange<int64_t>(1'000, 5'000);
    const auto bytes = *rc::gen::inRange<int64_t>(1, nanoseconds + 1);
    channel.start(Time::zero(), i, Time::from_ns(nanoseconds), static_cast<uint64_t>(bytes));
    busy.push_back(static_cast<double>(bytes) / static_cast<double>(nanoseconds));
    alone.push_back(static_cast<double>(nanoseconds) * 1e6);
  }
  const std::vector<double> speeds = speeds_by_analysis(busy);
  double first = alone[0] / speeds[0];
  for (size_t i = 1; i < busy.size(); ++i) first = std::min(first, alone[i] / speeds[i]);
  RC_ASSERT(std::abs(static_cast<double>(channel.next_end().fs()) / first - 1) < 1e-8);
}

// Nobody is faster than alone, nor slower than if he waited for one request of each other at each of his; and the
// channel does not give more than it has.
RC_GTEST_PROP(ComputeChannel, NobodyGetsMoreThanThereIs, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 12);
  std::vector<Begin> begins;
  int64_t at = 0;
  double bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    at += *rc::gen::inRange<int64_t>(0, 2'000);
    const auto alone = *rc::gen::inRange<int64_t>(1, 5'000);
    begins.push_back({at, alone, static_cast<uint64_t>(*rc::gen::inRange<int64_t>(1, alone * 2))});
    bytes += static_cast<double>(begins.back().bytes);
  }
  const std::vector<Time> ends = ends_of({kGigabyte}, begins);
  Time last;
  for (size_t i = 0; i < count; ++i) {
    const int64_t longest = std::max(begins[i].alone_ns, static_cast<int64_t>(begins[i].bytes));
    RC_ASSERT(ends[i] >= Time::from_ns(begins[i].at_ns + longest));
    RC_ASSERT(ends[i] <= Time::from_ns(begins[i].at_ns + longest * static_cast<int64_t>(count)) + Time::from_ns(1));
    last = std::max(last, ends[i]);
  }
  RC_ASSERT(static_cast<double>((last - Time::from_ns(begins[0].at_ns)).fs()) / 1e6 > bytes - 1e-3);
}

// It is a function of the phases: looking at it in between changes nothing.
RC_GTEST_PROP(ComputeChannel, LookingDoesNotChangeIt, ()) {
  const auto count = *rc::gen::inRange<int32_t>(1, 8);
  mpi::ComputeChannel seldom({kGigabyte}, count);
  mpi::ComputeChannel often({kGigabyte}, count);
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
