// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/memory/host_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace fabrictwin {
namespace {

/// 16 GB/s: 256 bytes take 16 ns, and eight such bursts in 128 ns saturate it.
memory::HostMemory::Config channel(Time latency = Time::from_ns(100)) {
  return {.bandwidth = Bandwidth{128'000'000'000}, .latency = latency};
}

std::vector<memory::HostMemory::Done> drain(memory::HostMemory& memory) {
  std::vector<memory::HostMemory::Done> all;
  memory::HostMemory::Done done;
  while (!memory.next_event().is_never()) {
    const Time next = memory.next_event();
    while (memory.take_done(next, done)) all.push_back(done);
  }
  return all;
}

// Rounding gives away at most a femtosecond for each change of the number of streams.
MATCHER_P(IsAbout, time, "") { return arg >= time && (arg - time).fs() <= 16; }

TEST(HostMemory, ALoneRequestTakesItsBytesAndTheLatency) {
  memory::HostMemory memory(channel(), 1);
  memory.request(Time::from_ns(7), 0, 4096, 42);
  const auto done = drain(memory);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].cookie, 42u);
  EXPECT_EQ(done[0].time, Time::from_ns(7 + 256 + 100));
  EXPECT_EQ(memory.bytes_served(), 4096u);
}

TEST(HostMemory, StreamsShareFairlyAndTogetherUseAllOfIt) {
  for (const int32_t streams : {1, 2, 4}) {
    memory::HostMemory memory(channel(), streams);
    for (int32_t i = 0; i < streams; ++i) memory.request(Time::zero(), i, 1 << 20, static_cast<uint64_t>(i));
    const auto done = drain(memory);
    ASSERT_EQ(done.size(), static_cast<size_t>(streams));
    // 1 MiB at 16 GB/s is 65536 ns.
    for (const auto& one : done) EXPECT_THAT(one.time, IsAbout(Time::from_ns(65'536 * streams + 100)));
  }
}

TEST(HostMemory, AShortRequestDoesNotWaitForALongOneOfAnotherStream) {
  memory::HostMemory memory(channel(), 2);
  memory.request(Time::zero(), 0, 1 << 20, 0);
  memory.request(Time::from_us(1), 1, 256, 1);
  const auto done = drain(memory);
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(done[0].cookie, 1u);
  EXPECT_THAT(done[0].time, IsAbout(Time::from_ns(1'000 + 32 + 100)));
  EXPECT_THAT(done[1].time, IsAbout(Time::from_ns(65'536 + 16 + 100)));
}

TEST(HostMemory, RequestsOfAStreamFollowEachOtherAndTheirLatenciesOverlap) {
  memory::HostMemory memory(channel(), 1);
  for (uint64_t i = 0; i < 8; ++i) memory.request(Time::zero(), 0, 256, i);
  const auto done = drain(memory);
  ASSERT_EQ(done.size(), 8u);
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(done[i].cookie, i);
    EXPECT_EQ(done[i].time, Time::from_ns(static_cast<int64_t>(16 * (i + 1) + 100)));
  }
}

TEST(HostMemory, OneStreamIsBoundByTheLatencyAndSeveralByTheBandwidth) {
  // 8 * 256 bytes in 256 ns: 8 GB/s, half of the channel.
  for (const auto& [streams, ns] : {std::pair{1, 131'072}, {2, 131'072}, {4, 262'144}}) {
    memory::HostMemory memory(channel(Time::from_ns(256)), streams);
    for (int32_t i = 0; i < streams; ++i) memory.request(Time::zero(), i, 1 << 20, 0);
    for (const auto& one : drain(memory)) EXPECT_THAT(one.time, IsAbout(Time::from_ns(ns + 256)));
  }
  // Twice the bursts under way are twice the rate.
  memory::HostMemory::Config config = channel(Time::from_ns(256));
  config.outstanding = 16;
  memory::HostMemory memory(config, 1);
  memory.request(Time::zero(), 0, 1 << 20, 0);
  EXPECT_THAT(drain(memory)[0].time, IsAbout(Time::from_ns(65'536 + 256)));
}

TEST(HostMemory, CoresOfAConstantDemandTakeTheirShare) {
  memory::HostMemory::Config config = channel(Time::zero());
  config.load_cores = 3;
  // 3 * 2 GB/s leave 10 of 16; with four streams of their own, 2.5 each.
  config.load_rate = Bandwidth{16'000'000'000};
  EXPECT_EQ(config.share(1).numerator / config.share(1).denominator, 80'000'000'000);
  EXPECT_EQ(config.share(4).numerator / config.share(4).denominator, 20'000'000'000);
  // 3 * 8 GB/s are more than there is: all four get a quarter.
  config.load_rate = Bandwidth{64'000'000'000};
  EXPECT_EQ(config.share(1).numerator / config.share(1).denominator, 32'000'000'000);
  memory::HostMemory memory(config, 1);
  memory.request(Time::zero(), 0, 1 << 20, 0);
  EXPECT_THAT(drain(memory)[0].time, IsAbout(Time::from_ns(4 * 65'536)));
}

// The answers are those of a fluid that is simulated step by step in floating point.
RC_GTEST_PROP(HostMemory, ServesAsMuchAsTheFluidWould, ()) {
  const auto streams = *rc::gen::inRange(1, 5);
  memory::HostMemory::Config config = channel(Time::from_ns(*rc::gen::inRange(0, 400)));
  config.load_cores = *rc::gen::inRange(0, 4);
  config.load_rate = Bandwidth{*rc::gen::inRange<int64_t>(0, 80'000'000'000)};
  struct Ask {
    double time;
    int32_t stream;
    double bits;
  };
  std::vector<Ask> asks;
  memory::HostMemory memory(config, streams);
  memory::HostMemory looked_at(config, streams);
  Time now;
  std::vector<memory::HostMemory::Done> seen;
  memory::HostMemory::Done done;
  const auto count = *rc::gen::inRange(1, 40);
  for (int32_t i = 0; i < count; ++i) {
    now += Time::from_ns(*rc::gen::inRange(0, 300));
    const auto stream = *rc::gen::inRange(0, streams);
    const auto bytes = *rc::gen::inRange<uint64_t>(1, 8192);
    asks.push_back({now.seconds(), stream, 8.0 * static_cast<double>(bytes)});
    while (looked_at.take_done(now, done)) seen.push_back(done);
    memory.request(now, stream, bytes, static_cast<uint64_t>(i));
    looked_at.request(now, stream, bytes, static_cast<uint64_t>(i));
  }
  std::vector<memory::HostMemory::Done> all = drain(memory);
  for (const auto& one : drain(looked_at)) seen.push_back(one);
  RC_ASSERT(all.size() == asks.size());
  RC_ASSERT(seen.size() == all.size());
  for (size_t i = 0; i < all.size(); ++i) RC_ASSERT(seen[i].time == all[i].time && seen[i].cookie == all[i].cookie);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cookie < b.cookie; });

  std::vector<std::vector<size_t>> queues(static_cast<size_t>(streams));
  std::vector<double> left;
  for (const Ask& ask : asks) left.push_back(ask.bits);
  double time = 0;
  size_t next = 0, ended = 0;
  while (ended < asks.size()) {
    int32_t active = 0;
    for (const auto& queue : queues) active += queue.empty() ? 0 : 1;
    double rate = 0, step = next < asks.size() ? asks[next].time - time : 1;
    if (active > 0) {
      const memory::HostMemory::Config::Rate share = config.share(active);
      rate = static_cast<double>(share.numerator) / static_cast<double>(share.denominator);
      for (const auto& queue : queues) {
        if (!queue.empty()) step = std::min(step, left[queue.front()] / rate);
      }
    }
    time += step;
    for (auto& queue : queues) {
      if (queue.empty()) continue;
      left[queue.front()] -= step * rate;
      if (left[queue.front()] > 1e-6) continue;
      const double error = all[queue.front()].time.seconds() - config.latency.seconds() - time;
      RC_ASSERT(error < 1e-12 && error > -1e-12);
      queue.erase(queue.begin());
      ++ended;
    }
    while (next < asks.size() && asks[next].time <= time) {
      queues[static_cast<size_t>(asks[next].stream)].push_back(next);
      ++next;
    }
  }
}

}  // namespace
}  // namespace fabrictwin
