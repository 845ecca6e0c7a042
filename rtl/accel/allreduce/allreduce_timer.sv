// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Says when a wait has lasted for a number of periods.
module allreduce_timer (
    input  logic        clk_i,
    /// Synchronous, active low.
    input  logic        rst_ni,
    /// The wait; the time begins anew when it does.
    input  logic        waits_i,
    /// Cycles of a period; 0: never.
    input  logic [31:0] period_i,
    /// Periods, at least one.
    input  logic [3:0]  periods_i,
    output logic        expired_o
);

  logic [31:0] cycles_q;
  logic [3:0] periods_q;

  assign expired_o = waits_i && period_i != '0 && cycles_q == 32'd1 && periods_q == 4'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits_i) begin
      cycles_q <= period_i;
      periods_q <= periods_i;
    end else if (period_i != '0) begin
      cycles_q <= cycles_q == 32'd1 ? period_i : cycles_q - 1'b1;
      if (cycles_q == 32'd1) periods_q <= periods_q - 1'b1;
    end
  end

endmodule
