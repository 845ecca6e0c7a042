// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets of the RDMA units share the port with messages and answers.
#include <gtest/gtest.h>

#include <deque>

#include "tests/rtl/ni/ni_host.h"

namespace fabrictwin::test {
namespace {

/// Random RDMA packets both ways while device 0 sends messages; a packet comes out as it went in, in order per VC.
void run_streams(uint64_t seed, const NiStalls& stalls) {
  NiNetwork network(seed, stalls);
  NiHost sender(network, 0);
  NiHost receiver(network, 1);
  sender.enable_packetizer(0, 1);
  receiver.configure_mailbox(0, 1);
  receiver.wait_ready();
  std::mt19937_64 random(seed);
  std::array<std::array<std::deque<std::vector<NiWord>>, 2>, 2> expected;  // By receiver and VC.
  int received = 0;
  network.on_rdma = [&](int to, const std::vector<NiWord>& words) {
    ++received;
    for (auto& queue : expected[static_cast<size_t>(to)]) {
      if (!queue.empty() && queue.front() == words) {
        queue.pop_front();
        return;
      }
    }
    ADD_FAILURE() << "an RDMA packet out of order or changed";
  };
  // Answers move to VC 0 at times, messages to VC 1: the network does not keep the VC.
  network.fate = [&random](int, const NiPacket& packet) {
    const int vc = packet.packet_kind != 0       ? -1
                   : packet.kind == kKindMessage ? packet.channel % 2
                                                 : static_cast<int>(random() % 2);
    return NiFate{.vc = vc};
  };
  constexpr int kPackets = 200;
  for (int d = 0; d < 2; ++d) {
    for (int k = 0; k < kPackets; ++k) {
      NiPacket packet;
      packet.packet_kind = 1 + static_cast<int>(random() % 7);
      packet.kind = static_cast<int>(random() % 16);
      packet.vc = static_cast<int>(random() % 2);
      packet.source = NiNetwork::node(d);
      packet.destination = NiNetwork::node(1 - d);
      packet.sequence = static_cast<uint32_t>(k);
      const auto length = static_cast<int>(random() % 241);
      packet.data = message_data(random(), length);
      expected[static_cast<size_t>(1 - d)][static_cast<size_t>(packet.vc)].push_back(packet.words());
      network.send_rdma(d, packet);
    }
  }
  int messages = 0;
  for (int k = 0; k < 40; ++k, ++messages) {
    ASSERT_FALSE(sender.send(k % 4, 0, message_data(random(), 56)));
    ASSERT_EQ(sender.outcome(k % 4), kAcked);
    receiver.set_head(0, receiver.tail(0));
  }
  ASSERT_TRUE(network.drain(400'000));
  EXPECT_EQ(received, 2 * kPackets);
  EXPECT_EQ(network.counter(1, kCountRdma), static_cast<uint64_t>(kPackets));
  EXPECT_EQ(network.counter(1, kCountAccepted), 40u);
  EXPECT_EQ(network.read(1, kNiStatusAddress) >> 24 & 1, 0u) << "credit error";
}

TEST(NiRdmaPort, FullRate) { run_streams(1, {}); }
TEST(NiRdmaPort, SlowReceiver) { run_streams(2, {.rdma = 30}); }
TEST(NiRdmaPort, SlowCredits) { run_streams(3, {.tx = 80, .rx = 80, .credit = 5, .axi = 50, .rdma = 80}); }
TEST(NiRdmaPort, SlowLink) { run_streams(4, {.tx = 15, .rx = 20, .credit = 50, .axi = 50, .rdma = 50}); }

TEST(NiRdmaPort, BufferFillsAndNothingIsLost) {
  NiNetwork network(5, {.rdma = 0});
  int received = 0;
  network.on_rdma = [&received](int, const std::vector<NiWord>&) { ++received; };
  for (int k = 0; k < 40; ++k) {
    NiPacket packet;
    packet.packet_kind = 1;
    packet.vc = k % 2;
    packet.source = NiNetwork::node(0);
    packet.destination = NiNetwork::node(1);
    packet.data = message_data(static_cast<uint64_t>(k), 240);
    network.send_rdma(0, packet);
  }
  network.run(2000);
  EXPECT_LT(network.room(1, 0), 18);
  EXPECT_LT(network.room(1, 1), 18);
  EXPECT_EQ(received, 0);
  network.set_stalls({});
  ASSERT_TRUE(network.drain());
  EXPECT_EQ(received, 40);
}

}  // namespace
}  // namespace fabrictwin::test
