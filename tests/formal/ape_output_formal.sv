// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Two output VCs behind an output port, with two input VCs that keep their side of the contract and a neighbour that returns what it got: credits
/// are conserved and never run below zero, each packet leaves whole, and packets never interleave within a VC.
module ape_output_formal (
    input logic       clk_i,
    input logic       rst_ni,
    /// Input VCs: a packet appears, of zero to one payload words, for an output VC; and a word of it is there.
    input logic [1:0] arrive_i,
    input logic [1:0] vc_i,
    input logic [1:0] long_i,
    input logic [1:0] there_i,
    input logic       ready_i,
    /// The neighbour returns a word or a packet slot of VC 0 or 1.
    input logic       credit_valid_i,
    input logic       credit_vc_i,
    input logic       credit_word_i,
    input logic       credit_packet_i
);

  localparam int unsigned LengthWidth = ape_router_pkg::LengthWidth;

  // An input VC: nothing, waiting (1), or leaving (2).
  logic [1:0] waiting_q, active_q, vc_q, long_q, first_q, left_q;
  logic [1:0] grant, pop, valid, last, ending;
  logic [2*LengthWidth-1:0] length;
  logic [3:0] target;
  logic [3:0] data;
  logic tx_valid, tx_vc, tx_sop, tx_eop;
  logic [1:0] tx_data;
  logic error, stall, idle;
  logic [15:0] sent, marked, discarded;

  for (genvar i = 0; i < 2; i++) begin : gen_input
    assign length[LengthWidth*i+:LengthWidth] = {5'd0, long_q[i]};
    assign target[2*i+:2] = {1'b0, vc_q[i]};
    assign data[2*i+:2] = 2'(i);
    assign valid[i] = active_q[i] && there_i[i];
    assign last[i] = !first_q[i] && !left_q[i];
    assign ending[i] = active_q[i] && (!first_q[i] || !left_q[i]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      active_q <= '0;
    end else begin
      for (int i = 0; i < 2; i++) begin
        if (!waiting_q[i] && !active_q[i] && arrive_i[i]) begin
          waiting_q[i] <= 1'b1;
          vc_q[i] <= vc_i[i];
          long_q[i] <= long_i[i];
        end
        if (grant[i]) begin
          waiting_q[i] <= 1'b0;
          active_q[i] <= 1'b1;
          first_q[i] <= 1'b1;
          left_q[i] <= long_q[i];
        end
        if (pop[i]) begin
          first_q[i] <= 1'b0;
          if (!first_q[i]) left_q[i] <= 1'b0;
          if (last[i]) active_q[i] <= 1'b0;
        end
      end
    end
  end

  ape_output_port #(
      .NumInputs      (2),
      .DataWidth      (2),
      .MaxPayloadWords(1),
      .IdWidth        (2),
      .FirstId        (0)
  ) i_port (
      .clk_i,
      .rst_ni,
      .initial_words_i  (13'd2),
      .initial_packets_i(8'd2),
      .enable_i         (1'b1),
      .request_i        ({waiting_q & vc_q, waiting_q & ~vc_q}),
      .beaten_i         (1'd0),
      .length_i         (length),
      .valid_i          (valid),
      .target_i         (target),
      .data_i           (data),
      .first_i          (first_q),
      .last_i           (last),
      .ending_i         (ending),
      .large_i          (2'b11),
      .mark_threshold_i ('0),
      .mark_rate_i      ('0),
      .mark_always_i    (1'b0),
      .queue_i          ('0),
      .grant_o          (grant),
      .pop_o            (pop),
      .tx_valid_o       (tx_valid),
      .tx_vc_o          (tx_vc),
      .tx_sop_o         (tx_sop),
      .tx_eop_o         (tx_eop),
      .tx_data_o        (tx_data),
      .tx_ready_i       (ready_i),
      .credit_valid_i,
      .credit_vc_i,
      .credit_words_i   ({7'd0, credit_word_i}),
      .credit_packets_i ({3'd0, credit_packet_i}),
      .idle_o           (idle),
      .credit_stall_o   (stall),
      .sent_o           (sent),
      .marked_o         (marked),
      .discarded_o      (discarded),
      .error_o          (error)
  );

  // The neighbour, by VC: what it holds, and the packet that is coming in.
  logic [1:0] words0_q, words1_q, packets0_q, packets1_q, from0_q, from1_q, in_packet_q;
  logic started_q;
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      words0_q <= '0;
      words1_q <= '0;
      packets0_q <= '0;
      packets1_q <= '0;
      in_packet_q <= '0;
    end else begin
      words0_q <= words0_q + 2'(tx_valid && ready_i && !tx_vc && !tx_sop && !tx_eop) -
                  2'(credit_valid_i && !credit_vc_i && credit_word_i);
      words1_q <= words1_q + 2'(tx_valid && ready_i && tx_vc && !tx_sop && !tx_eop) -
                  2'(credit_valid_i && credit_vc_i && credit_word_i);
      packets0_q <= packets0_q + 2'(tx_valid && ready_i && !tx_vc && tx_sop) -
                    2'(credit_valid_i && !credit_vc_i && credit_packet_i);
      packets1_q <= packets1_q + 2'(tx_valid && ready_i && tx_vc && tx_sop) -
                    2'(credit_valid_i && credit_vc_i && credit_packet_i);
      if (tx_valid && ready_i) begin
        if (tx_sop) in_packet_q[tx_vc] <= 1'b1;
        if (tx_eop) in_packet_q[tx_vc] <= 1'b0;
        if (tx_sop && !tx_vc) from0_q <= tx_data;
        if (tx_sop && tx_vc) from1_q <= tx_data;
      end
    end
  end

  always_comb begin
    assume (started_q == rst_ni);
    // It returns only what it holds.
    assume (!(credit_valid_i && credit_word_i) || (credit_vc_i ? words1_q : words0_q) != 2'd0);
    assume (!(credit_valid_i && credit_packet_i) || (credit_vc_i ? packets1_q : packets0_q) != 2'd0);
    if (started_q) begin
      assert ((grant & vc_q & ((grant & vc_q) - 1'b1)) == '0);
      assert ((grant & ~vc_q & ((grant & ~vc_q) - 1'b1)) == '0);
      // The neighbour never holds more than it has space for: two words and two packets.
      assert (words0_q != 2'd3 && words1_q != 2'd3);
      assert (packets0_q != 2'd3 && packets1_q != 2'd3);
      assert (!error);
      if (tx_valid) begin
        // Packets begin where none is open and all words of one come from the same input VC.
        assert (tx_sop == !in_packet_q[tx_vc]);
        assert (tx_sop || tx_data == (tx_vc ? from1_q : from0_q));
      end
      cover (in_packet_q == 2'b11);
    end
  end

endmodule
