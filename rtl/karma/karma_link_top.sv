// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Self-test of APElink: one link between two generators and consumers, each end with its control logic and a channel of 10 Gb/s. Sender 0 is at
/// this end, sender 1 at the other, which loads the direction back.
module karma_link_top #(
    parameter int unsigned LatencyCycles = 19
) (
    input  logic               clk_i,
    /// As in karma_router_top.
    input  logic               rst_ni,
    input  logic               clear_i,
    input  logic               start_i,
    input  logic [1:0]         senders_i,
    input  logic [31:0]        packets_i,
    input  logic               ping_i,
    input  logic [1:0]         pattern_i,
    input  logic [9:0]         payload_bytes_i,
    input  logic [2:0]         hops_i,
    input  logic [31:0]        error_rate_i,
    output karma_pkg::result_t sink_o,
    output karma_pkg::result_t echo_o,
    output logic               busy_o
);

  if (LatencyCycles < 3) begin : gen_check
    $error("karma_link_top: LatencyCycles must be 3 or more");
  end

  localparam int unsigned CountWidth = apelink_pkg::CountWidth;

  logic [31:0] now_q;
  logic [1:0] busy;
  logic [255:0] wire_out, wire_in;
  logic [1:0] wire_out_valid, wire_out_ready, wire_in_valid, wire_in_ready;
  karma_pkg::result_t [1:0] result;
  logic unused;

  always_ff @(posedge clk_i) now_q <= rst_ni ? now_q + 32'd1 : '0;

  /* verilator lint_off PINCONNECTEMPTY */
  for (genvar e = 0; e < 2; e++) begin : gen_end
    logic valid, vc, sop, eop, ready, rx_valid, rx_vc, rx_sop, rx_eop, down_valid, down_vc;
    logic [127:0] data, rx_data;
    logic [ape_router_pkg::ReturnWidth-1:0] down_words;
    logic [ape_router_pkg::ReturnPacketWidth-1:0] down_packets;
    logic [CountWidth-1:0] freed;

    karma_endpoint #(
        .UseCredits(1'b0)
    ) i_endpoint (
        .clk_i,
        .rst_ni,
        .start_i         (start_i && (ping_i || senders_i[e])),
        .clear_i,
        .packets_i,
        .mode_i          (!ping_i ? karma_pkg::Stream : e == 0 ? karma_pkg::Ping : karma_pkg::Reflect),
        .pattern_i,
        .payload_bytes_i,
        .coordinates_i   ('0),
        .tile_port_i     ('0),
        .source_i        (24'(e)),
        .vc_i            (1'b0),
        .gap_i           ('0),
        .stall_i         (1'b0),
        .now_i           (now_q),
        .tx_valid_o      (valid),
        .tx_vc_o         (vc),
        .tx_sop_o        (sop),
        .tx_eop_o        (eop),
        .tx_data_o       (data),
        .tx_ready_i      (ready),
        .credit_valid_i  (1'b0),
        .credit_vc_i     (1'b0),
        .credit_words_i  ('0),
        .credit_packets_i('0),
        .rx_valid_i      (rx_valid),
        .rx_vc_i         (rx_vc),
        .rx_sop_i        (rx_sop),
        .rx_eop_i        (rx_eop),
        .rx_data_i       (rx_data),
        .rx_ready_o      (),
        .credit_valid_o  (down_valid),
        .credit_vc_o     (down_vc),
        .credit_words_o  (down_words),
        .credit_packets_o(down_packets),
        .busy_o          (busy[e]),
        .result_o        (result[e])
    );

    // A packet slot stands for its header and footer.
    assign freed = CountWidth'(down_words) + (CountWidth'(down_packets) << 1);

    apelink_tcl i_tcl (
        .clk_i,
        .rst_ni,
        .tred_i                 ({CountWidth'(200), CountWidth'(200)}),
        .supervise_i            (1'b0),
        .signal_i               (1'b1),
        .tx_valid_i             (valid),
        .tx_vc_i                (vc),
        .tx_sop_i               (sop),
        .tx_eop_i               (eop),
        .tx_data_i              (data),
        .tx_ready_o             (ready),
        .credit_valid_o         (),
        .credit_vc_o            (),
        .credit_count_o         (),
        .credit_health_o        (),
        .rx_valid_o             (rx_valid),
        .rx_vc_o                (rx_vc),
        .rx_sop_o               (rx_sop),
        .rx_eop_o               (rx_eop),
        .rx_data_o              (rx_data),
        .rx_bad_o               (),
        .credit_valid_i         (down_valid),
        .credit_vc_i            (down_vc),
        .credit_count_i         (freed),
        .credit_health_i        ('0),
        .m_tdata_o              (wire_out[128*e+:128]),
        .m_tvalid_o             (wire_out_valid[e]),
        .m_tready_i             (wire_out_ready[e]),
        .s_tdata_i              (wire_in[128*e+:128]),
        .s_tvalid_i             (wire_in_valid[e]),
        .s_tready_o             (wire_in_ready[e]),
        .used_o                 (),
        .waiting_o              (),
        .words_sent_o           (),
        .packets_sent_o         (),
        .packets_received_o     (),
        .corrected_headers_o    (),
        .uncorrectable_headers_o(),
        .crc_errors_o           (),
        .dropped_packets_o      (),
        .resyncs_o              (),
        .credit_stalls_o        (),
        .credit_words_o         (),
        .link_o                 (),
        .downs_o                (),
        .aborted_packets_o      (),
        .error_o                (),
        .idle_o                 ()
    );

    transceiver_model #(
        .LatencyCycles(LatencyCycles),
        .Seed         (64'h9E37_79B9_7F4A_7C15 + 64'(e))
    ) i_channel (
        .clk_i,
        .rst_ni,
        .s_tdata_i      (wire_out[128*e+:128]),
        .s_tvalid_i     (wire_out_valid[e]),
        .s_tready_o     (wire_out_ready[e]),
        .m_tdata_o      (wire_in[128*(1-e)+:128]),
        .m_tvalid_o     (wire_in_valid[1-e]),
        .m_tready_i     (wire_in_ready[1-e]),
        .error_rate_i,
        .flip_i         ('0),
        .random_errors_o(),
        .high_water_o   ()
    );
  end
  /* verilator lint_on PINCONNECTEMPTY */

  assign sink_o = result[1];
  assign echo_o = result[0];
  assign busy_o = busy != '0;
  assign unused = ^hops_i;

endmodule
