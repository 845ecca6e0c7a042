// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Counts what the neighbour's buffer still has space for.
module credit_counter #(
    parameter int unsigned Width = 8
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    /// Credits after reset; there are never more. Constant.
    input  logic [Width-1:0] initial_i,
    /// Used at this edge, at most `count_o`; given back by the neighbour.
    input  logic [Width-1:0] take_i,
    input  logic [Width-1:0] give_i,
    output logic [Width-1:0] count_o,
    /// Sticky: more came back than was used; the count stays at its initial value.
    output logic             error_o
);

  logic [Width-1:0] count_q;
  logic error_q;
  // One bit more than the count, so that a neighbour that returns too much is seen.
  logic [Width:0] sum;

  assign sum = {1'b0, count_q} - {1'b0, take_i} + {1'b0, give_i};
  assign count_o = count_q;
  assign error_o = error_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= initial_i;
      error_q <= 1'b0;
    end else if (sum > {1'b0, initial_i}) begin
      count_q <= initial_i;
      error_q <= 1'b1;
    end else begin
      count_q <= sum[Width-1:0];
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (count_q <= initial_i) else $error("more credits than the neighbour has");
      assert (take_i <= count_q) else $error("a credit is used that is not there");
    end
  end
`endif

endmodule
