// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The Allreduce accelerator of a node: a server in F1, a client in F2 to F4. docs/models/allreduce.md is the contract.
module allreduce_unit #(
    parameter bit Server = 1'b1
) (
    input  logic                         clk_i,
    /// Synchronous, active low.
    input  logic                         rst_ni,
    /// Without input nothing happens at any later edge.
    output logic                         idle_o,
    /// Own node, and how many bits of a node number are tile port, x and y. Constant.
    input  logic [ni_pkg::NodeWidth-1:0] node_i,
    input  logic [1:0]                   tile_bits_i,
    input  logic [3:0]                   x_bits_i,
    input  logic [3:0]                   y_bits_i,
    /// An access to a register, held until its response: words of 64 bits.
    input  logic                         request_valid_i,
    input  logic                         request_write_i,
    input  logic [12:0]                  request_address_i,
    input  logic [63:0]                  request_data_i,
    output logic                         response_valid_o,
    output logic                         response_error_o,
    output logic [63:0]                  response_data_o,
    /// An operation of the host has ended; stays until it is taken.
    output logic                         event_valid_o,
    input  logic                         event_ready_i,
    /// Words of packets to the network; taken at an edge where both valid and ready are high. Within a packet valid stays.
    output logic                         tx_valid_o,
    output logic [127:0]                 tx_data_o,
    input  logic                         tx_ready_i,
    /// Words of packets of kind PacketReduce from the network, always taken.
    input  logic                         rx_valid_i,
    input  logic                         rx_sop_i,
    input  logic                         rx_eop_i,
    input  logic [127:0]                 rx_data_i
);

  // The operation.
  logic started_q, missed_q, event_q, start, finish, control_idle;
  logic [allreduce_pkg::SequenceWidth-1:0] sequence_q;
  allreduce_pkg::outcome_t outcome, last_q, tx_outcome;
  allreduce_pkg::command_t command;
  logic enable, known, here, any;
  logic [allreduce_pkg::RankWidth-1:0] rank;
  logic [3:0] levels;
  logic [31:0] timeout;
  logic [allreduce_pkg::SlotWidth-1:0] slot;
  logic [ni_pkg::NodeWidth-1:0] node;
  allreduce_pkg::tag_t tag;
  logic [1:0] dropped;

  // The vector, which becomes the result in a server; in a client the result is in its slot.
  (* ram_style = "distributed" *)
  logic [127:0] vector_q[allreduce_pkg::VectorWords];
  logic [127:0] vector, slot_data, result, combined;
  logic [allreduce_pkg::WordWidth-1:0] vector_index, slot_index, tx_index, combine_index, combined_index;
  logic [4:0] host_index;
  logic host_write, combine_write, combining, tx_start, tx_done, slot_odd;
  logic [allreduce_pkg::LevelWidth-1:0] tx_level;

  allreduce_registers #(
      .Server(Server)
  ) i_registers (
      .clk_i,
      .rst_ni,
      .request_valid_i,
      .request_write_i,
      .request_address_i,
      .request_data_i,
      .response_valid_o,
      .response_error_o,
      .response_data_o,
      .busy_i        (started_q),
      .outcome_i     (last_q),
      .sequence_i    (sequence_q),
      .dropped_i     (dropped),
      .vector_write_o(host_write),
      .vector_index_o(host_index),
      .result_i      (host_index[0] ? result[127:64] : result[63:0]),
      .start_o       (start),
      .command_o     (command),
      .enable_o      (enable),
      .rank_o        (rank),
      .levels_o      (levels),
      .timeout_o     (timeout),
      .slot_i        (slot),
      .known_o       (known),
      .node_o        (node)
  );

  allreduce_rx #(
      .Server(Server)
  ) i_rx (
      .clk_i,
      .rst_ni,
      .node_i,
      .valid_i    (rx_valid_i),
      .sop_i      (rx_sop_i),
      .eop_i      (rx_eop_i),
      .data_i     (rx_data_i),
      .sequence_i (sequence_q),
      .finish_i   (finish),
      .slot_i     (slot),
      .here_o     (here),
      .tag_o      (tag),
      .any_o      (any),
      .read_slot_i(slot),
      .read_odd_i (slot_odd),
      .read_word_i(slot_index),
      .data_o     (slot_data),
      .dropped_o  (dropped)
  );

  allreduce_tx i_tx (
      .clk_i,
      .rst_ni,
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
      .start_i      (tx_start),
      .destination_i(node),
      .sequence_i   (sequence_q),
      .level_i      (tx_level),
      .rank_i       (rank),
      .command_i    (command),
      .outcome_i    (tx_outcome),
      .index_o      (tx_index),
      .vector_i     (vector),
      .done_o       (tx_done),
      .valid_o      (tx_valid_o),
      .ready_i      (tx_ready_i),
      .data_o       (tx_data_o)
  );

  if (Server) begin : gen_server
    logic combine, other_first, combine_done, combine_idle;

    allreduce_server i_server (
        .clk_i,
        .rst_ni,
        .started_i     (started_q),
        .command_i     (command),
        .rank_i        (rank),
        .levels_i      (levels),
        .timeout_i     (timeout),
        .enable_i      (enable),
        .any_i         (any),
        .slot_o        (slot),
        .here_i        (here),
        .tag_i         (tag),
        .known_i       (known),
        .node_i        (node),
        .tx_start_o    (tx_start),
        .tx_level_o    (tx_level),
        .tx_outcome_o  (tx_outcome),
        .tx_done_i     (tx_done),
        .combine_o     (combine),
        .other_first_o (other_first),
        .combine_done_i(combine_done),
        .finish_o      (finish),
        .outcome_o     (outcome),
        .idle_o        (control_idle)
    );

    allreduce_combine i_combine (
        .clk_i,
        .rst_ni,
        .start_i      (combine),
        .command_i    (command),
        .other_first_i(other_first),
        .index_o      (combine_index),
        .own_i        (vector),
        .other_i      (slot_data),
        .write_o      (combine_write),
        .write_index_o(combined_index),
        .write_data_o (combined),
        .done_o       (combine_done),
        .idle_o       (combine_idle)
    );
    assign combining = !combine_idle;
    assign slot_index = combine_index;
    assign slot_odd = sequence_q[0];
    assign result = vector;
  end else begin : gen_client
    allreduce_client i_client (
        .clk_i,
        .rst_ni,
        .started_i (started_q),
        .command_i (command),
        .rank_i    (rank),
        .levels_i  (levels),
        .timeout_i (timeout),
        .here_i    (here),
        .tag_i     (tag),
        .known_i   (known),
        .node_i    (node),
        .tx_start_o(tx_start),
        .tx_done_i (tx_done),
        .finish_o  (finish),
        .outcome_o (outcome),
        .idle_o    (control_idle)
    );
    assign slot = '0;
    assign tx_level = allreduce_pkg::LevelToServer;
    assign tx_outcome = '0;
    assign combining = 1'b0;
    assign combine_write = 1'b0;
    assign combine_index = '0;
    assign combined_index = '0;
    assign combined = '0;
    // The result of the operation that has ended.
    assign slot_index = host_index[4:1];
    assign slot_odd = !sequence_q[0];
    assign result = slot_data;
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    /* verilator lint_on UNUSEDSIGNAL */
    assign unused = any || enable;
  end

  assign vector_index = combining ? combine_index : tx_start ? tx_index : host_index[4:1];
  assign vector = vector_q[vector_index];

  always_ff @(posedge clk_i) begin
    if (combine_write) vector_q[combined_index] <= combined;
    else if (host_write && host_index[0]) vector_q[host_index[4:1]][127:64] <= request_data_i;
    else if (host_write) vector_q[host_index[4:1]][63:0] <= request_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      missed_q <= 1'b0;
      event_q <= 1'b0;
      sequence_q <= '0;
      last_q <= '0;
    end else begin
      if (event_ready_i) event_q <= 1'b0;
      // An operation that ended before the host began it ends at once when it does.
      if (start && missed_q) begin
        missed_q <= 1'b0;
        event_q <= 1'b1;
      end else if (start) begin
        started_q <= 1'b1;
      end
      if (finish) begin
        started_q <= 1'b0;
        sequence_q <= sequence_q + 1'b1;
        last_q <= outcome;
        // Even if the host begins it in this very cycle.
        event_q <= started_q || start;
        missed_q <= !started_q && !start;
      end
    end
  end

  assign event_valid_o = event_q;
  assign idle_o = control_idle && !tx_valid_o && !event_q && !start;

endmodule
