// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Any accesses to the registers of a NaNet-10.
#include <gtest/gtest.h>

#include <map>

#include "rtl/nanet/nanet_registers.h"
#include "tests/rtl/nanet/nanet_bench.h"
#include "tests/rtl/random_state_context.h"
#include "tests/rtl/register_fuzz.h"

namespace fabrictwin::test {
namespace {

/// The devices begin with random values.
const RandomDevices kRandomDevices;

constexpr uint32_t kPortBytes = 0x20;    ///< Between registers of ports, of which half are there.
constexpr uint32_t kStreamsEnd = 0x380;  ///< Behind the registers of streams.

/// The registers of rtl/nanet/registers.csv.
bool exists(uint32_t at) {
  if (at >= registers::kStreamOffset) return at < kStreamsEnd;
  return at < registers::kPortOffset || at % kPortBytes < 4 * kPorts;
}
bool read_only(uint32_t at) {
  using namespace registers;
  return at <= kShapeOffset || (at >= kRingWrittenOffset && at <= kMissHighOffset) || at == kSendFreeOffset ||
         (at >= kCounterOffset && at <= kCycleOffset) || (at >= kMeterCountOffset && at < kStreamOffset);
}
bool refused(const FuzzAccess& access) {
  return !exists(access.address) || (access.write && read_only(access.address));
}
/// Registers that matter to nobody while nothing is sent: of what would be sent, of generators that are off, and of
/// streams from 8 on, which are closed.
bool idle_register(uint32_t at) {
  using namespace registers;
  if (at >= kStreamOffset) return at < kStreamsEnd && at % 0x40 >= 0x20;
  if (at >= kNetmaskOffset) return at < kMeterCountOffset && exists(at);
  return at == kTlbTimeoutOffset || at == kArpTimeoutOffset || at == kPhysicalLowOffset || at == kPhysicalHighOffset ||
         (at >= kSendLowOffset && at <= kSendPortsOffset) || at == kCounterSelectOffset;
}

class NanetFuzz : public Nanet {
 protected:
  static RegisterFuzz::Space space(RegisterFuzz::Rule spared) {
    return {.bytes = 0x1000,
            .width = 4,
            .registers = {{0, 0x80}, {0x80, 0x200}, {0x280, 0x100}},
            .refused = refused,
            .spared = std::move(spared)};
  }
  /// Begins an access.
  void make(RegisterFuzz& fuzz) {
    const FuzzAccess access = fuzz.next();
    const auto done = [&fuzz, access](bool ok, uint32_t) { fuzz.answered(access, !ok); };
    if (access.write) {
      device_.start_write(access.address, static_cast<uint32_t>(access.data[0]), done);
    } else {
      device_.start_read(access.address, done);
    }
    ++made_;
  }
  void expect_datagrams(RegisterFuzz& fuzz, int datagrams, int accesses) {
    for (int i = 0; i < datagrams; ++i) {
      receive(i % 2 == 0 ? 0 : 6, any_bytes(1 + draw(300)));
      for (int k = 0; k < accesses; ++k) make(fuzz);
      run_ns(1000);
      if (HasFatalFailure()) return;
    }
    run_ns(300'000);
    all_events_came();
    EXPECT_GT(events_[0] + events_[6], datagrams / 50);
  }

  int made_ = 0;
};

// Reads, and writes that are refused.
TEST_F(NanetFuzz, DatagramsGoOnBesideThem) {
  for (const int s : {0, 6}) open_stream(s, 11, 4);
  RegisterFuzz fuzz(space([](const FuzzAccess& access) { return access.write && !refused(access); }), 1);
  expect_datagrams(fuzz, 400, 4);
  fuzz.expect_answers(made_);
}

// Some are refused since their values cannot be. What was there is written again.
TEST_F(NanetFuzz, ItWorksAgainAfterAnyWrites) {
  std::map<uint32_t, uint32_t> before;
  for (uint32_t at = 0; at < kStreamsEnd; at += 4) {
    if (idle_register(at)) before[at] = device_.read(at).value_or(0);
  }
  RegisterFuzz fuzz(space([](const FuzzAccess& access) {
                      return access.write && !refused(access) && !idle_register(access.address);
                    }),
                    2);
  for (int i = 0; i < 2000; ++i) {
    make(fuzz);
    if (i % 10 == 0) run_ns(1000);
  }
  for (const auto& [at, value] : before) EXPECT_TRUE(device_.write(at, value)) << at;
  fuzz.expect_answers(made_);
  for (const int s : {0, 6}) open_stream(s, 11, 4);
  RegisterFuzz none(space([](const FuzzAccess&) { return false; }), 3);
  expect_datagrams(none, 100, 0);
}

}  // namespace
}  // namespace fabrictwin::test
