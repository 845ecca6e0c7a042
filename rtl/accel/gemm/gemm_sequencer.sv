// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Decides what is multiplied when: a pair of tiles after the other, as soon as both are there, and the tile of the result before the first pair. In a pair, the elements
/// of each pass go through all groups of columns, in each through all rows. Nothing is drained between pairs; tiles of the result alternate between two buffers.
module gemm_sequencer #(
    parameter int unsigned Tile = 16,
    parameter int unsigned Lanes = 4,
    localparam int unsigned PassWidth = $clog2(Tile / Lanes),
    localparam int unsigned RowWidth = $clog2(Tile),
    localparam int unsigned GroupWidth = $clog2(Tile / gemm_pkg::Columns),
    localparam int unsigned StepWidth = PassWidth + GroupWidth + RowWidth,
    localparam int unsigned CountWidth = gemm_pkg::CountWidth
) (
    input  logic                  clk_i,
    /// Synchronous, active low.
    input  logic                  rst_ni,
    input  logic                  start_i,
    input  logic [CountWidth-1:0] depth_i,
    /// Nothing more is multiplied.
    input  logic                  abort_i,
    /// A tile is in its buffer.
    input  logic                  a_filled_i,
    input  logic                  b_filled_i,
    input  logic                  c_filled_i,
    /// This step, whose numbers are pass, group of columns and row from high to low, is done.
    output logic                  issue_o,
    output logic [StepWidth-1:0]  step_o,
    /// The buffer of the pair.
    output logic                  buffer_o,
    /// It is the last step of a pair, and of a tile of the result.
    output logic                  pair_end_o,
    output logic                  tile_end_o,
    /// A pair is missing, or the tile of the result that it belongs to.
    output logic                  wait_factors_o,
    output logic                  wait_result_o
);

  logic [1:0] a_q, b_q, c_q;  ///< Tiles in buffers; of the result those of which no pair has been begun.
  logic running_q, buffer_q;
  logic [StepWidth-1:0] step_q;
  logic [CountWidth-1:0] depth_q;  ///< Pairs left, with the current or next one.
  logic first, factors, result, begin_pair, pair_end;
  logic [1:0] a_left, b_left;

  assign pair_end = running_q && step_q == '1;
  assign a_left = a_q - 2'(pair_end);
  assign b_left = b_q - 2'(pair_end);
  // The pair that may begin after this step is the first one of its tile.
  assign first = pair_end ? depth_q == CountWidth'(1) : depth_q == depth_i;
  assign factors = a_left != 2'd0 && b_left != 2'd0;
  assign result = !first || c_q != 2'd0;
  assign begin_pair = (!running_q || pair_end) && factors && result && !abort_i && !start_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      running_q <= 1'b0;
      buffer_q <= 1'b0;
      step_q <= '0;
      depth_q <= depth_i;
      a_q <= '0;
      b_q <= '0;
      c_q <= '0;
    end else begin
      running_q <= begin_pair || (running_q && !pair_end && !abort_i);
      if (running_q) step_q <= step_q + 1'b1;
      if (pair_end) begin
        buffer_q <= !buffer_q;
        depth_q <= depth_q == CountWidth'(1) ? depth_i : depth_q - 1'b1;
      end
      a_q <= a_left + 2'(a_filled_i);
      b_q <= b_left + 2'(b_filled_i);
      c_q <= c_q + 2'(c_filled_i) - 2'(begin_pair && first);
    end
  end

  assign issue_o = running_q;
  assign step_o = step_q;
  assign buffer_o = buffer_q;
  assign pair_end_o = pair_end;
  assign tile_end_o = pair_end && depth_q == CountWidth'(1);
  assign wait_factors_o = !running_q && !wait_result_o;
  assign wait_result_o = !running_q && factors && !result;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (a_q != 2'd3 && b_q != 2'd3 && c_q != 2'd3) else $error("more tiles than buffers");
    end
  end
`endif

endmodule
