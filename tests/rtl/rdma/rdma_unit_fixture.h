// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two nodes for the named cases, and what these do with them.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "VRdmaUnit__inputs.h"
#include "tests/rtl/rdma/rdma_network.h"

namespace fabrictwin::test {

inline constexpr uint16_t kPdid = 0x1234;
inline constexpr uint64_t kSource = 0x100000, kDestination = 0x800000, kNotify = 0x40000, kLocalNotify = 0x50000;

/// Two nodes with page 0 in use and buffers that everybody may touch.
class RdmaUnit : public testing::Test {
 protected:
  RdmaUnit() : net(2, 9, {.latency = 10}, {}) {
    for (int i = 0; i < 2; ++i) {
      net.node(i).set_page(0, kPdid);
      net.node(i).configure(100, 10, 3, 1600);
      net.node(i).memory.grant(0, 0x4000000, kPdid);
      net.node(i).memory.watch(kNotify);
      net.node(i).memory.watch(kLocalNotify);
      net.node(i).memory.on_watched = [this](uint64_t address, uint64_t) {
        ++(address == kNotify ? notified : completed);
      };
    }
  }

  static Transfer write(uint32_t length, unsigned offset = 0) {
    return {.pdid = kPdid,
            .node = 2,
            .remote = kDestination + offset,
            .local = kSource + offset,
            .length = length,
            .data = 0x1122334455667788,
            .notify = true,
            .notify_va = kNotify,
            .local_notify = true,
            .local_notify_va = kLocalNotify};
  }
  static Transfer read(uint32_t length, unsigned offset = 0) {
    Transfer t = write(length, offset);
    t.read = true;
    t.remote = kSource + offset;
    t.local = kDestination + offset;
    return t;
  }
  AxiMemory& source(const Transfer& t) { return net.node(t.read ? 1 : 0).memory; }
  AxiMemory& destination(const Transfer& t) { return net.node(t.read ? 0 : 1).memory; }
  void fill(const Transfer& t) {
    for (uint32_t i = 0; i < t.length; ++i)
      source(t).bytes().write(t.source() + i, static_cast<uint8_t>(fill_.next() | 1));
  }
  bool arrived(const Transfer& t) {
    for (uint32_t i = 0; i < t.length; ++i)
      if (destination(t).bytes().read(t.destination() + i) != source(t).bytes().read(t.source() + i)) return false;
    // And nothing around it.
    return destination(t).bytes().read(t.destination() - 1) == 0 &&
           destination(t).bytes().read(t.destination() + t.length) == 0;
  }
  Code run(const Transfer& t, int64_t limit = 400000) {
    bool error = true;
    net.node(0).start(t, [&](const std::vector<Word128>&, bool e) { error = e; });
    EXPECT_TRUE(net.run_until([&] { return net.node(0).host_idle(); }, 5000));
    EXPECT_FALSE(error);
    return net.finish(0, t, limit);
  }
  uint32_t count(int node, Counter counter) { return net.counters(node)[static_cast<size_t>(counter)]; }
  void expect_works() {
    Transfer t = write(1000, 3);
    t.channel = 31;
    notified = completed = 0;
    destination(t).bytes() = {};
    fill(t);
    EXPECT_EQ(run(t), Code::kDone);
    EXPECT_TRUE(arrived(t));
    EXPECT_EQ(notified, 1);
    EXPECT_EQ(completed, 1);
  }

  RdmaNetwork<VRdmaUnit> net;
  RandomSource fill_{4};
  int notified = 0, completed = 0;
};

}  // namespace fabrictwin::test
