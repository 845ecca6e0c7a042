// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// First-in first-out queue whose oldest entry is visible without being taken. In look-up tables, an entry pushed at an edge is visible after it. In block
/// RAM, it is visible two edges later at the earliest; after that one can be taken at every edge.
module fifo #(
    parameter int unsigned Width = 8,
    /// Entries; a power of two, at least 2. Block RAM has one more in its output register.
    parameter int unsigned Depth = 64,
    parameter bit BlockRam = 1'b0
) (
    input  logic                   clk_i,
    /// Synchronous, active low.
    input  logic                   rst_ni,
    /// Appends an entry; only without `full_o`.
    input  logic                   push_i,
    input  logic [Width-1:0]       data_i,
    output logic                   full_o,
    /// The oldest entry is visible; it follows.
    output logic                   valid_o,
    output logic [Width-1:0]       data_o,
    /// Removes the oldest entry; only with `valid_o`.
    input  logic                   pop_i,
    /// Nothing is inside.
    output logic                   empty_o,
    /// Entries inside; of block RAM without the one that is visible.
    output logic [$clog2(Depth):0] count_o
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth < 2 || Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("fifo: Depth must be a power of two, at least 2");
  end

  // One bit more than an index tells full from empty.
  logic [PointerWidth:0] write_q;
  logic [PointerWidth:0] read_q;
  logic stored, fetch;

  assign full_o = (write_q ^ read_q) == {1'b1, {PointerWidth{1'b0}}};
  assign stored = write_q != read_q;
  assign count_o = write_q - read_q;

  if (BlockRam) begin : gen_block
    (* ram_style = "block" *)
    logic [Width-1:0] memory_q[Depth];
    logic [Width-1:0] data_q;  ///< The output register of the RAM.
    logic valid_q;

    assign fetch = stored && (!valid_q || pop_i);
    assign valid_o = valid_q;
    assign data_o = data_q;
    assign empty_o = !valid_q && !stored;

    always_ff @(posedge clk_i) begin
      if (push_i) memory_q[write_q[PointerWidth-1:0]] <= data_i;
      if (fetch) data_q <= memory_q[read_q[PointerWidth-1:0]];
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= fetch || (valid_q && !pop_i);
    end
  end else begin : gen_tables
    // In look-up tables also where it would fill a corner of a block RAM.
    (* ram_style = "distributed" *)
    logic [Width-1:0] data_q[Depth];

    assign fetch = pop_i;
    assign valid_o = stored;
    assign data_o = data_q[read_q[PointerWidth-1:0]];
    assign empty_o = !stored;

    always_ff @(posedge clk_i) begin
      if (push_i) data_q[write_q[PointerWidth-1:0]] <= data_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q <= '0;
    end else begin
      if (push_i) write_q <= write_q + 1'b1;
      if (fetch) read_q <= read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Otherwise: pop from an empty queue.
      assert (!pop_i || valid_o);
      // Otherwise: push into a full queue.
      assert (!push_i || !full_o);
    end
  end
`endif

endmodule
