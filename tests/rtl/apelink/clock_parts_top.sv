// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What stands between clocks, for test benches of their own: a queue, and a line of gearbox, elastic buffer and gearbox.
module clock_parts_top (
    input  logic         clk_a_i,
    input  logic         clk_b_i,
    /// Synchronous to both, since the clocks stand still while it changes.
    input  logic         rst_ni,

    // Queue from clock a to clock b.
    input  logic         push_i,
    input  logic [31:0]  data_i,
    output logic         full_o,
    output logic [3:0]   push_count_o,
    output logic         valid_o,
    output logic [31:0]  data_o,
    input  logic         pop_i,
    output logic [3:0]   pop_count_o,

    // Words go into the line at clock a, blocks cross to clock b, words come out there.
    input  logic [127:0] s_tdata_i,
    input  logic         s_tvalid_i,
    output logic         s_tready_o,
    /// The block that goes over the line in this cycle vanishes: an idle one is there.
    input  logic         lose_i,
    output logic         line_idle_o,
    output logic [127:0] m_tdata_o,
    output logic         m_tvalid_o,
    input  logic         m_tready_i,
    output logic         overflow_o,
    output logic         underflow_o,
    output logic         word_lost_o
);

  logic idle, far_idle;
  logic [63:0] block, far_block;

  assign line_idle_o = idle;

  async_fifo #(
      .Width(32),
      .Depth(8)
  ) i_queue (
      .push_clk_i  (clk_a_i),
      .push_rst_ni (rst_ni),
      .push_i,
      .data_i,
      .full_o,
      .push_count_o,
      .pop_clk_i   (clk_b_i),
      .pop_rst_ni  (rst_ni),
      .valid_o,
      .data_o,
      .pop_i,
      .pop_count_o
  );
  apelink_gear_tx #(
      .SkipWords(50)
  ) i_gear_tx (
      .clk_i  (clk_a_i),
      .rst_ni,
      .s_tdata_i,
      .s_tvalid_i,
      .s_tready_o,
      .idle_o (idle),
      .block_o(block)
  );
  apelink_elastic i_elastic (
      .line_clk_i (clk_a_i),
      .line_rst_ni(rst_ni),
      .idle_i     (idle || lose_i),
      .block_i    (block),
      .clk_i      (clk_b_i),
      .rst_ni,
      .idle_o     (far_idle),
      .block_o    (far_block),
      .overflow_o,
      .underflow_o
  );
  apelink_gear_rx i_gear_rx (
      .clk_i     (clk_b_i),
      .rst_ni,
      .idle_i    (far_idle),
      .block_i   (far_block),
      .m_tdata_o,
      .m_tvalid_o,
      .m_tready_i,
      .overflow_o(word_lost_o)
  );

endmodule
