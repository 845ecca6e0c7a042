// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion from end to end between nodes: routers mark cells in long queues, each marked cell causes a notice to its
// source, and notices hold back the cells to where they came from, by the table and until the timer has lowered the
// index. What must come of it is calculated here from docs/models/exanet-congestion.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "tests/rtl/node/node_traffic.h"
#include "tests/rtl/node/qfdb.h"

namespace fabrictwin::test {
namespace {

constexpr int64_t kUnit = 160;       // Cycles of 1.024 us.
constexpr int64_t kCellCycles = 18;  // A full cell has a header, 16 words and a footer.
constexpr uint32_t kCellBytes = 256;
constexpr uint32_t kBlockCells = 64;

/// Registers of the Target Controller. Ports to network interfaces and plain FPGAs mark also while they lack credits.
struct Marking {
  uint32_t threshold = 0;
  uint32_t rate = 0;
  uint32_t least_words = 0;
};

/// Registers of the RDMA unit. The entries of the table are all different.
struct Reaction {
  int increase = 1;
  int limit = 127;
  int timer = 1;
  int shift = 0;
  std::array<uint32_t, 128> table{};

  Reaction with_table(uint64_t step, uint64_t seed) const {
    Reaction reaction = *this;
    RandomSource random(seed);
    uint32_t gap = 0;
    for (uint32_t& entry : reaction.table) entry = gap += static_cast<uint32_t>(random.between(1, step));
    return reaction;
  }
  uint64_t bits() const {
    return static_cast<uint64_t>(timer) << 24 | uint64_t{1} << 23 | static_cast<uint64_t>(shift) << 21 |
           static_cast<uint64_t>(limit) << 7 | static_cast<uint64_t>(increase);
  }
  /// Cycles from a full cell to the next one of its transfer.
  int64_t interval(int index) const {
    return kCellCycles + (index == 0 ? 0 : kCellCycles * table[static_cast<size_t>(index)] >> shift);
  }
  /// The index of the only destination that a node has notices from, when each notice counts as it comes.
  int index(const std::vector<int64_t>& notices, int64_t now) const {
    int index = 0;
    int64_t expiry = 0;  // When the timer expires, while the index is above zero.
    const auto advance = [&](int64_t to) {
      for (; index > 0 && expiry <= to; expiry += timer * kUnit) --index;
    };
    for (const int64_t time : notices) {
      if (time > now) break;
      advance(time);
      if (index == 0) expiry = time + timer * kUnit;
      index = std::min(index + increase, limit);
    }
    advance(now);
    return index;
  }
};

/// A cell that has left its sender; when its last word did.
struct Cell {
  int64_t time = 0;
  uint32_t channel = 0;
};

/// What a notice says: the source of the marked cell, channel, transfer, and "belongs to a read".
using Notice = std::tuple<uint32_t, uint32_t, uint32_t, bool>;

/// What has passed the board links.
struct Seen {
  std::vector<Cell> cells;       ///< That have left the device.
  std::map<Notice, int> marked;  ///< The notices of marked cells that have left for it from the router of its board.
  std::map<Notice, int> sent;    ///< Notices that it has sent.
  std::vector<int64_t> notices;  ///< When those for it have left the router of its board.
  uint32_t notices_for = 0;      ///< Those for it that have left their sender.
  int other_marks = 0;           ///< Marked packets other than cells that have left for it, likewise.
};

int total(const std::map<Notice, int>& notices) {
  int sum = 0;
  for (const auto& [notice, number] : notices) sum += number;
  return sum;
}

/// QFDBs whose hosts send, and what passes their board links.
class CongestedNodes {
 public:
  CongestedNodes(const QfdbRing& ring, NodeStalls stalls, uint64_t seed)
      : network(seed, stalls), fpgas_(ring.fpgas), random_(seed + 2) {
    add_qfdbs(network, ring, seed);
    seen_.resize(static_cast<size_t>(network.size()));
    traffic_ = std::make_unique<NodeTraffic>(network, seed + 1);
    traffic_->open();
    network.on_packet = [this](int d, int link, const std::vector<FlitWord>& words, bool) { look(d, link, words); };
  }

  NodeTraffic& traffic() { return *traffic_; }
  Seen& seen(int d) { return seen_[static_cast<size_t>(d)]; }
  bool is_plain(int d) const { return d % fpgas_ != 0; }

  void set_marking(const Marking& marking) {
    for (int d = 0; d < network.size(); d += fpgas_) {
      write(network.device(d).controller, 0x02c, {{marking.threshold | marking.rate << 16}});
      write(network.device(d).controller, 0x030, {{marking.least_words | 1u << 8}});
    }
  }
  void set_reaction(const Reaction& reaction) {
    std::vector<Word128> entries;
    for (size_t i = 0; i < reaction.table.size(); i += 8) {
      Word128 word{};
      for (size_t k = 0; k < 4; ++k) word[k] = reaction.table[i + 2 * k] | reaction.table[i + 2 * k + 1] << 16;
      entries.push_back(word);
    }
    for (int d = 0; d < network.size(); ++d) {
      write(network.device(d).descriptors, 0x10800, entries);
      write(network.device(d).descriptors, 0x10300, {make_word(reaction.bits(), 0)});
    }
  }
  uint32_t count(int d, Counter counter) {
    const auto number = static_cast<uint32_t>(counter);
    return read(network.device(d).descriptors, 0x10200 + 16 * (number / 4))[number % 4];
  }
  /// Packets that an output of the router of a network FPGA has marked.
  uint32_t marked(int d, uint32_t port) { return read(network.device(d).controller, 0x340 + 4 * port)[0]; }

  /// Full cells from a device to another, on a free channel.
  void send(int from, int to, int channel, uint32_t cells) {
    const uint64_t place = static_cast<uint64_t>(++transfers_) << 24;
    const Transfer t{.channel = channel,
                     .pdid = NodeTraffic::kPdid,
                     .node = network.device(to).identity().node,
                     .remote = place,
                     .local = place + 0x800000,
                     .length = kCellBytes * cells};
    SparseMemory& source = network.device(from).memory.bytes();
    for (uint64_t k = 0; k < t.length; ++k) source.write(t.local + k, static_cast<uint8_t>(random_.next()));
    ++waiting_;
    traffic_->host(from).start(t, [this, from, to, t](Code code) {
      EXPECT_EQ(code, Code::kDone);
      --waiting_;
      const SparseMemory& sent = network.device(from).memory.bytes();
      const SparseMemory& got = network.device(to).memory.bytes();
      for (uint64_t k = 0; k < t.length; ++k) ASSERT_EQ(got.read(t.remote + k), sent.read(t.local + k)) << "byte " << k;
    });
  }
  bool finish(int64_t limit) {
    return network.run_until([this] { return waiting_ == 0; }, limit);
  }

  /// Waits until all is still: each marked cell has caused one notice, and each notice has come.
  void check() {
    ASSERT_TRUE(network.drain(100'000));
    traffic_->check();
    for (int d = 0; d < network.size(); ++d) {
      SCOPED_TRACE(d);
      // Marks of cells for network FPGAs are set where nobody looks.
      if (is_plain(d)) EXPECT_EQ(seen(d).sent, seen(d).marked);
      EXPECT_EQ(count(d, Counter::kNoticesSent), static_cast<uint32_t>(total(seen(d).sent)));
      EXPECT_EQ(count(d, Counter::kNotices), seen(d).notices_for);
      EXPECT_EQ(count(d, Counter::kMalformed), 0u);
    }
  }

  NodeNetwork network;

 private:
  /// To which device of its board a link of a device leads.
  int far(int d, int link) const {
    const int f = d % fpgas_;
    return d - f + (link < f ? link : link + 1);
  }

  void look(int d, int link, const std::vector<FlitWord>& words) {
    const RdmaPacket packet = RdmaPacket::decode(words);
    if (packet.kind != 0) EXPECT_TRUE(RdmaPacket::intact(words));
    // The mark is in the same place in a short message.
    const bool marked = packet.marked;
    const int to = far(d, link);
    const bool first = packet.source == network.device(d).identity().node;
    const bool last = packet.destination == network.device(to).identity().node;
    // A plain FPGA gets from the router of its board, on one link, what can be marked, and nobody marks it then.
    if (packet.kind == RdmaPacket::kWrite) {
      if (first) seen(d).cells.push_back({network.now(), packet.channel});
      if (last && marked) ++seen(to).marked[{packet.source, packet.channel, packet.transfer, packet.served}];
    } else if (last && marked) {
      ++seen(to).other_marks;
    }
    if (packet.kind != RdmaPacket::kNotice) return;
    if (last) seen(to).notices.push_back(network.now());
    if (!first) return;
    const Notice notice{packet.destination, packet.channel, packet.transfer, packet.served};
    const int sent = ++seen(d).sent[notice];
    for (int s = 0; s < network.size(); ++s) {
      if (network.device(s).identity().node == packet.destination) ++seen(s).notices_for;
    }
    // All else is zero, but for the CRC.
    EXPECT_EQ(std::tie(packet.bytes, packet.index, packet.last_cell, packet.early),
              std::make_tuple(0u, 0u, false, false));
    EXPECT_EQ(words.back().data, (Word128{words.back().data[0], 0, 0, 0}));
    if (is_plain(d)) EXPECT_LE(sent, seen(d).marked[notice]) << "a notice of a cell without a mark";
  }

  void write(RegisterMaster& master, uint32_t address, std::vector<Word128> words) {
    master.push({true, address, std::move(words), [](const auto&, bool error) { EXPECT_FALSE(error); }});
    EXPECT_TRUE(network.run_until([&] { return master.idle(); }, 5000));
  }
  Word128 read(RegisterMaster& master, uint32_t address) {
    Word128 value{};
    master.push({false, address, {}, [&](const std::vector<Word128>& words, bool error) {
                   EXPECT_FALSE(error);
                   value = words[0];
                 }});
    EXPECT_TRUE(network.run_until([&] { return master.idle(); }, 5000));
    return value;
  }

  int fpgas_;
  RandomSource random_;
  std::unique_ptr<NodeTraffic> traffic_;
  std::vector<Seen> seen_;
  int transfers_ = 0;
  int waiting_ = 0;
};

// F2 and F3 send to F1, whose one port to its network interface would get twice what it can take.
constexpr QfdbRing kBoard{.fpgas = 3, .board_delay = 4};
constexpr int kF1 = 0, kF2 = 1, kF3 = 2;

Reaction reaction_on_the_board() {
  return Reaction{.increase = 5, .limit = 24, .timer = 12, .shift = 2}.with_table(6, 31);
}

/// The cells of one channel that left from `begin` on follow each other as the notices and the timer say. Returns the
/// indices that were seen.
std::set<int> expect_intervals(const Seen& seen, uint32_t channel, int64_t begin, const Reaction& reaction) {
  // The last word of a cell leaves some cycles after the index counted for it, and a notice counts some cycles after it
  // has left the router. The sum is between these.
  constexpr int64_t kEarliest = 60, kLatest = 78;
  std::vector<int64_t> times;
  for (const Cell& cell : seen.cells) {
    if (cell.channel == channel) times.push_back(cell.time);
  }
  std::set<int> indices;
  int sharp = 0, unsharp = 0;
  for (size_t k = 0; k + 1 < times.size(); ++k) {
    if (times[k] < begin) continue;
    const int early = reaction.index(seen.notices, times[k] - kEarliest);
    const int late = reaction.index(seen.notices, times[k] - kLatest);
    const int64_t interval = times[k + 1] - times[k];
    // Both blocks of a transfer end together, and the next ones begin when these are acknowledged.
    if ((k + 1) % (2 * kBlockCells) == 0) {
      EXPECT_GE(interval, std::min(reaction.interval(early), reaction.interval(late))) << "cell " << k;
      continue;
    }
    EXPECT_TRUE(interval == reaction.interval(early) || interval == reaction.interval(late))
        << "cell " << k << " of channel " << channel << ": " << interval << " cycles, index " << early << " or "
        << late;
    ++(early == late ? sharp : unsharp);
    if (early == late) indices.insert(early);
  }
  EXPECT_GE(sharp, 20 * unsharp);
  return indices;
}

TEST(NodeCongestion, WithoutMarksCellsLeaveAtTheNominalRate) {
  CongestedNodes nodes(kBoard, {}, 21);
  nodes.set_reaction(reaction_on_the_board());
  // A queue, which nobody marks.
  nodes.send(kF2, kF1, 0, kBlockCells);
  nodes.send(kF3, kF1, 0, kBlockCells);
  ASSERT_TRUE(nodes.finish(20'000));
  // One transfer, and two to different destinations in turn.
  for (const bool both : {false, true}) {
    ASSERT_TRUE(nodes.network.drain(100'000));
    std::vector<Cell>& cells = nodes.seen(kF2).cells;
    cells.clear();
    nodes.send(kF2, kF1, 1, kBlockCells);
    if (both) nodes.send(kF2, kF3, 2, kBlockCells);
    ASSERT_TRUE(nodes.finish(20'000));
    ASSERT_EQ(cells.size(), both ? 2 * kBlockCells : kBlockCells);
    for (size_t k = 0; k + 1 < cells.size(); ++k) EXPECT_EQ(cells[k + 1].time - cells[k].time, kCellCycles) << k;
  }
  for (uint32_t port = 0; port < 4; ++port) EXPECT_EQ(nodes.marked(kF1, port), 0u);
  for (int d = kF1; d <= kF3; ++d) EXPECT_EQ(nodes.seen(d).notices_for, 0u);
  nodes.check();
}

TEST(NodeCongestion, GapsFollowTheTableUntilTheNominalRateIsBack) {
  CongestedNodes nodes(kBoard, {}, 23);
  const Reaction reaction = reaction_on_the_board();
  nodes.set_reaction(reaction);
  nodes.set_marking({.threshold = 40, .rate = 2, .least_words = 16});
  // A unit whose indices fall is not idle, so nothing of this changes.
  nodes.network.set_skipping(true);
  nodes.send(kF2, kF1, 0, kBlockCells);
  nodes.send(kF3, kF1, 0, kBlockCells);
  ASSERT_TRUE(nodes.finish(40'000));
  // The queue of the port is short again once both senders have their notices.
  for (const int d : {kF2, kF3}) {
    ASSERT_GE(nodes.seen(d).notices.size(), 4u);
    const std::set<int> indices = expect_intervals(nodes.seen(d), 0, nodes.seen(d).notices.back() + 500, reaction);
    ASSERT_GE(indices.size(), 5u);
    EXPECT_EQ(*indices.rbegin(), reaction.limit);
  }
  EXPECT_EQ(nodes.marked(kF1, 0), nodes.seen(kF2).notices.size() + nodes.seen(kF3).notices.size());

  // The index is that of the destination, so the next transfer has it too, after a pause in which it falls; cells to
  // another destination take the time between.
  nodes.network.run(5000);
  Seen& seen = nodes.seen(kF2);
  seen.cells.clear();
  nodes.send(kF2, kF1, 5, 512);
  nodes.network.run(1000);
  nodes.send(kF2, kF3, 6, kBlockCells);
  ASSERT_TRUE(nodes.finish(200'000));
  const auto is_other = [](const Cell& cell) { return cell.channel == 6; };
  const auto first = std::find_if(seen.cells.begin(), seen.cells.end(), is_other);
  const auto last = std::find_if(seen.cells.rbegin(), seen.cells.rend(), is_other).base() - 1;
  ASSERT_GE(last - first + 1, int64_t{kBlockCells} + 3) << "cells of both";
  for (auto cell = first; cell != last; ++cell) EXPECT_EQ(cell[1].time - cell[0].time, kCellCycles);
  EXPECT_GT(reaction.interval(reaction.index(seen.notices, last->time)), 5 * kCellCycles);
  // Cells of both queued up behind each other meanwhile.
  const std::set<int> indices = expect_intervals(seen, 5, last->time + 8 * kCellCycles, reaction);
  EXPECT_GE(indices.size(), 8u);
  EXPECT_TRUE(indices.contains(0));
  EXPECT_EQ(nodes.marked(kF1, 0), seen.notices.size() + nodes.seen(kF3).notices.size());
  nodes.check();
}

// Four nodes of two boards write to the plain FPGAs and these read, so that long queues are before the links between
// the boards and before those to the plain FPGAs, which see the marks of both. Whatever is in them can be marked.
void run_congested(uint64_t seed, NodeStalls stalls, MemoryTiming memory, bool marking) {
  CongestedNodes nodes({.boards = 2, .fpgas = 2, .memory = memory}, stalls, seed);
  nodes.set_reaction(Reaction{.increase = 2, .limit = 9, .timer = 4, .shift = 1}.with_table(4, seed));
  if (marking) nodes.set_marking({.threshold = 30, .rate = 2, .least_words = 2});
  NodeTraffic& traffic = nodes.traffic();
  for (int from = 0; from < 4; ++from) {
    for (const int to : {1, 3}) {
      for (int k = 0; k < 8; ++k) traffic.add_message(from, to);
      for (int k = 0; k < 4 && from != to; ++k) {
        traffic.add_transfer(from, to, false, 6000);
        traffic.add_transfer(to, from, true, 6000);
      }
    }
  }
  traffic.start();
  ASSERT_TRUE(nodes.network.run_until([&] { return traffic.done(); }, 400'000));
  nodes.check();
  for (int board = 0; board < 2; ++board) {
    const Seen& seen = nodes.seen(2 * board + 1);
    // The last router has marked at its port to F2, the one before at a port to the next board; both can mark a packet.
    const int marks = total(seen.marked) + seen.other_marks;
    const int other = 2 - 2 * board;
    const auto here = static_cast<int>(nodes.marked(2 * board, 1));
    const auto before = static_cast<int>(nodes.marked(other, 4) + nodes.marked(other, 5));
    EXPECT_GE(marks, here);
    EXPECT_LE(marks, here + before);
    if (!marking) {
      EXPECT_EQ(marks, 0);
      continue;
    }
    EXPECT_GT(here, 10);
    EXPECT_GT(before, 10);
    EXPECT_GT(seen.other_marks, 0);
    std::set<uint32_t> sources;
    int reads = 0;
    for (const auto& [notice, number] : seen.sent) {
      sources.insert(std::get<0>(notice));
      if (std::get<3>(notice)) reads += number;
    }
    EXPECT_EQ(sources.size(), 3u);
    EXPECT_GT(reads, 5);
    EXPECT_GT(total(seen.sent) - reads, 5);
  }
}

TEST(NodeCongestion, EachMarkedCellCausesOneNotice) { run_congested(25, {}, {.latency = 16}, true); }
TEST(NodeCongestion, EachMarkedCellCausesOneNoticeWithStalls) {
  run_congested(26, {.link = 30, .stream = 30}, {.latency = 8, .jitter = 9, .stall_percent = 40}, true);
}
TEST(NodeCongestion, NoMarkNoNotice) { run_congested(27, {.link = 10, .stream = 10}, {.latency = 16}, false); }

}  // namespace
}  // namespace fabrictwin::test
