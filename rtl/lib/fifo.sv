// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// First-in first-out queue in look-up tables whose oldest entry is visible without being taken. An entry pushed at an edge is visible after it.
module fifo #(
    parameter int unsigned Width = 8,
    /// Entries; a power of two, at least 2.
    parameter int unsigned Depth = 64
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    /// Appends an entry; only without `full_o`.
    input  logic             push_i,
    input  logic [Width-1:0] data_i,
    output logic             full_o,
    /// The queue is not empty; the oldest entry follows.
    output logic             valid_o,
    output logic [Width-1:0] data_o,
    /// Removes the oldest entry; only with `valid_o`.
    input  logic             pop_i
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth < 2 || Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("fifo: Depth must be a power of two, at least 2");
  end

  // In look-up tables also where it would fill a corner of a block RAM.
  (* ram_style = "distributed" *)
  logic [Width-1:0] data_q[Depth];
  // One bit more than an index tells full from empty.
  logic [PointerWidth:0] write_q;
  logic [PointerWidth:0] read_q;

  assign full_o = (write_q ^ read_q) == {1'b1, {PointerWidth{1'b0}}};
  assign valid_o = write_q != read_q;
  assign data_o = data_q[read_q[PointerWidth-1:0]];

  always_ff @(posedge clk_i) begin
    if (push_i) data_q[write_q[PointerWidth-1:0]] <= data_i;
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
      assert (!pop_i || valid_o) else $error("pop from an empty queue");
      assert (!push_i || !full_o) else $error("push into a full queue");
    end
  end
`endif

endmodule
