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

    /// Forgets its state, for `load_i` in the next cycle.
    input  logic                                clear_i,
    /// Takes over the state of another edge; only without a tick, and in the cycle after `clear_i` or with nothing passed since the reset.
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
  logic signed [DistanceWidth-1:0] distance_q, moved, reached;
  logic [shell_pkg::TimeWidth-1:0] further;
  /// The fraction minus the denominator, so that a sign says whether a femtosecond is full: negative, but for zero when it is clear.
  logic [shell_pkg::FractionWidth:0] fraction_q, sum;
  logic [1:0] passed_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic unused, unused_sum;
  /* verilator lint_on UNUSEDSIGNAL */
  logic carry, next;

  // What is loaded is added to zero, which spares a multiplexer for each bit. Two sums are written as differences of the complement, with a bit below that
  // has the carry: Yosys takes the first operand of a difference to the carry chain as it is, and that of a sum it may swap.
  assign {sum, unused_sum} = {fraction_q, 1'b0} - {1'b1, ~(load_i ? phase_i.fraction : numerator_i), 1'b1};
  assign carry = !sum[shell_pkg::FractionWidth];
  assign busy_o = distance_q[DistanceWidth-1];
  assign moved = distance_q - {1'b0, advance_i & {shell_pkg::TimeWidth{!busy_o && !load_i}}};
  assign step_o = moved[DistanceWidth-1];
  assign next = busy_o || (tick_i && step_o);
  // A period further, or not.
  assign further = load_i ? phase_i.distance : whole_i & {shell_pkg::TimeWidth{next}};
  assign {reached, unused} = {moved, 1'b0} - {1'b1, ~further, !(carry && next)};
  assign passed_o = passed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      distance_q <= '0;
      fraction_q <= '0;
    end else begin
      if (busy_o || tick_i || load_i) distance_q <= reached;
      if (next || load_i) fraction_q <= sum - {1'b0, denominator_i & {shell_pkg::FractionWidth{carry}}};
    end
    if (!rst_ni) passed_q <= 2'd0;
    else if (load_i) passed_q <= phase_i.passed;
    else if (busy_o) passed_q <= passed_q + 2'd1;
    else if (tick_i) passed_q <= {1'b0, step_o};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    // Otherwise: what is loaded is added to what was there before.
    if (rst_ni) assert (!load_i || (distance_q == '0 && fraction_q == '0 && !tick_i));
  end
`endif

endmodule
