// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The clocks of idle blocks stand, and nobody can tell: a network IP with its gates and one whose clocks always run,
// under the same inputs, have the same outputs at every edge.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include "VControlledNetworkUngated__inputs.h"
#include "VControlledNetwork__inputs.h"
#include "VDeepControlledNetworkUngated__inputs.h"
#include "VDeepControlledNetwork__inputs.h"
#include "rtl/control/target_registers.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin {
namespace {

namespace regs = rtl::control::target_registers;

constexpr int kNodes = 2;
constexpr int kTilePorts = 3;

/// What goes into a node at an edge, but for its links.
struct Inputs {
  uint32_t rx_valid = 0, rx_vc = 0, rx_sop = 0, rx_eop = 0, tx_ready = 7, m_tready = 3;
  std::array<std::array<uint32_t, 4>, kTilePorts> words{};
  bool write = false, read = false;
  uint32_t address = 0, data = 0;
};

/// Two nodes of a ring.
template <class Model>
class Ring {
 public:
  /// `context` must outlive all models: Verilator clears up in that of the last one.
  explicit Ring(VerilatedContext& context) : nodes_{Model{&context}, Model{&context}} {
    for (Model& model : nodes_) zero_inputs(model);
    const test::WithoutAssertions reset(context);
    for (int i = 0; i < 3; ++i) edge({});
    for (Model& model : nodes_) model.rst_ni = 1;
  }

  void edge(const std::array<Inputs, kNodes>& inputs) {
    for (int n = 0; n < kNodes; ++n) put(nodes_[n], inputs[n]);
    for (int n = 0; n < kNodes; ++n) return_credits(n);
    for (int n = 0; n < kNodes; ++n) join(nodes_[n], nodes_[1 - n]);
    for (Model& model : nodes_) model.eval();
    // Ready and valid of links have settled only now.
    for (int n = 0; n < kNodes; ++n) join(nodes_[n], nodes_[1 - n]);
    for (int n = 0; n < kNodes; ++n) take_words(n);
    for (Model& model : nodes_) rtl::rising_edge_in_two(model);
  }

  /// All outputs of both nodes, one after the other.
  std::vector<uint32_t> outputs() {
    std::vector<uint32_t> all;
    for (Model& m : nodes_) {
      for (const uint32_t value :
           {uint32_t{m.tx_valid_o}, uint32_t{m.tx_vc_o}, uint32_t{m.tx_sop_o}, uint32_t{m.tx_eop_o},
            uint32_t{m.credit_valid_o}, uint32_t{m.credit_vc_o}, uint32_t{m.m_tvalid_o}, uint32_t{m.s_tready_o},
            uint32_t{m.idle_o}, uint32_t{m.credit_stall_o}, uint32_t{m.router_error_o}, uint32_t{m.link_error_o},
            uint32_t{m.rvalid_o}, uint32_t{m.bvalid_o}}) {
        all.push_back(value);
      }
      // Other pins matter only with these.
      if (m.rvalid_o) all.push_back(m.rdata_o);
      for (int p = 0; p < kTilePorts; ++p) {
        for (int i = 0; i < 4 && (m.tx_valid_o >> p & 1) != 0; ++i) all.push_back(m.tx_data_o[4 * p + i]);
      }
      for (int l = 0; l < 2; ++l) {
        for (int i = 0; i < 4 && (m.m_tvalid_o >> l & 1) != 0; ++i) all.push_back(m.m_tdata_o[4 * l + i]);
      }
    }
    return all;
  }
  bool idle() { return nodes_[0].idle_o && nodes_[1].idle_o; }
  bool delivers() { return nodes_[0].tx_valid_o || nodes_[1].tx_valid_o; }

 private:
  static void put(Model& m, const Inputs& in) {
    m.clk_i = 0;
    m.rx_valid_i = in.rx_valid;
    m.rx_vc_i = in.rx_vc;
    m.rx_sop_i = in.rx_sop;
    m.rx_eop_i = in.rx_eop;
    for (int p = 0; p < kTilePorts; ++p) {
      for (int i = 0; i < 4; ++i) m.rx_data_i[4 * p + i] = in.words[p][i];
    }
    m.tx_ready_i = in.tx_ready;
    m.awvalid_i = m.wvalid_i = in.write;
    m.arvalid_i = in.read;
    m.awaddr_i = m.araddr_i = in.address;
    m.wdata_i = in.data;
    m.wstrb_i = 15;
    m.bready_i = m.rready_i = 1;
    m.m_tready_i = in.m_tready;
    m.link_signal_i = 3;
  }
  /// What leaves at tile ports is free at once.
  void take_words(int node) {
    const Model& m = nodes_[node];
    for (int p = 0; p < kTilePorts; ++p) {
      if ((m.tx_valid_o & m.tx_ready_i) >> p & 1) {
        Freed& freed = freed_[node][p][m.tx_vc_o >> p & 1];
        if (m.tx_eop_o >> p & 1)
          ++freed.packets;
        else if ((m.tx_sop_o >> p & 1) == 0)
          ++freed.words;
      }
    }
  }
  void return_credits(int node) {
    Model& m = nodes_[node];
    m.credit_valid_i = m.credit_vc_i = 0;
    m.credit_words_i = m.credit_packets_i = 0;
    for (int p = 0; p < kTilePorts; ++p) {
      const int vc = freed_[node][p][0].packets > 0 ? 0 : 1;
      Freed& freed = freed_[node][p][vc];
      if (freed.packets == 0) continue;
      m.credit_valid_i |= 1u << p;
      m.credit_vc_i |= static_cast<uint32_t>(vc) << p;
      m.credit_words_i |= static_cast<uint32_t>(freed.words) << 8 * p;
      m.credit_packets_i |= static_cast<uint32_t>(freed.packets) << 4 * p;
      freed = {};
    }
  }
  /// What leaves `from` at one end comes to `to` at the other.
  static void join(Model& to, Model& from) {
    to.s_tvalid_i = 0;
    uint32_t ready = 0;
    for (int l = 0; l < 2; ++l) {
      const int far = 1 - l;
      to.s_tvalid_i |= (from.m_tvalid_o >> far & 1) << l;
      ready |= uint32_t{from.s_tready_o} >> far & 1 ? 1u << l : 0;
      for (int i = 0; i < 4; ++i) to.s_tdata_i[4 * l + i] = from.m_tdata_o[4 * far + i];
    }
    to.m_tready_i = ready;
  }

  struct Freed {
    int words = 0, packets = 0;
  };

  std::array<Model, kNodes> nodes_;
  Freed freed_[kNodes][kTilePorts][2] = {};
};

/// Packets, register accesses and noise, with pauses.
class Stimulus {
 public:
  explicit Stimulus(uint32_t seed) : random_(seed) {}

  std::array<Inputs, kNodes> next() {
    std::array<Inputs, kNodes> all;
    if (pause_ == 0 && left_ == 0) (below(3) == 0 ? pause_ : left_) = 1 + below(below(4) == 0 ? 600 : 60);
    if (pause_ > 0) {
      --pause_;
      return all;
    }
    --left_;
    for (int n = 0; n < kNodes; ++n) {
      Inputs& in = all[n];
      for (int p = 0; p < kTilePorts; ++p) word(n, p, in);
      in.tx_ready = below(8);
      if (below(40) == 0) access(in);
    }
    return all;
  }

 private:
  uint32_t below(uint32_t bound) { return random_() % bound; }

  void word(int node, int port, Inputs& in) {
    int& left = words_left_[node][port];
    if (left == 0 && below(12) != 0) return;
    if (left != 0 && below(4) == 0) return;
    const bool noise = below(200) == 0;
    const bool sop = noise ? below(2) == 0 : left == 0;
    std::array<uint32_t, 4>& word = in.words[port];
    for (uint32_t& part : word) part = static_cast<uint32_t>(random_());
    if (left == 0) {
      const uint32_t payload = below(5);
      words_left_[node][port] = static_cast<int>(payload) + 1;
      vc_[node][port] = static_cast<int>(below(2));
      word = {below(20) == 0 ? 7u : below(kNodes), 16 * payload << 16 | below(kTilePorts) << 26, word[2], word[3]};
    } else {
      --left;
    }
    in.rx_valid |= 1u << port;
    in.rx_vc |= static_cast<uint32_t>(vc_[node][port]) << port;
    in.rx_sop |= (sop ? 1u : 0) << port;
    in.rx_eop |= (noise ? below(2) : left == 0 && !sop ? 1u : 0) << port;
  }
  void access(Inputs& in) {
    static constexpr uint32_t kWritten[] = {regs::kHealthOffset,      regs::kRoutingOffset,
                                            regs::kPortControlOffset, regs::kPortControlOffset + regs::kStride * 3,
                                            regs::kPortEventsOffset,  regs::kMarkingOffset,
                                            regs::kTredOffset};
    static constexpr uint32_t kRead[] = {regs::kStatusOffset,     regs::kSentOffset,      regs::kLinkStatusOffset,
                                         regs::kPortEventsOffset, regs::kMalformedOffset, regs::kInputVc0Offset,
                                         regs::kInputVc1Offset,   regs::kLinkUsedOffset,  regs::kLinkWaitingOffset};
    in.write = below(3) == 0;
    in.read = !in.write;
    in.address = in.write ? kWritten[below(std::size(kWritten))] : kRead[below(std::size(kRead))];
    // Ports are in use most of the time.
    in.data = below(4) == 0 ? static_cast<uint32_t>(random_()) : 1u << regs::kPortControlEnableLow;
    if (in.address == regs::kRoutingOffset) in.data = 0x06;
    if (in.address == regs::kHealthOffset) in.data = below(8);
    if (in.address == regs::kTredOffset) in.data = below(2048);
  }

  std::mt19937 random_;
  uint32_t pause_ = 0, left_ = 0;
  int words_left_[kNodes][kTilePorts] = {};
  int vc_[kNodes][kTilePorts] = {};
};

template <class Model>
void set_up(Ring<Model>& ring) {
  const auto write = [&](uint32_t address, uint32_t first, uint32_t second) {
    std::array<Inputs, kNodes> inputs;
    for (int n = 0; n < kNodes; ++n) {
      inputs[n].write = true;
      inputs[n].address = address;
      inputs[n].data = n == 0 ? first : second;
    }
    ring.edge(inputs);
    for (int i = 0; i < 6; ++i) ring.edge({});
  };
  write(regs::kCoordinatesOffset, 0, 1);
  write(regs::kLatticeOffset, 1, 1);
  write(regs::kControlOffset, 0, 0);
}

/// Compares a network with gates and one without, edge by edge.
template <class Gated, class Ungated>
void expect_no_change() {
  int idle = 0, delivered = 0;
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    test::RandomStateContext context;
    Ring<Gated> gated(context);
    Ring<Ungated> ungated(context);
    set_up(gated);
    set_up(ungated);
    Stimulus stimulus(seed);
    for (int edge = 0; edge < 12'000; ++edge) {
      const std::array<Inputs, kNodes> inputs = stimulus.next();
      gated.edge(inputs);
      ungated.edge(inputs);
      ASSERT_EQ(gated.outputs(), ungated.outputs()) << "seed " << seed << ", edge " << edge;
      idle += gated.idle() ? 1 : 0;
      delivered += gated.delivers() ? 1 : 0;
    }
  }
  // Otherwise nothing stood, or nothing happened.
  EXPECT_GT(idle, 5'000);
  EXPECT_GT(delivered, 5'000);
}

TEST(IdleGates, ChangeNothing) { expect_no_change<VControlledNetwork, VControlledNetworkUngated>(); }

// Long credit words are due again and again, also while nothing else happens.
TEST(IdleGates, ChangeNothingInDeepLinks) { expect_no_change<VDeepControlledNetwork, VDeepControlledNetworkUngated>(); }

}  // namespace
}  // namespace fabrictwin
