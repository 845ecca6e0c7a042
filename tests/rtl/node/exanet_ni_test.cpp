// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two network interfaces with one link between them: messages and transfers share the tile port, and whatever else
// arrives does no harm.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "tests/rtl/node/node_interfaces.h"
#include "tests/rtl/node/node_traffic.h"

namespace fabrictwin::test {
namespace {

struct Stalls {
  unsigned link;
  unsigned memory;
  unsigned host;
};

void run_mixed(uint64_t seed, Stalls stalls) {
  NodeNetwork network(seed, {.link = stalls.link});
  add_interfaces(network, 3, {.latency = 8, .jitter = stalls.memory / 4, .stall_percent = stalls.memory}, seed);
  NodeTraffic traffic(network, seed + 1);
  traffic.set_stalls(stalls.host);
  traffic.open();
  int own = 0;
  int rdma = 0;
  network.on_packet = [&](int, int, const std::vector<FlitWord>& words, bool vc) {
    const uint32_t kind = words.front().data[1] >> 29;
    (kind == 0 ? own : rdma) += 1;
    // Answers of the RDMA unit have their own VC, as those of the mailbox.
    if (kind != 0) {
      EXPECT_TRUE(RdmaPacket::intact(words));
      EXPECT_EQ(vc, kind == 3 || kind == 4);
    }
  };
  for (int d = 0; d < 2; ++d) {
    for (int k = 0; k < 60; ++k) traffic.add_message(d, 1 - d);
    for (int k = 0; k < 16; ++k) traffic.add_transfer(d, 1 - d, k % 2 == 1, k < 12 ? 700 : 40'000);
  }
  traffic.start();
  ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 2'000'000));
  ASSERT_TRUE(network.drain(100'000));
  traffic.check();
  EXPECT_GE(own, 240);
  EXPECT_GE(rdma, 800);
}

TEST(ExanetNi, MixedTrafficAtFullRate) { run_mixed(1, {0, 0, 0}); }
TEST(ExanetNi, MixedTrafficWithStalls) { run_mixed(2, {30, 30, 30}); }
TEST(ExanetNi, MixedTrafficWithSlowLink) { run_mixed(3, {80, 5, 0}); }
TEST(ExanetNi, MixedTrafficWithSlowMemory) { run_mixed(4, {5, 80, 50}); }

TEST(ExanetNi, MessagesAreNotHeldUpByTransfers) {
  NodeNetwork network(5, {});
  add_interfaces(network, 3, {.latency = 4}, 5);
  NodeTraffic traffic(network, 6);
  traffic.open();
  for (int k = 0; k < 4; ++k) traffic.add_transfer(0, 1, false, 200'000);
  for (int k = 0; k < 4; ++k) traffic.add_transfer(1, 0, false, 200'000);
  traffic.start();
  network.run(2000);
  // These messages are none of the traffic's.
  traffic.host(1).on_message = {};
  for (int k = 0; k < 50; ++k) {
    bool acked = false;
    traffic.host(0).send(7, traffic.host(1).node(), 1, {},
                         [&](NodeHost::State state) { acked = state == NodeHost::kAcked; });
    const int64_t begin = network.now();
    ASSERT_TRUE(network.run_until([&] { return acked; }, 1000));
    // Both ways a packet of the largest size may be ahead, and the buffers of the far side are full of them.
    EXPECT_LE(network.now() - begin, 200);
  }
  EXPECT_FALSE(traffic.done()) << "the transfers were over before";
}

/// What a counter of packetizer and mailbox says.
uint64_t counter(NodeNetwork& network, NodeHost& host, int number) {
  uint64_t value = ~uint64_t{0};
  host.read_counter(number, [&](uint64_t v) { value = v; });
  EXPECT_TRUE(network.run_until([&] { return value != ~uint64_t{0}; }, 1000));
  return value;
}

/// Malformed packets that the RDMA unit has counted.
uint32_t malformed(NodeNetwork& network, NodeDevice& device) {
  uint32_t value = ~0u;
  device.descriptors.push({false, 0x10200, {}, [&](const std::vector<Word128>& words, bool) { value = words[0][0]; }});
  EXPECT_TRUE(network.run_until([&] { return value != ~0u; }, 1000));
  return value;
}

/// Packets that the Allreduce accelerator has dropped, as malformed or as of no operation that goes on.
uint64_t not_reduced(NodeNetwork& network, NodeHost& host) {
  std::optional<uint64_t> value;
  host.read(0xd0118, [&](uint64_t counters) { value = (counters & 0xffff) + (counters >> 16 & 0xffff); });
  EXPECT_TRUE(network.run_until([&] { return value.has_value(); }, 1000));
  return value.value_or(0);
}

TEST(ExanetNi, WrongPacketsDoNoHarm) {
  enum Fault { kRdmaCrc, kRdmaKind, kOwnCrc, kOwnKind, kNode, kFrame, kLength, kStray, kFaults };
  NodeNetwork network(7, {});
  add_interfaces(network, 3, {.latency = 4}, 7);
  NodeTraffic traffic(network, 8);
  traffic.open();
  RandomSource random(9);
  std::array<uint64_t, kFaults> injected{};
  const uint32_t to = network.device(1).identity().node;
  for (int k = 0; k < 400; ++k) {
    const auto fault = static_cast<Fault>(random.below(kFaults));
    RdmaPacket packet{.kind = static_cast<int>(random.between(1, 5)), .source = 5, .destination = to};
    const bool own = fault == kOwnCrc || fault == kOwnKind || (fault >= kNode && random.percent(50));
    if (own) packet.kind = 0;
    if (fault == kRdmaKind) packet.kind = static_cast<int>(random.between(6, 7));
    if (fault == kNode) packet.destination ^= 1u << random.below(24);
    packet.bytes = 16 * static_cast<uint32_t>(random.between(1, 16));
    for (uint32_t w = 0; 16 * w < packet.bytes; ++w) packet.payload.push_back(random_word(random));
    if (own) {
      // An own header that fits but for its kind; RDMA kinds as they were once, 8 to 15, are as unknown as others.
      const uint32_t node = to;
      packet.payload[0] = make_word(uint64_t{node} << 42, uint64_t{7} | uint64_t{packet.bytes - 16} << 48);
      const uint64_t kind = fault == kOwnCrc ? 1 : random.between(4, 15);
      packet.payload[0][3] |= static_cast<uint32_t>(kind) << 28;
    }
    std::vector<FlitWord> words = packet.encode();
    if (own) {
      uint32_t crc = 0xffffffff;
      for (size_t w = 0; w + 1 < words.size(); ++w) crc = RdmaPacket::crc(crc, words[w].data);
      words.back().data = {~crc, 0, 0, 0};
    }
    switch (fault) {
      case kRdmaCrc:
      case kOwnCrc:
        words[random.between(own ? 2 : 1, words.size() - 1)].data[random.below(3)] ^= 1u << random.below(32);
        break;
      case kFrame:
        words.erase(words.begin() + static_cast<int64_t>(random.between(1, words.size() - 2)));
        break;
      case kLength:
        words[0].data[1] = (words[0].data[1] & ~0x3ff0000u) | static_cast<uint32_t>(random.between(257, 1023)) << 16;
        break;
      case kStray:
        words.erase(words.begin());
        break;
      default:
        break;
    }
    const bool vc = random.percent(50);
    // Each stray word is counted.
    injected[fault] += fault == kStray ? words.size() : 1;
    for (const FlitWord& word : words) network.inject(1, 0, {word, vc});
    network.run(static_cast<int64_t>(random.between(30, 60)));
  }
  ASSERT_TRUE(network.drain(1000));
  NodeHost& host = traffic.host(1);
  EXPECT_EQ(counter(network, host, 15), injected[kFrame]);
  EXPECT_EQ(counter(network, host, 16), injected[kLength]);
  EXPECT_EQ(counter(network, host, 17), injected[kOwnCrc]);
  EXPECT_EQ(counter(network, host, 18), injected[kNode]);
  EXPECT_EQ(counter(network, host, 19), injected[kOwnKind]);
  EXPECT_EQ(counter(network, host, 20), injected[kStray]);
  EXPECT_EQ(malformed(network, network.device(1)) + not_reduced(network, host),
            injected[kRdmaCrc] + injected[kRdmaKind]);
  for (const uint64_t count : injected) EXPECT_GT(count, 20u);
  ASSERT_TRUE(network.drain(1000));
  traffic.check();
  // What is right goes on.
  for (int d = 0; d < 2; ++d) {
    for (int k = 0; k < 10; ++k) traffic.add_message(d, 1 - d);
    for (int k = 0; k < 4; ++k) traffic.add_transfer(d, 1 - d, k % 2 == 1, 3000);
  }
  traffic.start();
  ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 100'000));
  ASSERT_TRUE(network.drain(100'000));
  traffic.check();
}

TEST(ExanetNi, WrongProtectionDomains) {
  NodeNetwork network(10, {});
  add_interfaces(network, 3, {.latency = 4}, 10);
  NodeHost a(network.device(0), 7);
  NodeHost b(network.device(1), 9);
  a.open(0);
  b.open(0);
  ASSERT_TRUE(network.drain(100'000));
  NodeHost::State state = NodeHost::kIdle;
  a.send(0, b.node(), 0, {1, 2, 3}, [&](NodeHost::State s) { state = s; });
  ASSERT_TRUE(network.run_until([&] { return state != NodeHost::kIdle; }, 1000));
  EXPECT_EQ(state, NodeHost::kNacked);
  EXPECT_EQ(counter(network, b, 9), 1u);
  const auto outcome = [&](const Transfer& t) {
    Code code = Code::kBusy;
    a.start(t, [&](Code c) { code = c; });
    EXPECT_TRUE(network.run_until([&] { return code != Code::kBusy; }, 10'000));
    return code;
  };
  Transfer t{.pdid = 7, .node = b.node(), .remote = 0x1000, .local = 0x2000, .length = 300};
  EXPECT_EQ(outcome(t), Code::kRemotePdid);
  t.read = true;
  EXPECT_EQ(outcome(t), Code::kRemotePdid);
  t.pdid = 9;
  EXPECT_EQ(outcome(t), Code::kProtection);
  ASSERT_TRUE(network.drain(10'000));
  EXPECT_TRUE(network.device(1).memory.bytes().pages().empty());
  network.expect_all_credits();
}

// Event 64, once for each operation, also while entries of the mailbox have theirs.
TEST(ExanetNi, TellsTheEndOfEachReduction) {
  constexpr int kOperations = 12;
  NodeNetwork network(12, {});
  add_interfaces(network, 3, {.latency = 4}, 12);
  NodeHost a(network.device(0), 7);
  NodeHost b(network.device(1), 7);
  for (NodeHost* host : {&a, &b}) host->open(1);
  int ended = 0, entries = 0, sent = 0;
  const auto take_entry = network.device(0).on_event;
  network.device(0).on_event = [&](int number) {
    if (number == 64) {
      ++ended;
    } else {
      EXPECT_EQ(number, 1);
      ++entries;
      take_entry(number);
    }
  };
  const auto write = [&](uint32_t address, uint64_t value) {
    network.device(0).messages.push(
        {true, address, {make_word(value, 0)}, [](const auto&, bool error) { EXPECT_FALSE(error); }});
  };
  ASSERT_TRUE(network.drain(100'000));
  const std::function<void()> send = [&] {
    b.send(4, a.node(), 1, {1, 2, 3}, [&](NodeHost::State state) {
      // The host takes entries more slowly than they can come, so its ring may be full.
      if (state == NodeHost::kAcked) ++sent;
      if (ended < kOperations) send();
    });
  };
  send();
  // A client on one board, whose server answers nothing: each operation ends with a time-out.
  constexpr uint64_t kEnable = uint64_t{1} << 63;
  write(0xd0108, kEnable | 1);
  write(0xd2000, kEnable | b.node());
  for (int k = 0; k < kOperations; ++k) {
    write(0xd0110, 50 + static_cast<uint64_t>(k));
    write(0xd0000, 5);
    write(0xd0100, 4);
    ASSERT_TRUE(network.run_until([&] { return ended > k; }, 2000)) << k;
    ASSERT_EQ(ended, k + 1);
    std::optional<uint64_t> state;
    a.read(0xd0100, [&](uint64_t value) { state = value; });
    ASSERT_TRUE(network.run_until([&] { return state.has_value(); }, 1000));
    EXPECT_EQ(*state & 1, 0u) << "under way";
    EXPECT_EQ(*state >> 4 & 15, 1u) << "a vector did not come in time";
    EXPECT_EQ(*state >> 24 & 255, static_cast<uint64_t>(k + 1));
  }
  ASSERT_TRUE(network.drain(10'000));
  EXPECT_EQ(ended, kOperations);
  EXPECT_EQ(entries, sent);
  EXPECT_GT(sent, kOperations / 2);
}

}  // namespace
}  // namespace fabrictwin::test
