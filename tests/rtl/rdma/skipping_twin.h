// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A second RDMA unit with the inputs of the first, but without the edges at which it says that nothing can happen: time
// jumps over them. Its outputs must be the same nevertheless.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {

template <class Model>
class SkippingTwin {
 public:
  SkippingTwin() : model_(std::make_unique<Model>(&context_)) { zero_inputs(*model_); }

  int64_t skipped() const { return skipped_; }

  /// The edge that `m` is about to take; its inputs are set and its outputs settled.
  void edge(const Model& m) {
    const bool input = m.s_awvalid_i || m.s_wvalid_i || m.s_arvalid_i || m.m_bvalid_i || m.m_rvalid_i || m.rx_valid_i;
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

 private:
  void copy_inputs(const Model& m) {
    Model& t = *model_;
    t.rst_ni = m.rst_ni;
    t.time_i = m.time_i;
    t.node_i = m.node_i;
    t.tile_bits_i = m.tile_bits_i;
    t.x_bits_i = m.x_bits_i;
    t.y_bits_i = m.y_bits_i;
    t.s_awvalid_i = m.s_awvalid_i;
    t.s_awaddr_i = m.s_awaddr_i;
    t.s_wvalid_i = m.s_wvalid_i;
    t.s_wdata_i = m.s_wdata_i;
    t.s_wstrb_i = m.s_wstrb_i;
    t.s_wlast_i = m.s_wlast_i;
    t.s_bready_i = m.s_bready_i;
    t.s_arvalid_i = m.s_arvalid_i;
    t.s_araddr_i = m.s_araddr_i;
    t.s_arlen_i = m.s_arlen_i;
    t.s_rready_i = m.s_rready_i;
    t.m_awready_i = m.m_awready_i;
    t.m_wready_i = m.m_wready_i;
    t.m_bvalid_i = m.m_bvalid_i;
    t.m_bresp_i = m.m_bresp_i;
    t.m_arready_i = m.m_arready_i;
    t.m_rvalid_i = m.m_rvalid_i;
    t.m_rdata_i = m.m_rdata_i;
    t.m_rresp_i = m.m_rresp_i;
    t.m_rlast_i = m.m_rlast_i;
    t.request_ready_i = m.request_ready_i;
    t.answer_ready_i = m.answer_ready_i;
    t.rx_valid_i = m.rx_valid_i;
    t.rx_sop_i = m.rx_sop_i;
    t.rx_eop_i = m.rx_eop_i;
    t.rx_data_i = m.rx_data_i;
  }

  template <class Word>
  static bool same_word(const Word& a, const Word& b) {
    return std::equal(&a[0], &a[0] + 4, &b[0]);
  }

  /// What goes with a valid counts only with it.
  void compare(const Model& m) {
    const Model& t = *model_;
    bool same = t.s_awready_o == m.s_awready_o && t.s_wready_o == m.s_wready_o && t.s_bvalid_o == m.s_bvalid_o &&
                t.s_arready_o == m.s_arready_o && t.s_rvalid_o == m.s_rvalid_o && t.m_awvalid_o == m.m_awvalid_o &&
                t.m_wvalid_o == m.m_wvalid_o && t.m_bready_o == m.m_bready_o && t.m_arvalid_o == m.m_arvalid_o &&
                t.m_rready_o == m.m_rready_o && t.request_valid_o == m.request_valid_o &&
                t.answer_valid_o == m.answer_valid_o && t.rx_ready_o == m.rx_ready_o;
    if (m.s_bvalid_o) same = same && t.s_bresp_o == m.s_bresp_o;
    if (m.s_rvalid_o) same = same && same_word(t.s_rdata_o, m.s_rdata_o) && t.s_rlast_o == m.s_rlast_o;
    if (m.m_awvalid_o) {
      same = same && t.m_awaddr_o == m.m_awaddr_o && t.m_awlen_o == m.m_awlen_o && t.m_awuser_o == m.m_awuser_o;
    }
    if (m.m_wvalid_o) {
      same = same && same_word(t.m_wdata_o, m.m_wdata_o) && t.m_wstrb_o == m.m_wstrb_o && t.m_wlast_o == m.m_wlast_o;
    }
    if (m.m_arvalid_o) {
      same = same && t.m_araddr_o == m.m_araddr_o && t.m_arlen_o == m.m_arlen_o && t.m_aruser_o == m.m_aruser_o;
    }
    if (m.request_valid_o) {
      same = same && t.request_sop_o == m.request_sop_o && t.request_eop_o == m.request_eop_o &&
             same_word(t.request_data_o, m.request_data_o);
    }
    if (m.answer_valid_o) {
      same = same && t.answer_sop_o == m.answer_sop_o && t.answer_eop_o == m.answer_eop_o &&
             same_word(t.answer_data_o, m.answer_data_o);
    }
    EXPECT_TRUE(same || failed_) << "the outputs differ at time " << m.time_i << " after " << skipped_
                                 << " edges that were left out";
    failed_ = failed_ || !same;
  }

  RandomStateContext context_;
  std::unique_ptr<Model> model_;
  int64_t skipped_ = 0;
  bool idle_ = false;
  bool failed_ = false;
};

}  // namespace fabrictwin::test
