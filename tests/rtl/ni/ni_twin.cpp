// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/ni/ni_twin.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "VSmallNi__inputs.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

template <class Word>
bool same_word(const Word& a, const Word& b) {
  return std::equal(&a[0], &a[0] + 4, &b[0]);
}

}  // namespace

NiTwin::NiTwin()
    : context_(std::make_unique<RandomStateContext>()), model_(std::make_unique<VSmallNi>(context_.get())) {
  zero_inputs(*model_);
}
NiTwin::~NiTwin() = default;

void NiTwin::edge(const VSmallNi& m) {
  const bool input = m.axi_awvalid_i || m.axi_wvalid_i || m.axi_arvalid_i || m.rx_valid_i || m.credit_valid_i ||
                     m.rdma_tx_valid_i || m.m_bvalid_i;
  if (m.rst_ni && idle_ && !input) {
    ++skipped_;
    compare(m);
    return;
  }
  copy_inputs(m);
  model_->clk_i = 0;
  model_->eval();
  if (m.rst_ni) compare(m);
  model_->clk_i = 1;
  model_->eval();
  idle_ = model_->idle_o;
}

void NiTwin::copy_inputs(const VSmallNi& m) {
  VSmallNi& t = *model_;
  t.rst_ni = m.rst_ni;
  t.time_i = m.time_i;
  t.node_i = m.node_i;
  t.tile_bits_i = m.tile_bits_i;
  t.x_bits_i = m.x_bits_i;
  t.y_bits_i = m.y_bits_i;
  t.initial_credits_i = m.initial_credits_i;
  t.axi_awvalid_i = m.axi_awvalid_i;
  t.axi_awaddr_i = m.axi_awaddr_i;
  t.axi_wvalid_i = m.axi_wvalid_i;
  t.axi_wdata_i = m.axi_wdata_i;
  t.axi_wstrb_i = m.axi_wstrb_i;
  t.axi_bready_i = m.axi_bready_i;
  t.axi_arvalid_i = m.axi_arvalid_i;
  t.axi_araddr_i = m.axi_araddr_i;
  t.axi_rready_i = m.axi_rready_i;
  t.tx_ready_i = m.tx_ready_i;
  t.credit_valid_i = m.credit_valid_i;
  t.credit_vc_i = m.credit_vc_i;
  t.credit_count_i = m.credit_count_i;
  t.rx_valid_i = m.rx_valid_i;
  t.rx_vc_i = m.rx_vc_i;
  t.rx_sop_i = m.rx_sop_i;
  t.rx_eop_i = m.rx_eop_i;
  t.rx_data_i = m.rx_data_i;
  t.rdma_tx_valid_i = m.rdma_tx_valid_i;
  t.rdma_tx_data_i = m.rdma_tx_data_i;
  t.rdma_rx_ready_i = m.rdma_rx_ready_i;
  t.m_awready_i = m.m_awready_i;
  t.m_wready_i = m.m_wready_i;
  t.m_bvalid_i = m.m_bvalid_i;
  t.m_bresp_i = m.m_bresp_i;
}

// What goes with a valid counts only with it.
void NiTwin::compare(const VSmallNi& m) {
  const VSmallNi& t = *model_;
  const bool input = m.axi_awvalid_i || m.axi_wvalid_i || m.axi_arvalid_i || m.rdma_tx_valid_i;
  bool same = t.axi_bvalid_o == m.axi_bvalid_o && t.axi_rvalid_o == m.axi_rvalid_o && t.tx_valid_o == m.tx_valid_o &&
              t.credit_valid_o == m.credit_valid_o && t.rdma_rx_valid_o == m.rdma_rx_valid_o &&
              t.event_valid_o == m.event_valid_o && t.irq_o == m.irq_o && t.m_awvalid_o == m.m_awvalid_o &&
              t.m_wvalid_o == m.m_wvalid_o && t.credit_stall_o == m.credit_stall_o;
  if (input) {
    same = same && t.axi_awready_o == m.axi_awready_o && t.axi_wready_o == m.axi_wready_o &&
           t.axi_arready_o == m.axi_arready_o && t.rdma_tx_ready_o == m.rdma_tx_ready_o;
  }
  if (m.axi_bvalid_o) same = same && t.axi_bresp_o == m.axi_bresp_o;
  if (m.axi_rvalid_o) same = same && t.axi_rresp_o == m.axi_rresp_o && t.axi_rdata_o == m.axi_rdata_o;
  if (m.tx_valid_o) {
    same = same && t.tx_vc_o == m.tx_vc_o && t.tx_sop_o == m.tx_sop_o && t.tx_eop_o == m.tx_eop_o &&
           same_word(t.tx_data_o, m.tx_data_o);
  }
  if (m.credit_valid_o) {
    same = same && t.credit_vc_o == m.credit_vc_o && t.credit_count_o == m.credit_count_o;
  }
  if (m.rdma_rx_valid_o) {
    same = same && t.rdma_rx_sop_o == m.rdma_rx_sop_o && t.rdma_rx_eop_o == m.rdma_rx_eop_o &&
           same_word(t.rdma_rx_data_o, m.rdma_rx_data_o);
  }
  if (m.m_awvalid_o) same = same && t.m_awaddr_o == m.m_awaddr_o && t.m_awlen_o == m.m_awlen_o;
  if (m.m_wvalid_o) same = same && t.m_wlast_o == m.m_wlast_o && same_word(t.m_wdata_o, m.m_wdata_o);
  if (m.event_valid_o) same = same && t.event_interface_o == m.event_interface_o;
  EXPECT_TRUE(same || failed_) << "the outputs differ at time " << m.time_i << " after " << skipped_
                               << " edges that were left out";
  failed_ = failed_ || !same;
}

}  // namespace fabrictwin::test
