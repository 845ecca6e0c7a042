// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The gate of any element: a clock that waits passes no edge at or beyond the limit, edges pass one by one and fall never but by a jump, the element executes
/// only edges that pass, and as many pass in a pace as are due.
module shell_gate_formal (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        enable_i,
    input logic [1:0]  mode_i,
    input logic [31:0] pace_numerator_i,
    input logic [31:0] pace_denominator_i,
    input logic [53:0] whole_i,
    input logic [31:0] numerator_i,
    input logic [31:0] denominator_i,
    input logic [47:0] limit_i,
    input logic        jump_i,
    input logic [47:0] jump_edge_i,
    input logic [31:0] jump_fraction_i,
    input logic        element_idle_i,
    input logic        arrivals_empty_i,
    input logic        arrival_i,
    input logic        arrival_late_i,
    input logic        space_i,
    input logic        clocks_busy_i
);

  logic tick, execute, idle, stopped;
  logic [47:0] now;
  logic [53:0] advance;
  logic [63:0] executed;
  logic [31:0] late;

  shell_gate i_gate (
      .clk_i,
      .rst_ni,
      .enable_i,
      .mode_i,
      .pace_numerator_i,
      .pace_denominator_i,
      .whole_i,
      .numerator_i,
      .denominator_i,
      .limit_i,
      .jump_i,
      .jump_edge_i,
      .jump_fraction_i,
      .element_idle_i,
      .arrivals_empty_i,
      .arrival_i,
      .arrival_late_i,
      .space_i,
      .clocks_busy_i,
      .edge_o    (now),
      .tick_o    (tick),
      .execute_o (execute),
      .advance_o (advance),
      .idle_o    (idle),
      .stopped_o (stopped),
      .executed_o(executed),
      .late_o    (late)
  );

  logic started_q, reset_q;
  // The cycle before.
  logic was_tick_q, was_execute_q, was_jump_q;
  logic [47:0] was_now_q, was_target_q;
  logic [63:0] was_executed_q;
  logic [31:0] was_late_q, was_pace_numerator_q, was_pace_denominator_q;
  logic [1:0] was_mode_q;
  logic [7:0] cycles_q, passed_q;
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    was_tick_q <= tick;
    was_execute_q <= execute;
    was_jump_q <= jump_i;
    was_target_q <= jump_edge_i;
    was_now_q <= now;
    was_executed_q <= executed;
    was_late_q <= late;
    was_mode_q <= mode_i;
    was_pace_numerator_q <= pace_numerator_i;
    was_pace_denominator_q <= pace_denominator_i;
    if (!rst_ni) begin
      cycles_q <= '0;
      passed_q <= '0;
    end else begin
      cycles_q <= cycles_q + {7'd0, enable_i};
      passed_q <= passed_q + {7'd0, tick};
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    // Registers stay as they are in a run.
    if (started_q && !reset_q) begin
      assume (mode_i == was_mode_q && pace_numerator_i == was_pace_numerator_q && pace_denominator_i == was_pace_denominator_q);
    end
    assume (pace_denominator_i != '0 && pace_numerator_i <= pace_denominator_i);
    // The paces of the proof are such that it can count.
    assume (pace_denominator_i < 32'd8);
    assume (!(arrivals_empty_i && arrival_i));
    // An element that does not stop takes millions of seconds to the last edge.
    assume (now != '1);
    if (started_q && rst_ni) begin
      assert (!execute || tick);
      assert (!tick || (enable_i && space_i && !clocks_busy_i && !jump_i));
      if (mode_i != shell_pkg::Free) assert (!tick || now < limit_i);
      if (mode_i == shell_pkg::Gated) assert (!(tick && element_idle_i && arrivals_empty_i));
      assert (!tick || execute == (!element_idle_i || arrival_i));
      assert (!stopped || !tick || mode_i != shell_pkg::Gated);
      assert (advance == whole_i || advance == whole_i + 54'd1);
      if (!reset_q) begin
        assert (now == (was_jump_q ? was_target_q : was_now_q + {47'd0, was_tick_q}));
        assert (was_jump_q || now >= was_now_q);
        assert (executed == was_executed_q + {63'd0, was_execute_q});
        assert (late - was_late_q <= 32'd2);
      end else begin
        assert (now == '0 && executed == '0 && late == '0);
      end
`ifndef INDUCTION
      // No more edges than are due; one that is held up by nothing is the next one at most.
      if (mode_i != shell_pkg::Gated) assert (passed_q * pace_denominator_i <= cycles_q * pace_numerator_i);
`endif
    end
  end

endmodule
