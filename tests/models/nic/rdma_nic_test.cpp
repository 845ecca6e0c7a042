// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/rdma_nic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/models/nic/nic_network.h"

namespace fabrictwin::test {
namespace {

constexpr Time kLatency = Time::from_ns(200);

class Adapters {
 public:
  explicit Adapters(const nic::RdmaNic::Timing& timing = {}) : costs_(nic::RdmaNic::costs(timing)) {
    for (int32_t i = 0; i < 2; ++i) network_.add(std::make_unique<nic::RdmaNic>(i, costs_, network_));
  }
  NicNetwork* operator->() { return &network_; }

 private:
  nic::QueueNic::Costs costs_;
  NicNetwork network_{{Bandwidth{100'000'000'000}, kLatency, Time::zero()}};
};

TEST(RdmaNic, AWriteIsTheSumOfItsSteps) {
  const nic::RdmaNic::Timing timing;
  Adapters adapters;
  adapters->submit(Time::zero(), 0, {.destination = 1, .bytes = 8, .cookie = 1});
  adapters->run();
  EXPECT_EQ(adapters->misuse, 0);
  // Headers of 26 and 16 bytes. The ack has 30.
  const Time arrived = timing.doorbell + timing.processing + timing.fetch + adapters->serialisation(50) + kLatency;
  ASSERT_EQ(adapters->delivered.size(), 1u);
  EXPECT_EQ(adapters->delivered[0].time, arrived + timing.processing + timing.completion);
  const Time answered = arrived + adapters->serialisation(30) + kLatency;
  EXPECT_EQ(adapters->completed.at({0, 1})[0], answered + timing.processing + timing.completion);
}

TEST(RdmaNic, InlinedBytesAndDoorbellsWithDescriptorsSaveReadsOfMemory) {
  const auto delivered = [](const nic::RdmaNic::Timing& timing, bool inlined, uint32_t bytes) {
    Adapters adapters(timing);
    adapters->submit(Time::zero(), 0, {.inlined = inlined, .destination = 1, .bytes = bytes});
    adapters->run();
    return adapters->delivered.at(0).time;
  };
  const nic::RdmaNic::Timing timing;
  nic::RdmaNic::Timing without = timing;
  without.blue_flame = false;
  EXPECT_EQ(delivered(timing, false, 64) - delivered(timing, true, 64), timing.fetch);
  EXPECT_EQ(delivered(without, true, 64) - delivered(timing, true, 64), timing.fetch);
  EXPECT_EQ(delivered(timing, true, 221), delivered(timing, false, 221)) << "too long for a descriptor";
}

TEST(RdmaNic, LongMessagesFillTheLinkButForTheHeaders) {
  for (const int32_t mtu : {1024, 4096}) {
    nic::RdmaNic::Timing timing;
    timing.mtu = mtu;
    Adapters adapters(timing);
    constexpr uint32_t kBytes = 16 << 20;
    adapters->submit(Time::zero(), 0, {.destination = 1, .bytes = kBytes});
    adapters->run();
    const double rate = 8.0 * kBytes / adapters->delivered.at(0).time.seconds();
    EXPECT_NEAR(rate / 100e9 / (mtu / (mtu + 26.0)), 1, 0.002);
  }
}

TEST(RdmaNic, ShortMessagesAreBoundByTheEngine) {
  nic::RdmaNic::Timing timing;
  timing.message_interval = Time::from_ns(40);
  Adapters adapters(timing);
  for (uint8_t i = 0; i < 100; ++i)
    adapters->submit(Time::zero(), 0,
                     {.queue = static_cast<uint16_t>(i % 16), .inlined = true, .destination = 1, .bytes = 8});
  adapters->run();
  ASSERT_EQ(adapters->delivered.size(), 100u);
  const Time between = adapters->delivered[99].time - adapters->delivered[49].time;
  EXPECT_EQ(between, Time::from_ns(50 * 40));
}

TEST(RdmaNic, AReadIsAnsweredWithoutTheOtherHost) {
  Adapters adapters;
  adapters->submit(Time::zero(), 0,
                   {.operation = nic::NicOperation::kGet, .destination = 1, .bytes = 10'000, .cookie = 3});
  adapters->run();
  EXPECT_EQ(adapters->misuse, 0);
  EXPECT_TRUE(adapters->delivered.empty());
  EXPECT_EQ(adapters->completed.at({0, 3}).size(), 1u);
  std::vector<int32_t> sizes;
  for (const nic::NicPacket& packet : adapters->packets) sizes.push_back(packet.wire_bytes);
  EXPECT_THAT(sizes, ::testing::ElementsAre(42, 4096 + 42, 4096 + 26, 1808 + 26));
}

}  // namespace
}  // namespace fabrictwin::test
