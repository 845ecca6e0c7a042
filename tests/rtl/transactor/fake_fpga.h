// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A plain FPGA without logic: registers that remember, and a memory master that does what a test says. It has the
// members of a Verilated class, so that VerilatedNode binds it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "verilated.h"

namespace fabrictwin::test {

template <int kWords>
struct FakeWide {
  std::array<uint32_t, kWords> bits{};
  uint32_t* data() { return bits.data(); }
};

struct FakeRoot {
  uint8_t __Vtrigrprev__TOP__clk_i = 0;
};

/// One register slave. Ready follows valid at once, in some cycles only.
class FakeSlave {
 public:
  uint8_t awready = 0, wready = 0, bvalid = 0, bresp = 0, arready = 0, rvalid = 0, rresp = 0;
  std::array<uint64_t, 2> rdata{};
  std::map<uint32_t, std::array<uint8_t, 16>> memory;
  uint32_t refused = ~0u;  ///< Address that is answered with SLVERR.
  bool dead = false;       ///< Never answers.

  void settle(bool awvalid, bool wvalid, bool arvalid) {
    awready = awvalid && gate_ % 3 == 0 && !has_address_ && !bvalid;
    wready = wvalid && gate_ % 2 == 0 && !has_data_ && !bvalid;
    arready = arvalid && gate_ % 4 == 0 && !rvalid;
  }
  void edge(uint32_t awaddr, const uint64_t* wdata, uint32_t wstrb, bool bready, uint32_t araddr, bool rready,
            std::mt19937_64& random) {
    if (bvalid && bready) bvalid = 0;
    if (rvalid && rready) rvalid = 0;
    if (awready) has_address_ = true, address_ = awaddr;
    if (wready) has_data_ = true, data_ = {wdata[0], wdata[1]}, strobes_ = wstrb;
    if (has_address_ && has_data_ && !dead) {
      has_address_ = has_data_ = false;
      bvalid = 1;
      bresp = address_ == refused ? 2 : 0;
      for (int i = 0; i < 16 && bresp == 0; ++i) {
        if ((strobes_ >> i & 1) != 0) memory[address_ & ~15u][i] = static_cast<uint8_t>(data_[i / 8] >> (8 * (i % 8)));
      }
    }
    if (arready && !dead) {
      rvalid = 1;
      rresp = araddr == refused ? 2 : 0;
      rdata = {};
      for (int i = 0; i < 16; ++i) rdata[i / 8] |= uint64_t{memory[araddr & ~15u][i]} << (8 * (i % 8));
    }
    gate_ = random();
    awready = wready = arready = 0;
  }
  bool idle() const { return !bvalid && !rvalid && !has_address_ && !has_data_; }

 private:
  uint64_t gate_ = 0;
  bool has_address_ = false, has_data_ = false;
  uint32_t address_ = 0, strobes_ = 0;
  std::array<uint64_t, 2> data_{};
};

struct FakeBurst {
  uint64_t address = 0;
  std::vector<uint64_t> words;  ///< Low halves; of a read only how many.
};

/// Its pins.
struct FakePins {
  uint8_t clk_i, rst_ni;
  uint32_t time_i, node_i;
  uint8_t tile_bits_i, x_bits_i, y_bits_i;
  uint8_t axi_awvalid_i, axi_awready_o, axi_wvalid_i, axi_wready_o, axi_wstrb_i, axi_bvalid_o, axi_bready_i,
      axi_bresp_o;
  uint8_t axi_arvalid_i, axi_arready_o, axi_rvalid_o, axi_rready_i, axi_rresp_o;
  uint32_t axi_awaddr_i, axi_araddr_i;
  uint64_t axi_wdata_i, axi_rdata_o;
  uint8_t control_awvalid_i, control_awready_o, control_wvalid_i, control_wready_o, control_wstrb_i, control_bvalid_o,
      control_bready_i, control_bresp_o;
  uint8_t control_arvalid_i, control_arready_o, control_rvalid_o, control_rready_i, control_rresp_o;
  uint16_t control_awaddr_i, control_araddr_i;
  uint32_t control_wdata_i, control_rdata_o;
  uint8_t event_valid_o, event_interface_o, irq_o;
  uint8_t s_awvalid_i, s_awready_o, s_wvalid_i, s_wready_o, s_wlast_i, s_bvalid_o, s_bready_i, s_bresp_o;
  uint8_t s_arvalid_i, s_arready_o, s_arlen_i, s_rvalid_o, s_rready_i, s_rlast_o;
  uint32_t s_awaddr_i, s_araddr_i;
  uint16_t s_wstrb_i;
  FakeWide<4> s_wdata_i, s_rdata_o;
  uint8_t m_awvalid_o, m_awready_i, m_awlen_o, m_wvalid_o, m_wready_i, m_wlast_o, m_bvalid_i, m_bready_o, m_bresp_i;
  uint8_t m_arvalid_o, m_arready_i, m_arlen_o, m_rvalid_i, m_rready_o, m_rresp_i, m_rlast_i;
  uint64_t m_awaddr_o, m_araddr_o;
  uint32_t m_awuser_o, m_aruser_o;
  uint16_t m_wstrb_o;
  FakeWide<4> m_wdata_o, m_rdata_i;
  uint8_t rx_valid_i, rx_vc_i, rx_sop_i, rx_eop_i, credit_valid_o, credit_vc_o, tx_valid_o, tx_vc_o, tx_sop_o, tx_eop_o;
  uint8_t tx_ready_i, credit_valid_i, credit_vc_i;
  FakeWide<12> rx_data_i, tx_data_o;
  uint32_t credit_count_o, credit_count_i;
  uint8_t idle_o, credit_stall_o, error_o, repeats_o = 0;
};

class FakeFpga : public FakePins {
 public:
  explicit FakeFpga(VerilatedContext*) : FakePins{} {}
  void final() {}

  FakeRoot root;
  FakeRoot* rootp = &root;

  FakeSlave messages, rdma, control;
  std::deque<FakeBurst> reads, writes;         ///< To be made.
  std::deque<uint8_t> events;                  ///< To be told, one a cycle.
  std::deque<uint8_t> requests;                ///< Levels of the interrupt, one a cycle; low at last.
  std::vector<std::pair<uint64_t, int>> data;  ///< Low halves that came, with the response; 100 more at the last.
  std::vector<int> written;                    ///< Responses.
  int reads_open = 0, most_reads_open = 0;
  std::vector<uint32_t> times;  ///< time_i at each edge.

  void eval() {
    messages.settle(axi_awvalid_i, axi_wvalid_i, axi_arvalid_i);
    rdma.settle(s_awvalid_i, s_wvalid_i, s_arvalid_i);
    control.settle(control_awvalid_i, control_wvalid_i, control_arvalid_i);
    if (clk_i != 0 && root.__Vtrigrprev__TOP__clk_i == 0) edge();
    root.__Vtrigrprev__TOP__clk_i = clk_i;
    show();
  }

 private:
  void edge() {
    times.push_back(time_i);
    const std::array<uint64_t, 2> wdata{axi_wdata_i, 0};
    // A bus of 8 bytes: its lanes are those of the address.
    const int lane = static_cast<int>(axi_awaddr_i & 8);
    const std::array<uint64_t, 2> placed = lane != 0 ? std::array<uint64_t, 2>{0, wdata[0]} : wdata;
    messages.edge(axi_awaddr_i, placed.data(), uint32_t{axi_wstrb_i} << lane, axi_bready_i, axi_araddr_i, axi_rready_i,
                  random_);
    read_lane_ = messages.rvalid && axi_arvalid_i ? (axi_araddr_i & 8) / 8 : read_lane_;
    const std::array<uint64_t, 2> wide{s_wdata_i.bits[0] | uint64_t{s_wdata_i.bits[1]} << 32,
                                       s_wdata_i.bits[2] | uint64_t{s_wdata_i.bits[3]} << 32};
    rdma.edge(s_awaddr_i, wide.data(), s_wstrb_i, s_bready_i, s_araddr_i, s_rready_i, random_);
    // A bus of 4 bytes.
    std::array<uint64_t, 2> word{};
    word[control_awaddr_i >> 3 & 1] = uint64_t{control_wdata_i} << (8 * (control_awaddr_i & 4));
    control_lane_ = control.arready ? control_araddr_i >> 2 & 3 : control_lane_;
    control.edge(control_awaddr_i, word.data(), uint32_t{control_wstrb_i} << (control_awaddr_i & 12), control_bready_i,
                 control_araddr_i, control_rready_i, random_);
    if (m_arvalid_o && m_arready_i) {
      reads.pop_front();
      most_reads_open = std::max(most_reads_open, ++reads_open);
    }
    if (m_awvalid_o && m_awready_i) address_sent_ = true;
    if (m_wvalid_o && m_wready_i) ++beat_;
    if (!writes.empty() && address_sent_ && beat_ == writes.front().words.size()) {
      writes.pop_front();
      address_sent_ = false;
      beat_ = 0;
    }
    if (m_rvalid_i && m_rready_o) {
      data.emplace_back(m_rdata_i.bits[0] | uint64_t{m_rdata_i.bits[1]} << 32, m_rresp_i + (m_rlast_i ? 100 : 0));
      if (m_rlast_i) --reads_open;
    }
    if (m_bvalid_i && m_bready_o) written.push_back(m_bresp_i);
    // From a register, as in the RTL.
    event_valid_o = !events.empty();
    event_interface_o = events.empty() ? 0 : events.front();
    if (event_valid_o) events.pop_front();
    irq_o = requests.empty() ? 0 : requests.front();
    if (!requests.empty()) requests.pop_front();
    pause_ = random_() % 3;
  }
  void show() {
    axi_awready_o = messages.awready, axi_wready_o = messages.wready, axi_bvalid_o = messages.bvalid;
    axi_bresp_o = messages.bresp, axi_arready_o = messages.arready, axi_rvalid_o = messages.rvalid;
    axi_rresp_o = messages.rresp, axi_rdata_o = messages.rdata[read_lane_];
    control_awready_o = control.awready, control_wready_o = control.wready, control_bvalid_o = control.bvalid;
    control_bresp_o = control.bresp, control_arready_o = control.arready, control_rvalid_o = control.rvalid;
    control_rresp_o = control.rresp;
    control_rdata_o = static_cast<uint32_t>(control.rdata[control_lane_ / 2] >> (32 * (control_lane_ % 2)));
    s_awready_o = rdma.awready, s_wready_o = rdma.wready, s_bvalid_o = rdma.bvalid, s_bresp_o = rdma.bresp;
    s_arready_o = rdma.arready, s_rvalid_o = rdma.rvalid, s_rlast_o = 1;
    for (int i = 0; i < 4; ++i) s_rdata_o.bits[i] = static_cast<uint32_t>(rdma.rdata[i / 2] >> (32 * (i % 2)));
    m_arvalid_o = !reads.empty();
    if (m_arvalid_o)
      m_araddr_o = reads.front().address, m_arlen_o = static_cast<uint8_t>(reads.front().words.size() - 1);
    m_aruser_o = m_awuser_o = 0x20001;
    m_awvalid_o = !writes.empty() && !address_sent_;
    m_wvalid_o = !writes.empty() && beat_ < writes.front().words.size();
    if (!writes.empty()) {
      m_awaddr_o = writes.front().address;
      m_awlen_o = static_cast<uint8_t>(writes.front().words.size() - 1);
      if (m_wvalid_o) {
        m_wdata_o.bits[0] = static_cast<uint32_t>(writes.front().words[beat_]);
        m_wstrb_o = static_cast<uint16_t>(0x101 << beat_);
        m_wlast_o = beat_ + 1 == writes.front().words.size();
      }
    }
    m_rready_o = pause_ != 0;
    m_bready_o = pause_ != 1;
    idle_o = messages.idle() && rdma.idle() && control.idle() && reads.empty() && writes.empty() && events.empty() &&
             requests.empty() && !event_valid_o && irq_o == 0;
  }

  std::mt19937_64 random_{5};
  bool address_sent_ = false;
  size_t beat_ = 0;
  uint64_t pause_ = 0;
  uint32_t read_lane_ = 0, control_lane_ = 0;
};

}  // namespace fabrictwin::test
