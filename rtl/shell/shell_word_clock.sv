// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Follows the edges of a word clock beside those of the element's clock, exactly: edge k of a clock of period w + n / d femtoseconds is at
/// floor(k * (w + n / d)). `step_o` is how many word edges the next tick passes, where a tick goes from edge k of the element to k + 1 and a word edge
/// counts as passed in the cycle before the first edge at or after it.
module shell_word_clock (
    input  logic                                clk_i,
    /// Synchronous, active low: before a jump nothing is passed.
    input  logic                                rst_ni,
    /// The period of the word clock: whole femtoseconds, and the fraction.
    input  logic [shell_pkg::TimeWidth-1:0]     whole_i,
    input  logic [shell_pkg::FractionWidth-1:0] numerator_i,
    input  logic [shell_pkg::FractionWidth-1:0] denominator_i,

    /// Takes over the state of another edge.
    input  logic                                load_i,
    input  shell_pkg::word_phase_t              phase_i,
    /// The element goes on by an edge; only without `busy_o`. `advance_i` is how far that is.
    input  logic                                tick_i,
    input  logic [shell_pkg::TimeWidth-1:0]     advance_i,

    /// Word edges that this tick passes: 0 or 1.
    output logic                                step_o,
    /// This cycle passes one more edge, without a tick.
    output logic                                busy_o,
    /// Word edges that the last tick passed, those after it included.
    output logic [1:0]                          passed_o
);

  localparam int unsigned DistanceWidth = shell_pkg::TimeWidth + 1;

  /// From the element's edge to the first word edge at or after it; negative only while busy.
  logic signed [DistanceWidth-1:0] distance_q, moved, passing, reached;
  logic [shell_pkg::FractionWidth-1:0] fraction_q;
  logic [shell_pkg::FractionWidth:0] sum;
  logic [shell_pkg::FractionWidth+1:0] rest;
  logic [1:0] passed_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic unused;
  /* verilator lint_on UNUSEDSIGNAL */
  logic carry, next;

  assign sum = {1'b0, fraction_q} + {1'b0, numerator_i};
  assign rest = {1'b0, sum} - {2'b00, denominator_i};
  assign carry = !rest[shell_pkg::FractionWidth+1];
  assign busy_o = distance_q[DistanceWidth-1];
  assign moved = distance_q - {1'b0, advance_i};
  assign step_o = moved[DistanceWidth-1];
  assign next = busy_o || (tick_i && step_o);
  // A period further, or not. The bit below takes the carry of the fraction in.
  assign passing = busy_o ? distance_q : moved;
  assign {reached, unused} = {passing, 1'b1} + {1'b0, whole_i & {shell_pkg::TimeWidth{next}}, carry && next};
  assign passed_o = passed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      distance_q <= '0;
      fraction_q <= '0;
      passed_q <= 2'd0;
    end else if (load_i) begin
      distance_q <= {1'b0, phase_i.distance};
      fraction_q <= phase_i.fraction;
      passed_q <= phase_i.passed;
    end else begin
      if (busy_o || tick_i) distance_q <= reached;
      if (busy_o) passed_q <= passed_q + 2'd1;
      else if (tick_i) passed_q <= {1'b0, step_o};
      if (next) fraction_q <= carry ? rest[shell_pkg::FractionWidth-1:0] : sum[shell_pkg::FractionWidth-1:0];
    end
  end

endmodule
