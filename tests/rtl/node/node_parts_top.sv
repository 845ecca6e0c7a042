// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Ends of links of a node side by side, with small buffers, for test benches of their own. Both translators of credits see the same.
module node_parts_top (
    input  logic                                         clk_i,
    input  logic                                         rst_ni,

    // link_credits and tile_credits.
    input  logic                                         tx_valid_i,
    input  logic                                         tx_ready_i,
    input  logic                                         tx_vc_i,
    input  logic                                         tx_sop_i,
    input  logic [9:0]                                   tx_payload_bytes_i,
    input  logic                                         free_valid_i,
    input  logic                                         free_vc_i,
    input  logic [7:0]                                   free_count_i,
    /// Bit 0 is of link_credits, bit 1 of tile_credits.
    output logic [1:0]                                   credit_valid_o,
    output logic [1:0]                                   credit_vc_o,
    output logic [2*ape_router_pkg::ReturnWidth-1:0]     credit_words_o,
    output logic [2*ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_o,
    input  logic                                         return_valid_i,
    input  logic                                         return_vc_i,
    input  logic [ape_router_pkg::ReturnWidth-1:0]       return_words_i,
    input  logic [ape_router_pkg::ReturnPacketWidth-1:0] return_packets_i,
    output logic [1:0]                                   freed_valid_o,
    output logic [1:0]                                   freed_vc_o,
    output logic [15:0]                                  freed_count_o,
    output logic [1:0]                                   credits_idle_o,

    // board_link_rx.
    input  logic                                         rx_valid_i,
    input  logic                                         rx_vc_i,
    input  logic                                         rx_sop_i,
    input  logic                                         rx_eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]             rx_data_i,
    output logic                                         rx_credit_valid_o,
    output logic                                         rx_credit_vc_o,
    output logic [exanet_pkg::CreditWidth-1:0]           rx_credit_count_o,
    output logic                                         valid_o,
    output logic                                         sop_o,
    output logic                                         eop_o,
    output logic [exanet_pkg::DataWidth-1:0]             data_o,
    input  logic                                         ready_i,
    output logic [11:0]                                  rx_queued_o,
    output logic                                         rx_drop_o,
    output logic                                         rx_idle_o,
    output logic                                         rx_error_o,

    // board_link_tx.
    input  logic                                         valid_i,
    input  logic                                         sop_i,
    input  logic                                         eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]             data_i,
    output logic                                         ready_o,
    output logic                                         link_valid_o,
    output logic                                         link_vc_o,
    output logic                                         link_sop_o,
    output logic                                         link_eop_o,
    output logic [exanet_pkg::DataWidth-1:0]             link_data_o,
    input  logic                                         link_ready_i,
    input  logic                                         link_credit_valid_i,
    input  logic                                         link_credit_vc_i,
    input  logic [exanet_pkg::CreditWidth-1:0]           link_credit_count_i,
    output logic [5:0]                                   tx_used_o,
    output logic                                         credit_stall_o,
    output logic                                         tx_error_o
);

  link_credits #(
      .Packets(4)
  ) i_link (
      .clk_i,
      .rst_ni,
      .tx_valid_i,
      .tx_ready_i,
      .tx_vc_i,
      .tx_sop_i,
      .tx_payload_bytes_i,
      .free_valid_i,
      .free_vc_i,
      .free_count_i,
      .credit_valid_o  (credit_valid_o[0]),
      .credit_vc_o     (credit_vc_o[0]),
      .credit_words_o  (credit_words_o[0+:ape_router_pkg::ReturnWidth]),
      .credit_packets_o(credit_packets_o[0+:ape_router_pkg::ReturnPacketWidth]),
      .return_valid_i,
      .return_vc_i,
      .return_words_i,
      .return_packets_i,
      .freed_valid_o   (freed_valid_o[0]),
      .freed_vc_o      (freed_vc_o[0]),
      .freed_count_o   (freed_count_o[7:0]),
      .idle_o          (credits_idle_o[0])
  );
  tile_credits #(
      .Packets(4)
  ) i_tile (
      .clk_i,
      .rst_ni,
      .tx_valid_i,
      .tx_ready_i,
      .tx_vc_i,
      .tx_sop_i,
      .tx_payload_bytes_i,
      .credit_valid_i         (free_valid_i),
      .credit_vc_i            (free_vc_i),
      .credit_count_i         (free_count_i),
      .router_credit_valid_o  (credit_valid_o[1]),
      .router_credit_vc_o     (credit_vc_o[1]),
      .router_credit_words_o  (credit_words_o[ape_router_pkg::ReturnWidth+:ape_router_pkg::ReturnWidth]),
      .router_credit_packets_o(credit_packets_o[ape_router_pkg::ReturnPacketWidth+:ape_router_pkg::ReturnPacketWidth]),
      .router_credit_valid_i  (return_valid_i),
      .router_credit_vc_i     (return_vc_i),
      .router_credit_words_i  (return_words_i),
      .router_credit_packets_i(return_packets_i),
      .credit_valid_o         (freed_valid_o[1]),
      .credit_vc_o            (freed_vc_o[1]),
      .credit_count_o         (freed_count_o[15:8]),
      .idle_o                 (credits_idle_o[1])
  );

  board_link_rx #(
      .BufferWords(32)
  ) i_rx (
      .clk_i,
      .rst_ni,
      .rx_valid_i,
      .rx_vc_i,
      .rx_sop_i,
      .rx_eop_i,
      .rx_data_i,
      .credit_valid_o(rx_credit_valid_o),
      .credit_vc_o   (rx_credit_vc_o),
      .credit_count_o(rx_credit_count_o),
      .valid_o,
      .sop_o,
      .eop_o,
      .data_o,
      .ready_i,
      .queued_o      (rx_queued_o),
      .drop_o        (rx_drop_o),
      .idle_o        (rx_idle_o),
      .error_o       (rx_error_o)
  );
  board_link_tx #(
      .FarWords(32)
  ) i_tx (
      .clk_i,
      .rst_ni,
      .valid_i,
      .sop_i,
      .eop_i,
      .data_i,
      .ready_o,
      .tx_valid_o    (link_valid_o),
      .tx_vc_o       (link_vc_o),
      .tx_sop_o      (link_sop_o),
      .tx_eop_o      (link_eop_o),
      .tx_data_o     (link_data_o),
      .tx_ready_i    (link_ready_i),
      .credit_valid_i(link_credit_valid_i),
      .credit_vc_i   (link_credit_vc_i),
      .credit_count_i(link_credit_count_i),
      .used_o        (tx_used_o),
      .credit_stall_o,
      .error_o       (tx_error_o)
  );

endmodule
