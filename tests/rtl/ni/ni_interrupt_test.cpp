// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts of the mailbox as a host uses them: by the registers, with messages from the network.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "tests/rtl/ni/ni_host.h"

namespace fabrictwin::test {
namespace {

constexpr int kPdid = 0x1357;
constexpr uint64_t kBit9 = uint64_t{1} << 9;

class NiInterrupt : public testing::Test {
 protected:
  NiInterrupt() {
    network_.on_event = [this](int to, int) {
      if (to == 1) told_ = network_.now();
    };
    configure();
  }
  void configure() {
    host_[0].set_timeout(400, 7, 4);
    for (int i = 0; i < 8; ++i) host_[0].enable_packetizer(i, kPdid);
    for (int i = 0; i < 64; ++i) host_[1].configure_mailbox(i, kPdid);
    for (NiHost& host : host_) host.wait_ready();
  }
  void set(uint32_t address, uint64_t value) { EXPECT_FALSE(network_.write(1, address, value)); }
  void moderate(uint64_t entries, uint64_t cycles) { set(kNiModerationAddress, cycles << 16 | entries); }
  void send(int channel, int interface_number) {
    ASSERT_FALSE(host_[0].send(channel, interface_number, message_data(static_cast<uint64_t>(channel), 16)));
    ASSERT_EQ(host_[0].outcome(channel), kAcked);
  }
  /// Cycles until the interrupt is asserted, at most `limit`.
  int64_t wait(int64_t limit = 2000) {
    const int64_t begin = network_.now();
    while (!network_.interrupt(1) && network_.now() - begin < limit) network_.cycle();
    return network_.now() - begin;
  }

  NiNetwork network_{3, NiStalls{}};
  NiHost host_[2] = {NiHost(network_, 0), NiHost(network_, 1)};
  int64_t told_ = 0;  ///< When the last entry was told.
};

TEST_F(NiInterrupt, BeginsDisabled) {
  EXPECT_EQ(network_.read(1, kNiPendingAddress), 0u);
  EXPECT_EQ(network_.read(1, kNiEnableAddress), 0u);
  EXPECT_EQ(network_.read(1, kNiModerationAddress), 0u);
  send(0, 9);
  EXPECT_EQ(network_.read(1, kNiPendingAddress), kBit9);
  EXPECT_FALSE(network_.interrupt(1));
}

TEST_F(NiInterrupt, RegistersKeepWhatTheyHave) {
  set(kNiEnableAddress, 0xfedc'ba98'7654'3210);
  set(kNiModerationAddress, ~uint64_t{0});
  EXPECT_EQ(network_.read(1, kNiEnableAddress), 0xfedc'ba98'7654'3210u);
  EXPECT_EQ(network_.read(1, kNiModerationAddress), 0xff'ffff'ffffu);
  EXPECT_TRUE(network_.write(1, kNiEnableAddress, 0, 0x0f)) << "partial strobes";
  EXPECT_EQ(network_.read(1, kNiEnableAddress), 0xfedc'ba98'7654'3210u);
}

TEST_F(NiInterrupt, StaysUntilItsEntriesAreSeen) {
  set(kNiEnableAddress, kBit9);
  send(0, 9);
  EXPECT_EQ(wait(), 0) << "the answer takes longer than the interrupt";
  network_.run(1000);
  EXPECT_TRUE(network_.interrupt(1));
  set(kNiPendingAddress, ~kBit9);
  EXPECT_EQ(network_.read(1, kNiPendingAddress), kBit9) << "another bit was written";
  EXPECT_TRUE(network_.interrupt(1)) << "it is still pending";
  set(kNiPendingAddress, kBit9);
  EXPECT_EQ(network_.read(1, kNiPendingAddress), 0u);
  EXPECT_FALSE(network_.interrupt(1));
  send(0, 10);
  EXPECT_FALSE(network_.interrupt(1)) << "that interface is not enabled";
  set(kNiEnableAddress, ~uint64_t{0});
  network_.run(3);
  EXPECT_TRUE(network_.interrupt(1)) << "it was pending before";
}

TEST_F(NiInterrupt, WaitsForItsTime) {
  set(kNiEnableAddress, kBit9);
  for (const int64_t delay : {0, 1, 200, 1000}) {
    moderate(0, static_cast<uint64_t>(delay));
    ASSERT_FALSE(host_[0].send(0, 9, message_data(1, 16)));
    wait();
    ASSERT_TRUE(network_.interrupt(1));
    // The entry is pending an edge after it is told, and the request follows an edge after its time.
    EXPECT_EQ(network_.now() - 1 - told_, delay + 2);
    ASSERT_EQ(host_[0].outcome(0), kAcked);
    host_[1].set_head(9, host_[1].tail(9));
    set(kNiPendingAddress, kBit9);
    EXPECT_FALSE(network_.interrupt(1));
  }
}

TEST_F(NiInterrupt, WaitsForSoManyEntries) {
  set(kNiEnableAddress, ~uint64_t{0});
  moderate(3, 100'000);
  send(0, 9);
  send(4, 12);
  network_.run(500);
  EXPECT_FALSE(network_.interrupt(1));
  ASSERT_FALSE(host_[0].send(8, 9, message_data(2, 16)));
  wait();
  ASSERT_TRUE(network_.interrupt(1));
  EXPECT_EQ(network_.now() - 1 - told_, 2);
  EXPECT_EQ(network_.read(1, kNiPendingAddress), kBit9 | uint64_t{1} << 12);
}

TEST_F(NiInterrupt, TellsEntriesInMemoryThatAreTold) {
  set(kNiEnableAddress, kBit9);
  for (const bool events : {false, true}) {
    EXPECT_FALSE(host_[1].place_ring(9, ni_ring(0x20000, 2, events)));
    send(0, 9);
    network_.run(20);
    EXPECT_EQ(network_.interrupt(1), events);
  }
}

/// A host that sleeps until it is interrupted.
class NiSleepingHost : public NiInterrupt, public testing::WithParamInterface<int> {
 protected:
  /// Takes what is pending.
  void serve() {
    ++interrupts_;
    const uint64_t pending = network_.read(1, kNiPendingAddress);
    EXPECT_NE(pending, 0u);
    set(kNiPendingAddress, pending);
    for (int i = 0; i < 64; ++i) {
      if ((pending >> i & 1) == 0) continue;
      int& head = heads_[static_cast<size_t>(i)];
      for (const int tail = host_[1].tail(i); head != tail; head = (head + 1) % (2 * kNiMailboxDepth)) found_.insert(i);
      host_[1].set_head(i, head);
    }
  }

  std::array<int, 64> heads_{};
  std::multiset<int> found_;
  int interrupts_ = 0;
};

// Whatever stalls, it finds all messages, and a twin that leaves idle edges out interrupts in the same cycles.
TEST_P(NiSleepingHost, MissesNothing) {
  const int free = GetParam();
  network_.set_stalls({free, free, free, free, free});
  for (int d = 0; d < 2; ++d) network_.device(d).start_twin(0xffff'f000u);
  configure();
  moderate(free == 60 ? 4 : 0, free == 100 ? 0 : 150);
  set(kNiEnableAddress, ~uint64_t{0});
  std::mt19937 random(static_cast<unsigned>(free));
  std::multiset<int> sent;
  for (int k = 0; k < 300; ++k) {
    const int channel = k % 32, to = static_cast<int>(random() % 64);
    if (k >= 32) ASSERT_EQ(host_[0].outcome(channel), kAcked);
    ASSERT_FALSE(host_[0].send(channel, to, message_data(static_cast<uint64_t>(k), 8)));
    sent.insert(to);
    if (random() % 20 == 0) network_.run(static_cast<int>(random() % 3000));
    if (network_.interrupt(1)) serve();
  }
  for (network_.run(3000); network_.interrupt(1); network_.run(3000)) serve();
  EXPECT_EQ(found_, sent);
  EXPECT_GT(interrupts_, 20);
  EXPECT_GT(network_.device(1).skipped(), 0);
}
INSTANTIATE_TEST_SUITE_P(PercentFree, NiSleepingHost, testing::Values(100, 60, 15));

}  // namespace
}  // namespace fabrictwin::test
