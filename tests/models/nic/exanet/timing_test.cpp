// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Transfers alone between two models, held against what docs/models/exanet-rdma.md measured of the RTL.
#include <gtest/gtest.h>

#include <memory>

#include "cosim/link/packet_mark.h"
#include "models/kernel/systemc_context.h"
#include "models/nic/exanet/ni.h"
#include "tests/models/nic/exanet/rtl_rdma.h"

namespace fabrictwin::test {
namespace {

constexpr uint64_t kRemoteNotification = 0x40000;
constexpr uint64_t kLocalNotification = 0x50000;

/// Remembers when notifications were written.
class Watcher : public nic::exanet::Client {
 public:
  Time notified;
  void message_arrived(const nic::exanet::Message&) override {}
  void message_done(int32_t, nic::exanet::MessageState) override {}
  void read_memory(uint64_t, std::span<std::byte> bytes) override {
    std::fill(bytes.begin(), bytes.end(), std::byte{1});
  }
  void write_memory(uint64_t address, std::span<const std::byte>, const std::array<uint64_t, 4>&) override {
    if (address == kRemoteNotification || address == kLocalNotification)
      notified = kernel::from_sc_time(sc_core::sc_time_stamp());
  }
  void ni_failed(const std::string& what) override { FAIL() << what; }
};
struct Latency {
  int64_t one_way;     ///< Doorbell to the memory's answer for the notification at the destination, in cycles.
  int64_t completion;  ///< To that for the local one.
};

/// Between two models pin to pin; memory answers after `memory` cycles.
Latency measure(uint64_t bytes, int64_t memory, int32_t firmware, bool early = false, bool known = false) {
  const std::unique_ptr<kernel::SystemcContext> systemc = *kernel::SystemcContext::create();
  Watcher watchers[2];
  std::unique_ptr<nic::exanet::Ni> nis[2];
  const Time half = Time::from_ps(memory * 3200);
  for (uint32_t i = 0; i < 2; ++i) {
    nic::exanet::Ni::Config config;
    config.node = i;
    config.numbering = {0, 1, 0};
    config.link.rate = Bandwidth{20'000'000'000};
    config.link.latency = Time::from_fs(0);
    config.timing.host_latency = half;
    config.timing.firmware = firmware;
    config.timing.early_notifications = early;
    config.timing.translation_cache = known;
    config.client = &watchers[i];
    nis[i] = std::make_unique<nic::exanet::Ni>(i == 0 ? "a" : "b", config);
  }
  nis[0]->tile_out.bind(nis[1]->tile_in);
  nis[1]->tile_out.bind(nis[0]->tile_in);
  // The second of two is measured, which begins at an edge.
  constexpr Time kApart = Time::from_us(100);
  for (int i = 0; i < 2; ++i) {
    nis[0]->start_transfer(0, {1, 0x10000, 0x20000, bytes, nic::exanet::Notification{kRemoteNotification, 1},
                               nic::exanet::Notification{kLocalNotification, 1}});
    sc_core::sc_start(kernel::to_sc_time(kApart));
  }
  const Clock clock{Frequency{156'250'000}};
  const auto cycles = [&](const Watcher& watcher) {
    return clock.edge_at_or_after(watcher.notified + half) - clock.edge_at_or_after(kApart + half);
  };
  return {cycles(watchers[1]), cycles(watchers[0])};
}

/// The edges of a transfer of 64 bytes between two RDMA units at their pins.
class Stages {
 public:
  /// `mark`: the router between them marks what leaves the initiator.
  explicit Stages(bool mark = false) {
    const auto marked = [mark](nic::exanet::Words packet) {
      if (mark) packet.words[packet.count - size_t{1}].hi |= link::kMarkBit;
      return packet;
    };
    Watcher watcher;
    const nic::exanet::Numbering numbering{1, 1, 1};
    RtlRdma from(3, numbering, 9, kMemory), to(4, numbering, 9, kMemory);
    from.client = to.client = &watcher;
    from.transmit = [&](const nic::exanet::Words& packet) { to.receive(marked(packet)); };
    to.transmit = [&](const nic::exanet::Words& packet) { from.receive(packet); };
    // The second one, so that tables are warm.
    for (int i = 0; i < 2; ++i) {
      from.log.clear();
      to.log.clear();
      Transfer order{.channel = i, .pdid = 9, .node = 4, .remote = 0x10000, .local = 0x20000, .length = 64, .data = 1};
      order.notify = order.local_notify = true;
      order.notify_va = kRemoteNotification;
      order.local_notify_va = kLocalNotification;
      from.start(order);
      for (int k = 0; k < 400; ++k) {
        from.cycle();
        to.cycle();
      }
    }
    from_ = from.log;
    to_ = to.log;
  }
  /// Cycles from an event to another, of which it is the `first`th and `second`th of their kinds.
  int64_t at_initiator(char a, size_t first, char b, size_t second) const {
    return edge(from_, b, second) - edge(from_, a, first);
  }
  int64_t at_destination(char a, size_t first, char b, size_t second) const {
    return edge(to_, b, second) - edge(to_, a, first);
  }

 private:
  static constexpr int64_t kMemory = 10;
  static int64_t edge(const std::vector<std::pair<char, int64_t>>& log, char what, size_t number) {
    for (const auto& [kind, time] : log) {
      if (kind == what && number-- == 0) return time;
    }
    ADD_FAILURE() << "no event " << what;
    return 0;
  }
  std::vector<std::pair<char, int64_t>> from_, to_;
};

// A word that is taken at an edge is on the link, behind the register of the arbiter, in the slot that begins there.
TEST(NiTiming, TheStagesAreThoseOfTheRtl) {
  const Stages rtl;
  const nic::exanet::Timing timing;
  EXPECT_EQ(rtl.at_initiator('d', 0, 'a', 0), timing.transfer_start);
  EXPECT_EQ(rtl.at_initiator('a', 0, 't', 0), timing.notify_send) << "the notification leaves first";
  EXPECT_EQ(rtl.at_initiator('r', 0, 't', 1), timing.cell_send);
  EXPECT_EQ(rtl.at_destination('x', 1, 'w', 0), timing.cell_receive);
  EXPECT_EQ(rtl.at_destination('b', 0, 'w', 1), timing.notify);
  EXPECT_EQ(rtl.at_destination('b', 1, 't', 0), timing.block_answer);
  EXPECT_EQ(rtl.at_initiator('x', 0, 'w', 0), timing.block_answered);
  // The notice of the marked cell, which comes behind the notification, is the first that leaves.
  const Stages congested(true);
  EXPECT_EQ(congested.at_destination('x', 1, 't', 0), timing.notice);
}

// The sum of the stages: three accesses to memory, four words each way, six words on the link and through the buffer
// behind it, and as much for the answer's two words.
TEST(NiTiming, SixtyFourBytesTakeTheSumOfTheStages) {
  for (const int64_t memory : {2, 16, 24}) {
    for (const int32_t firmware : {0, 469}) {
      const Latency model = measure(64, memory, firmware);
      const int64_t start = 2 + (firmware > 0 ? firmware + 1 : 0);
      const int64_t one_way = start + (memory + 3) + 1 + 6 + (1 + 5) + 2 + (3 + memory) + 5 + memory;
      EXPECT_EQ(model.one_way, one_way) << memory;
      EXPECT_EQ(model.completion, one_way + 4 + 2 + (1 + 1) + 6 + memory) << memory;
      // An early one follows the last word of data.
      EXPECT_EQ(measure(64, memory, firmware, true).one_way, one_way - memory - 4) << memory;
      EXPECT_EQ(measure(64, memory, firmware, false, true).one_way, one_way - memory - 4) << "to a known page";
    }
  }
}

}  // namespace
}  // namespace fabrictwin::test
