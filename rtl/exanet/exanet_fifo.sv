// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// First-in first-out buffer of link words whose oldest word is visible without being taken. A word pushed at an edge is visible after it.
module exanet_fifo #(
    /// Words; a power of two.
    parameter int unsigned Depth = 64
) (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    /// Appends a word. Lost if the buffer is full (see `overflow_o`).
    input  logic                                push_i,
    input  logic                                sop_i,
    input  logic                                eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]    data_i,
    /// Removes the oldest word; only with `valid_o`.
    input  logic                                pop_i,
    /// The buffer is not empty; the oldest word follows.
    output logic                                valid_o,
    output logic                                sop_o,
    output logic                                eop_o,
    output logic [exanet_pkg::DataWidth-1:0]    data_o,
    /// Words in the buffer.
    output logic [$clog2(Depth):0]              count_o,
    /// Sticky: a word was lost.
    output logic                                overflow_o
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("exanet_fifo: Depth must be a power of two");
  end

  // The flags live apart from the data so that both memories map to whole RAM words.
  logic [exanet_pkg::DataWidth-1:0] data_q[Depth];
  logic [1:0] flags_q[Depth];
  // One bit more than an index tells full from empty.
  logic [PointerWidth:0] write_q;
  logic [PointerWidth:0] read_q;
  logic overflow_q;
  logic full;

  assign full = (write_q ^ read_q) == {1'b1, {PointerWidth{1'b0}}};
  assign valid_o = write_q != read_q;
  assign count_o = write_q - read_q;
  assign {sop_o, eop_o} = flags_q[read_q[PointerWidth-1:0]];
  assign data_o = data_q[read_q[PointerWidth-1:0]];
  assign overflow_o = overflow_q;

  always_ff @(posedge clk_i) begin
    if (push_i && !full) begin
      data_q[write_q[PointerWidth-1:0]]  <= data_i;
      flags_q[write_q[PointerWidth-1:0]] <= {sop_i, eop_i};
    end
    if (!rst_ni) begin
      write_q <= '0;
      read_q <= '0;
      overflow_q <= 1'b0;
    end else begin
      if (push_i && full) overflow_q <= 1'b1;
      if (push_i && !full) write_q <= write_q + 1'b1;
      if (pop_i) read_q <= read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!pop_i || valid_o) else $error("pop from an empty FIFO");
    end
  end
`endif

endmodule
