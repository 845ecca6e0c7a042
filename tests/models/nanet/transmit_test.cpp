// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the transmit path of the model, at the edges at which the RTL takes their steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/nanet/card_timing.h"
#include "models/nanet/dma_read.h"
#include "models/nanet/udp_transmit.h"
#include "tests/rtl/nanet/frames.h"

namespace fabrictwin::nanet {
namespace {

using rtl::nanet::Result;
using timing::time_of;

constexpr uint64_t kOwnMac = 0x020000000002;
constexpr uint64_t kFarMac = 0x020000000001;
constexpr uint32_t kOwnIp = 0x0a000002;
constexpr uint32_t kFarIp = 0x0a000001;

/// Actions at edges, in order.
class Edges {
 public:
  void add(int64_t edge, std::function<void()> action) { actions_.emplace(edge, std::move(action)); }
  void run() {
    while (!actions_.empty()) {
      const std::function<void()> action = std::move(actions_.begin()->second);
      actions_.erase(actions_.begin());
      action();
    }
  }

 private:
  std::multimap<int64_t, std::function<void()>> actions_;
};

class Transmit : public ::testing::Test {
 protected:
  Transmit()
      : transmit_(
            Clock::of_words(rtl::nanet::kLineRate, rtl::nanet::kLineBits),
            {.at = [this](int64_t edge, std::function<void()> action) { edges_.add(edge, std::move(action)); },
             .settings =
                 [] { return UdpTransmit::Settings{.station = {.mac = kOwnMac, .ip = kOwnIp}, .arp_timeout = 1000}; },
             .send =
                 [this](const Bytes& frame, int64_t edge) {
                   frames_.emplace_back(edge, frame);
                   return int64_t{0};
                 },
             .ended = [this](Result result, Time now) { results_.emplace_back(result, now); }}) {}

  DmaRead::Datagram datagram(int64_t bytes) const {
    return {.port = 0, .bytes = bytes, .ip = kFarIp, .to_port = 5000, .from_port = 4000};
  }

  Edges edges_;
  std::vector<std::pair<int64_t, Bytes>> frames_;
  std::vector<std::pair<Result, Time>> results_;
  UdpTransmit transmit_;
};

TEST_F(Transmit, AsksThreeTimesAndDropsTheDatagram) {
  ASSERT_TRUE(transmit_.take_space(64));
  transmit_.take(datagram(64), Bytes(64), false, 10, time_of(10));
  edges_.run();
  ASSERT_EQ(frames_.size(), 3u);
  for (size_t i = 0; i < frames_.size(); ++i) {
    EXPECT_EQ(frames_[i].first, 15 + 1001 * static_cast<int64_t>(i));
    EXPECT_EQ(frames_[i].second, test::arp_frame(test::kBroadcast, 1, kOwnMac, kOwnIp, 0, kFarIp));
  }
  ASSERT_EQ(results_.size(), 1u);
  EXPECT_EQ(results_[0], std::pair(Result::kUnresolved, time_of(3023)));
}

TEST_F(Transmit, SendsWhenTheDestinationHasAnswered) {
  const Bytes payload{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(transmit_.take_space(20));
    transmit_.take(datagram(20), payload, false, 10, time_of(10));
  }
  edges_.add(100,
             [this] { transmit_.heard(test::arp_frame(kOwnMac, 2, kFarMac, kFarIp, kOwnMac, kOwnIp), time_of(100)); });
  edges_.run();
  ASSERT_EQ(frames_.size(), 3u);
  // The answer is in the MAC at 512 ns; the address is known six edges later.
  EXPECT_EQ(frames_[1].first, 102 + 6 + 2);
  // Eight words, then the next datagram is taken, its address looked up, and its frame begun.
  EXPECT_EQ(frames_[2].first, 110 + 7 + 1 + 1 + 2);
  for (size_t i = 1; i < frames_.size(); ++i) {
    const std::optional<test::UdpFrame> frame = test::read_udp(frames_[i].second);
    ASSERT_TRUE(frame.has_value());
    EXPECT_EQ(frame->destination, kFarMac);
    EXPECT_EQ(frame->source, kOwnMac);
    EXPECT_EQ(frame->ip, kFarIp);
    EXPECT_EQ(frame->source_ip, kOwnIp);
    EXPECT_EQ(frame->port, 5000);
    EXPECT_EQ(frame->source_port, 4000);
    EXPECT_EQ(frame->payload, payload);
    EXPECT_EQ(test::field(frames_[i].second, 18, 2), i - 1);
  }
  EXPECT_EQ(results_.size(), 2u);
}

TEST_F(Transmit, DropsWhatCouldNotBeRead) {
  ASSERT_TRUE(transmit_.take_space(64));
  transmit_.take(datagram(64), Bytes(16), true, 10, time_of(10));
  edges_.run();
  EXPECT_TRUE(frames_.empty());
  ASSERT_EQ(results_.size(), 1u);
  EXPECT_EQ(results_[0].first, Result::kUnsendable);
}

TEST_F(Transmit, HasSpaceForThreeOfTheLongestOrEightDatagrams) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(transmit_.take_space(1472));
  EXPECT_FALSE(transmit_.take_space(1472));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(transmit_.take_space(16));
  EXPECT_FALSE(transmit_.take_space(16));
}

TEST(NanetDmaRead, ReadsBurstsAtTheRateOfTheMemory) {
  struct Asked {
    int64_t edge = 0;
    uint64_t address = 0;
    uint32_t words = 0;
  };
  Edges edges;
  std::vector<Asked> asked;
  std::optional<int64_t> delivered;
  Bytes received;
  std::optional<DmaRead> reader;
  rtl::nanet::CardSpec spec;
  spec.cpu_read_rate = spec.gpu_read_rate = Bandwidth{24'000'000'000};
  reader.emplace(
      spec, DmaRead::Card{.at = [&](int64_t edge, std::function<void()> action) { edges.add(edge, std::move(action)); },
                          .look_up =
                              [&](uint64_t page, Time now) {
                                EXPECT_EQ(page, 3u);
                                EXPECT_EQ(now, time_of(6));
                                reader->translated(Tlb::Mapping{.physical = 0x70000}, now);
                              },
                          .read =
                              [&](int64_t edge, uint64_t address, uint32_t words, bool /*gpu*/) {
                                asked.push_back({edge, address, words});
                                return static_cast<uint32_t>(asked.size());
                              },
                          .take_space = [](const DmaRead::Datagram&) { return true; },
                          .deliver =
                              [&](const DmaRead::Datagram&, Bytes data, bool bad, int64_t edge, Time) {
                                EXPECT_FALSE(bad);
                                received = std::move(data);
                                delivered = edge;
                              }});
  EXPECT_EQ(reader->free(), 16u);
  reader->give({.bytes = 300, .address = 0x30100}, Time::zero());
  EXPECT_EQ(reader->free(), 15u);
  edges.run();
  EXPECT_EQ(reader->free(), 16u);
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0].edge, 7);
  EXPECT_EQ(asked[0].address, 0x70100u);
  EXPECT_EQ(asked[0].words, 16u);
  EXPECT_EQ(asked[1].edge, 8);
  EXPECT_EQ(asked[1].address, 0x70200u);
  EXPECT_EQ(asked[1].words, 3u);
  Bytes sent;
  for (uint64_t i = 0; i < 19; ++i) {
    std::array<link::Word, 1> word{link::Word{.lo = 2 * i, .hi = 2 * i + 1}};
    for (const uint64_t half : {word[0].lo, word[0].hi}) {
      for (int byte = 0; byte < 8; ++byte) sent.push_back(static_cast<uint8_t>(half >> (8 * byte)));
    }
    EXPECT_TRUE(reader->data(i < 16 ? 1 : 2, word, false, time_of(i < 16 ? 100 : 101)));
  }
  sent.resize(300);
  EXPECT_EQ(received, sent);
  // A word leaves at 101 and then in each cycle but one of sixteen; halves follow from 103 on.
  EXPECT_EQ(delivered, 103 + 37);
  EXPECT_FALSE(reader->data(2, {}, false, time_of(200)));
}

}  // namespace
}  // namespace fabrictwin::nanet
