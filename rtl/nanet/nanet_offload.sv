// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// UDP, IPv4, ARP and ICMP echo of a port: frames on one side, datagrams on the other.
module nanet_offload (
    input  logic                     clk_i,
    /// Synchronous, active low.
    input  logic                     rst_ni,
    input  nanet_pkg::station_t      station_i,
    input  logic [31:0]              arp_timeout_i,
    input  logic                     flush_arp_i,
    /// Received frames.
    input  logic                     rx_valid_i,
    output logic                     rx_ready_o,
    input  nanet_pkg::beat_t         rx_beat_i,
    /// Received datagrams, which nothing stops.
    output logic                     valid_o,
    output logic                     first_o,
    output nanet_pkg::beat_t         beat_o,
    output nanet_pkg::datagram_t     datagram_o,
    /// Datagrams to send.
    input  logic                     valid_i,
    output logic                     ready_o,
    input  nanet_pkg::beat_t         beat_i,
    input  nanet_pkg::destination_t  destination_i,
    /// Frames to send: they do not pause.
    output logic                     tx_valid_o,
    input  logic                     tx_ready_i,
    output nanet_pkg::beat_t         tx_beat_o,
    /// For one cycle each: what became of a received frame, of a datagram to send, and that an echo was answered.
    output logic                     rx_result_valid_o,
    output logic [nanet_pkg::ResultWidth-1:0] rx_result_o,
    output logic                     tx_result_valid_o,
    output logic [nanet_pkg::ResultWidth-1:0] tx_result_o,
    output logic                     echo_o
);

  localparam int unsigned B = nanet_pkg::BeatWidth;

  logic parsed_valid, parsed_ready, take, arp_ok;
  logic [2:0] index;
  nanet_pkg::beat_t parsed;
  nanet_pkg::frame_header_t header;
  logic heard, heard_request, heard_for_me;
  logic [47:0] heard_mac, mac;
  logic [31:0] heard_ip, resolve_ip;
  logic resolve, resolved, failed;
  logic [2:0] tx_valid, tx_ready;
  logic [3*B-1:0] tx_beats;

  nanet_frame_parser i_parser (
      .clk_i,
      .rst_ni,
      .station_i,
      .valid_i (rx_valid_i),
      .ready_o (rx_ready_o),
      .beat_i  (rx_beat_i),
      .valid_o (parsed_valid),
      .ready_i (parsed_ready),
      .beat_o  (parsed),
      .index_o (index),
      .header_o(header)
  );
  assign take = parsed_valid && parsed_ready;

  nanet_udp_rx i_udp_rx (
      .clk_i,
      .rst_ni,
      .valid_i       (parsed_valid),
      .ready_o       (parsed_ready),
      .beat_i        (parsed),
      .index_i       (index),
      .header_i      (header),
      .arp_ok_i      (arp_ok),
      .valid_o,
      .first_o,
      .beat_o,
      .datagram_o,
      .result_valid_o(rx_result_valid_o),
      .result_o      (rx_result_o)
  );

  nanet_arp_rx i_arp_rx (
      .clk_i,
      .rst_ni,
      .ip_i     (station_i.ip),
      .take_i   (take),
      .beat_i   (parsed),
      .header_i (header),
      .index_i  (index),
      .ok_o     (arp_ok),
      .valid_o  (heard),
      .request_o(heard_request),
      .for_me_o (heard_for_me),
      .mac_o    (heard_mac),
      .ip_o     (heard_ip)
  );

  nanet_arp i_arp (
      .clk_i,
      .rst_ni,
      .station_i,
      .timeout_i      (arp_timeout_i),
      .flush_i        (flush_arp_i),
      .heard_i        (heard),
      .heard_request_i(heard_request),
      .heard_for_me_i (heard_for_me),
      .heard_mac_i    (heard_mac),
      .heard_ip_i     (heard_ip),
      .resolve_i      (resolve),
      .resolve_ip_i   (resolve_ip),
      .resolved_o     (resolved),
      .failed_o       (failed),
      .mac_o          (mac),
      .valid_o        (tx_valid[0]),
      .ready_i        (tx_ready[0]),
      .beat_o         (tx_beats[B-1:0])
  );

  nanet_icmp i_icmp (
      .clk_i,
      .rst_ni,
      .station_i,
      .take_i    (take),
      .beat_i    (parsed),
      .index_i   (index),
      .header_i  (header),
      .valid_o   (tx_valid[1]),
      .ready_i   (tx_ready[1]),
      .beat_o    (tx_beats[2*B-1:B]),
      .answered_o(echo_o)
  );

  nanet_udp_tx i_udp_tx (
      .clk_i,
      .rst_ni,
      .station_i,
      .valid_i,
      .ready_o,
      .beat_i,
      .destination_i,
      .resolve_o     (resolve),
      .resolve_ip_o  (resolve_ip),
      .resolved_i    (resolved),
      .failed_i      (failed),
      .mac_i         (mac),
      .valid_o       (tx_valid[2]),
      .ready_i       (tx_ready[2]),
      .beat_o        (tx_beats[3*B-1:2*B]),
      .result_valid_o(tx_result_valid_o),
      .result_o      (tx_result_o)
  );

  nanet_tx_arbiter i_arbiter (
      .clk_i,
      .rst_ni,
      .valid_i(tx_valid),
      .ready_o(tx_ready),
      .data_i (tx_beats),
      .valid_o(tx_valid_o),
      .ready_i(tx_ready_i),
      .data_o (tx_beat_o)
  );

endmodule
