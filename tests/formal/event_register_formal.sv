// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Sticky bits: one that is set stays until it is cleared; a step or a rise sets its bit whatever is cleared at that edge; nothing else does, nor
/// anything while what is watched is in reset.
module event_register_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       ignore_i,
    input logic       level_i,
    input logic [3:0] count_i,
    input logic [2:0] clear_i
);

  logic [2:0] events, events_q, clear_q, happened, happened_q;
  logic started_q, level_q, after_reset_q;
  logic [3:0] count_q;
  initial started_q = 1'b0;

  event_register #(
      .Levels  (1),
      .Counters(2)
  ) i_register (
      .clk_i,
      .rst_ni,
      .ignore_i,
      .level_i,
      .count_i,
      .clear_i,
      .events_o(events)
  );

  assign happened = ignore_i ? 3'd0 : {count_i[3:2] != count_q[3:2], count_i[1:0] != count_q[1:0], level_i && !level_q};

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    after_reset_q <= !rst_ni;
    level_q <= level_i;
    count_q <= count_i;
    events_q <= events;
    clear_q <= clear_i;
    happened_q <= happened;
  end

  always_comb begin
    assume (started_q == rst_ni);
    if (started_q) begin
      if (after_reset_q) assert (events == '0);
      else assert (events == (happened_q | (events_q & ~clear_q)));
    end
  end

endmodule
