// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What a server does in an operation: reduces the vectors of its board in the order of ranks, exchanges with the servers at distances of 4, 8, 16,
/// ... ranks, and sends the result to its clients. An error goes to all that would wait for this server.
module allreduce_server (
    input  logic                                  clk_i,
    /// Synchronous, active low.
    input  logic                                  rst_ni,
    /// The host has begun an operation; stays until `finish_o`.
    input  logic                                  started_i,
    input  allreduce_pkg::command_t               command_i,
    /// Own rank, boards as a power of two, and cycles to wait.
    input  logic [allreduce_pkg::RankWidth-1:0]   rank_i,
    input  logic [3:0]                            levels_i,
    input  logic [31:0]                           timeout_i,
    /// There is a group.
    input  logic                                  enable_i,
    /// A vector of this operation has come.
    input  logic                                  any_i,
    /// The slot that is waited for, and the entry of the table of who sends to it.
    output logic [allreduce_pkg::SlotWidth-1:0]   slot_o,
    input  logic                                  here_i,
    input  allreduce_pkg::tag_t                   tag_i,
    input  logic                                  known_i,
    input  logic [ni_pkg::NodeWidth-1:0]          node_i,
    /// The vector, or an error, is to be sent to whom `slot_o` stands for; until `tx_done_i`.
    output logic                                  tx_start_o,
    output logic [allreduce_pkg::LevelWidth-1:0]  tx_level_o,
    output allreduce_pkg::outcome_t               tx_outcome_o,
    input  logic                                  tx_done_i,
    /// The vector of the slot is to be reduced.
    output logic                                  combine_o,
    output logic                                  other_first_o,
    input  logic                                  combine_done_i,
    /// For one cycle: the operation ends.
    output logic                                  finish_o,
    output allreduce_pkg::outcome_t               outcome_o,
    /// Without input nothing happens.
    output logic                                  idle_o
);

  localparam logic [2:0] StWait = 3'd0;       ///< For the vector of `step_q`; step 0 is the own one.
  localparam logic [2:0] StCombine = 3'd1;
  localparam logic [2:0] StExchange = 3'd2;   ///< Sends to the partner of `step_q`.
  localparam logic [2:0] StResult = 3'd3;     ///< Sends to client `step_q`.
  localparam logic [2:0] StFinish = 3'd4;

  logic [2:0] state_q, next_state;
  logic [allreduce_pkg::SlotWidth-1:0] step_q, next_step, end_step;
  allreduce_pkg::outcome_t outcome_q, judged;
  logic [allreduce_pkg::RankWidth-1:0] peer;
  logic begun, waits, expired, fails, failed, skip, sent;

  assign end_step = 4'(allreduce_pkg::BoardSlots) + levels_i;
  assign slot_o = step_q;
  assign peer = step_q < 4'(allreduce_pkg::BoardSlots) ? {rank_i[allreduce_pkg::RankWidth-1:2], step_q[1:0]} :
                                          rank_i ^ allreduce_pkg::RankWidth'(allreduce_pkg::BoardSlots) << (step_q - 4'(allreduce_pkg::BoardSlots));
  assign begun = enable_i && (started_i || any_i);
  assign failed = outcome_q.code != allreduce_pkg::CodeDone;
  assign waits = state_q == StWait && begun && (step_q == '0 ? !started_i : !here_i);
  assign fails = expired || (state_q == StWait && begun && step_q != '0 && here_i && judged.code != allreduce_pkg::CodeDone) ||
                 (state_q == StExchange && !failed && !known_i);

  allreduce_timer i_timer (
      .clk_i,
      .rst_ni,
      .waits_i  (waits),
      .period_i (timeout_i),
      .periods_i(step_q < 4'(allreduce_pkg::BoardSlots) ? 4'd1 : step_q - 4'(allreduce_pkg::BoardSlots - 2)),
      .expired_o(expired)
  );

  allreduce_judge i_judge (
      .tag_i,
      .rank_i   (peer),
      .known_i,
      .node_i,
      .command_i,
      .outcome_o(judged)
  );

  // An error does not go where nobody is known.
  assign skip = failed && !known_i;
  assign tx_start_o = (state_q == StExchange || state_q == StResult) && known_i;
  assign tx_level_o = state_q == StResult ? allreduce_pkg::LevelResult : step_q - 4'(allreduce_pkg::BoardSlots - 1);
  assign tx_outcome_o = outcome_q;
  assign sent = tx_done_i || skip;
  assign combine_o = state_q == StWait && begun && step_q != '0 && here_i && judged.code == allreduce_pkg::CodeDone;
  assign other_first_o = peer < rank_i;
  assign finish_o = state_q == StFinish;
  assign outcome_o = outcome_q;

  always_comb begin
    next_state = state_q;
    next_step = step_q;
    case (state_q)
      StWait: begin
        if (combine_o) next_state = StCombine;
        if (begun && started_i && step_q == '0) next_step = 4'd1;
      end
      StCombine: begin
        if (combine_done_i) begin
          next_step = step_q + 1'b1;
          next_state = next_step < 4'(allreduce_pkg::BoardSlots) ? StWait : StExchange;
          if (next_step == end_step) begin
            next_state = StResult;
            next_step = 4'd1;
          end
        end
      end
      StExchange: begin
        if (sent) begin
          // With an error the others are told, too, and nothing is waited for.
          next_state = failed ? StExchange : StWait;
          if (failed) next_step = step_q + 1'b1;
          if (failed && next_step == end_step) begin
            next_state = StResult;
            next_step = 4'd1;
          end
        end
      end
      StResult: begin
        if (sent || !known_i) begin
          next_step = step_q + 1'b1;
          if (next_step == 4'(allreduce_pkg::BoardSlots)) next_state = StFinish;
        end
      end
      default: begin
        next_state = StWait;
        next_step = '0;
      end
    endcase
    if (fails) begin
      next_step = step_q < 4'(allreduce_pkg::BoardSlots) ? 4'(allreduce_pkg::BoardSlots) : step_q;
      next_state = StExchange;
      if (next_step == end_step) begin
        next_state = StResult;
        next_step = 4'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StWait;
      step_q <= '0;
      outcome_q <= '0;
    end else begin
      state_q <= next_state;
      step_q <= next_step;
      if (finish_o) outcome_q <= '0;
      else if (expired) outcome_q <= {allreduce_pkg::CodeTimeout, peer};
      else if (fails && state_q == StWait) outcome_q <= judged;
      else if (fails) outcome_q <= {allreduce_pkg::CodeUnknown, peer};
    end
  end

  assign idle_o = state_q == StWait && (!begun || (waits && timeout_i == '0));

endmodule
