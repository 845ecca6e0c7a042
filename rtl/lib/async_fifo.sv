// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// First-in first-out queue between two clocks that need not know of each other. An entry pushed at an edge is visible after the third edge of the other clock
/// that follows, at the latest; freed space is seen as late. Both ends are in reset together, for at least three edges of the slower clock.
module async_fifo #(
    parameter int unsigned Width = 8,
    /// Entries; a power of two, at least 4. To carry an entry in each cycle it takes 16.
    parameter int unsigned Depth = 16
) (
    input  logic                   push_clk_i,
    /// Synchronous, active low.
    input  logic                   push_rst_ni,
    /// Appends an entry; only without `full_o`.
    input  logic                   push_i,
    input  logic [Width-1:0]       data_i,
    output logic                   full_o,
    /// Entries inside, as far as this end knows: not fewer than there are.
    output logic [$clog2(Depth):0] push_count_o,

    input  logic                   pop_clk_i,
    /// Synchronous, active low.
    input  logic                   pop_rst_ni,
    /// The oldest entry follows.
    output logic                   valid_o,
    output logic [Width-1:0]       data_o,
    /// Removes the oldest entry; only with `valid_o`.
    input  logic                   pop_i,
    /// Entries inside, as far as this end knows: not more than there are.
    output logic [$clog2(Depth):0] pop_count_o
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth < 4 || Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("async_fifo: Depth must be a power of two, at least 4");
  end

  (* ram_style = "distributed" *)
  logic [Width-1:0] data_q[Depth];
  // One bit more than an index tells full from empty.
  logic [PointerWidth:0] write, read, write_gray, read_gray, write_seen, read_seen;

  gray_counter #(
      .Width(PointerWidth + 1)
  ) i_write (
      .clk_i   (push_clk_i),
      .rst_ni  (push_rst_ni),
      .step_i  (push_i),
      .binary_o(write),
      .gray_o  (write_gray)
  );
  gray_counter #(
      .Width(PointerWidth + 1)
  ) i_read (
      .clk_i   (pop_clk_i),
      .rst_ni  (pop_rst_ni),
      .step_i  (pop_i),
      .binary_o(read),
      .gray_o  (read_gray)
  );
  gray_synchronizer #(
      .Width(PointerWidth + 1)
  ) i_read_seen (
      .clk_i   (push_clk_i),
      .rst_ni  (push_rst_ni),
      .gray_i  (read_gray),
      .binary_o(read_seen)
  );
  gray_synchronizer #(
      .Width(PointerWidth + 1)
  ) i_write_seen (
      .clk_i   (pop_clk_i),
      .rst_ni  (pop_rst_ni),
      .gray_i  (write_gray),
      .binary_o(write_seen)
  );

  assign push_count_o = write - read_seen;
  assign full_o = push_count_o[PointerWidth];
  assign pop_count_o = write_seen - read;
  assign valid_o = pop_count_o != '0;
  assign data_o = data_q[read[PointerWidth-1:0]];

  always_ff @(posedge push_clk_i) begin
    if (push_i) data_q[write[PointerWidth-1:0]] <= data_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge push_clk_i) begin
    if (push_rst_ni) begin
      assert (!push_i || !full_o) else $error("push into a full queue");
    end
  end
  always_ff @(posedge pop_clk_i) begin
    if (pop_rst_ni) begin
      assert (!pop_i || valid_o) else $error("pop from an empty queue");
    end
  end
`endif

endmodule
