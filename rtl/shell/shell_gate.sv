// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Decides when the element executes its next edge. A gated element goes up to the limit and not beyond, however fast that comes, and executes no edge at
/// which nothing can happen. A paced one goes on at a fixed rate of wall-clock time up to the limit; a free one does not care about the limit.
module shell_gate (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    input  logic                                enable_i,
    input  logic [shell_pkg::ModeWidth-1:0] mode_i,
    /// An edge is due `pace_numerator_i` times in `pace_denominator_i` cycles, unless gated.
    input  logic [31:0]                         pace_numerator_i,
    input  logic [31:0]                         pace_denominator_i,
    /// The period of the element's clock: whole femtoseconds, and the fraction.
    input  logic [shell_pkg::TimeWidth-1:0]     whole_i,
    input  logic [shell_pkg::FractionWidth-1:0] numerator_i,
    input  logic [shell_pkg::FractionWidth-1:0] denominator_i,

    input  logic [shell_pkg::EdgeWidth-1:0]     limit_i,
    input  logic                                jump_i,
    input  logic [shell_pkg::EdgeWidth-1:0]     jump_edge_i,
    input  logic [shell_pkg::FractionWidth-1:0] jump_fraction_i,

    /// The element changes nothing without input; no arrival waits; one is sampled at this edge.
    input  logic                                element_idle_i,
    input  logic                                arrivals_empty_i,
    input  logic                                arrival_i,
    input  logic                                arrival_late_i,
    /// Departures can be taken; no word clock is busy.
    input  logic                                space_i,
    input  logic                                clocks_busy_i,

    /// The next edge; it passes in this cycle; the element executes it.
    output logic [shell_pkg::EdgeWidth-1:0]     edge_o,
    output logic                                tick_o,
    output logic                                execute_o,
    /// How far the element's clock goes on with this tick, from the edge after this one to the next.
    output logic [shell_pkg::TimeWidth-1:0]     advance_o,
    /// Nothing changes without a further record; the element waits for one.
    output logic                                idle_o,
    output logic                                stopped_o,
    /// Edges executed.
    output logic [63:0]                         executed_o,
    /// Arrivals sampled after their edge, and edges that were due while an earlier one still was.
    output logic [31:0]                         late_o
);

  localparam int unsigned LagWidth = 16;

  logic [shell_pkg::EdgeWidth-1:0] edge_q;
  logic [shell_pkg::FractionWidth-1:0] fraction_q;
  logic [shell_pkg::FractionWidth:0] sum;
  logic [63:0] executed_q;
  logic [31:0] late_q, phase_q;
  logic [32:0] phase;
  logic [LagWidth-1:0] lag_q;
  logic carry, gated, below, due, allowed;

  assign gated = mode_i == shell_pkg::Gated;
  assign below = edge_q < limit_i || mode_i == shell_pkg::Free;
  assign sum = {1'b0, fraction_q} + {1'b0, numerator_i};
  assign carry = sum >= {1'b0, denominator_i};
  assign phase = {1'b0, phase_q} + {1'b0, pace_numerator_i};
  assign due = enable_i && !gated && phase >= {1'b0, pace_denominator_i};
  assign allowed = gated ? !idle_o : lag_q != '0;

  assign idle_o = element_idle_i && arrivals_empty_i;
  assign tick_o = enable_i && below && allowed && space_i && !clocks_busy_i && !jump_i;
  assign execute_o = tick_o && (!element_idle_i || arrival_i);
  assign stopped_o = !below || (gated && idle_o);
  assign advance_o = whole_i + shell_pkg::TimeWidth'(carry);
  assign edge_o = edge_q;
  assign executed_o = executed_q;
  assign late_o = late_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      edge_q <= '0;
      fraction_q <= '0;
      executed_q <= '0;
      late_q <= '0;
      phase_q <= '0;
      lag_q <= '0;
    end else begin
      if (jump_i) begin
        edge_q <= jump_edge_i;
        fraction_q <= jump_fraction_i;
      end else if (tick_o) begin
        edge_q <= edge_q + 1'b1;
        fraction_q <= carry ? sum[shell_pkg::FractionWidth-1:0] - denominator_i : sum[shell_pkg::FractionWidth-1:0];
      end
      if (execute_o) executed_q <= executed_q + 64'd1;
      if (enable_i && !gated) phase_q <= due ? phase[31:0] - pace_denominator_i : phase[31:0];
      if (!gated && due != tick_o) begin
        if (tick_o) lag_q <= lag_q - 1'b1;
        else if (lag_q != '1) lag_q <= lag_q + 1'b1;
      end
      late_q <= late_q + {31'd0, execute_o && arrival_late_i} + {31'd0, due && !tick_o && lag_q != '0};
    end
  end

endmodule
