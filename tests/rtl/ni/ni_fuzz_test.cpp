// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Any accesses to the registers of the network interface.
#include <gtest/gtest.h>

#include "tests/rtl/ni/ni_host.h"
#include "tests/rtl/register_fuzz.h"

namespace fabrictwin::test {
namespace {

constexpr int kPdid = 0x2468;
constexpr int kInterface = 9;
constexpr uint32_t kGlobal = 0xc0000;

/// The registers of docs/models/exanet-ni.md.
bool listed(const FuzzAccess& access) {
  const uint32_t at = access.address & 0xfff, word = at >> 3 & 15, global = access.address & 0x3ffff;
  switch (access.address >> 18) {
    case 0:
      return at < 0x200 && (access.write ? word <= 9 : word == 9);
    case 1:
      if (at < 0x800) return !access.write && at >> 7 < static_cast<uint32_t>(kNiMailboxDepth) && word <= 8;
      return at == 0x808 || (at == 0x800 && !access.write);
    case 2:
      return at == 0x10 || (at <= 8 && access.write);
    default:
      if (global == 0) return !access.write;
      if (global == 0x10) return access.write;
      if (global >= 0x40) return !access.write && global < 0x40 + 8 * static_cast<uint32_t>(kNiCounters);
      return global <= 0x28;
  }
}

bool refused(const FuzzAccess& access) { return !listed(access) || (access.write && access.strobes != 0xff); }

class NiFuzz : public testing::Test {
 protected:
  NiFuzz() { configure(); }

  /// All registers as a driver wants them, whatever they were.
  void configure() {
    for (int d = 0; d < 2; ++d) {
      NiHost& host = host_[d];
      host.set_timeout(100, 3, 4);
      host.wait_ready();
      for (int i = 0; i < 64; ++i) {
        host.enable_packetizer(i, kPdid);
        host.configure_mailbox(i, kPdid);
        EXPECT_FALSE(host.place_ring(i, 0));
      }
      EXPECT_FALSE(network_.write(d, kNiEnableAddress, 0));
      EXPECT_FALSE(network_.write(d, kNiPendingAddress, ~uint64_t{0}));
    }
  }
  static RegisterFuzz::Space space(RegisterFuzz::Rule spared) {
    return {.bytes = 0x100000,
            .width = 8,
            .registers = {{kInterface << 12, 0x400},
                          {0x40000 | kInterface << 12, 0x1000},
                          {0x80000 | kInterface << 12, 0x40},
                          {kGlobal, 0x140}},
            .refused = refused,
            .spared = std::move(spared)};
  }
  /// Queues accesses of a host; they are made while other things happen.
  void make(RegisterFuzz& fuzz, int d, int accesses) {
    for (int i = 0; i < accesses; ++i) {
      const FuzzAccess access = fuzz.next();
      const auto done = [&fuzz, access](uint64_t, bool error) { fuzz.answered(access, error); };
      if (access.write) {
        network_.device(d).write(access.address, access.data[0], done, static_cast<int>(access.strobes));
      } else {
        network_.device(d).read(access.address, done);
      }
      ++made_;
    }
  }
  void expect_message(int count) {
    const auto data = message_data(static_cast<uint64_t>(count), count % 65);
    ASSERT_FALSE(host_[0].send(4 * (count % 8), kInterface, data));
    ASSERT_EQ(host_[0].outcome(4 * (count % 8)), kAcked);
    EXPECT_EQ(host_[1].entry(kInterface, count % kNiMailboxDepth).data, data);
    host_[1].set_head(kInterface, (count + 1) % (2 * kNiMailboxDepth));
  }

  NiNetwork network_{17, NiStalls{90, 90, 90, 70, 90}};
  NiHost host_[2] = {NiHost(network_, 0), NiHost(network_, 1)};
  int made_ = 0;
};

// Reads, and writes that are refused.
TEST_F(NiFuzz, MessagesGoOnBesideThem) {
  RegisterFuzz fuzz(space([](const FuzzAccess& access) { return access.write && !refused(access); }), 1);
  for (int count = 0; count < 200; ++count) {
    for (int d = 0; d < 2; ++d) make(fuzz, d, count % 12);
    expect_message(count);
    if (HasFailure()) return;
  }
  for (int d = 0; d < 2; ++d) network_.finish_host(d);
  fuzz.expect_answers(made_);
}

// Writes of all registers but doorbells, whose messages would be sent again for as long as the register of times says,
// and that one.
TEST_F(NiFuzz, ItWorksAgainAfterAnyWrites) {
  RegisterFuzz fuzz(space([](const FuzzAccess& access) {
                      const bool doorbell = access.address >> 18 == 0 && (access.address & 0x78) == 0x48;
                      return access.write && (doorbell || access.address == kNiTimeoutAddress);
                    }),
                    2);
  for (int round = 0; round < 10; ++round) {
    for (int d = 0; d < 2; ++d) make(fuzz, d, 200);
    for (int d = 0; d < 2; ++d) network_.finish_host(d);
    configure();
    for (int count = 0; count < 10; ++count) expect_message(count);
    if (HasFailure()) return;
  }
  fuzz.expect_answers(made_);
}

}  // namespace
}  // namespace fabrictwin::test
