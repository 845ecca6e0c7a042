// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Two FPGAs joined by a serial board link, with the pins of apelink_link_top for its benches. Slice s of every vector belongs to side s; lane s leads from there
/// to the other side.
module serial_link_top (
    input  logic         clk_i,
    /// Of the transceivers of the two sides.
    input  logic [1:0]   line_clk_i,
    input  logic         rst_ni,
    input  logic [1:0]   side_reset_i,
    input  logic [1:0]   dark_i,
    input  logic [1:0]   cut_i,
    input  logic [1:0]   tx_valid_i,
    input  logic [1:0]   tx_vc_i,
    input  logic [1:0]   tx_sop_i,
    input  logic [1:0]   tx_eop_i,
    input  logic [255:0] tx_data_i,
    output logic [1:0]   tx_ready_o,
    output logic [1:0]   credit_valid_o,
    output logic [1:0]   credit_vc_o,
    output logic [15:0]  credit_count_o,
    output logic [1:0]   rx_valid_o,
    output logic [1:0]   rx_vc_o,
    output logic [1:0]   rx_sop_o,
    output logic [1:0]   rx_eop_o,
    output logic [255:0] rx_data_o,
    input  logic [1:0]   credit_valid_i,
    input  logic [1:0]   credit_vc_i,
    input  logic [15:0]  credit_count_i,
    /// Bits of a lane's block that turn over.
    input  logic [127:0] flip_i,
    output logic [1:0]   up_o,
    output logic [31:0]  crc_errors_o,
    output logic [31:0]  downs_o,
    output logic [1:0]   error_o
);

  logic [1:0] idle;
  logic [127:0] block;

  for (genvar s = 0; s < 2; s++) begin : gen_side
    localparam int unsigned Far = 1 - s;
    logic reset_n;
    assign reset_n = rst_ni && !side_reset_i[s];
    serial_board_link #(
        .RefreshCycles(60)
    ) i_link (
        .clk_i,
        .rst_ni        (reset_n),
        .line_clk_i    (line_clk_i[s]),
        .line_rst_ni   (reset_n),
        .far_clk_i     (line_clk_i[Far]),
        .far_rst_ni    (reset_n),
        .tx_valid_i    (tx_valid_i[s]),
        .tx_vc_i       (tx_vc_i[s]),
        .tx_sop_i      (tx_sop_i[s]),
        .tx_eop_i      (tx_eop_i[s]),
        .tx_data_i     (tx_data_i[128*s+:128]),
        .tx_ready_o    (tx_ready_o[s]),
        .credit_valid_o(credit_valid_o[s]),
        .credit_vc_o   (credit_vc_o[s]),
        .credit_count_o(credit_count_o[8*s+:8]),
        .rx_valid_o    (rx_valid_o[s]),
        .rx_vc_o       (rx_vc_o[s]),
        .rx_sop_o      (rx_sop_o[s]),
        .rx_eop_o      (rx_eop_o[s]),
        .rx_data_o     (rx_data_o[128*s+:128]),
        .credit_valid_i(credit_valid_i[s]),
        .credit_vc_i   (credit_vc_i[s]),
        .credit_count_i(credit_count_i[8*s+:8]),
        .line_idle_o   (idle[s]),
        .line_block_o  (block[64*s+:64]),
        .far_idle_i    (idle[Far] || cut_i[Far]),
        .far_block_i   (block[64*Far+:64] ^ flip_i[64*Far+:64]),
        .signal_i      (!dark_i[s]),
        .up_o          (up_o[s]),
        .crc_errors_o  (crc_errors_o[16*s+:16]),
        .downs_o       (downs_o[16*s+:16]),
        .error_o       (error_o[s])
    );
  end

endmodule
