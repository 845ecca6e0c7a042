// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Counts modulo 2^Width, also in Gray code: of its bits one changes at a time, so that another clock reads either the old value or the new one.
module gray_counter #(
    parameter int unsigned Width = 4
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    input  logic             step_i,
    output logic [Width-1:0] binary_o,
    /// From registers.
    output logic [Width-1:0] gray_o
);

  logic [Width-1:0] binary_q, gray_q, binary_d;

  assign binary_d = binary_q + Width'(1);
  assign binary_o = binary_q;
  assign gray_o = gray_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      binary_q <= '0;
      gray_q <= '0;
    end else if (step_i) begin
      binary_q <= binary_d;
      gray_q <= binary_d ^ (binary_d >> 1);
    end
  end

endmodule
