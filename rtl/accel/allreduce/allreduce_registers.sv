// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The registers of the accelerator: the vector, the command, the group with its addresses. An access that is refused changes nothing but the reason.
module allreduce_registers #(
    parameter bit Server = 1'b1
) (
    input  logic                                  clk_i,
    /// Synchronous, active low.
    input  logic                                  rst_ni,
    /// An access, held until its response: words of 64 bits.
    input  logic                                  request_valid_i,
    input  logic                                  request_write_i,
    input  logic [12:0]                           request_address_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [63:0]                           request_data_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic                                  response_valid_o,
    output logic                                  response_error_o,
    output logic [63:0]                           response_data_o,
    /// An operation is under way, and how the last one ended.
    input  logic                                  busy_i,
    input  allreduce_pkg::outcome_t               outcome_i,
    input  logic [allreduce_pkg::SequenceWidth-1:0] sequence_i,
    input  logic [1:0]                            dropped_i,
    /// A word of the vector is written, or one of the result is looked at.
    output logic                                  vector_write_o,
    output logic [4:0]                            vector_index_o,
    input  logic [63:0]                           result_i,
    /// For one cycle: an operation begins.
    output logic                                  start_o,
    output allreduce_pkg::command_t               command_o,
    output logic                                  enable_o,
    output logic [allreduce_pkg::RankWidth-1:0]   rank_o,
    output logic [3:0]                            levels_o,
    output logic [31:0]                           timeout_o,
    /// Looks into the table of addresses, by slot.
    input  logic [allreduce_pkg::SlotWidth-1:0]   slot_i,
    output logic                                  known_o,
    output logic [ni_pkg::NodeWidth-1:0]          node_o
);

  localparam logic [12:0] AddressCommand = 13'h020;
  localparam logic [12:0] AddressGroup = 13'h021;
  localparam logic [12:0] AddressTimeout = 13'h022;
  localparam logic [12:0] AddressCounters = 13'h023;

  logic enable_q;
  logic [allreduce_pkg::RankWidth-1:0] rank_q;
  logic [3:0] levels_q;
  logic [31:0] timeout_q;
  allreduce_pkg::command_t command, command_q;
  logic [2:0] refusal_q, refusal;
  logic [15:0] malformed_q, stale_q;

  logic [ni_pkg::NodeWidth-1:0] nodes_q[allreduce_pkg::NumSlots];
  logic [allreduce_pkg::NumSlots-1:0] known_q, entry;

  logic in_vector, in_table, write, group_good;
  logic [allreduce_pkg::RankWidth-1:0] table_rank, difference;

  assign in_vector = request_address_i < 13'd32;
  assign in_table = request_address_i[12:10] == 3'b001;
  assign table_rank = request_address_i[9:0];
  assign difference = table_rank ^ rank_q;
  assign command = {request_data_i[17:16], request_data_i[13:12], request_data_i[9:0]};
  assign group_good = request_data_i[19:16] <= 4'(allreduce_pkg::MaxLevels) && (request_data_i[1:0] == 2'd0) == Server &&
                      {1'b0, request_data_i[9:0]} < 11'd4 << request_data_i[19:16];

  // The slot to which the rank of an entry sends; others are not needed here.
  always_comb begin
    entry = '0;
    for (int unsigned i = 0; i < allreduce_pkg::BoardSlots; i++) begin
      entry[i] = difference[allreduce_pkg::RankWidth-1:2] == '0 && table_rank[1:0] == 2'(i);
    end
    for (int unsigned i = 0; i < allreduce_pkg::MaxLevels; i++) begin
      entry[allreduce_pkg::BoardSlots+i] = difference == allreduce_pkg::RankWidth'(allreduce_pkg::BoardSlots) << i;
    end
  end

  always_comb begin
    refusal = allreduce_pkg::RefusedNothing;
    if (in_vector) begin
      if (busy_i) refusal = allreduce_pkg::RefusedBusy;
    end else if (request_address_i == AddressCommand) begin
      if (request_write_i) begin
        if (busy_i) refusal = allreduce_pkg::RefusedBusy;
        else if (!enable_q) refusal = allreduce_pkg::RefusedGroup;
        else if (command.operation == 2'd3 || command.kind == 2'd3) refusal = allreduce_pkg::RefusedKind;
        else if (!allreduce_pkg::shape_fits(command.operation, command.kind, command.bytes)) refusal = allreduce_pkg::RefusedBytes;
      end
    end else if (request_address_i == AddressGroup) begin
      if (!request_write_i) refusal = allreduce_pkg::RefusedAddress;
      else if (busy_i) refusal = allreduce_pkg::RefusedBusy;
      else if (!group_good) refusal = allreduce_pkg::RefusedRank;
    end else if (in_table) begin
      if (!request_write_i) refusal = allreduce_pkg::RefusedAddress;
      else if (busy_i) refusal = allreduce_pkg::RefusedBusy;
      else if (!enable_q) refusal = allreduce_pkg::RefusedGroup;
    end else if (request_address_i != AddressTimeout && (request_address_i != AddressCounters || request_write_i)) begin
      refusal = allreduce_pkg::RefusedAddress;
    end
  end

  assign write = request_valid_i && request_write_i && refusal == allreduce_pkg::RefusedNothing;
  assign vector_write_o = write && in_vector;
  assign vector_index_o = request_address_i[4:0];
  assign start_o = write && request_address_i == AddressCommand;
  assign command_o = command_q;
  assign response_valid_o = request_valid_i;
  assign response_error_o = refusal != allreduce_pkg::RefusedNothing;

  always_comb begin
    response_data_o = '0;
    if (refusal == allreduce_pkg::RefusedNothing) begin
      if (in_vector) response_data_o = result_i;
      else if (request_address_i == AddressCommand) begin
        response_data_o = {27'd0, enable_q, 1'b0, refusal_q, sequence_i, 6'd0, outcome_i.culprit, outcome_i.code, 3'd0, busy_i};
      end else if (request_address_i == AddressTimeout) begin
        response_data_o = {32'd0, timeout_q};
      end else if (request_address_i == AddressCounters) begin
        response_data_o = {32'd0, stale_q, malformed_q};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_q <= 1'b0;
      rank_q <= '0;
      levels_q <= '0;
      timeout_q <= '0;
      command_q <= '0;
      refusal_q <= allreduce_pkg::RefusedNothing;
      malformed_q <= '0;
      stale_q <= '0;
      known_q <= '0;
    end else begin
      if (request_valid_i && refusal != allreduce_pkg::RefusedNothing) refusal_q <= refusal;
      if (start_o) command_q <= command;
      if (write && request_address_i == AddressTimeout) timeout_q <= request_data_i[31:0];
      if (write && request_address_i == AddressGroup) begin
        enable_q <= request_data_i[63];
        rank_q <= request_data_i[9:0];
        levels_q <= request_data_i[19:16];
        known_q <= '0;
      end
      if (write && in_table) known_q <= (known_q & ~entry) | (request_data_i[63] ? entry : '0);
      if (dropped_i[0] && malformed_q != '1) malformed_q <= malformed_q + 1'b1;
      if (dropped_i[1] && stale_q != '1) stale_q <= stale_q + 1'b1;
    end
    for (int unsigned i = 0; i < allreduce_pkg::NumSlots; i++) if (write && in_table && entry[i]) nodes_q[i] <= request_data_i[21:0];
  end

  assign enable_o = enable_q;
  assign rank_o = rank_q;
  assign levels_o = levels_q;
  assign timeout_o = timeout_q;
  assign node_o = nodes_q[slot_i];
  assign known_o = known_q[slot_i];

endmodule
