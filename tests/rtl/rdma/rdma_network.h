// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Nodes and the network between them: packets take a while, and may be lost, doubled, damaged and overtaken.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "tests/rtl/rdma/rdma_node.h"
#include "tests/rtl/rdma/rdma_packet.h"

namespace fabrictwin::test {

struct NetworkFaults {
  int64_t delay = 25;   ///< Cycles from a word's leaving to its arrival.
  unsigned jitter = 0;  ///< Up to so many more, drawn for each packet: packets overtake each other.
  unsigned drop_permille = 0;
  unsigned duplicate_permille = 0;
  unsigned late_duplicate_delay = 600;
  unsigned damage_permille = 0;
  unsigned stall_percent = 0;  ///< Of the cycles in which the network takes no word, for each stream.
  unsigned gap_percent = 0;    ///< Of the cycles in which it brings none.
};

template <class Model>
class RdmaNetwork {
 public:
  using Node = RdmaNode<Model>;

  RdmaNetwork(int count, uint64_t seed, MemoryTiming timing, NetworkFaults faults, uint32_t start = 0,
              bool twins = false)
      : faults_(faults), random_(seed) {
    for (int i = 0; i < count; ++i)
      nodes_.push_back(std::make_unique<Node>(1 + i, seed * 31 + i, timing, start, twins));
    ports_.resize(count);
  }

  Node& node(int i) { return *nodes_[i]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  int64_t now() const { return now_; }
  NetworkFaults& faults() { return faults_; }

  /// May take a packet away (return true) before anything else happens to it.
  std::function<bool(const RdmaPacket& packet)> filter;
  /// Packets in which a router sets the congestion mark.
  std::function<bool(const RdmaPacket& packet)> marks;
  /// Looks at the pins of all nodes before each edge.
  std::function<void()> probe;
  /// Sees every packet that leaves a node.
  std::function<void(const RdmaPacket& packet)> monitor;
  /// Holds up the streams of a node: bit 0 requests, bit 1 answers.
  void block(int node, unsigned streams) { ports_[node].blocked = streams; }
  /// Brings words to a node as they are.
  void inject(int node, std::vector<FlitWord> words, int64_t time = 0) {
    ports_[node].arriving.push_back({std::move(words), {}, std::max(time, now_ + 1)});
  }

  void step() {
    for (size_t i = 0; i < nodes_.size(); ++i) drive(i);
    for (auto& node : nodes_) node->settle();
    if (probe) probe();
    for (size_t i = 0; i < nodes_.size(); ++i) take(i);
    for (auto& node : nodes_) node->edge();
    ++now_;
  }
  void run(int64_t cycles) {
    for (int64_t i = 0; i < cycles; ++i) step();
  }
  /// Until it holds, at most so many cycles; whether it came to hold.
  bool run_until(const std::function<bool()>& condition, int64_t limit) {
    for (int64_t i = 0; i < limit; ++i) {
      if (condition()) return true;
      step();
    }
    return condition();
  }

  /// The counters of a node, by host reads; takes some cycles.
  std::array<uint32_t, 16> counters(int i) {
    std::array<uint32_t, 16> values{};
    bool done = false;
    node(i).host_read(0x10200, 4, [&](const std::vector<Word128>& words, bool) {
      for (int k = 0; k < 16; ++k) values[k] = words[k / 4][k % 4];
      done = true;
    });
    EXPECT_TRUE(run_until([&] { return done; }, 100000));
    return values;
  }
  /// State of a channel.
  Code status(int i, const Transfer& t) {
    Code code = Code::kIdle;
    bool done = false;
    node(i).host_read(t.address(), 1, [&](const std::vector<Word128>& words, bool) {
      code = static_cast<Code>(words[0][0] >> 4 & 15);
      done = true;
    });
    EXPECT_TRUE(run_until([&] { return done; }, 100000));
    return code;
  }
  /// Runs until the channel is not busy any more.
  Code finish(int i, const Transfer& t, int64_t limit) {
    const int64_t end = now_ + limit;
    while (now_ < end) {
      const Code code = status(i, t);
      if (code != Code::kBusy) return code;
    }
    return Code::kBusy;
  }

 private:
  struct Arrival {
    std::vector<FlitWord> words;
    std::vector<int64_t> times;  ///< Of each word's arrival, if they are all different.
    int64_t time;                ///< Of the first word.
  };
  struct Port {
    std::array<std::vector<FlitWord>, 2> leaving;
    std::array<std::vector<int64_t>, 2> leaving_times;
    std::list<Arrival> arriving;
    bool busy = false;  ///< The first arrival has begun.
    size_t next = 0;
    unsigned blocked = 0;
    bool offered = false;
  };

  void drive(size_t i) {
    Node& node = *nodes_[i];
    Port& port = ports_[i];
    node.drive();
    Model& m = node.model();
    m.request_ready_i = (port.blocked & 1) == 0 && !random_.percent(faults_.stall_percent);
    m.answer_ready_i = (port.blocked & 2) == 0 && !random_.percent(faults_.stall_percent);
    if (!port.busy) {
      auto best = port.arriving.end();
      for (auto it = port.arriving.begin(); it != port.arriving.end(); ++it) {
        if (it->time <= now_ && (best == port.arriving.end() || it->time < best->time)) best = it;
      }
      if (best != port.arriving.end()) {
        port.arriving.splice(port.arriving.begin(), port.arriving, best);
        port.busy = true;
        port.next = 0;
      }
    }
    m.rx_valid_i = 0;
    if (port.busy && (port.offered || !random_.percent(faults_.gap_percent))) {
      const Arrival& arrival = port.arriving.front();
      if (port.next < arrival.times.size() && arrival.times[port.next] > now_) return;
      const FlitWord& word = arrival.words[port.next];
      m.rx_valid_i = 1;
      m.rx_sop_i = word.sop;
      m.rx_eop_i = word.eop;
      for (int k = 0; k < 4; ++k) m.rx_data_i[k] = word.data[k];
      port.offered = true;
    }
  }

  void take(size_t i) {
    Model& m = nodes_[i]->model();
    Port& port = ports_[i];
    if (m.rx_valid_i && m.rx_ready_o) {
      port.offered = false;
      if (++port.next == port.arriving.front().words.size()) {
        port.arriving.pop_front();
        port.busy = false;
      }
    }
    if (m.request_valid_o && m.request_ready_i)
      leave(port, 0,
            {{m.request_data_o[0], m.request_data_o[1], m.request_data_o[2], m.request_data_o[3]},
             m.request_sop_o != 0,
             m.request_eop_o != 0});
    if (m.answer_valid_o && m.answer_ready_i)
      leave(port, 1,
            {{m.answer_data_o[0], m.answer_data_o[1], m.answer_data_o[2], m.answer_data_o[3]},
             m.answer_sop_o != 0,
             m.answer_eop_o != 0});
  }

  void leave(Port& port, int stream, const FlitWord& word) {
    auto& packet = port.leaving[stream];
    auto& times = port.leaving_times[stream];
    EXPECT_EQ(word.sop, packet.empty());
    packet.push_back(word);
    times.push_back(now_ + faults_.delay);
    if (!word.eop) return;
    send(std::move(packet), std::move(times), stream);
    packet = {};
    times = {};
  }

  void send(std::vector<FlitWord> words, std::vector<int64_t> times, int stream) {
    EXPECT_TRUE(RdmaPacket::intact(words));
    const RdmaPacket packet = RdmaPacket::decode(words);
    EXPECT_EQ((packet.bytes + 15) / 16 + 2, words.size());
    EXPECT_EQ(packet.kind == RdmaPacket::kAck || packet.kind == RdmaPacket::kNack || packet.kind == RdmaPacket::kNotice,
              stream == 1);
    if (monitor) monitor(packet);
    if (marks && marks(packet)) RdmaPacket::mark(words);
    if (filter && filter(packet)) return;
    if (random_.permille(faults_.drop_permille)) return;
    const int64_t jitter = faults_.jitter == 0 ? 0 : static_cast<int64_t>(random_.below(faults_.jitter + 1));
    for (int64_t& time : times) time += jitter;
    const uint32_t to = packet.destination - 1;
    if (to >= nodes_.size()) return;
    // Latency mode: words arrive as they left. The arrival is known when the packet has left, well before its first
    // word arrives.
    Arrival arrival{words, times, times.front()};
    if (random_.permille(faults_.duplicate_permille)) {
      Arrival copy = arrival;
      const auto later = static_cast<int64_t>(random_.below(faults_.late_duplicate_delay));
      copy.time += later;
      for (int64_t& time : copy.times) time += later;
      ports_[to].arriving.push_back(std::move(copy));
    }
    if (random_.permille(faults_.damage_permille)) damage(arrival);
    ports_[to].arriving.push_back(std::move(arrival));
  }

  void damage(Arrival& arrival) {
    auto& words = arrival.words;
    const auto at = static_cast<size_t>(random_.below(words.size()));
    switch (random_.below(8)) {
      case 0:
        words.back().eop = false;
        break;
      case 1:
        words.front().sop = false;
        break;
      case 2:
        words.erase(words.begin() + static_cast<int64_t>(at));
        arrival.times.pop_back();
        break;
      default:
        words[at].data[random_.below(4)] ^= 1u << random_.below(32);
    }
  }

  NetworkFaults faults_;
  RandomSource random_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<Port> ports_;
  int64_t now_ = 0;
};

}  // namespace fabrictwin::test
