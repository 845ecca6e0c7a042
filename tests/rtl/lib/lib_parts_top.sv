// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Parts that all units share, side by side, for test benches of their own.
module lib_parts_top (
    input  logic        clk_i,
    input  logic        rst_ni,

    // Queues: of 8 entries in look-up tables, of 2 and 8 in block RAM, and of 4 with handshakes.
    input  logic [31:0] data_i,
    input  logic [2:0]  push_i,
    input  logic [2:0]  pop_i,
    output logic [2:0]  full_o,
    output logic [2:0]  valid_o,
    output logic [2:0]  empty_o,
    output logic [95:0] data_o,
    output logic [3:0]  count0_o,
    output logic [1:0]  count1_o,
    output logic [3:0]  count2_o,
    input  logic        stream_valid_i,
    output logic        stream_ready_o,
    output logic        stream_valid_o,
    input  logic        stream_ready_i,
    output logic [31:0] stream_data_o,

    // Arbiter of 5 requests.
    input  logic        enable_i,
    input  logic [4:0]  request_i,
    output logic [4:0]  grant_o,

    // Counters of credits and of events.
    input  logic [7:0]  initial_i,
    input  logic [7:0]  take_i,
    input  logic [7:0]  give_i,
    output logic [7:0]  credits_o,
    output logic        error_o,
    input  logic        event_i,
    output logic [3:0]  events_o,

    // Edges of a clock that stands while a block is idle.
    input  logic        busy_i,
    output logic [15:0] edges_o
);

  fifo #(
      .Width(32),
      .Depth(8)
  ) i_tables8 (
      .clk_i,
      .rst_ni,
      .push_i (push_i[0]),
      .data_i,
      .full_o (full_o[0]),
      .valid_o(valid_o[0]),
      .data_o (data_o[31:0]),
      .pop_i  (pop_i[0]),
      .empty_o(empty_o[0]),
      .count_o(count0_o)
  );
  fifo #(
      .Width   (32),
      .Depth   (2),
      .BlockRam(1'b1)
  ) i_block2 (
      .clk_i,
      .rst_ni,
      .push_i (push_i[1]),
      .data_i,
      .full_o (full_o[1]),
      .valid_o(valid_o[1]),
      .data_o (data_o[63:32]),
      .pop_i  (pop_i[1]),
      .empty_o(empty_o[1]),
      .count_o(count1_o)
  );
  fifo #(
      .Width   (32),
      .Depth   (8),
      .BlockRam(1'b1)
  ) i_block8 (
      .clk_i,
      .rst_ni,
      .push_i (push_i[2]),
      .data_i,
      .full_o (full_o[2]),
      .valid_o(valid_o[2]),
      .data_o (data_o[95:64]),
      .pop_i  (pop_i[2]),
      .empty_o(empty_o[2]),
      .count_o(count2_o)
  );
  stream_fifo #(
      .Width(32),
      .Depth(4)
  ) i_stream (
      .clk_i,
      .rst_ni,
      .valid_i(stream_valid_i),
      .ready_o(stream_ready_o),
      .data_i,
      .valid_o(stream_valid_o),
      .ready_i(stream_ready_i),
      .data_o (stream_data_o)
  );
  round_robin_arbiter #(
      .NumRequests(5)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i,
      .request_i,
      .grant_o
  );
  credit_counter i_credits (
      .clk_i,
      .rst_ni,
      .initial_i,
      .take_i,
      .give_i,
      .count_o(credits_o),
      .error_o
  );
  event_counter #(
      .Width(4)
  ) i_events (
      .clk_i,
      .rst_ni,
      .event_i,
      .count_o(events_o)
  );

  logic gated_clk;
  logic [15:0] edges_q;

  idle_gate #(
      .HoldEdges(5)
  ) i_gate (
      .clk_i,
      .rst_ni,
      .busy_i,
      .clk_o(gated_clk)
  );
  // Not reset, as the clock runs in resets, too.
  always_ff @(posedge gated_clk) edges_q <= edges_q + 1'b1;
  assign edges_o = edges_q;

endmodule
