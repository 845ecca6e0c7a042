// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Elastic buffer: blocks come at each edge of the clock that was recovered from the line and go at each edge of another one of nearly the same rate. Idle blocks
/// make good the difference: they are left out while the buffer is more than half full, and repeated while it is less.
module apelink_elastic (
    /// Recovered from the line.
    input  logic        line_clk_i,
    /// Synchronous, active low. Both ends are in reset together, for at least three edges of the slower clock.
    input  logic        line_rst_ni,
    input  logic        idle_i,
    input  logic [63:0] block_i,

    input  logic        clk_i,
    /// Synchronous, active low.
    input  logic        rst_ni,
    output logic        idle_o,
    output logic [63:0] block_o,
    /// Sticky: blocks were lost because no idle block came for too long; the buffer ran empty, so that an idle block may be within a word.
    output logic        overflow_o,
    output logic        underflow_o
);

  localparam int unsigned Depth = 32;
  localparam int unsigned CountWidth = $clog2(Depth) + 1;
  /// What an end knows of the other one is some cycles old: it sees more than there is where blocks come in, and less where they go out.
  localparam logic [CountWidth-1:0] Many = CountWidth'(Depth / 2 + 3);
  localparam logic [CountWidth-1:0] Few = CountWidth'(Depth / 2 - 3);

  logic full, push, valid, pop, head_idle, overflow_q, underflow_q, primed_q;
  logic [63:0] head;
  logic [CountWidth-1:0] push_count, pop_count;

  async_fifo #(
      .Width(65),
      .Depth(Depth)
  ) i_fifo (
      .push_clk_i  (line_clk_i),
      .push_rst_ni (line_rst_ni),
      .push_i      (push),
      .data_i      ({idle_i, block_i}),
      .full_o      (full),
      .push_count_o(push_count),
      .pop_clk_i   (clk_i),
      .pop_rst_ni  (rst_ni),
      .valid_o     (valid),
      .data_o      ({head_idle, head}),
      .pop_i       (pop),
      .pop_count_o (pop_count)
  );

  assign push = !full && !(idle_i && push_count > Many);
  // It fills to the middle before it gives anything.
  assign pop = valid && primed_q && !(head_idle && pop_count < Few);
  assign idle_o = !valid || !primed_q || head_idle;
  assign block_o = head;
  assign overflow_o = overflow_q;
  assign underflow_o = underflow_q;

  always_ff @(posedge line_clk_i) begin
    if (!line_rst_ni) overflow_q <= 1'b0;
    else if (full && !idle_i) overflow_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      primed_q <= 1'b0;
      underflow_q <= 1'b0;
    end else begin
      if (!primed_q) primed_q <= pop_count >= CountWidth'(Depth / 2);
      else if (!valid) primed_q <= 1'b0;
      if (primed_q && !valid) underflow_q <= 1'b1;
    end
  end

endmodule
