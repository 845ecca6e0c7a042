// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// First-in first-out buffer whose oldest entry is visible without being taken. An entry pushed at an edge is visible after it.
module rdma_queue #(
    parameter int unsigned Width = 8,
    /// Entries; a power of two.
    parameter int unsigned Depth = 4
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    /// Taken at an edge where valid and ready are high.
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth < 2 || Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("rdma_queue: Depth must be a power of two");
  end

  logic [Width-1:0] data_q[Depth];
  // One bit more than an index tells full from empty.
  logic [PointerWidth:0] write_q;
  logic [PointerWidth:0] read_q;

  assign ready_o = (write_q ^ read_q) != {1'b1, {PointerWidth{1'b0}}};
  assign valid_o = write_q != read_q;
  assign data_o = data_q[read_q[PointerWidth-1:0]];

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) data_q[write_q[PointerWidth-1:0]] <= data_i;
    if (!rst_ni) begin
      write_q <= '0;
      read_q <= '0;
    end else begin
      if (valid_i && ready_o) write_q <= write_q + 1'b1;
      if (valid_o && ready_i) read_q <= read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (write_q - read_q <= (PointerWidth + 1)'(Depth)) else $error("more entries than places");
    end
  end
`endif

endmodule
