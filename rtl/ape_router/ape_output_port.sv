// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// An output port: two output VCs whose words are merged into the output register. Where the port is disabled while a packet leaves, the packet
/// goes on at the link's pace; once the link has not been ready for `DrainCycles` edges the rest is discarded, so that a dead link holds nothing.
module ape_output_port #(
    parameter int unsigned NumInputs = 10,
    parameter int unsigned DataWidth = 128,
    parameter int unsigned MaxPayloadWords = 32,
    parameter int unsigned DrainCycles = 256,
    parameter int unsigned CounterWidth = 16,
    /// Bits of an output VC number, and the number of this port's VC 0.
    parameter int unsigned IdWidth = 4,
    parameter int unsigned FirstId = 0,
    localparam int unsigned InputWidth = $clog2(NumInputs)
) (
    input  logic                                             clk_i,
    /// Synchronous, active low.
    input  logic                                             rst_ni,
    /// See ape_output_vc.
    input  logic [ape_router_pkg::WordCreditWidth-1:0]       initial_words_i,
    input  logic [ape_router_pkg::PacketCreditWidth-1:0]     initial_packets_i,
    /// The port is in use.
    input  logic                                             enable_i,
    /// Packets that want VC 0 (low half) and VC 1, by input VC.
    input  logic [2*NumInputs-1:0]                           request_i,
    input  logic [NumInputs*NumInputs/4-1:0]                 beaten_i,
    /// State of the input VCs; see ape_input_vc.
    input  logic [NumInputs*ape_router_pkg::LengthWidth-1:0] length_i,
    input  logic [NumInputs-1:0]                             valid_i,
    input  logic [NumInputs*IdWidth-1:0]                     target_i,
    input  logic [NumInputs*DataWidth-1:0]                   data_i,
    input  logic [NumInputs-1:0]                             first_i,
    input  logic [NumInputs-1:0]                             last_i,
    input  logic [NumInputs-1:0]                             ending_i,
    input  logic [NumInputs-1:0]                             large_i,
    /// Marks; see ape_marker. `mark_always_i`: also without credits.
    input  logic [ape_router_pkg::MarkWidth-1:0]             mark_threshold_i,
    input  logic [ape_router_pkg::MarkWidth-1:0]             mark_rate_i,
    input  logic                                             mark_always_i,
    input  logic [ape_router_pkg::SumWidth-1:0]              queue_i,
    /// Grants and taken words, by input VC.
    output logic [NumInputs-1:0]                             grant_o,
    output logic [NumInputs-1:0]                             pop_o,
    /// The word to the link: registered, and taken at an edge where both valid and ready are high.
    output logic                                             tx_valid_o,
    output logic                                             tx_vc_o,
    output logic                                             tx_sop_o,
    output logic                                             tx_eop_o,
    output logic [DataWidth-1:0]                             tx_data_o,
    input  logic                                             tx_ready_i,
    /// Credits from the link.
    input  logic                                             credit_valid_i,
    input  logic                                             credit_vc_i,
    input  logic [ape_router_pkg::ReturnWidth-1:0]           credit_words_i,
    input  logic [ape_router_pkg::ReturnPacketWidth-1:0]     credit_packets_i,
    /// Nothing leaves and nothing is about to.
    output logic                                             idle_o,
    /// A packet waits for a free VC only because that lacks credits.
    output logic                                             credit_stall_o,
    /// Counters: packets sent, footers marked as they were sent, and packets of which something was discarded here.
    output logic [CounterWidth-1:0]                          sent_o,
    output logic [CounterWidth-1:0]                          marked_o,
    output logic [CounterWidth-1:0]                          discarded_o,
    /// Sticky: more credits came back than were used.
    output logic                                             error_o
);

  localparam int unsigned DrainWidth = $clog2(DrainCycles + 1);
  localparam logic [DataWidth-1:0] Marked = ape_router_pkg::Mark[DataWidth-1:0];

  logic [2*NumInputs-1:0] grant;
  logic [1:0] owned, candidate, ending, stall, enough, error;
  logic [2*InputWidth-1:0] owner;
  logic [InputWidth-1:0] chosen;
  logic [DataWidth-1:0] chosen_data;
  logic pick, load, chosen_last, accept, mark;

  logic served_q;  ///< The VC that was served last.
  logic tx_valid_q, tx_vc_q, tx_sop_q, tx_eop_q;
  logic [DataWidth-1:0] tx_data_q;
  logic dead_q;  ///< What leaves is discarded.
  logic [DrainWidth-1:0] drain_q;
  logic [CounterWidth-1:0] sent_q, marked_q, discarded_q;
  logic [ape_router_pkg::SumWidth-1:0] queue_q;
  logic clk;  ///< Stands while nothing leaves and nothing wants to.

  idle_gate i_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!idle_o || dead_q || request_i != '0 || credit_valid_i),
      .clk_o (clk)
  );

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    // The packet of the owner that leaves now leaves here. Otherwise an earlier packet of the same input still leaves elsewhere.
    logic here;
    ape_output_vc #(
        .NumInputs      (NumInputs),
        .MaxPayloadWords(MaxPayloadWords)
    ) i_vc (
        .clk_i          (clk),
        .rst_ni,
        .initial_words_i,
        .initial_packets_i,
        .enable_i       (enable_i && !dead_q),
        .request_i      (request_i[NumInputs*v+:NumInputs]),
        .length_i,
        .beaten_i,
        .grant_o        (grant[NumInputs*v+:NumInputs]),
        .owned_o        (owned[v]),
        .owner_o        (owner[InputWidth*v+:InputWidth]),
        .ending_i       (ending[v]),
        .release_i      (load && chosen_last && pick == (v == 1)),
        .credit_valid_i (credit_valid_i && credit_vc_i == (v == 1)),
        .credit_words_i,
        .credit_packets_i,
        .refund_word_i  (tx_valid_q && dead_q && tx_vc_q == (v == 1) && !tx_sop_q && !tx_eop_q),
        .refund_packet_i(tx_valid_q && dead_q && tx_vc_q == (v == 1) && tx_sop_q),
        .stall_o        (stall[v]),
        .enough_o       (enough[v]),
        .error_o        (error[v])
    );
    always_comb begin
      here = 1'b0;
      candidate[v] = 1'b0;
      ending[v] = 1'b0;
      for (int i = 0; i < NumInputs; i++) begin
        if (owner[InputWidth*v+:InputWidth] == InputWidth'(i)) begin
          here = target_i[IdWidth*i+:IdWidth] == IdWidth'(FirstId + v);
          candidate[v] = owned[v] && here && valid_i[i];
          ending[v] = here && ending_i[i];
        end
      end
    end
  end

  ape_mux #(
      .NumWords(NumInputs),
      .Width   (DataWidth)
  ) i_mux (
      .words_i(data_i),
      .index_i(chosen),
      .word_o (chosen_data)
  );

  ape_marker i_marker (
      .clk_i      (clk),
      .rst_ni,
      .threshold_i(mark_threshold_i),
      .rate_i     (mark_rate_i),
      .queue_i    (queue_q),
      .footer_i   (load && chosen_last),
      .large_i    (large_i[chosen]),
      .root_i     (enough[pick] || mark_always_i),
      .mark_o     (mark)
  );

  assign grant_o = grant[NumInputs-1:0] | grant[2*NumInputs-1:NumInputs];
  assign pick = candidate == 2'b11 ? !served_q : candidate[1];
  assign chosen = pick ? owner[2*InputWidth-1:InputWidth] : owner[InputWidth-1:0];
  assign chosen_last = last_i[chosen];
  assign accept = tx_ready_i || dead_q;
  assign load = candidate != 2'b00 && (!tx_valid_q || accept);
  assign pop_o = load ? NumInputs'(1) << chosen : '0;

  always_ff @(posedge clk) begin
    if (!rst_ni) begin
      // So that VC 0 is served first.
      served_q <= 1'b1;
      tx_valid_q <= 1'b0;
      tx_vc_q <= 1'b0;
      tx_sop_q <= 1'b0;
      tx_eop_q <= 1'b0;
    end else if (load) begin
      served_q <= pick;
      tx_valid_q <= 1'b1;
      tx_vc_q <= pick;
      tx_sop_q <= first_i[chosen];
      tx_eop_q <= chosen_last;
    end else if (accept) begin
      tx_valid_q <= 1'b0;
    end
    if (load) tx_data_q <= chosen_data | (mark ? Marked : '0);
  end

  always_ff @(posedge clk) begin
    if (!rst_ni) queue_q <= '0;
    else queue_q <= queue_i;
  end

  always_ff @(posedge clk) begin
    if (!rst_ni) begin
      dead_q <= 1'b0;
      drain_q <= '0;
      sent_q <= '0;
      marked_q <= '0;
      discarded_q <= '0;
    end else begin
      if (enable_i || !tx_valid_q || tx_ready_i) drain_q <= '0;
      else if (!dead_q) drain_q <= drain_q + 1'b1;
      if (!enable_i && drain_q == DrainWidth'(DrainCycles)) dead_q <= 1'b1;
      else if (enable_i && owned == 2'b00 && !tx_valid_q) dead_q <= 1'b0;
      if (tx_valid_q && tx_eop_q && !dead_q && tx_ready_i) sent_q <= sent_q + 1'b1;
      if (mark) marked_q <= marked_q + 1'b1;
      if (tx_valid_q && tx_eop_q && dead_q) discarded_q <= discarded_q + 1'b1;
    end
  end

  assign tx_valid_o = tx_valid_q && !dead_q;
  assign tx_vc_o = tx_vc_q;
  assign tx_sop_o = tx_sop_q;
  assign tx_eop_o = tx_eop_q;
  assign tx_data_o = tx_data_q;
  assign idle_o = owned == 2'b00 && !tx_valid_q;
  assign credit_stall_o = stall != 2'b00;
  assign sent_o = sent_q;
  assign marked_o = marked_q;
  assign discarded_o = discarded_q;
  assign error_o = error != 2'b00;

endmodule
