// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The Traffic Generator: sends packets of one size to one destination, and pays for them with credits.
module karma_generator #(
    /// The receiver gives credits. Without them, ready alone holds packets back.
    parameter bit UseCredits = 1'b1,
    /// Payload words and packets that the receiver holds for the VC.
    parameter int unsigned InitialWords = 1024,
    parameter int unsigned InitialPackets = 64
) (
    input  logic                                         clk_i,
    /// Synchronous, active low.
    input  logic                                         rst_ni,

    /// What to do; constant while busy. A start begins a series of `packets_i` packets.
    input  logic                                         start_i,
    input  logic [karma_pkg::CountWidth-1:0]             packets_i,
    input  logic [1:0]                                   mode_i,
    input  logic [1:0]                                   pattern_i,
    input  logic [9:0]                                   payload_bytes_i,
    input  logic [23:0]                                  coordinates_i,
    input  logic [2:0]                                   tile_port_i,
    input  logic [23:0]                                  source_i,
    input  logic                                         vc_i,
    /// Cycles to wait after each packet.
    input  logic [15:0]                                  gap_i,

    input  logic [karma_pkg::CountWidth-1:0]             now_i,
    /// A packet has arrived, and when it was sent: what Reflect and Ping wait for.
    input  logic                                         arrived_i,
    input  logic [karma_pkg::CountWidth-1:0]             born_i,

    output logic                                         tx_valid_o,
    output logic                                         tx_vc_o,
    output logic                                         tx_sop_o,
    output logic                                         tx_eop_o,
    output logic [127:0]                                 tx_data_o,
    input  logic                                         tx_ready_i,
    input  logic                                         credit_valid_i,
    input  logic                                         credit_vc_i,
    input  logic [ape_router_pkg::ReturnWidth-1:0]       credit_words_i,
    input  logic [ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_i,

    output logic                                         busy_o
);

  localparam int unsigned WordsWidth = ape_router_pkg::WordCreditWidth;
  localparam int unsigned PacketsWidth = ape_router_pkg::PacketCreditWidth;

  ape_router_pkg::header_t header;
  karma_pkg::footer_t footer;
  logic [5:0] payload_words;
  logic may_begin, taken;

  logic active_q;
  logic [karma_pkg::CountWidth-1:0] sent_q, budget_q, born_q, echo_q;
  logic [15:0] gap_q;
  logic [6:0] word_q;  ///< 0 is the header.
  logic [WordsWidth-1:0] words_q;
  logic [PacketsWidth-1:0] packets_q;

  assign payload_words = payload_bytes_i[9:4] + {5'd0, payload_bytes_i[3:0] != 4'd0};

  always_comb begin
    header = '0;
    header.message = sent_q;
    header.source = source_i;
    header.destination = coordinates_i;
    header.coordinates = coordinates_i;
    header.tile_port = tile_port_i;
    header.payload_bytes = payload_bytes_i;
    footer = '0;
    footer.sequence_number = sent_q;
    footer.born = born_q;
  end

  assign may_begin = active_q && gap_q == 16'd0 && (mode_i == karma_pkg::Stream || budget_q != '0) &&
                     (!UseCredits || (words_q >= WordsWidth'(payload_words) && packets_q != '0));
  assign tx_valid_o = word_q != 7'd0 || may_begin;
  assign tx_vc_o = vc_i;
  assign tx_sop_o = word_q == 7'd0;
  assign tx_eop_o = word_q == {1'b0, payload_words} + 7'd1;
  assign taken = tx_valid_o && tx_ready_i;
  assign busy_o = active_q;

  always_comb begin
    tx_data_o = karma_pkg::payload_word(pattern_i, sent_q, 6'(word_q - 7'd1));
    if (tx_sop_o) tx_data_o = header;
    if (tx_eop_o) tx_data_o = footer;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      sent_q <= '0;
      budget_q <= '0;
      born_q <= '0;
      echo_q <= '0;
      gap_q <= '0;
      word_q <= '0;
      words_q <= WordsWidth'(InitialWords);
      packets_q <= PacketsWidth'(InitialPackets);
    end else begin
      if (gap_q != 16'd0) gap_q <= gap_q - 16'd1;
      if (start_i && !active_q) begin
        active_q <= packets_i != '0;
        sent_q <= '0;
        gap_q <= '0;
        budget_q <= mode_i == karma_pkg::Ping ? 32'd1 : 32'd0;
      end
      if (arrived_i) echo_q <= born_i;
      if (active_q) budget_q <= budget_q + {31'd0, arrived_i} - {31'd0, taken && tx_sop_o && mode_i != karma_pkg::Stream};
      if (taken) begin
        word_q <= tx_eop_o ? 7'd0 : word_q + 7'd1;
        if (tx_sop_o) born_q <= mode_i == karma_pkg::Reflect ? echo_q : now_i;
        if (tx_eop_o) begin
          sent_q <= sent_q + 32'd1;
          gap_q <= gap_i;
          if (sent_q + 32'd1 == packets_i) active_q <= 1'b0;
        end
      end
      words_q <= words_q - (taken && tx_sop_o ? WordsWidth'(payload_words) : '0) +
                 (credit_valid_i && credit_vc_i == vc_i ? WordsWidth'(credit_words_i) : '0);
      packets_q <= packets_q - PacketsWidth'(taken && tx_sop_o) +
                   (credit_valid_i && credit_vc_i == vc_i ? PacketsWidth'(credit_packets_i) : '0);
    end
  end

endmodule
