// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// NodeModel over a class that Verilator has made. Include it only where such a class is at hand.
#pragma once

#include <memory>

#include "rtl/node_model.h"
#include "rtl/single_thread_context.h"
#include "rtl/verilated_clock.h"

namespace fabrictwin {

template <class Member>
NodePin node_pin(Member& member) {
  return {&member, sizeof(member)};
}

/// `Model` is the class of network_fpga or plain_fpga under some prefix.
template <class Model>
class VerilatedNode : public NodeModel {
 public:
  VerilatedNode() {
    model_ = std::make_unique<Model>(&context_);
    Model& m = *model_;
    pins_.rst_ni = &m.rst_ni;
    pins_.time_i = &m.time_i;
    pins_.node_i = node_pin(m.node_i);
    pins_.tile_bits_i = node_pin(m.tile_bits_i);
    pins_.x_bits_i = node_pin(m.x_bits_i);
    pins_.y_bits_i = node_pin(m.y_bits_i);
    bind_messages(m);
    bind_rdma(m);
    bind_memory(m);
    bind_board(m);
    if constexpr (requires { m.m_tdata_o; }) bind_network(m);
    pins_.event_valid_o = &m.event_valid_o;
    pins_.event_interface_o = &m.event_interface_o;
    pins_.idle_o = &m.idle_o;
    pins_.credit_stall_o = node_pin(m.credit_stall_o);
    pins_.error_o = &m.error_o;
  }
  ~VerilatedNode() override { model_->final(); }

  void settle() override {
    model_->clk_i = 0;
    model_->eval();
  }
  void edge() override { rising_edge(*model_); }

 protected:
  Model& model() { return *model_; }
  void clear_inputs() override {
    const auto clear = [](const NodePin& pin) {
      if (pin.data != nullptr) std::memset(pin.data, 0, pin.bytes);
    };
    model_->clk_i = 0;
    *pins_.rst_ni = 0;
    *pins_.time_i = 0;
    for (const RegisterBusPins& bus : pins_.registers) {
      for (const NodePin& pin :
           {bus.awvalid, bus.awaddr, bus.wvalid, bus.wdata, bus.wstrb, bus.bready, bus.arvalid, bus.araddr, bus.rready})
        clear(pin);
    }
    const MemoryBusPins& memory = pins_.memory;
    for (const NodePin& pin : {memory.awready, memory.wready, memory.bvalid, memory.bresp, memory.arready,
                               memory.rvalid, memory.rdata, memory.rresp, memory.rlast, pins_.s_arlen_i})
      clear(pin);
    Model& m = *model_;
    for (const NodePin& pin : {node_pin(m.rx_valid_i), node_pin(m.rx_vc_i), node_pin(m.rx_sop_i), node_pin(m.rx_eop_i),
                               node_pin(m.rx_data_i), node_pin(m.tx_ready_i), node_pin(m.credit_valid_i),
                               node_pin(m.credit_vc_i), node_pin(m.credit_count_i)})
      clear(pin);
    if constexpr (requires { m.m_tdata_o; }) {
      for (const NodePin& pin : {node_pin(m.m_tready_i), node_pin(m.s_tdata_i), node_pin(m.s_tvalid_i)}) clear(pin);
    }
  }

 private:
  void bind_messages(Model& m) {
    pins_.registers[0] = {node_pin(m.axi_awvalid_i), node_pin(m.axi_awready_o), node_pin(m.axi_awaddr_i),
                          node_pin(m.axi_wvalid_i),  node_pin(m.axi_wready_o),  node_pin(m.axi_wdata_i),
                          node_pin(m.axi_wstrb_i),   node_pin(m.axi_bvalid_o),  node_pin(m.axi_bready_i),
                          node_pin(m.axi_bresp_o),   node_pin(m.axi_arvalid_i), node_pin(m.axi_arready_o),
                          node_pin(m.axi_araddr_i),  node_pin(m.axi_rvalid_o),  node_pin(m.axi_rready_i),
                          node_pin(m.axi_rdata_o),   node_pin(m.axi_rresp_o)};
  }
  void bind_rdma(Model& m) {
    pins_.registers[1] = {node_pin(m.s_awvalid_i),
                          node_pin(m.s_awready_o),
                          node_pin(m.s_awaddr_i),
                          node_pin(m.s_wvalid_i),
                          node_pin(m.s_wready_o),
                          node_pin(m.s_wdata_i),
                          node_pin(m.s_wstrb_i),
                          node_pin(m.s_bvalid_o),
                          node_pin(m.s_bready_i),
                          node_pin(m.s_bresp_o),
                          node_pin(m.s_arvalid_i),
                          node_pin(m.s_arready_o),
                          node_pin(m.s_araddr_i),
                          node_pin(m.s_rvalid_o),
                          node_pin(m.s_rready_i),
                          node_pin(m.s_rdata_o),
                          {}};
    pins_.s_wlast_i = node_pin(m.s_wlast_i);
    pins_.s_arlen_i = node_pin(m.s_arlen_i);
  }
  void bind_memory(Model& m) {
    pins_.memory = {node_pin(m.m_awvalid_o), node_pin(m.m_awready_i), node_pin(m.m_awaddr_o),  node_pin(m.m_awlen_o),
                    node_pin(m.m_awuser_o),  node_pin(m.m_wvalid_o),  node_pin(m.m_wready_i),  node_pin(m.m_wdata_o),
                    node_pin(m.m_wstrb_o),   node_pin(m.m_wlast_o),   node_pin(m.m_bvalid_i),  node_pin(m.m_bready_o),
                    node_pin(m.m_bresp_i),   node_pin(m.m_arvalid_o), node_pin(m.m_arready_i), node_pin(m.m_araddr_o),
                    node_pin(m.m_arlen_o),   node_pin(m.m_aruser_o),  node_pin(m.m_rvalid_i),  node_pin(m.m_rready_o),
                    node_pin(m.m_rdata_i),   node_pin(m.m_rresp_i),   node_pin(m.m_rlast_i)};
  }
  void bind_board(Model& m) {
    pins_.rx_valid_i = &m.rx_valid_i;
    pins_.rx_vc_i = &m.rx_vc_i;
    pins_.rx_sop_i = &m.rx_sop_i;
    pins_.rx_eop_i = &m.rx_eop_i;
    pins_.rx_data_i = m.rx_data_i.data();
    pins_.credit_valid_o = &m.credit_valid_o;
    pins_.credit_vc_o = &m.credit_vc_o;
    pins_.credit_count_o = &m.credit_count_o;
    pins_.tx_valid_o = &m.tx_valid_o;
    pins_.tx_vc_o = &m.tx_vc_o;
    pins_.tx_sop_o = &m.tx_sop_o;
    pins_.tx_eop_o = &m.tx_eop_o;
    pins_.tx_data_o = m.tx_data_o.data();
    pins_.tx_ready_i = &m.tx_ready_i;
    pins_.credit_valid_i = &m.credit_valid_i;
    pins_.credit_vc_i = &m.credit_vc_i;
    pins_.credit_count_i = &m.credit_count_i;
  }
  template <class NetworkModel>
  void bind_network(NetworkModel& m) {
    pins_.coordinates_i = node_pin(m.coordinates_i);
    pins_.last_i = node_pin(m.last_i);
    pins_.port_enable_i = node_pin(m.port_enable_i);
    pins_.registers[2] = {node_pin(m.control_awvalid_i), node_pin(m.control_awready_o), node_pin(m.control_awaddr_i),
                          node_pin(m.control_wvalid_i),  node_pin(m.control_wready_o),  node_pin(m.control_wdata_i),
                          node_pin(m.control_wstrb_i),   node_pin(m.control_bvalid_o),  node_pin(m.control_bready_i),
                          node_pin(m.control_bresp_o),   node_pin(m.control_arvalid_i), node_pin(m.control_arready_o),
                          node_pin(m.control_araddr_i),  node_pin(m.control_rvalid_o),  node_pin(m.control_rready_i),
                          node_pin(m.control_rdata_o),   node_pin(m.control_rresp_o)};
    pins_.m_tdata_o = m.m_tdata_o.data();
    pins_.m_tvalid_o = &m.m_tvalid_o;
    pins_.m_tready_i = &m.m_tready_i;
    pins_.s_tdata_i = m.s_tdata_i.data();
    pins_.s_tvalid_i = &m.s_tvalid_i;
    pins_.s_tready_o = &m.s_tready_o;
  }

  SingleThreadContext context_;
  std::unique_ptr<Model> model_;
};

}  // namespace fabrictwin
