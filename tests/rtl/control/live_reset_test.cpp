// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two network IPs with supervised links: software resets one of them while packets pass, and the network goes on.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>

#include "VControlledNetwork__inputs.h"
#include "rtl/control/target_registers.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin {
namespace {

namespace regs = rtl::control::target_registers;

constexpr uint32_t kSupervise = 1u << regs::kControlSuperviseLow;
constexpr uint32_t kUp = 1u << regs::kLinkStatusUpLow;
constexpr uint32_t of(uint32_t offset, uint32_t copy) { return offset + regs::kStride * copy; }

/// A network IP, what sends and receives at its tile ports, and its software. Tile port 0 sends to tile port 1 of the
/// other node, port 2 to itself.
class Node {
 public:
  Node(uint32_t x, VerilatedContext& context) : model(&context), x_(x) {
    zero_inputs(model);
    model.tx_ready_i = 7;
    model.bready_i = model.rready_i = 1;
    model.link_signal_i = 3;
  }

  struct Sink {
    int good = 0, bad = 0;
    uint32_t last = 0;  ///< Number of the last packet.
    int place = 0, words = 0;
  };
  struct Source {
    int to_send = 0, on_the_way = 0;
    std::deque<std::array<uint32_t, 4>> words;
    size_t length = 0;
    uint32_t number = 0;
  };

  /// Before an edge: what the tile ports do.
  void offer() {
    model.rx_valid_i = model.rx_sop_i = model.rx_eop_i = 0;
    model.credit_valid_i = 0;
    for (uint32_t p : {0u, 2u}) offer(p, sources[p]);
    for (uint32_t p : {1u, 2u}) {
      if (credits_[p].empty()) continue;
      const auto [vc, words] = credits_[p].front();
      credits_[p].pop_front();
      model.credit_valid_i |= static_cast<uint8_t>(1u << p);
      model.credit_vc_i = static_cast<uint8_t>((model.credit_vc_i & ~(1u << p)) | vc << p);
      model.credit_words_i = (model.credit_words_i & ~(0xFFu << (8 * p))) | words << (8 * p);
      model.credit_packets_i = static_cast<uint16_t>((model.credit_packets_i & ~(0xFu << (4 * p))) | 1u << (4 * p));
    }
  }
  /// What is valid before the edge leaves at it.
  void receive() {
    // In the first edges of a reset, outputs are what registers began with.
    if (model.rst_ni == 0) return;
    for (uint32_t p : {1u, 2u}) {
      if ((model.tx_valid_o >> p & 1) != 0) receive(p, sinks[p]);
    }
    for (uint32_t p : {0u, 2u}) {
      if ((model.credit_valid_o >> p & 1) != 0)
        sources[p].on_the_way -= static_cast<int>(model.credit_packets_o >> (4 * p) & 0xF);
    }
  }
  /// The tile is reset with its router.
  void forget() {
    for (Source& source : sources) {
      source.words.clear();
      source.on_the_way = 0;
    }
    for (Sink& sink : sinks) sink.place = 0;
    for (auto& credits : credits_) credits.clear();
  }

  VControlledNetwork model;
  std::array<Source, 3> sources;
  std::array<Sink, 3> sinks;

 private:
  void offer(uint32_t p, Source& source) {
    if (source.words.empty() && source.to_send > 0 && source.on_the_way < 4) {
      --source.to_send;
      ++source.on_the_way;
      const uint32_t payload = ++source.number % 4 + 1;
      const uint32_t to = p == 0 ? 1 - x_ : x_;
      const uint32_t tile = p == 0 ? 1 : 2;
      source.words.push_back({to, tile << 26 | payload << 20, 0, 0});
      for (uint32_t w = 0; w < payload; ++w) source.words.push_back({source.number, w, ~source.number, 7});
      source.words.push_back({source.number, 0, 0, 0});
      source.length = source.words.size();
    }
    if (source.words.empty()) return;
    model.rx_valid_i |= static_cast<uint8_t>(1u << p);
    if (source.words.size() == source.length) model.rx_sop_i |= static_cast<uint8_t>(1u << p);
    if (source.words.size() == 1) model.rx_eop_i |= static_cast<uint8_t>(1u << p);
    for (size_t u = 0; u < 4; ++u) model.rx_data_i[4 * p + u] = source.words.front()[u];
    source.words.pop_front();
  }
  void receive(uint32_t p, Sink& sink) {
    const uint32_t* word = &model.tx_data_o[4 * p];
    if ((model.tx_sop_o >> p & 1) != 0) {
      sink.words = static_cast<int>(word[1] >> 20 & 0x3F);
      sink.place = 0;
      number_[p] = 0;
    } else if ((model.tx_eop_o >> p & 1) == 0) {
      if (sink.place == 1) number_[p] = word[0];
    } else {
      ASSERT_EQ(sink.place, sink.words + 1) << "a packet of another length than its header says";
      credits_[p].push_back({model.tx_vc_o >> p & 1u, static_cast<uint32_t>(sink.words)});
      if ((word[3] >> 31) != 0) {
        ++sink.bad;
      } else {
        ASSERT_EQ(word[0], number_[p]);
        ASSERT_GT(number_[p], sink.last) << "twice or out of order";
        sink.last = number_[p];
        ++sink.good;
      }
    }
    ++sink.place;
  }

  uint32_t x_;
  std::array<uint32_t, 3> number_{};
  struct Credit {
    uint32_t vc, words;
  };
  std::array<std::deque<Credit>, 3> credits_;
};

class LiveReset : public ::testing::Test {
 protected:
  LiveReset() {
    {
      const test::WithoutAssertions reset(context_);
      edges(3);
    }
    for (Node& node : nodes_) node.model.rst_ni = 1;
    edges(3);
    for (uint32_t n : {0u, 1u}) {
      write(n, regs::kControlOffset, kSupervise | 1);
      write(n, regs::kCoordinatesOffset, n);
      write(n, regs::kLatticeOffset, 1);
      write(n, regs::kControlOffset, kSupervise);
    }
  }

  /// The "+" link of a node is the "-" link of the other one.
  void settle() {
    for (Node& node : nodes_) node.model.eval();
    for (size_t n : {0u, 1u}) {
      auto& from = nodes_[n].model;
      auto& to = nodes_[1 - n].model;
      to.s_tvalid_i = static_cast<uint8_t>((from.m_tvalid_o & 1) << 1 | from.m_tvalid_o >> 1);
      for (size_t u = 0; u < 8; ++u) to.s_tdata_i[u] = from.m_tdata_o[(u + 4) % 8];
    }
    for (Node& node : nodes_) node.model.eval();
    for (size_t n : {0u, 1u}) {
      const unsigned ready = nodes_[1 - n].model.s_tready_o;
      nodes_[n].model.m_tready_i = static_cast<uint8_t>((ready & 1) << 1 | ready >> 1);
    }
    for (Node& node : nodes_) node.model.eval();
  }
  void edge() {
    for (Node& node : nodes_) {
      node.model.clk_i = 0;
      node.offer();
    }
    settle();
    for (Node& node : nodes_) {
      node.receive();
      node.model.clk_i = 1;
      node.model.eval();
    }
  }
  void edges(int count) {
    for (int i = 0; i < count && !HasFatalFailure(); ++i) edge();
  }
  void write(uint32_t n, uint32_t address, uint32_t data) {
    auto& m = nodes_[n].model;
    m.awvalid_i = m.wvalid_i = 1;
    m.awaddr_i = static_cast<uint16_t>(address);
    m.wdata_i = data;
    m.wstrb_i = 15;
    edge();
    m.awvalid_i = m.wvalid_i = 0;
    edges(4);
  }
  uint32_t read(uint32_t n, uint32_t address) {
    auto& m = nodes_[n].model;
    m.arvalid_i = 1;
    m.araddr_i = static_cast<uint16_t>(address);
    edge();
    m.arvalid_i = 0;
    for (int waited = 0; m.rvalid_o == 0 && waited < 10; ++waited) edge();
    const uint32_t data = m.rdata_o;
    edge();
    return data;
  }
  bool all_up() {
    for (uint32_t n : {0u, 1u}) {
      for (uint32_t l : {0u, 1u}) {
        if ((read(n, of(regs::kLinkStatusOffset, l)) & kUp) == 0) return false;
      }
    }
    return true;
  }
  bool come_up() {
    for (int i = 0; i < 100 && !HasFatalFailure(); ++i) {
      if (all_up()) return true;
      edges(1'000);
    }
    return false;
  }
  void send(int packets) {
    for (Node& node : nodes_) node.sources[0].to_send += packets;
  }

  // One for both: Verilator takes a model apart in the context that was made last.
  test::RandomStateContext context_;
  std::array<Node, 2> nodes_{Node(0, context_), Node(1, context_)};
};

TEST_F(LiveReset, TheNetworkGoesOn) {
  ASSERT_TRUE(come_up());
  for (int round = 0; round < 3; ++round) {
    const uint32_t reset = round % 2 == 0 ? 1 : 0, other = 1 - reset;
    send(400);
    edges(500 + 13 * round);
    // Reset within packets, of the network and of its tile.
    write(reset, regs::kControlOffset, kSupervise | 1);
    nodes_[reset].sources[0].to_send = 0;
    nodes_[reset].forget();
    edges(50);
    nodes_[reset].forget();
    write(reset, regs::kControlOffset, kSupervise);

    // What does not need the links goes on at the other node.
    const int local = nodes_[other].sinks[2].good;
    nodes_[other].sources[2].to_send = 50;
    edges(2'000);
    EXPECT_EQ(nodes_[other].sinks[2].good, local + 50);
    EXPECT_FALSE(all_up());

    ASSERT_TRUE(come_up()) << "round " << round;
    for (uint32_t l : {0u, 1u}) {
      EXPECT_EQ(read(other, of(regs::kLinkEventsOffset, l)) & 1u << regs::kLinkEventsDownLow,
                1u << regs::kLinkEventsDownLow);
      EXPECT_GT(read(other, of(regs::kLinkDownsOffset, l)), 0u);
      write(other, of(regs::kLinkEventsOffset, l), ~0u);
    }
    // What was waiting arrives, and then all of what is sent.
    edges(20'000);
    for (const Node& node : nodes_) ASSERT_EQ(node.sources[0].to_send, 0) << "round " << round;
    const std::array<int, 2> good = {nodes_[0].sinks[1].good, nodes_[1].sinks[1].good};
    const std::array<int, 2> bad = {nodes_[0].sinks[1].bad, nodes_[1].sinks[1].bad};
    send(300);
    edges(20'000);
    for (uint32_t n : {0u, 1u}) {
      EXPECT_EQ(nodes_[n].sinks[1].good, good[n] + 300) << "round " << round;
      EXPECT_EQ(nodes_[n].sinks[1].bad, bad[n]);
      EXPECT_EQ(nodes_[n].sources[0].on_the_way, 0) << "credits are missing";
      for (uint32_t l : {0u, 1u}) EXPECT_EQ(read(n, of(regs::kLinkStatusOffset, l)), kUp) << "words are in use";
      for (uint32_t p = 0; p < 5; ++p) EXPECT_EQ(read(n, of(regs::kPortStatusOffset, p)) & 2u, 0u) << "port " << p;
    }
    if (HasFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace fabrictwin
