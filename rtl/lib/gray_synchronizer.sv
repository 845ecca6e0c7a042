// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Brings a count in Gray code from another clock into this one, two edges late, and decodes it.
module gray_synchronizer #(
    parameter int unsigned Width = 4
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    /// From registers of the other clock.
    input  logic [Width-1:0] gray_i,
    output logic [Width-1:0] binary_o
);

  // The first register may hesitate.
  (* async_reg = "true" *)
  logic [Width-1:0] first_q;
  (* async_reg = "true" *)
  logic [Width-1:0] second_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q <= '0;
      second_q <= '0;
    end else begin
      first_q <= gray_i;
      second_q <= first_q;
    end
  end

  for (genvar b = 0; b < Width; b++) begin : gen_bit
    assign binary_o[b] = ^(second_q >> b);
  end

endmodule
