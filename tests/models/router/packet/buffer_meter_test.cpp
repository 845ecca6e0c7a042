// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/buffer_meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

using router::packet::BufferMeter;
using router::packet::LinkKind;

LinkKind link_of(int64_t latency, int64_t byte_time, int32_t most) {
  LinkKind link;
  link.latency = latency;
  for (int32_t bytes = 0; bytes <= most; ++bytes) link.duration.push_back(bytes * byte_time);
  return link;
}

std::vector<int64_t> count_at(BufferMeter& meter, int64_t time, size_t routers) {
  meter.choose(time);
  std::vector<int64_t> bytes(routers);
  meter.count(bytes);
  return bytes;
}

// A packet of 40 bytes, three words, one femtosecond a byte, leaves a host at 100 for router 0 over a link of 10. Its
// words are there at 126, 142 and 150. It leaves for router 1 at 130, so they leave at 130, 146 and 162.
TEST(BufferMeter, WordsComeAndGoByHand) {
  using Bytes = std::vector<int64_t>;
  const LinkKind link = link_of(10, 1, 64);
  BufferMeter meter(2);
  meter.choose(126);
  meter.add(BufferMeter::kNoRouter, 0, link, 40, 100);
  EXPECT_EQ(count_at(meter, 126, 2), (Bytes{0, 0}));
  EXPECT_EQ(count_at(meter, 127, 2), (Bytes{16, 0}));
  EXPECT_TRUE(meter.moving());
  meter.choose(142);
  meter.add(0, 1, link, 40, 130);
  EXPECT_EQ(count_at(meter, 142, 2), (Bytes{0, 0}));
  EXPECT_EQ(count_at(meter, 143, 2), (Bytes{16, 0}));
  EXPECT_EQ(count_at(meter, 150, 2), (Bytes{0, 0}));
  EXPECT_EQ(count_at(meter, 151, 2), (Bytes{8, 0}));
  EXPECT_EQ(count_at(meter, 157, 2), (Bytes{8, 16}));
  EXPECT_EQ(count_at(meter, 163, 2), (Bytes{0, 16}));
  EXPECT_TRUE(meter.moving());
  EXPECT_EQ(count_at(meter, 180, 2), (Bytes{0, 32}));
  EXPECT_EQ(count_at(meter, 181, 2), (Bytes{0, 40}));
  EXPECT_FALSE(meter.moving());
  meter.choose(1000);
  meter.add(1, BufferMeter::kNoRouter, link, 40, 200);
  EXPECT_FALSE(meter.moving());
  EXPECT_EQ(count_at(meter, 1000, 2), (Bytes{0, 0}));
}

// Whatever the chosen times are, and however packets are spread over meters, each word counts from its arrival until it
// leaves.
RC_GTEST_PROP(BufferMeter, CountsEachWordWhileItIsThere, ()) {
  struct Packet {
    int32_t from = 0, to = 0, bytes = 0;
    int64_t begin = 0;
    size_t link = 0;
  };
  constexpr size_t kRouters = 3;
  const std::vector<LinkKind> links = {link_of(7, 3, 100), link_of(60, 1, 100)};
  std::vector<Packet> packets(*rc::gen::inRange<size_t>(0, 12));
  for (Packet& packet : packets) {
    packet.from = *rc::gen::inRange(-1, static_cast<int>(kRouters));
    packet.to = *rc::gen::inRange(-1, static_cast<int>(kRouters));
    packet.bytes = *rc::gen::inRange(1, 101);
    packet.begin = *rc::gen::inRange(0, 1000);
    packet.link = *rc::gen::inRange<size_t>(0, 2);
  }
  std::sort(packets.begin(), packets.end(), [](const Packet& a, const Packet& b) { return a.begin < b.begin; });
  auto times = *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 1500));
  std::sort(times.begin(), times.end());
  std::vector<BufferMeter> meters(2, BufferMeter(kRouters));
  size_t left = 0;
  for (const int64_t time : times) {
    for (BufferMeter& meter : meters) meter.choose(time);
    for (; left < packets.size() && packets[left].begin < time; ++left) {
      const Packet& packet = packets[left];
      meters[left % 2].add(packet.from, packet.to, links[packet.link], packet.bytes, packet.begin);
    }
    std::vector<int64_t> counted(kRouters);
    for (BufferMeter& meter : meters) meter.count(counted);
    std::vector<int64_t> expected(kRouters);
    for (const Packet& packet : packets) {
      const LinkKind& link = links[packet.link];
      for (int32_t word = 0; word < packet.bytes; word += 16) {
        const int32_t end = std::min(word + 16, packet.bytes);
        const bool gone = packet.begin + link.duration[static_cast<size_t>(word)] < time;
        const bool there = packet.begin + link.latency + link.duration[static_cast<size_t>(end)] < time;
        if (packet.from >= 0 && gone) expected[static_cast<size_t>(packet.from)] -= end - word;
        if (packet.to >= 0 && there) expected[static_cast<size_t>(packet.to)] += end - word;
      }
    }
    RC_ASSERT(counted == expected);
  }
}

}  // namespace
}  // namespace fabrictwin
