// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Counts events; wraps.
module event_counter #(
    parameter int unsigned Width = 32
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    input  logic             event_i,
    output logic [Width-1:0] count_o
);

  logic [Width-1:0] count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else if (event_i) count_q <= count_q + 1'b1;
  end

  assign count_o = count_q;

endmodule
