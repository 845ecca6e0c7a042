// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the units cost: cycles from doorbell to notification, and bytes in a cycle.
#include <gtest/gtest.h>

#include <cstdio>

#include "VRdmaUnitFirmware__inputs.h"
#include "VRdmaUnit__inputs.h"
#include "tests/rtl/rdma/rdma_network.h"

namespace fabrictwin::test {
namespace {

constexpr double kCycleNs = 6.4;     // 156.25 MHz.
constexpr int kFirmwareDelay = 469;  // 3 us: the middle of the published 2 to 4 us.

/// Cycles from the doorbell at which something was first seen at the pins.
struct Milestones {
  int64_t address = -1;       ///< The source memory takes the address of the data.
  int64_t data = -1;          ///< The last word of the data comes from it.
  int64_t leaves = -1;        ///< The header of the cell leaves.
  int64_t arrives = -1;       ///< Its footer arrives.
  int64_t written = -1;       ///< The destination's memory has taken the last word of the data,
  int64_t answered = -1;      ///< and says that it is written.
  int64_t notification = -1;  ///< It has taken the notification.
};

struct Latency {
  int64_t one_way;     ///< Doorbell to the notification in the destination's memory.
  int64_t completion;  ///< Doorbell to the local notification.
  Milestones at;
};

/// What happens at this edge of a write with a slow memory: the notification's packet is out before the cell's.
template <class Model>
void watch(RdmaNetwork<Model>& net, Milestones& at) {
  const Model& from = net.node(0).model();
  const Model& to = net.node(1).model();
  const auto mark = [&](int64_t& time, bool event) {
    if (event && time < 0) time = net.now();
  };
  mark(at.address, from.m_arvalid_o && from.m_arready_i);
  mark(at.data, from.m_rvalid_i && from.m_rlast_i);
  mark(at.leaves, at.data >= 0 && from.request_valid_o && from.request_sop_o);
  if (at.written < 0 && to.rx_valid_i && to.rx_eop_i) at.arrives = net.now();
  const bool beat = to.m_wvalid_o && to.m_wready_i && to.m_wlast_o;
  mark(at.notification, at.written >= 0 && beat);
  mark(at.written, beat);
  mark(at.answered, to.m_bvalid_i != 0);
}

struct Options {
  bool early = false;      ///< An early notification.
  bool translate = false;  ///< The translation cache is in use.
  uint32_t firmware = 0;   ///< The register of the firmware; zero leaves it as it is after reset.
};

/// A transfer alone; the second of two, so that tables are warm.
template <class Model>
Latency measure(uint32_t length, bool read, unsigned memory, int64_t network, const Options& options = {}) {
  RdmaNetwork<Model> net(2, 3, {.latency = memory, .write_latency = memory}, {.delay = network});
  for (int i = 0; i < 2; ++i) {
    net.node(i).set_page(0, 7);
    if (options.firmware > 0) net.node(i).host_write(0x10110, {make_word(options.firmware, 0)});
    if (options.translate) net.node(i).host_write(0x10120, {make_word(1, 0)});
  }
  Transfer t{.read = read,
             .pdid = 7,
             .node = 2,
             .remote = 0x10000,
             .local = 0x20000,
             .length = length,
             .data = 1,
             .notify = true,
             .early = options.early,
             .notify_va = 0x40000,
             .local_notify = true,
             .local_notify_va = 0x50000};
  for (int i = 0; i < 2; ++i) {
    for (uint64_t base : {0x10000, 0x20000, 0x40000, 0x50000}) net.node(i).memory.grant(base, 0x10000, 7);
    for (uint32_t k = 0; k < length; ++k) {
      net.node(i).memory.bytes().write(0x10000 + k, static_cast<uint8_t>(k * 7 + 1));
      net.node(i).memory.bytes().write(0x20000 + k, static_cast<uint8_t>(k * 5 + 2));
    }
  }
  Latency latency{};
  const int target = read ? 0 : 1;
  for (int round = 1; round <= 2; ++round) {
    int64_t notified = -1, completed = -1;
    t.data = static_cast<uint64_t>(round);
    net.node(target).memory.watch(0x40000);
    net.node(0).memory.watch(0x50000);
    for (int i = 0; i < 2; ++i) {
      net.node(i).memory.on_watched = [&](uint64_t address, uint64_t) {
        (address == 0x40000 ? notified : completed) = net.now();
      };
    }
    Milestones at;
    if (!read && memory > 1) net.probe = [&] { watch(net, at); };
    net.node(0).start(t);
    EXPECT_TRUE(net.run_until([&] { return completed >= 0; }, 100000));
    EXPECT_GE(notified, 0);
    // The memory model counts from reset, the node from the end of it; both count the same edges.
    const int64_t doorbell = net.node(0).doorbell();
    for (int64_t* time : {&at.address, &at.data, &at.leaves, &at.arrives, &at.written, &at.answered, &at.notification})
      *time -= doorbell;
    net.probe = {};
    latency = {notified - doorbell, completed - doorbell, at};
    EXPECT_EQ(net.finish(0, t, 1000), Code::kDone);
    for (uint32_t k = 0; k < length; ++k) {
      EXPECT_EQ(net.node(target).memory.bytes().read(t.destination() + k),
                net.node(read ? 1 : 0).memory.bytes().read(t.source() + k));
    }
  }
  return latency;
}

TEST(RdmaLatency, SixtyFourBytes) {
  std::printf("\n64 bytes, doorbell to notification (cycles of 6.4 ns)\n");
  std::printf("%-34s %8s %10s %8s\n", "", "one way", "ns", "done at initiator");
  struct Case {
    const char* name;
    unsigned memory;
    int64_t network;
  };
  int64_t own = 0;
  for (const Case& c : {Case{"own logic (memory 1, wire 1)", 1, 1}, Case{"memory 100 ns, wire 1", 16, 1},
                        Case{"memory 150 ns, wire 1", 23, 1}, Case{"memory 100 ns, link and 2 routers", 16, 19 + 10},
                        Case{"memory 150 ns, link and 2 routers", 23, 19 + 10}}) {
    const Latency write = measure<VRdmaUnit>(64, false, c.memory, c.network);
    const Latency read = measure<VRdmaUnit>(64, true, c.memory, c.network);
    const Latency early = measure<VRdmaUnit>(64, false, c.memory, c.network, {.early = true});
    const Latency known = measure<VRdmaUnit>(64, false, c.memory, c.network, {.translate = true});
    const Latency set = measure<VRdmaUnit>(64, false, c.memory, c.network, {.firmware = kFirmwareDelay});
    const Latency firmware = measure<VRdmaUnitFirmware>(64, false, c.memory, c.network);
    std::printf("write %-34s %8ld %8.0f %8ld\n", c.name, write.one_way, write.one_way * kCycleNs, write.completion);
    std::printf("write, early notification %-13s %6ld %8.0f %8ld\n", c.name, early.one_way, early.one_way * kCycleNs,
                early.completion);
    std::printf("write, translation cache %-15s %8ld %8.0f %8ld\n", c.name, known.one_way, known.one_way * kCycleNs,
                known.completion);
    std::printf("read  %-34s %8ld %8.0f %8ld\n", c.name, read.one_way, read.one_way * kCycleNs, read.completion);
    std::printf("write, firmware %-24s %8ld %8.0f %8ld\n", c.name, firmware.one_way, firmware.one_way * kCycleNs,
                firmware.completion);
    EXPECT_EQ(firmware.one_way, write.one_way + kFirmwareDelay + 1);
    EXPECT_EQ(set.one_way, firmware.one_way) << "of the register as of the parameter";
    EXPECT_EQ(set.completion, firmware.completion);
    EXPECT_EQ(known.one_way, early.one_way) << "to pages that are known";
    if (c.memory == 1) own = write.one_way;
    if (c.memory > 1) {
      for (const Latency* l : {&write, &early}) {
        std::printf(
            "      address %ld, last word read %ld, header leaves %ld, footer arrives %ld, last word written %ld, "
            "answered %ld, "
            "notification written %ld, answered %ld\n",
            l->at.address, l->at.data, l->at.leaves, l->at.arrives, l->at.written, l->at.answered, l->at.notification,
            l->one_way);
        // Four words; six in the packet; the answer takes as long as the memory says.
        EXPECT_EQ(l->at.data, l->at.address + c.memory + 3);
        if (c.network > 6) {  // A shorter way waits for the whole packet.
          EXPECT_EQ(l->at.arrives, l->at.leaves + 5 + c.network);
        }
        EXPECT_EQ(l->at.answered, l->at.written + c.memory);
        EXPECT_EQ(l->one_way, l->at.notification + c.memory);
      }
      EXPECT_EQ(early.at.notification, early.at.written + 1) << "right behind the data";
      EXPECT_GT(write.at.notification, write.at.answered);
    }
    if (c.memory == 16 && c.network > 1) {
      EXPECT_LT(early.one_way * kCycleNs, 500) << "the goal of the successor";
      EXPECT_LT(known.one_way * kCycleNs, 500) << "and nothing is told too early";
    }
  }
  EXPECT_LE(own, 31) << "the units' own latency has grown";
}

/// Bytes in a cycle from the first to the last notification of a row of transfers on several channels.
double throughput(uint32_t length, int channels, unsigned memory) {
  RdmaNetwork<VRdmaUnit> net(2, 5, {.latency = memory}, {.delay = 29});
  for (int i = 0; i < 2; ++i) net.node(i).set_page(0, 7);
  constexpr int kRounds = 6;
  int notified = 0;
  int64_t first = 0, last = 0;
  uint64_t sent = 0, sent_first = 0, sent_last = 0;  // Bytes of data that left.
  net.monitor = [&](const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kWrite) sent += p.bytes;
  };
  net.node(1).memory.on_watched = [&](uint64_t, uint64_t) {
    if (notified++ == channels - 1) {
      first = net.now();
      sent_first = sent;
    }
    last = net.now();
    sent_last = sent;
  };
  for (int c = 0; c < channels; ++c) {
    const uint64_t base = 0x1000000 * (c + 1);
    for (int i = 0; i < 2; ++i) net.node(i).memory.grant(base, 0x800000, 7);
    net.node(1).memory.watch(base + 0x7f0000);
  }
  // A channel is started again as soon as the host sees that it is done.
  std::vector<int> left(channels, kRounds);
  std::vector<bool> asking(channels, false);
  const auto run = [&](int c) {
    const uint64_t base = 0x1000000 * (c + 1);
    return Transfer{.channel = c,
                    .pdid = 7,
                    .node = 2,
                    .remote = base,
                    .local = base,
                    .length = length,
                    .data = 1,
                    .notify = true,
                    .notify_va = base + 0x7f0000};
  };
  const bool over = net.run_until(
      [&] {
        for (int c = 0; c < channels; ++c) {
          if (asking[c] || left[c] == 0) continue;
          asking[c] = true;
          net.node(0).host_read(run(c).address(), 1, [&, c](const std::vector<Word128>& words, bool) {
            asking[c] = false;
            if ((words[0][0] & 1) != 0) return;
            if (left[c]-- > 0) net.node(0).start(run(c));
          });
        }
        return notified == channels * kRounds;
      },
      4000000);
  EXPECT_TRUE(over);
  return static_cast<double>(sent_last - sent_first) / static_cast<double>(last - first);
}

void expect_throughput(uint32_t length, int channels) {
  const double rate = throughput(length, channels, 16);
  std::printf(" %11.2f", rate);
  if (length >= 16384 && channels >= 4) {
    EXPECT_GT(rate, 0.97 * 16 * 256 / 288);
  }
  if (length >= 262144) {
    EXPECT_GT(rate, 0.95 * 16 * 256 / 288);
  }
}

TEST(RdmaLatency, Throughput) {
  expect_throughput(16384, 4);
  expect_throughput(262144, 1);
}

TEST(RdmaLatency, ThroughputOfAllLengths) {
  std::printf("\nBytes in a cycle, memory 100 ns, link and two routers; the limit is 16 * 256 / 288 = 14.22\n%10s",
              "bytes");
  for (int channels : {1, 2, 4, 8}) std::printf(" %8d ch", channels);
  std::printf("\n");
  for (uint32_t length : {64u, 256u, 1024u, 4096u, 16384u, 65536u, 262144u}) {
    std::printf("%10u", length);
    for (int channels : {1, 2, 4, 8}) expect_throughput(length, channels);
    std::printf("\n");
  }
}

}  // namespace
}  // namespace fabrictwin::test
