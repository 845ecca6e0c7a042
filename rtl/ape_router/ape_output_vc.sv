// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// One VC of an output port: counts the neighbour's credits and gives the VC to one packet at a time, and only when the neighbour has buffer space for
/// the largest packet (virtual cut-through). While a packet leaves, the next one is chosen, so that they follow each other without a gap.
module ape_output_vc #(
    parameter int unsigned NumInputs = 10,
    /// Payload words of the largest packet.
    parameter int unsigned MaxPayloadWords = 32,
    localparam int unsigned InputWidth = $clog2(NumInputs)
) (
    input  logic                                            clk_i,
    /// Synchronous, active low.
    input  logic                                            rst_ni,
    /// Credits after reset. Constant.
    input  logic [ape_router_pkg::WordCreditWidth-1:0]      initial_words_i,
    input  logic [ape_router_pkg::PacketCreditWidth-1:0]    initial_packets_i,
    /// New packets may begin.
    input  logic                                            enable_i,
    /// Packets that want this VC, by input VC, and their payload words.
    input  logic [NumInputs-1:0]                            request_i,
    input  logic [NumInputs*ape_router_pkg::LengthWidth-1:0] length_i,
    /// See ape_arbiter.
    input  logic [NumInputs*NumInputs/4-1:0]                beaten_i,
    /// The input VC whose packet gets this VC; one-hot or zero.
    output logic [NumInputs-1:0]                            grant_o,
    /// This VC has an owner, the input VC `owner_o`.
    output logic                                            owned_o,
    output logic [InputWidth-1:0]                           owner_o,
    /// The owner's packet has at most two words left; it ends at this edge.
    input  logic                                            ending_i,
    input  logic                                            release_i,
    /// Credits from the link, and for words that were discarded before it.
    input  logic                                            credit_valid_i,
    input  logic [ape_router_pkg::ReturnWidth-1:0]          credit_words_i,
    input  logic [ape_router_pkg::ReturnPacketWidth-1:0]    credit_packets_i,
    input  logic                                            refund_word_i,
    input  logic                                            refund_packet_i,
    /// A packet waits only for credits.
    output logic                                            stall_o,
    /// The neighbour has buffer space for the largest packet.
    output logic                                            enough_o,
    /// Sticky: more packet slots came back than were used, or more words than any buffer holds.
    output logic                                            error_o
);

  localparam int unsigned LengthWidth = ape_router_pkg::LengthWidth;
  localparam int unsigned WordCreditWidth = ape_router_pkg::WordCreditWidth;
  localparam int unsigned PacketCreditWidth = ape_router_pkg::PacketCreditWidth;

  logic enough, ready, granted;
  logic [ape_router_pkg::ReturnWidth:0] returned_words;
  logic [ape_router_pkg::ReturnPacketWidth:0] returned_packets;
  logic [InputWidth-1:0] winner;
  logic [LengthWidth-1:0] winner_length;
  logic owned_q, next_valid_q, error_q;
  logic [InputWidth-1:0] owner_q, next_q;
  logic [WordCreditWidth-1:0] words_q;
  logic [PacketCreditWidth-1:0] packets_q;

  assign enough = words_q >= WordCreditWidth'(MaxPayloadWords) && packets_q != '0;
  assign ready = enable_i && !next_valid_q && (!owned_q || ending_i);
  assign stall_o = request_i != '0 && ready && !enough;
  assign enough_o = enough;
  assign owned_o = owned_q;
  assign owner_o = owner_q;
  assign error_o = error_q;
  assign granted = grant_o != '0;

  ape_arbiter #(
      .NumRequests(NumInputs)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i(ready && enough),
      .request_i,
      .beaten_i,
      .grant_o
  );

  always_comb begin
    winner = '0;
    winner_length = '0;
    for (int i = 0; i < NumInputs; i++) begin
      if (grant_o[i]) begin
        winner = winner | InputWidth'(i);
        winner_length = winner_length | length_i[LengthWidth*i+:LengthWidth];
      end
    end
  end

  // What comes back at once; a neighbour that returns more than it was sent is an error.
  assign returned_words = (credit_valid_i ? {1'b0, credit_words_i} : '0) + {8'd0, refund_word_i};
  assign returned_packets = (credit_valid_i ? {1'b0, credit_packets_i} : '0) + {4'd0, refund_packet_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owned_q <= 1'b0;
      owner_q <= '0;
      next_valid_q <= 1'b0;
      next_q <= '0;
      error_q <= 1'b0;
      words_q <= initial_words_i;
      packets_q <= initial_packets_i;
    end else begin
      if (!owned_q || release_i) begin
        owned_q <= next_valid_q || granted;
        owner_q <= next_valid_q ? next_q : winner;
        next_valid_q <= 1'b0;
      end else if (granted) begin
        next_valid_q <= 1'b1;
        next_q <= winner;
      end
      words_q <= words_q + WordCreditWidth'(returned_words) - WordCreditWidth'(winner_length);
      packets_q <= packets_q + PacketCreditWidth'(returned_packets) - PacketCreditWidth'(granted);
      if ((words_q[WordCreditWidth-1] && words_q[WordCreditWidth-2:0] != '0) || packets_q > initial_packets_i) error_q <= 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!granted || !next_valid_q) else $error("a packet that was chosen is forgotten");
      assert (!next_valid_q || owned_q) else $error("chosen packet left waiting at a free VC");
      assert (!release_i || owned_q) else $error("release without an owner");
    end
  end
`endif

endmodule
