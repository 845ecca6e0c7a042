// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random transfers between nodes on many pages and channels at once, and everything that must hold of them: data,
// notifications exactly once and after the data, states, and that nothing else in any memory changes, also after a
// buffer was given back to its owner.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "tests/rtl/rdma/rdma_network.h"

namespace fabrictwin::test {

struct Scenario {
  uint64_t seed = 1;
  int nodes = 2;
  int transfers = 100;
  int parallel = 20;  ///< Transfers of a node at once.
  uint32_t max_length = 50000;
  unsigned read_percent = 40;
  unsigned absent_percent = 0;  ///< Of the transfers: a page of each of its buffers is absent for a while.
  unsigned host_stalls = 0;
  unsigned timeout = 250;  ///< Ticks.
  /// Ticks; as many as the retry limit last longer than all absent pages of a transfer, and than other reads hold the
  /// slots of the node that is to serve it: a read that finds none has no slot in a queue.
  unsigned backoff = 30;
  int batch = 0;          ///< If not zero: after so many transfers everything comes to rest for a while,
  int64_t max_pause = 0;  ///< at most so many cycles.
  uint32_t start_time = 0;
  bool twins = false;  ///< Each node is compared with one that leaves idle edges out.
  MemoryTiming memory;
  NetworkFaults network;
};

/// How often what happened, over all nodes.
struct Coverage {
  std::array<uint64_t, 16> counters{};
  int max_reads = 0, max_writes = 0, sender_faults = 0, receiver_faults = 0;
  uint64_t transfers = 0, bytes = 0, cycles = 0, poisoned = 0;

  void add(const Coverage& other) {
    for (size_t i = 0; i < counters.size(); ++i) counters[i] += other.counters[i];
    max_reads = std::max(max_reads, other.max_reads);
    max_writes = std::max(max_writes, other.max_writes);
    sender_faults += other.sender_faults;
    receiver_faults += other.receiver_faults;
    transfers += other.transfers;
    bytes += other.bytes;
    cycles += other.cycles;
    poisoned += other.poisoned;
  }
  uint64_t at(Counter counter) const { return counters[static_cast<size_t>(counter)]; }
};

template <class Model>
class RdmaTraffic {
 public:
  explicit RdmaTraffic(const Scenario& scenario)
      : scenario_(scenario),
        random_(scenario.seed),
        net_(scenario.nodes, scenario.seed, scenario.memory, scenario.network, scenario.start_time, scenario.twins),
        expected_(scenario.nodes),
        free_(scenario.nodes, 0x100000),
        running_(scenario.nodes),
        polling_(scenario.nodes, false) {
    for (int n = 0; n < scenario.nodes; ++n) {
      auto& node = net_.node(n);
      for (int p = 0; p < 16; ++p) node.set_page(p, pdid(p));
      node.configure(scenario.timeout, scenario.backoff, 15, 16 * scenario.timeout);
      node.set_host_stalls(scenario.host_stalls);
      node.memory.on_watched = [this, n](uint64_t address, uint64_t value) { notified(n, address, value); };
    }
  }

  RdmaNetwork<Model>& net() { return net_; }

  Coverage run() {
    const bool over = net_.run_until(
        [&] {
          rest();
          for (int n = 0; n < scenario_.nodes; ++n) advance(n);
          return finished_ == scenario_.transfers || testing::Test::HasFailure();
        },
        int64_t{400000} + scenario_.transfers * (int64_t{60000} + scenario_.max_pause));
    EXPECT_TRUE(over) << "transfers that never end: " << scenario_.transfers - finished_;
    // Whatever is still on its way must not do any harm.
    net_.run(3000);
    // A read that was asked for again after its end may still be served; that ends, too.
    EXPECT_TRUE(net_.run_until(
        [&] {
          for (int n = 0; n < scenario_.nodes; ++n)
            if (!net_.node(n).memory.idle()) return false;
          return true;
        },
        100000));
    Coverage coverage;
    coverage.transfers = static_cast<uint64_t>(finished_);
    coverage.bytes = bytes_;
    coverage.poisoned = poisoned_;
    for (int n = 0; n < scenario_.nodes; ++n) {
      const auto counters = net_.counters(n);
      for (size_t i = 0; i < counters.size(); ++i) coverage.counters[i] += counters[i];
      const AxiMemory& memory = net_.node(n).memory;
      coverage.max_reads = std::max(coverage.max_reads, memory.max_reads());
      coverage.max_writes = std::max(coverage.max_writes, memory.max_writes());
      coverage.sender_faults += memory.read_faults();
      coverage.receiver_faults += memory.write_faults();
      if (testing::Test::HasFailure()) continue;
      EXPECT_EQ(memory.bytes().pages().size(), expected_[n].pages().size());
      for (const auto& [page, bytes] : expected_[n].pages())
        EXPECT_TRUE(memory.bytes().pages().at(page) == bytes) << "node " << n << " page " << std::hex << page;
    }
    coverage.cycles = static_cast<uint64_t>(net_.now());
    return coverage;
  }

 private:
  struct Running {
    Transfer transfer;
    int owner;
    int destination_node, source_node;
    int notified = 0, locally_notified = 0;
    bool reused = false;
  };
  using Handle = std::shared_ptr<Running>;

  static uint16_t pdid(int page) { return static_cast<uint16_t>(0x4000 + 3 * page); }

  /// A buffer with a gap before the next one; sometimes a page of it is absent.
  uint64_t buffer(int n, uint64_t length, unsigned offset, uint16_t owner) {
    free_[n] = (free_[n] + 16 * random_.below(600)) / 16 * 16;
    const uint64_t begin = free_[n] + offset;
    free_[n] = begin + length + 16;
    net_.node(n).memory.grant(begin, length, owner);
    if (random_.percent(scenario_.absent_percent)) {
      const uint64_t page = begin + random_.below(length);
      net_.node(n).memory.make_absent(page, static_cast<int64_t>(random_.between(1, 2500)));
    }
    return begin;
  }

  void advance(int n) {
    auto& node = net_.node(n);
    if (node.operations() > 3) return;
    auto& running = running_[n];
    const bool pause = net_.now() < resume_ || (scenario_.batch != 0 && started_ >= batch_end_);
    if (started_ < scenario_.transfers && !pause && running.size() < static_cast<size_t>(scenario_.parallel) &&
        random_.percent(5))
      start(n);
    if (polling_[n] || running.empty()) return;
    polling_[n] = true;
    auto it = running.begin();
    std::advance(it, random_.below(running.size()));
    const Handle handle = it->second;
    node.host_read(handle->transfer.address(), 1, [this, n, handle](const std::vector<Word128>& words, bool) {
      polling_[n] = false;
      const auto code = static_cast<Code>(words[0][0] >> 4 & 15);
      if (code != Code::kBusy) ended(*handle, code);
    });
  }

  /// When a batch is over, nothing begins for a while.
  void rest() {
    if (scenario_.batch == 0 || finished_ < batch_end_) return;
    if (batch_end_ != 0) resume_ = net_.now() + static_cast<int64_t>(random_.between(1, scenario_.max_pause));
    batch_end_ += scenario_.batch;
  }

  void start(int n) {
    const auto handle = std::make_shared<Running>();
    Transfer& t = handle->transfer;
    t.page = static_cast<int>(random_.below(16));
    t.channel = static_cast<int>(random_.below(32));
    t.read = random_.percent(scenario_.read_percent);
    if (running_[n].contains(t.address())) return;
    const int other = (n + 1 + static_cast<int>(random_.below(scenario_.nodes - 1))) % scenario_.nodes;
    t.pdid = pdid(t.page);
    t.node = net_.node(other).number();
    switch (random_.below(4)) {
      case 0:
        t.length = static_cast<uint32_t>(random_.between(1, 64));
        break;
      case 1:
        t.length = static_cast<uint32_t>(random_.between(1, 2000));
        break;
      case 2:
        t.length = static_cast<uint32_t>(random_.between(16000, 33000));
        break;
      default:
        t.length = static_cast<uint32_t>(random_.between(1, scenario_.max_length));
    }
    t.length = std::min(t.length, scenario_.max_length);
    const auto offset = static_cast<unsigned>(random_.below(16));
    t.local = buffer(n, t.length, offset, t.pdid);
    t.remote = buffer(other, t.length, offset, t.pdid);
    t.data = random_.next();
    t.notify = random_.percent(70);
    t.early = scenario_.absent_percent == 0 && random_.percent(50);
    t.local_notify = random_.percent(50);
    handle->owner = n;
    handle->destination_node = t.read ? n : other;
    handle->source_node = t.read ? other : n;
    if (t.notify) {
      t.notify_va = buffer(handle->destination_node, 8, 8 * static_cast<unsigned>(random_.below(2)), t.pdid);
      net_.node(handle->destination_node).memory.watch(t.notify_va);
      notifications_[{handle->destination_node, t.notify_va}] = handle;
    }
    if (t.local_notify) {
      t.local_notify_va = buffer(n, 8, 8 * static_cast<unsigned>(random_.below(2)), t.pdid);
      net_.node(n).memory.watch(t.local_notify_va);
      notifications_[{n, t.local_notify_va}] = handle;
    }
    for (uint32_t i = 0; i < t.length; ++i) {
      const auto value = static_cast<uint8_t>(random_.next());
      net_.node(handle->source_node).memory.bytes().write(t.source() + i, value);
      expected_[handle->source_node].write(t.source() + i, value);
    }
    running_[n][t.address()] = handle;
    ++started_;
    net_.node(n).start(t, [](const std::vector<Word128>&, bool error) { EXPECT_FALSE(error); });
  }

  void notified(int n, uint64_t address, uint64_t value) {
    const auto it = notifications_.find({n, address});
    ASSERT_NE(it, notifications_.end());
    Running& r = *it->second;
    EXPECT_EQ(value, r.transfer.data);
    for (int i = 0; i < 8; ++i) expected_[n].write(address + i, static_cast<uint8_t>(value >> (8 * i)));
    if (r.transfer.notify && address == r.transfer.notify_va && n == r.destination_node) {
      EXPECT_EQ(++r.notified, 1) << "notified twice";
      check_data(r);
      reuse(r);
    } else {
      EXPECT_EQ(++r.locally_notified, 1);
      if (r.transfer.notify) {
        EXPECT_EQ(r.notified, 1) << "done before the other side knows";
      } else {
        check_data(r);
      }
    }
  }

  void check_data(const Running& r) {
    const Transfer& t = r.transfer;
    const SparseMemory& to = net_.node(r.destination_node).memory.bytes();
    const SparseMemory& from = net_.node(r.source_node).memory.bytes();
    for (uint32_t i = 0; i < t.length; ++i) {
      ASSERT_EQ(to.read(t.destination() + i), from.read(t.source() + i))
          << (t.read ? "read" : "write") << " byte " << i << " of " << t.length << " at " << std::hex
          << t.destination();
    }
  }

  /// The receiver's program has the data and now uses the buffer for something else.
  void reuse(Running& r) {
    if (r.reused) return;
    r.reused = true;
    const Transfer& t = r.transfer;
    expected_[r.destination_node].copy(expected_[r.source_node], t.source(), t.destination(), t.length);
    for (uint32_t i = 0; i < t.length; ++i) {
      if (!random_.percent(20)) continue;
      net_.node(r.destination_node).memory.bytes().write(t.destination() + i, 0x5a);
      expected_[r.destination_node].write(t.destination() + i, 0x5a);
      ++poisoned_;
    }
  }

  void ended(Running& r, Code code) {
    const Transfer& t = r.transfer;
    EXPECT_EQ(code, Code::kDone) << (t.read ? "read" : "write") << " of " << t.length << " bytes, page " << t.page
                                 << " channel " << t.channel;
    EXPECT_EQ(r.notified, t.notify ? 1 : 0);
    EXPECT_EQ(r.locally_notified, t.local_notify ? 1 : 0);
    if (!r.reused) check_data(r);
    reuse(r);
    bytes_ += t.length;
    ++finished_;
    running_[r.owner].erase(t.address());
  }

  Scenario scenario_;
  RandomSource random_;
  RdmaNetwork<Model> net_;
  std::vector<SparseMemory> expected_;
  std::vector<uint64_t> free_;
  std::vector<std::map<uint32_t, Handle>> running_;  ///< By address of the channel.
  std::vector<bool> polling_;
  std::map<std::pair<int, uint64_t>, Handle> notifications_;
  int started_ = 0, finished_ = 0, batch_end_ = 0;
  int64_t resume_ = 0;
  uint64_t bytes_ = 0, poisoned_ = 0;
};

}  // namespace fabrictwin::test
