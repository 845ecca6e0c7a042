// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Gearbox from blocks of 64 bits, one at each edge, to words of 128. An idle block never is within a word, so where half a word is before one, a half was lost:
/// idle units replace it, and the next block begins a word. Between the loss and that, words are halves of two; nothing on the wire is aligned to words.
module apelink_gear_rx (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    input  logic         idle_i,
    input  logic [63:0]  block_i,
    /// Words, registered. They cannot be held back for longer than the four entries of a queue; one that comes then is lost.
    output logic [127:0] m_tdata_o,
    output logic         m_tvalid_o,
    input  logic         m_tready_i,
    /// Sticky: a word was lost.
    output logic         overflow_o
);

  logic half_q, push, full, overflow_q;
  logic [63:0] low_q;

  assign push = half_q;
  assign overflow_o = overflow_q;

  fifo #(
      .Width(128),
      .Depth(4)
  ) i_words (
      .clk_i,
      .rst_ni,
      .push_i (push && !full),
      .data_i ({idle_i ? {2{apelink_pkg::IdleUnit}} : block_i, low_q}),
      .full_o (full),
      .valid_o(m_tvalid_o),
      .data_o (m_tdata_o),
      .pop_i  (m_tvalid_o && m_tready_i),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    low_q <= block_i;
    if (!rst_ni) begin
      half_q <= 1'b0;
      overflow_q <= 1'b0;
    end else begin
      half_q <= !half_q && !idle_i;
      if (push && full) overflow_q <= 1'b1;
    end
  end

endmodule
