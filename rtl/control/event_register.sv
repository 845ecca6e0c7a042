// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Sticky bits, set by events and cleared by writing 1 (W1C). An event in the cycle of the write sets its bit.
module event_register #(
    /// Levels: an event is a rise.
    parameter int unsigned Levels = 1,
    /// Counters: an event is a step. They are seen through their low two bits, so one may step by up to 3 at an edge.
    parameter int unsigned Counters = 4
) (
    input  logic                       clk_i,
    /// Synchronous, active low.
    input  logic                       rst_ni,
    /// What is watched is in reset: its changes are no events. Must last for two edges or more.
    input  logic                       ignore_i,
    input  logic [Levels-1:0]          level_i,
    input  logic [2*Counters-1:0]      count_i,
    input  logic [Levels+Counters-1:0] clear_i,
    /// Levels in the low bits.
    output logic [Levels+Counters-1:0] events_o
);

  logic [Levels-1:0] level_q;
  logic [2*Counters-1:0] count_q;
  logic [Levels+Counters-1:0] events, events_q;

  assign events[Levels-1:0] = level_i & ~level_q;
  for (genvar c = 0; c < Counters; c++) begin : gen_counter
    assign events[Levels+c] = count_i[2*c+:2] != count_q[2*c+:2];
  end

  always_ff @(posedge clk_i) begin
    level_q <= level_i;
    count_q <= count_i;
    if (!rst_ni) events_q <= '0;
    else events_q <= (events_q & ~clear_i) | (ignore_i ? '0 : events);
  end

  assign events_o = events_q;

endmodule
