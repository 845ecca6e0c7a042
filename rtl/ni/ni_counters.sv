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

  logic [32*NumCounters-1:0] counters;

  for (genvar c = 0; c < NumCounters; c++) begin : gen_counter
    event_counter i_counter (.clk_i, .rst_ni, .event_i(count_i[c]), .count_o(counters[32*c+:32]));
  end

  always_comb begin
    value_o = '0;
    for (int c = 0; c < NumCounters; c++) begin
      if (number_i == 5'(c)) value_o = counters[32*c+:32];
    end
  end

endmodule
