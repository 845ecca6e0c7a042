// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Self-test of whole network IPs: a row of nodes, each a network IP with three endpoints, joined by channels of 10 Gb/s. Generators at intra-tile
/// ports 0 and 1 of node 0 send to port 2 of node `hops_i`.
module karma_node_top #(
    parameter int unsigned Nodes = 3,
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
    /// Less than Nodes.
    input  logic [2:0]         hops_i,
    input  logic [31:0]        error_rate_i,
    output karma_pkg::result_t sink_o,
    output karma_pkg::result_t echo_o,
    output logic               busy_o
);

  localparam int unsigned ReturnWidth = ape_router_pkg::ReturnWidth;
  localparam int unsigned ReturnPacketWidth = ape_router_pkg::ReturnPacketWidth;

  if (Nodes < 2 || Nodes > 8 || LatencyCycles < 3) begin : gen_check
    $error("karma_node_top: Nodes must be 2 to 8, LatencyCycles 3 or more");
  end

  logic [31:0] now_q;
  logic [3*Nodes-1:0] busy;
  karma_pkg::result_t [3*Nodes-1:0] result;
  // Link 2n is "+" of node n, link 2n + 1 its "-".
  // The ends of the row lead nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [256*Nodes-1:0] out_data, in_data;
  logic [2*Nodes-1:0] out_valid, out_ready, in_valid, in_ready;
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk_i) now_q <= rst_ni ? now_q + 32'd1 : '0;

  /* verilator lint_off PINCONNECTEMPTY */
  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    logic [2:0] valid, vc, sop, eop, up_valid, up_vc, rx_valid, rx_vc, rx_sop, rx_eop, rx_ready, down_valid, down_vc;
    logic [3*128-1:0] data, rx_data;
    logic [3*ReturnWidth-1:0] up_words, down_words;
    logic [3*ReturnPacketWidth-1:0] up_packets, down_packets;

    for (genvar p = 0; p < 3; p++) begin : gen_endpoint
      logic takes_part;
      assign takes_part = p == 2 ? ping_i && hops_i == 3'(n) : n == 0 && senders_i[p%2];

      karma_endpoint i_endpoint (
          .clk_i,
          .rst_ni,
          .start_i         (start_i && takes_part),
          .clear_i,
          .packets_i,
          .mode_i          (!ping_i ? karma_pkg::Stream : p == 2 ? karma_pkg::Reflect : karma_pkg::Ping),
          .pattern_i,
          .payload_bytes_i,
          .coordinates_i   (p == 2 ? 24'd0 : {21'd0, hops_i}),
          .tile_port_i     (p == 2 ? 3'd0 : 3'd2),
          .source_i        (24'(p)),
          .vc_i            (1'b0),
          .gap_i           ('0),
          .stall_i         (1'b0),
          .now_i           (now_q),
          .tx_valid_o      (valid[p]),
          .tx_vc_o         (vc[p]),
          .tx_sop_o        (sop[p]),
          .tx_eop_o        (eop[p]),
          .tx_data_o       (data[128*p+:128]),
          .tx_ready_i      (1'b1),
          .credit_valid_i  (up_valid[p]),
          .credit_vc_i     (up_vc[p]),
          .credit_words_i  (up_words[ReturnWidth*p+:ReturnWidth]),
          .credit_packets_i(up_packets[ReturnPacketWidth*p+:ReturnPacketWidth]),
          .rx_valid_i      (rx_valid[p]),
          .rx_vc_i         (rx_vc[p]),
          .rx_sop_i        (rx_sop[p]),
          .rx_eop_i        (rx_eop[p]),
          .rx_data_i       (rx_data[128*p+:128]),
          .rx_ready_o      (rx_ready[p]),
          .credit_valid_o  (down_valid[p]),
          .credit_vc_o     (down_vc[p]),
          .credit_words_o  (down_words[ReturnWidth*p+:ReturnWidth]),
          .credit_packets_o(down_packets[ReturnPacketWidth*p+:ReturnPacketWidth]),
          .busy_o          (busy[3*n+p]),
          .result_o        (result[3*n+p])
      );
    end

    // A ring of eight, of which only the first nodes are there, so that the path to higher coordinates leads through "+".
    network_ip i_network (
        .clk_i,
        .rst_ni,
        .coordinates_i       (24'(n)),
        .last_i              (24'd7),
        .port_enable_i       ('1),
        .dimension_order_i   (6'b00_01_10),
        .vc_by_direction_i   (1'b0),
        .fixed_priority_i    (1'b0),
        .priority_i          ('0),
        .mark_threshold_i    ('0),
        .mark_rate_i         ('0),
        .mark_least_i        ('0),
        .mark_hosts_i        (1'b0),
        .health_i            ('0),
        .tred_i              (apelink_pkg::LongCountWidth'(128)),
        .supervise_i         (1'b0),
        .signal_i            ('1),
        .tile_words_i        (ape_router_pkg::WordCreditWidth'(256)),
        .tile_packets_i      (ape_router_pkg::PacketCreditWidth'(64)),
        .rx_valid_i          (valid),
        .rx_vc_i             (vc),
        .rx_sop_i            (sop),
        .rx_eop_i            (eop),
        .rx_data_i           (data),
        .credit_valid_o      (up_valid),
        .credit_vc_o         (up_vc),
        .credit_words_o      (up_words),
        .credit_packets_o    (up_packets),
        .tx_valid_o          (rx_valid),
        .tx_vc_o             (rx_vc),
        .tx_sop_o            (rx_sop),
        .tx_eop_o            (rx_eop),
        .tx_data_o           (rx_data),
        .tx_ready_i          (rx_ready),
        .credit_valid_i      (down_valid),
        .credit_vc_i         (down_vc),
        .credit_words_i      (down_words),
        .credit_packets_i    (down_packets),
        .m_tdata_o           (out_data[256*n+:256]),
        .m_tvalid_o          (out_valid[2*n+:2]),
        .m_tready_i          (out_ready[2*n+:2]),
        .s_tdata_i           (in_data[256*n+:256]),
        .s_tvalid_i          (in_valid[2*n+:2]),
        .s_tready_o          (in_ready[2*n+:2]),
        .router_idle_o       (),
        .links_idle_o        (),
        .credit_stall_o      (),
        .router_error_o      (),
        .dropped_route_o     (),
        .dropped_disabled_o  (),
        .malformed_o         (),
        .sent_o              (),
        .marked_o            (),
        .discarded_o         (),
        .neighbour_health_o  (),
        .queued_o            (),
        .packets_o           (),
        .link_waiting_o      (),
        .link_error_o        (),
        .link_used_o         (),
        .link_corrected_o    (),
        .link_uncorrectable_o(),
        .link_crc_errors_o   (),
        .link_dropped_o      (),
        .link_resyncs_o      (),
        .link_up_o           (),
        .link_downs_o        (),
        .link_aborted_o      ()
    );
  end

  // From "+" of each node to "-" of the next and back.
  for (genvar n = 0; n + 1 < Nodes; n++) begin : gen_channel
    for (genvar d = 0; d < 2; d++) begin : gen_direction
      localparam int unsigned From = d == 0 ? 2 * n : 2 * (n + 1) + 1;
      localparam int unsigned To = d == 0 ? 2 * (n + 1) + 1 : 2 * n;
      transceiver_model #(
          .LatencyCycles(LatencyCycles),
          .Seed         (64'h9E37_79B9_7F4A_7C15 + 64'(From))
      ) i_channel (
          .clk_i,
          .rst_ni,
          .s_tdata_i      (out_data[128*From+:128]),
          .s_tvalid_i     (out_valid[From]),
          .s_tready_o     (out_ready[From]),
          .m_tdata_o      (in_data[128*To+:128]),
          .m_tvalid_o     (in_valid[To]),
          .m_tready_i     (in_ready[To]),
          .error_rate_i,
          .flip_i         ('0),
          .random_errors_o(),
          .high_water_o   ()
      );
    end
  end
  /* verilator lint_on PINCONNECTEMPTY */

  // The ends of the row are open.
  assign in_data[128+:128] = '0;
  assign in_valid[1] = 1'b0;
  assign out_ready[1] = 1'b1;
  assign in_data[256*(Nodes-1)+:128] = '0;
  assign in_valid[2*(Nodes-1)] = 1'b0;
  assign out_ready[2*(Nodes-1)] = 1'b1;

  always_comb begin
    sink_o = '0;
    for (int n = 0; n < Nodes; n++) begin
      if (hops_i == 3'(n)) sink_o = result[3*n+2];
    end
  end
  assign echo_o = result[0];
  assign busy_o = busy != '0;

endmodule
