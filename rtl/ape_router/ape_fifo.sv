// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// First-in first-out buffer in block RAM whose oldest entry is visible without being taken. An entry pushed at an edge is visible two edges
/// later at the earliest; after that one can be taken at every edge. Holds `Depth` entries, and one more in the RAM's output register.
module ape_fifo #(
    parameter int unsigned Width = 128,
    /// Entries; a power of two, at least 2.
    parameter int unsigned Depth = 128
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    /// Appends an entry; without effect while full.
    input  logic             push_i,
    input  logic [Width-1:0] data_i,
    output logic             full_o,
    /// Removes the oldest entry; only with `valid_o`.
    input  logic             pop_i,
    /// An entry is visible; it follows.
    output logic             valid_o,
    output logic [Width-1:0] data_o,
    /// Nothing is inside.
    output logic             empty_o
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth < 2 || Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("ape_fifo: Depth must be a power of two, at least 2");
  end

  (* ram_style = "block" *)
  logic [Width-1:0] memory_q[Depth];
  logic [Width-1:0] data_q;  ///< The output register of the RAM.
  // One bit more than an index tells full from empty.
  logic [PointerWidth:0] write_q, read_q;
  logic valid_q, fetch, stored;

  assign full_o = (write_q ^ read_q) == {1'b1, {PointerWidth{1'b0}}};
  assign stored = write_q != read_q;
  assign fetch = stored && (!valid_q || pop_i);
  assign valid_o = valid_q;
  assign data_o = data_q;
  assign empty_o = !valid_q && !stored;

  always_ff @(posedge clk_i) begin
    if (push_i && !full_o) memory_q[write_q[PointerWidth-1:0]] <= data_i;
    if (fetch) data_q <= memory_q[read_q[PointerWidth-1:0]];
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      if (push_i && !full_o) write_q <= write_q + 1'b1;
      if (fetch) read_q <= read_q + 1'b1;
      valid_q <= fetch || (valid_q && !pop_i);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!pop_i || valid_q) else $error("pop from an empty FIFO");
    end
  end
`endif

endmodule
