// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Two ends of a link and the two channels between them. Slice s of every vector belongs to side s; channel s leads from side s to the other.
module apelink_link_top #(
    parameter int unsigned MaxPayloadBytes = 512,
    parameter int unsigned BufferWords = 64,
    parameter int unsigned RefreshCycles = 512,
    parameter int unsigned CountWidth = 8,
    parameter bit StoreForward = 1'b0,
    parameter int unsigned GearCycles = 2,
    parameter int unsigned LatencyCycles = 10,
    parameter int unsigned SkewCycles = 0
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    /// A side is in reset, its channel is not.
    input  logic [1:0]   side_reset_i,
    /// Counts are the low bits of 16 each.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [63:0]  tred_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic         supervise_i,
    /// The transceiver of a side receives nothing, and says so.
    input  logic [1:0]   dark_i,
    /// What the channel of a side would deliver vanishes.
    input  logic [1:0]   cut_i,
    input  logic [1:0]   tx_valid_i,
    input  logic [1:0]   tx_vc_i,
    input  logic [1:0]   tx_sop_i,
    input  logic [1:0]   tx_eop_i,
    input  logic [255:0] tx_data_i,
    output logic [1:0]   tx_ready_o,
    output logic [1:0]   credit_valid_o,
    output logic [1:0]   credit_vc_o,
    output logic [31:0]  credit_count_o,
    output logic [5:0]   credit_health_o,
    output logic [1:0]   rx_valid_o,
    output logic [1:0]   rx_vc_o,
    output logic [1:0]   rx_sop_o,
    output logic [1:0]   rx_eop_o,
    output logic [255:0] rx_data_o,
    output logic [1:0]   rx_bad_o,
    input  logic [1:0]   credit_valid_i,
    input  logic [1:0]   credit_vc_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [31:0]  credit_count_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [5:0]   credit_health_i,
    /// Holds back the stream into, or out of, the channel of a side.
    input  logic [1:0]   stall_in_i,
    input  logic [1:0]   stall_out_i,
    /// The word that enters the channel at this edge, and the bits of it to turn over.
    output logic [1:0]   wire_valid_o,
    output logic [255:0] wire_data_o,
    input  logic [255:0] flip_i,
    input  logic [31:0]  error_rate_i,
    output logic [63:0]  random_errors_o,
    output logic [17:0]  high_water_o,
    output logic [63:0]  used_o,
    output logic [47:0]  waiting_o,
    output logic [31:0]  words_sent_o,
    output logic [31:0]  packets_sent_o,
    output logic [31:0]  packets_received_o,
    output logic [31:0]  corrected_headers_o,
    output logic [31:0]  uncorrectable_headers_o,
    output logic [31:0]  crc_errors_o,
    output logic [31:0]  dropped_packets_o,
    output logic [31:0]  resyncs_o,
    output logic [31:0]  credit_stalls_o,
    output logic [31:0]  credit_words_o,
    output logic [3:0]   link_o,
    output logic [31:0]  downs_o,
    output logic [31:0]  aborted_packets_o,
    output logic [1:0]   error_o,
    output logic [1:0]   idle_o
);

  logic [255:0] tx_data, rx_data;
  logic [1:0] tx_valid, tx_ready, channel_ready, channel_valid, rx_ready;

  apelink_pkg::link_e link[2];
  assign link_o = {link[1], link[0]};
  assign wire_valid_o = tx_valid & channel_ready & ~stall_in_i;
  assign wire_data_o = tx_data;
  assign tx_ready = channel_ready & ~stall_in_i;

  for (genvar s = 0; s < 2; s++) begin : gen_side
    localparam int unsigned Far = 1 - s;
    logic [CountWidth-1:0] credit_count;
    logic [2*CountWidth-1:0] used;
    assign credit_count_o[16*s+:16] = 16'(credit_count);
    assign used_o[32*s+:32] = {16'(used[CountWidth+:CountWidth]), 16'(used[0+:CountWidth])};
    apelink_tcl #(
        .BufferWords    (BufferWords),
        .MaxPayloadBytes(MaxPayloadBytes),
        .RefreshCycles  (RefreshCycles),
        .CountWidth     (CountWidth),
        .StoreForward   (StoreForward)
    ) i_tcl (
        .clk_i,
        .rst_ni                 (rst_ni && !side_reset_i[s]),
        .supervise_i,
        .signal_i               (!dark_i[s]),
        .tred_i                 ({tred_i[32*s+16+:CountWidth], tred_i[32*s+:CountWidth]}),
        .tx_valid_i             (tx_valid_i[s]),
        .tx_vc_i                (tx_vc_i[s]),
        .tx_sop_i               (tx_sop_i[s]),
        .tx_eop_i               (tx_eop_i[s]),
        .tx_data_i              (tx_data_i[128*s+:128]),
        .tx_ready_o             (tx_ready_o[s]),
        .credit_valid_o         (credit_valid_o[s]),
        .credit_vc_o            (credit_vc_o[s]),
        .credit_count_o         (credit_count),
        .credit_health_o        (credit_health_o[3*s+:3]),
        .rx_valid_o             (rx_valid_o[s]),
        .rx_vc_o                (rx_vc_o[s]),
        .rx_sop_o               (rx_sop_o[s]),
        .rx_eop_o               (rx_eop_o[s]),
        .rx_data_o              (rx_data_o[128*s+:128]),
        .rx_bad_o               (rx_bad_o[s]),
        .credit_valid_i         (credit_valid_i[s]),
        .credit_vc_i            (credit_vc_i[s]),
        .credit_count_i         (credit_count_i[16*s+:CountWidth]),
        .credit_health_i        (credit_health_i[3*s+:3]),
        .m_tdata_o              (tx_data[128*s+:128]),
        .m_tvalid_o             (tx_valid[s]),
        .m_tready_i             (tx_ready[s]),
        .s_tdata_i              (rx_data[128*Far+:128]),
        .s_tvalid_i             (channel_valid[Far] && !stall_out_i[Far] && !cut_i[Far]),
        .s_tready_o             (rx_ready[Far]),
        .waiting_o              (waiting_o[24*s+:24]),
        .used_o                 (used),
        .words_sent_o           (words_sent_o[16*s+:16]),
        .packets_sent_o         (packets_sent_o[16*s+:16]),
        .packets_received_o     (packets_received_o[16*s+:16]),
        .corrected_headers_o    (corrected_headers_o[16*s+:16]),
        .uncorrectable_headers_o(uncorrectable_headers_o[16*s+:16]),
        .crc_errors_o           (crc_errors_o[16*s+:16]),
        .dropped_packets_o      (dropped_packets_o[16*s+:16]),
        .resyncs_o              (resyncs_o[16*s+:16]),
        .credit_stalls_o        (credit_stalls_o[16*s+:16]),
        .credit_words_o         (credit_words_o[16*s+:16]),
        .link_o                 (link[s]),
        .downs_o                (downs_o[16*s+:16]),
        .aborted_packets_o      (aborted_packets_o[16*s+:16]),
        .error_o                (error_o[s]),
        .idle_o                 (idle_o[s])
    );
    transceiver_model #(
        .GearCycles   (GearCycles),
        .LatencyCycles(LatencyCycles),
        .SkewCycles   (SkewCycles),
        .Seed         (64'h9E37_79B9_7F4A_7C15 + 64'(s))
    ) i_channel (
        .clk_i,
        .rst_ni,
        .s_tdata_i      (tx_data[128*s+:128]),
        .s_tvalid_i     (tx_valid[s] && !stall_in_i[s]),
        .s_tready_o     (channel_ready[s]),
        .m_tdata_o      (rx_data[128*s+:128]),
        .m_tvalid_o     (channel_valid[s]),
        .m_tready_i     ((rx_ready[s] && !stall_out_i[s]) || cut_i[s]),
        .error_rate_i,
        .flip_i         (flip_i[128*s+:128]),
        .random_errors_o(random_errors_o[32*s+:32]),
        .high_water_o   (high_water_o[9*s+:9])
    );
  end

endmodule
