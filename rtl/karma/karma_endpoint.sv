// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Generator, consumer and counter at one intra-tile port.
module karma_endpoint #(
    parameter bit UseCredits = 1'b1
) (
    input  logic                                         clk_i,
    /// Synchronous, active low.
    input  logic                                         rst_ni,

    /// As in karma_generator.
    input  logic                                         start_i,
    /// Clears the counter; while nothing is under way.
    input  logic                                         clear_i,
    input  logic [karma_pkg::CountWidth-1:0]             packets_i,
    input  logic [1:0]                                   mode_i,
    input  logic [1:0]                                   pattern_i,
    input  logic [9:0]                                   payload_bytes_i,
    input  logic [23:0]                                  coordinates_i,
    input  logic [2:0]                                   tile_port_i,
    input  logic [23:0]                                  source_i,
    input  logic                                         vc_i,
    input  logic [15:0]                                  gap_i,
    input  logic                                         stall_i,
    input  logic [karma_pkg::CountWidth-1:0]             now_i,

    /// To the network.
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
    /// From the network.
    input  logic                                         rx_valid_i,
    input  logic                                         rx_vc_i,
    input  logic                                         rx_sop_i,
    input  logic                                         rx_eop_i,
    input  logic [127:0]                                 rx_data_i,
    output logic                                         rx_ready_o,
    output logic                                         credit_valid_o,
    output logic                                         credit_vc_o,
    output logic [ape_router_pkg::ReturnWidth-1:0]       credit_words_o,
    output logic [ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_o,

    /// Generator and counter.
    output logic                                         busy_o,
    output karma_pkg::result_t                           result_o
);

  logic first, last, wrong;
  logic [9:0] payload_bytes;
  logic [karma_pkg::CountWidth-1:0] born;

  karma_generator #(
      .UseCredits(UseCredits)
  ) i_generator (
      .clk_i,
      .rst_ni,
      .start_i,
      .packets_i,
      .mode_i,
      .pattern_i,
      .payload_bytes_i,
      .coordinates_i,
      .tile_port_i,
      .source_i,
      .vc_i,
      .gap_i,
      .now_i,
      .arrived_i(last),
      .born_i   (born),
      .tx_valid_o,
      .tx_vc_o,
      .tx_sop_o,
      .tx_eop_o,
      .tx_data_o,
      .tx_ready_i,
      .credit_valid_i,
      .credit_vc_i,
      .credit_words_i,
      .credit_packets_i,
      .busy_o
  );

  karma_consumer i_consumer (
      .clk_i,
      .rst_ni,
      .clear_i,
      .pattern_i,
      .stall_i,
      .rx_valid_i,
      .rx_vc_i,
      .rx_sop_i,
      .rx_eop_i,
      .rx_data_i,
      .rx_ready_o,
      .credit_valid_o,
      .credit_vc_o,
      .credit_words_o,
      .credit_packets_o,
      .first_o        (first),
      .last_o         (last),
      .wrong_o        (wrong),
      .payload_bytes_o(payload_bytes),
      .born_o         (born)
  );

  karma_counter i_counter (
      .clk_i,
      .rst_ni,
      .clear_i,
      .now_i,
      .first_i        (first),
      .last_i         (last),
      .wrong_i        (wrong),
      .payload_bytes_i(payload_bytes),
      .born_i         (born),
      .result_o
  );

endmodule
