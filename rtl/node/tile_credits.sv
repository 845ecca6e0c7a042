// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Between an intra-tile port of the APErouter, whose credits count payload words and packets, and what counts words of any kind: a network interface or a
/// board link. Towards the neighbour the words of a packet are given back together, when its last has left, so that credits are as rare as packets.
module tile_credits #(
    /// Packets that the far buffer of each VC holds: a power of two.
    parameter int unsigned Packets = 32
) (
    input  logic                                         clk_i,
    /// Synchronous, active low.
    input  logic                                         rst_ni,

    /// As in link_credits: what the router sends, and words that the neighbour has freed.
    input  logic                                         tx_valid_i,
    input  logic                                         tx_ready_i,
    input  logic                                         tx_vc_i,
    input  logic                                         tx_sop_i,
    input  logic [9:0]                                   tx_payload_bytes_i,
    input  logic                                         credit_valid_i,
    input  logic                                         credit_vc_i,
    input  logic [exanet_pkg::CreditWidth-1:0]           credit_count_i,
    output logic                                         router_credit_valid_o,
    output logic                                         router_credit_vc_o,
    output logic [ape_router_pkg::ReturnWidth-1:0]       router_credit_words_o,
    output logic [ape_router_pkg::ReturnPacketWidth-1:0] router_credit_packets_o,

    /// Credits of the router's input port, and the same in words for the neighbour, registered.
    input  logic                                         router_credit_valid_i,
    input  logic                                         router_credit_vc_i,
    input  logic [ape_router_pkg::ReturnWidth-1:0]       router_credit_words_i,
    input  logic [ape_router_pkg::ReturnPacketWidth-1:0] router_credit_packets_i,
    output logic                                         credit_valid_o,
    output logic                                         credit_vc_o,
    output logic [exanet_pkg::CreditWidth-1:0]           credit_count_o,

    /// Nothing is on its way through. Follows the registers.
    output logic                                         idle_o
);

  localparam int unsigned CreditWidth = exanet_pkg::CreditWidth;
  /// Words that are given back without a packet's end: only those of bad packets add up without one.
  localparam int unsigned Enough = 16;

  logic links_idle, freed_valid, freed_vc, whole, whole_q;
  logic [CreditWidth-1:0] freed, total, pending0_q, pending1_q;
  logic credit_valid_q, credit_vc_q;
  logic [CreditWidth-1:0] credit_count_q;

  link_credits #(
      .Packets(Packets)
  ) i_credits (
      .clk_i,
      .rst_ni,
      .tx_valid_i,
      .tx_ready_i,
      .tx_vc_i,
      .tx_sop_i,
      .tx_payload_bytes_i,
      .free_valid_i    (credit_valid_i),
      .free_vc_i       (credit_vc_i),
      .free_count_i    (credit_count_i),
      .credit_valid_o  (router_credit_valid_o),
      .credit_vc_o     (router_credit_vc_o),
      .credit_words_o  (router_credit_words_o),
      .credit_packets_o(router_credit_packets_o),
      .return_valid_i  (router_credit_valid_i),
      .return_vc_i     (router_credit_vc_i),
      .return_words_i  (router_credit_words_i),
      .return_packets_i(router_credit_packets_i),
      .freed_valid_o   (freed_valid),
      .freed_vc_o      (freed_vc),
      .freed_count_o   (freed),
      .idle_o          (links_idle)
  );

  assign total = (freed_vc ? pending1_q : pending0_q) + freed;
  assign whole = freed_valid && (whole_q || total >= CreditWidth'(Enough));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      whole_q <= 1'b0;
      pending0_q <= '0;
      pending1_q <= '0;
      credit_valid_q <= 1'b0;
      credit_vc_q <= 1'b0;
      credit_count_q <= '0;
    end else begin
      // Beside the translated count, which is a cycle later.
      whole_q <= router_credit_packets_i != '0;
      if (freed_valid && !freed_vc) pending0_q <= whole ? '0 : total;
      if (freed_valid && freed_vc) pending1_q <= whole ? '0 : total;
      credit_valid_q <= whole;
      credit_vc_q <= freed_vc;
      credit_count_q <= total;
    end
  end

  assign credit_valid_o = credit_valid_q;
  assign credit_vc_o = credit_vc_q;
  assign credit_count_o = credit_count_q;
  assign idle_o = links_idle && !credit_valid_q;

endmodule
