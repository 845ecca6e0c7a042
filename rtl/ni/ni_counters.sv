// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Counters of events, each 32 bits, wrapping; one is read at a time.
module ni_counters #(
    parameter int unsigned NumCounters = 22
) (
    input  logic                   clk_i,
    /// Synchronous, active low.
    input  logic                   rst_ni,
    /// By counter: one more.
    input  logic [NumCounters-1:0] count_i,
    /// The counter of this number; zero if there is none.
    input  logic [4:0]             number_i,
    output logic [31:0]            value_o
);

  if (NumCounters > 32) begin : gen_check_number
    $error("ni_counters: at most 32 counters");
  end

  logic [32*NumCounters-1:0] counters_q;

  always_comb begin
    value_o = '0;
    for (int c = 0; c < NumCounters; c++) begin
      if (number_i == 5'(c)) value_o = counters_q[32*c+:32];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int c = 0; c < NumCounters; c++) begin
      if (!rst_ni) counters_q[32*c+:32] <= '0;
      else if (count_i[c]) counters_q[32*c+:32] <= counters_q[32*c+:32] + 32'd1;
    end
  end

endmodule
