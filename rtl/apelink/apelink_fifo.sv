// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// First-in first-out buffer of a VC whose oldest word is visible without being taken. A word pushed at an edge is visible after it.
module apelink_fifo #(
    /// Words; a power of two.
    parameter int unsigned Depth = 64
) (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    /// Appends a word; only without `full_o`.
    input  logic                              push_i,
    input  logic                              sop_i,
    input  logic [apelink_pkg::DataWidth-1:0] data_i,
    /// Removes the oldest word; only with a count above zero.
    input  logic                              pop_i,
    output logic                              sop_o,
    output logic [apelink_pkg::DataWidth-1:0] data_o,
    /// Words in the buffer.
    output logic [$clog2(Depth):0]            count_o,
    output logic                              full_o
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("apelink_fifo: Depth must be a power of two");
  end

  // In look-up tables also where it would fill a corner of a block RAM.
  (* ram_style = "distributed" *)
  logic [apelink_pkg::DataWidth:0] words_q[Depth];
  // One bit more than an index tells full from empty.
  logic [PointerWidth:0] write_q;
  logic [PointerWidth:0] read_q;

  assign count_o = write_q - read_q;
  assign full_o = count_o[PointerWidth];
  assign {sop_o, data_o} = words_q[read_q[PointerWidth-1:0]];

  always_ff @(posedge clk_i) begin
    if (push_i) words_q[write_q[PointerWidth-1:0]] <= {sop_i, data_i};
    if (!rst_ni) begin
      write_q <= '0;
      read_q <= '0;
    end else begin
      if (push_i) write_q <= write_q + 1'b1;
      if (pop_i) read_q <= read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Otherwise: write to a full FIFO.
      assert (!push_i || !full_o);
      // Otherwise: pop from an empty FIFO.
      assert (!pop_i || count_o != '0);
    end
  end
`endif

endmodule
