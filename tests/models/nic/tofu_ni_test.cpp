// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/tofu_ni.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "tests/models/nic/nic_network.h"

namespace fabrictwin::test {
namespace {

using Generation = nic::TofuNi::Generation;

constexpr Time kLinkLatency = Time::from_ns(80);
/// Header, 8 bytes of payload.
constexpr int32_t kShortPacket = 136;

class Tofu {
 public:
  explicit Tofu(nic::TofuNi::Options options, int32_t nodes = 2, Time jitter = Time::zero(),
                const std::optional<memory::HostMemory::Config>& memory = std::nullopt)
      : network_({nic::TofuNi::link_rate(options.generation), kLinkLatency, jitter}) {
    options.network = network_.serialisation(kShortPacket) + kLinkLatency;
    costs_ = nic::TofuNi::costs(options);
    for (int32_t i = 0; i < nodes; ++i) network_.add(std::make_unique<nic::TofuNi>(i, costs_, network_, memory));
  }
  NicNetwork& operator*() { return network_; }
  NicNetwork* operator->() { return &network_; }
  nic::TofuNi& nic(size_t node) { return static_cast<nic::TofuNi&>(network_.nic(node)); }

 private:
  NicNetwork network_;
  nic::QueueNic::Costs costs_;
};

double put_latency_us(nic::TofuNi::Options options) {
  Tofu tofu(options);
  tofu->submit(Time::zero(), 0, {.destination = 1, .bytes = 8, .cookie = 5, .user = 77});
  tofu->run();
  EXPECT_EQ(tofu->misuse, 0);
  EXPECT_EQ(tofu->delivered.size(), 1u);
  EXPECT_EQ(tofu->delivered[0].what.user, 77u);
  return tofu->delivered[0].time.seconds() * 1e6;
}

// The anchors. That a model gives back what it was calibrated with says only that nothing is counted twice.
TEST(TofuNi, AShortPutTakesThePublishedTime) {
  EXPECT_NEAR(put_latency_us({.generation = Generation::kTofu}), 0.91, 1e-6);
  EXPECT_NEAR(put_latency_us({.generation = Generation::kTofu, .direct_descriptor = false}), 1.15, 1e-6);
  EXPECT_NEAR(put_latency_us({.generation = Generation::kTofu2}), 0.71, 1e-6);
  EXPECT_NEAR(put_latency_us({.generation = Generation::kTofu2, .cache_injection = false}), 0.87, 1e-6);
  EXPECT_NEAR(put_latency_us({.generation = Generation::kTofuD}), 0.49, 1e-6);
  EXPECT_NEAR(put_latency_us({.generation = Generation::kTofuD, .far_cmg = true}), 0.54, 1e-6);
}

/// Bytes a second of Puts of 4 MiB from as many TNIs at once.
double put_rate(Generation generation, int32_t tnis,
                const std::optional<memory::HostMemory::Config>& memory = std::nullopt) {
  constexpr uint32_t kBytes = 4 << 20;
  Tofu tofu({.generation = generation}, 2, Time::zero(), memory);
  for (int32_t i = 0; i < tnis; ++i) tofu->submit(Time::zero(), 0, {.destination = 1, .bytes = kBytes});
  tofu->run();
  EXPECT_EQ(tofu->misuse, 0);
  Time end;
  for (const auto& one : tofu->delivered) end = std::max(end, one.time);
  return static_cast<double>(tnis) * kBytes / end.seconds();
}

// Predictions. Published efficiencies: 95, 92 and 93 %; injection rates: 38.1 GB/s for TofuD, of which that of Tofu2 is
// 1 / 0.83.
TEST(TofuNi, PredictsThroughputAndInjectionRate) {
  struct Row {
    Generation generation;
    int32_t tnis;
    double link, efficiency, injection;
  };
  for (const Row& row : {Row{Generation::kTofu, 4, 5.0, 0.95, 0}, Row{Generation::kTofu2, 4, 12.5, 0.92, 45.9},
                         Row{Generation::kTofuD, 6, 6.8, 0.93, 38.1}}) {
    const double one = put_rate(row.generation, 1) / 1e9;
    EXPECT_NEAR(one / row.link / row.efficiency, 1, 0.025);
    const double all = put_rate(row.generation, row.tnis) / 1e9;
    EXPECT_NEAR(all / one, row.tnis, 0.01) << "TNIs do not disturb each other";
    if (row.injection > 0) {
      EXPECT_NEAR(all / row.injection, 1, 0.025);
    }
    // More Puts than TNIs gain nothing.
    EXPECT_NEAR(put_rate(row.generation, 2 * row.tnis) / 1e9 / all, 1, 0.01);
    RecordProperty("efficiency_" + std::to_string(static_cast<int>(row.generation)), std::to_string(one / row.link));
    RecordProperty("injection_" + std::to_string(static_cast<int>(row.generation)), std::to_string(all));
  }
}

TEST(TofuNi, MemoryBoundsWhatAllTnisCanSend) {
  // 20 GB/s at both ends, and nobody writes where it is read.
  const memory::HostMemory::Config memory{.bandwidth = Bandwidth{160'000'000'000}};
  EXPECT_NEAR(put_rate(Generation::kTofuD, 6, memory) / 20e9, 1, 0.01);
  EXPECT_NEAR(put_rate(Generation::kTofuD, 2, memory) / put_rate(Generation::kTofuD, 2), 1, 0.01);
}

// What arrives is written unless it goes to the cache: three to one take as long as one sends.
TEST(TofuNi, CacheInjectionSparesTheMemoryOfTheReceiver) {
  const memory::HostMemory::Config memory{.bandwidth = Bandwidth{32'000'000'000}};
  const auto incast_seconds = [&](nic::TofuNi::Options options) {
    Tofu tofu(options, 4, Time::zero(), memory);
    for (int32_t source = 1; source < 4; ++source)
      tofu->submit(Time::zero(), source, {.queue = static_cast<uint16_t>(12 * source), .bytes = 1920 * 500});
    tofu->run();
    EXPECT_EQ(tofu->misuse, 0);
    Time end;
    for (const auto& one : tofu->delivered) end = std::max(end, one.time);
    return end.seconds();
  };
  const double one = 1920 * 500 / 4e9;
  EXPECT_NEAR(incast_seconds({.generation = Generation::kTofuD}) / one, 1, 0.01);
  EXPECT_NEAR(incast_seconds({.generation = Generation::kTofu2, .cache_injection = false}) / one, 3, 0.01);
  EXPECT_NEAR(incast_seconds({.generation = Generation::kTofu}) / one, 3, 0.01) << "it has none";
}

// Memory that is slower than a link never rests while there is something to send, whatever TNIs have it.
RC_GTEST_PROP(TofuNi, MemoryIsAtWorkUntilEverythingIsRead, ()) {
  const auto gigabytes = *rc::gen::inRange<int64_t>(1, 7);
  const memory::HostMemory::Config memory{.bandwidth = Bandwidth{gigabytes * 8'000'000'000}};
  Tofu tofu({.generation = Generation::kTofuD}, 2, Time::zero(), memory);
  const auto count = *rc::gen::inRange(1, 20);
  int64_t bytes = 0;
  for (int32_t i = 0; i < count; ++i) {
    nic::NicRequest request;
    request.queue = *rc::gen::element<uint16_t>(0, 1, 12, 40, 71, nic::NicRequest::kAnyQueue);
    request.destination = 1;
    request.bytes = 1920 * *rc::gen::inRange<uint32_t>(1, 10);
    bytes += request.bytes;
    tofu->submit(Time::zero(), 0, request);
  }
  tofu->run();
  RC_ASSERT(tofu->misuse == 0);
  RC_ASSERT(tofu->delivered.size() == static_cast<size_t>(count));
  Time end;
  for (const auto& one : tofu->delivered) end = std::max(end, one.time);
  const nic::QueueNic::Costs costs = nic::TofuNi::costs({.network = tofu->serialisation(kShortPacket) + kLinkLatency});
  // Some commands are fetched while others are read.
  const Time read = Time::from_fs(bytes * 1'000'000 / gigabytes);
  const Time rest = costs.post_direct + tofu->serialisation(2048) + kLinkLatency + costs.receive;
  RC_ASSERT(end >= read + rest);
  RC_ASSERT(end <= read + rest + Time::from_ns(1));
}

TEST(TofuNi, AGetTakesARequestMoreThanAPut) {
  Tofu tofu({});
  tofu->submit(Time::zero(), 0, {.operation = nic::NicOperation::kGet, .destination = 1, .bytes = 8, .cookie = 9});
  tofu->run();
  EXPECT_EQ(tofu->misuse, 0);
  ASSERT_EQ(tofu->packets.size(), 2u);
  EXPECT_EQ(tofu->packets[0].kind, nic::NicPacket::Kind::kReadRequest);
  EXPECT_EQ(tofu->packets[1].kind, nic::NicPacket::Kind::kReadData);
  EXPECT_TRUE(tofu->delivered.empty());
  const auto done = tofu->completed.at({0, 9});
  ASSERT_EQ(done.size(), 1u);
  // The request has 48 bytes; the other end sends as for a Put.
  const Time request = tofu->serialisation(48) + kLinkLatency;
  const nic::QueueNic::Costs costs = nic::TofuNi::costs({.network = tofu->serialisation(kShortPacket) + kLinkLatency});
  EXPECT_EQ(done[0], costs.post_direct + request + costs.serve + tofu->serialisation(kShortPacket) + kLinkLatency +
                         costs.receive);
}

// Queues of a TNI take turns packet by packet; a queue keeps its order.
TEST(TofuNi, AShortPutPassesALongOneOfAnotherQueueOnly) {
  Tofu tofu({.generation = Generation::kTofuD});
  const auto put = [&](uint16_t queue, uint32_t bytes, uint64_t user) {
    tofu->submit(Time::zero(), 0, {.queue = queue, .destination = 1, .bytes = bytes, .user = user});
  };
  put(12, 1 << 20, 1);  // TNI 1, queue 0.
  put(12, 8, 2);
  put(13, 8, 3);  // TNI 1, queue 1.
  put(24, 8, 4);  // TNI 2.
  tofu->run();
  std::vector<uint64_t> order;
  for (const auto& one : tofu->delivered) order.push_back(one.what.user);
  EXPECT_THAT(order, ::testing::ElementsAre(4, 3, 1, 2));
  for (const nic::NicPacket& packet : tofu->packets) EXPECT_EQ(packet.source_port, packet.user == 4 ? 2 : 1);
}

TEST(TofuNi, PacketsAreFullAndSayWhatTheyCarry) {
  Tofu tofu({});
  tofu->submit(Time::zero(), 0, {.operation = nic::NicOperation::kSend, .destination = 1, .bytes = 4000, .cookie = 1});
  tofu->submit(Time::zero(), 0, {.notify = false, .destination = 1, .bytes = 0, .cookie = 2});
  tofu->run();
  ASSERT_EQ(tofu->packets.size(), 4u);
  std::vector<int32_t> sizes;
  for (const nic::NicPacket& packet : tofu->packets) sizes.push_back(packet.wire_bytes);
  EXPECT_THAT(sizes, ::testing::UnorderedElementsAre(2048, 2048, 128 + 160, 128));
  ASSERT_EQ(tofu->delivered.size(), 1u) << "nobody is told of a Put that does not notify";
  EXPECT_EQ(tofu->delivered[0].what.operation, nic::NicOperation::kSend);
  EXPECT_EQ(tofu->delivered[0].what.bytes, 4000u);
  EXPECT_EQ(tofu->completed.size(), 2u);
}

// Whatever the network does to the order: everything arrives once, whole, and nothing is left behind.
RC_GTEST_PROP(TofuNi, DeliversEverythingOnce, ()) {
  const auto nodes = *rc::gen::inRange(2, 5);
  std::optional<memory::HostMemory::Config> memory;
  if (*rc::gen::arbitrary<bool>())
    memory = memory::HostMemory::Config{.bandwidth = Bandwidth{*rc::gen::inRange<int64_t>(1, 400) * 1'000'000'000},
                                        .latency = Time::from_ns(*rc::gen::inRange(0, 300))};
  Tofu tofu({.generation = *rc::gen::element(Generation::kTofu, Generation::kTofuD),
             .cache_injection = *rc::gen::arbitrary<bool>()},
            nodes, Time::from_ns(*rc::gen::inRange(0, 3000)), memory);
  struct Expected {
    int32_t source, node;
    nic::NicOperation operation;
    uint32_t bytes;
  };
  std::map<uint64_t, Expected> expected;
  const auto count = *rc::gen::inRange<uint64_t>(1, 40);
  Time time;
  for (uint64_t i = 0; i < count; ++i) {
    time += Time::from_ns(*rc::gen::inRange(0, 500));
    const auto from = *rc::gen::inRange(0, nodes);
    const auto to = (from + *rc::gen::inRange(1, nodes)) % nodes;
    nic::NicRequest request;
    request.operation = *rc::gen::element(nic::NicOperation::kSend, nic::NicOperation::kPut, nic::NicOperation::kGet);
    request.queue = *rc::gen::element<uint16_t>(0, 1, 12, 40, 71, nic::NicRequest::kAnyQueue);
    request.destination = to;
    request.bytes = *rc::gen::element<uint32_t>(0, 1, 8, 1919, 1920, 1921, 20'000);
    request.cookie = i;
    request.user = 1000 + i;
    tofu->submit(time, from, request);
    expected[1000 + i] = {from, to, request.operation, request.bytes};
  }
  tofu->run();
  RC_ASSERT(tofu->misuse == 0);
  size_t messages = 0;
  for (const auto& [user, one] : expected) {
    const auto done = tofu->completed.find({one.source, user - 1000});
    RC_ASSERT(done != tofu->completed.end());
    RC_ASSERT(done->second.size() == 1u);
    if (one.operation == nic::NicOperation::kGet) continue;
    ++messages;
    RC_ASSERT(tofu->sent.at({one.source, user - 1000}).size() == 1u);
    RC_ASSERT(tofu->sent.at({one.source, user - 1000})[0] <= done->second[0]);
  }
  RC_ASSERT(tofu->delivered.size() == messages);
  for (const auto& one : tofu->delivered) {
    const Expected& want = expected.at(one.what.user);
    RC_ASSERT(want.node == one.node && want.source == one.what.source && want.bytes == one.what.bytes);
    RC_ASSERT(want.operation == one.what.operation);
    expected.erase(one.what.user);
  }
  for (int32_t i = 0; i < nodes; ++i) {
    RC_ASSERT(tofu.nic(static_cast<size_t>(i)).incomplete() == 0u);
    RC_ASSERT(tofu.nic(static_cast<size_t>(i)).outstanding() == 0u);
  }
}

}  // namespace
}  // namespace fabrictwin::test
