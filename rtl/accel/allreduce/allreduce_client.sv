// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What a client does in an operation: sends its vector to the server of its board and waits for the result.
module allreduce_client (
    input  logic                                  clk_i,
    /// Synchronous, active low.
    input  logic                                  rst_ni,
    /// The host has begun an operation; stays until `finish_o`.
    input  logic                                  started_i,
    input  allreduce_pkg::command_t               command_i,
    /// Own rank, boards as a power of two, and cycles to wait.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [allreduce_pkg::RankWidth-1:0]   rank_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [3:0]                            levels_i,
    input  logic [31:0]                           timeout_i,
    /// The slot of the result and the address of the server.
    input  logic                                  here_i,
    input  allreduce_pkg::tag_t                   tag_i,
    input  logic                                  known_i,
    input  logic [ni_pkg::NodeWidth-1:0]          node_i,
    /// The vector is to be sent; until `tx_done_i`.
    output logic                                  tx_start_o,
    input  logic                                  tx_done_i,
    /// For one cycle: the operation ends.
    output logic                                  finish_o,
    output allreduce_pkg::outcome_t               outcome_o,
    /// Without input nothing happens.
    output logic                                  idle_o
);

  logic sent_q, expired, waits;
  allreduce_pkg::outcome_t judged;
  logic [allreduce_pkg::RankWidth-1:0] server;

  assign server = {rank_i[allreduce_pkg::RankWidth-1:2], 2'd0};
  assign tx_start_o = started_i && !sent_q && known_i;
  assign waits = started_i && sent_q && !here_i;

  allreduce_timer i_timer (
      .clk_i,
      .rst_ni,
      .waits_i  (waits),
      .period_i (timeout_i),
      .periods_i(levels_i + 4'd2),
      .expired_o(expired)
  );

  allreduce_judge i_judge (
      .tag_i,
      .rank_i   (server),
      .known_i,
      .node_i,
      .command_i,
      .outcome_o(judged)
  );

  always_comb begin
    finish_o = 1'b0;
    outcome_o = {allreduce_pkg::CodeTimeout, server};
    if (started_i && !known_i) begin
      finish_o = 1'b1;
      outcome_o.code = allreduce_pkg::CodeUnknown;
    end else if (started_i && sent_q && here_i) begin
      finish_o = 1'b1;
      outcome_o = judged;
    end else if (expired) begin
      finish_o = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || finish_o) sent_q <= 1'b0;
    else if (tx_done_i) sent_q <= 1'b1;
  end

  assign idle_o = !started_i || (waits && timeout_i == '0);

endmodule
