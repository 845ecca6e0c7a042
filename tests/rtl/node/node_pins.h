// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A device made of a Verilated top: exanet_ni, plain_fpga or network_fpga.
#pragma once

#include <memory>

#include "tests/rtl/node/node_device.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {

template <class Model>
class NodePins final : public NodeDevice {
 public:
  static constexpr bool kIsNetwork = requires(Model & m) { m.m_tvalid_o; };
  static constexpr bool kHasController = requires(Model & m) { m.control_awvalid_i; };

  NodePins(const NodeIdentity& identity, uint64_t seed, MemoryTiming timing)
      : NodeDevice(identity, links_of(), seed, timing), model_(std::make_unique<Model>(&context_)) {
    Model& m = *model_;
    m.node_i = identity.node;
    m.tile_bits_i = identity.tile_bits;
    m.x_bits_i = identity.x_bits;
    m.y_bits_i = identity.y_bits;
    if constexpr (kIsNetwork) {
      m.coordinates_i = identity.coordinates;
      m.last_i = identity.last;
      m.port_enable_i = identity.port_enable;
    }
    m.rst_ni = 0;
    const WithoutAssertions reset(context_);
    for (int i = 0; i < 2; ++i) {
      m.clk_i = 0;
      m.eval();
      m.clk_i = 1;
      m.eval();
    }
    m.rst_ni = 1;
  }

  void drive(int64_t now) override {
    Model& m = *model_;
    m.time_i = static_cast<uint32_t>(now);
    memory.drive(m);
    const MasterPins& a = messages.drive();
    m.axi_awvalid_i = a.aw;
    m.axi_wvalid_i = a.w;
    m.axi_arvalid_i = a.ar;
    m.axi_awaddr_i = m.axi_araddr_i = a.address;
    m.axi_wdata_i = a.data[0] | uint64_t{a.data[1]} << 32;
    m.axi_wstrb_i = 0xff;
    m.axi_bready_i = a.b;
    m.axi_rready_i = a.r;
    const MasterPins& s = descriptors.drive();
    m.s_awvalid_i = s.aw;
    m.s_wvalid_i = s.w;
    m.s_arvalid_i = s.ar;
    m.s_awaddr_i = m.s_araddr_i = s.address;
    for (int i = 0; i < 4; ++i) m.s_wdata_i[i] = s.data[static_cast<size_t>(i)];
    m.s_wstrb_i = 0xffff;
    m.s_wlast_i = s.last;
    m.s_arlen_i = 0;
    m.s_bready_i = s.b;
    m.s_rready_i = s.r;
    quiet_ = !a.aw && !a.w && !a.ar && !s.aw && !s.w && !s.ar && m.m_bvalid_i == 0 && m.m_rvalid_i == 0;
    drive_links();
    if constexpr (kHasController) drive_controller();
    if constexpr (kIsNetwork) drive_network();
  }

  bool quiet() const override { return quiet_; }

  void sample(int64_t now, bool evaluate) override {
    Model& m = *model_;
    if (evaluate) {
      m.clk_i = 0;
      m.eval();
    }
    for (int l = 0; l < links_of(); ++l) {
      LinkPins& pins = links[static_cast<size_t>(l)];
      pins.tx.reset();
      pins.credit_out.reset();
      if ((m.tx_valid_o >> l & 1) != 0) {
        pins.tx = LinkWord{{wide(m.tx_data_o, l), (m.tx_sop_o >> l & 1) != 0, (m.tx_eop_o >> l & 1) != 0},
                           (m.tx_vc_o >> l & 1) != 0};
      }
      if ((m.credit_valid_o >> l & 1) != 0) {
        pins.credit_out =
            LinkCredit{(m.credit_vc_o >> l & 1) != 0, static_cast<int>(m.credit_count_o >> (8 * l) & 0xff)};
      }
    }
    if constexpr (kIsNetwork) {
      for (int l = 0; l < kStreams; ++l) {
        StreamPins& pins = streams[static_cast<size_t>(l)];
        pins.out.reset();
        if ((m.m_tvalid_o >> l & 1) != 0) pins.out = wide(m.m_tdata_o, l);
        pins.in_ready = (m.s_tready_o >> l & 1) != 0;
      }
    }
    if constexpr (kHasController) {
      controller.edge({m.control_awready_o != 0,
                       m.control_wready_o != 0,
                       m.control_arready_o != 0,
                       m.control_bvalid_o != 0,
                       m.control_rvalid_o != 0,
                       true,
                       m.control_bvalid_o ? m.control_bresp_o : m.control_rresp_o,
                       {m.control_rdata_o}},
                      now);
    }
    memory.edge(m);
    if (m.event_valid_o && on_event) on_event(m.event_interface_o);
    messages.edge(
        {m.axi_awready_o != 0, m.axi_wready_o != 0, m.axi_arready_o != 0, m.axi_bvalid_o != 0, m.axi_rvalid_o != 0,
         true, m.axi_bvalid_o ? m.axi_bresp_o : m.axi_rresp_o, make_word(m.axi_rdata_o, 0)},
        now);
    descriptors.edge({m.s_awready_o != 0, m.s_wready_o != 0, m.s_arready_o != 0, m.s_bvalid_o != 0, m.s_rvalid_o != 0,
                      m.s_rlast_o != 0, m.s_bvalid_o ? m.s_bresp_o : 0u, wide(m.s_rdata_o, 0)},
                     now);
  }

  void edge() override {
    model_->clk_i = 1;
    model_->eval();
  }
  bool idle() const override { return model_->idle_o != 0; }
  bool error() const override { return model_->error_o != 0; }
  uint32_t credit_stall() const override { return model_->credit_stall_o; }

 private:
  static constexpr int links_of() { return sizeof(Model::rx_data_i) > 16 ? 3 : 1; }

  template <class Wide>
  static Word128 wide(const Wide& pins, int slice) {
    return {pins[4 * slice], pins[4 * slice + 1], pins[4 * slice + 2], pins[4 * slice + 3]};
  }
  template <class Pins>
  static void put(Pins& pins, int bit, bool value) {
    pins = static_cast<std::remove_reference_t<Pins>>((pins & ~(1u << bit)) | uint32_t{value} << bit);
  }

  void drive_links() {
    Model& m = *model_;
    for (int l = 0; l < links_of(); ++l) {
      const LinkPins& pins = links[static_cast<size_t>(l)];
      put(m.rx_valid_i, l, pins.rx.has_value());
      if (pins.rx) {
        put(m.rx_vc_i, l, pins.rx->vc);
        put(m.rx_sop_i, l, pins.rx->flit.sop);
        put(m.rx_eop_i, l, pins.rx->flit.eop);
        for (int i = 0; i < 4; ++i) m.rx_data_i[4 * l + i] = pins.rx->flit.data[static_cast<size_t>(i)];
      }
      put(m.credit_valid_i, l, pins.credit_in.has_value());
      if (pins.credit_in) {
        put(m.credit_vc_i, l, pins.credit_in->vc);
        const uint32_t count = static_cast<uint32_t>(pins.credit_in->count) << (8 * l);
        m.credit_count_i = static_cast<std::remove_reference_t<decltype(m.credit_count_i)>>(
            (m.credit_count_i & ~(0xffu << (8 * l))) | count);
      }
      put(m.tx_ready_i, l, pins.tx_ready);
      quiet_ = quiet_ && !pins.rx && !pins.credit_in;
    }
  }

  void drive_controller() {
    Model& m = *model_;
    const MasterPins& c = controller.drive();
    m.control_awvalid_i = c.aw;
    m.control_wvalid_i = c.w;
    m.control_arvalid_i = c.ar;
    m.control_awaddr_i = m.control_araddr_i = c.address;
    m.control_wdata_i = c.data[0];
    m.control_wstrb_i = 0xf;
    m.control_bready_i = c.b;
    m.control_rready_i = c.r;
    quiet_ = quiet_ && !c.aw && !c.w && !c.ar;
  }

  void drive_network() {
    Model& m = *model_;
    for (int l = 0; l < kStreams; ++l) {
      const StreamPins& pins = streams[static_cast<size_t>(l)];
      put(m.s_tvalid_i, l, pins.in.has_value());
      if (pins.in) {
        for (int i = 0; i < 4; ++i) m.s_tdata_i[4 * l + i] = (*pins.in)[static_cast<size_t>(i)];
      }
      put(m.m_tready_i, l, pins.out_ready);
      put(m.link_signal_i, l, pins.signal);
      quiet_ = quiet_ && !pins.in;
    }
  }

  RandomStateContext context_;
  std::unique_ptr<Model> model_;
  bool quiet_ = false;
};

}  // namespace fabrictwin::test
