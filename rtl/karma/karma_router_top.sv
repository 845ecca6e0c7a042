// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Self-test of an APErouter alone: generators at intra-tile ports 0 and 1, a consumer at port 2.
module karma_router_top (
    input  logic               clk_i,
    /// Synchronous, active low; two edges.
    input  logic               rst_ni,
    /// What to do, as in karma_generator; constant from start to end. Bit s of `senders_i`: sender s takes part.
    input  logic               clear_i,
    input  logic               start_i,
    input  logic [1:0]         senders_i,
    input  logic [31:0]        packets_i,
    /// The consumer answers each packet, and a sender waits for the answer before it sends the next.
    input  logic               ping_i,
    input  logic [1:0]         pattern_i,
    input  logic [9:0]         payload_bytes_i,
    /// Links of the path: none here.
    input  logic [2:0]         hops_i,
    /// Chance of a wrong bit on a link in 64 bits, times 2^32: there is none here.
    input  logic [31:0]        error_rate_i,
    /// At the consumer; at sender 0, of the answers.
    output karma_pkg::result_t sink_o,
    output karma_pkg::result_t echo_o,
    output logic               busy_o
);

  localparam int unsigned Ports = 5;

  logic [2:0] valid, vc, sop, eop, out_valid, out_vc, out_sop, out_eop, ready, up_valid, up_vc, down_valid, down_vc, busy;
  logic [3*128-1:0] data, out_data;
  logic [3*ape_router_pkg::ReturnWidth-1:0] up_words, down_words;
  logic [3*ape_router_pkg::ReturnPacketWidth-1:0] up_packets, down_packets;
  karma_pkg::result_t result[3];
  logic [31:0] now_q;
  logic unused;

  always_ff @(posedge clk_i) now_q <= rst_ni ? now_q + 32'd1 : '0;

  for (genvar p = 0; p < 3; p++) begin : gen_endpoint
    karma_endpoint i_endpoint (
        .clk_i,
        .rst_ni,
        .start_i         (start_i && (p == 2 ? ping_i : senders_i[p%2])),
        .clear_i,
        .packets_i,
        .mode_i          (!ping_i ? karma_pkg::Stream : p == 2 ? karma_pkg::Reflect : karma_pkg::Ping),
        .pattern_i,
        .payload_bytes_i,
        .coordinates_i   ('0),
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
        .credit_words_i  (up_words[ape_router_pkg::ReturnWidth*p+:ape_router_pkg::ReturnWidth]),
        .credit_packets_i(up_packets[ape_router_pkg::ReturnPacketWidth*p+:ape_router_pkg::ReturnPacketWidth]),
        .rx_valid_i      (out_valid[p]),
        .rx_vc_i         (out_vc[p]),
        .rx_sop_i        (out_sop[p]),
        .rx_eop_i        (out_eop[p]),
        .rx_data_i       (out_data[128*p+:128]),
        .rx_ready_o      (ready[p]),
        .credit_valid_o  (down_valid[p]),
        .credit_vc_o     (down_vc[p]),
        .credit_words_o  (down_words[ape_router_pkg::ReturnWidth*p+:ape_router_pkg::ReturnWidth]),
        .credit_packets_o(down_packets[ape_router_pkg::ReturnPacketWidth*p+:ape_router_pkg::ReturnPacketWidth]),
        .busy_o          (busy[p]),
        .result_o        (result[p])
    );
  end

  // The link ports are open.
  /* verilator lint_off PINCONNECTEMPTY */
  ape_router i_router (
      .clk_i,
      .rst_ni,
      .coordinates_i     ('0),
      .last_i            ('0),
      .initial_words_i   ({Ports{ape_router_pkg::WordCreditWidth'(256)}}),
      .initial_packets_i ({Ports{ape_router_pkg::PacketCreditWidth'(64)}}),
      .port_enable_i     ('1),
      .dimension_order_i (6'b00_01_10),
      .vc_by_direction_i (1'b0),
      .fixed_priority_i  (1'b0),
      .priority_i        ('0),
      .mark_threshold_i  ('0),
      .mark_rate_i       ('0),
      .mark_least_i      ('0),
      .mark_hosts_i      (1'b0),
      .health_i          ('0),
      .rx_valid_i        ({2'b00, valid}),
      .rx_vc_i           ({2'b00, vc}),
      .rx_sop_i          ({2'b00, sop}),
      .rx_eop_i          ({2'b00, eop}),
      .rx_data_i         ({256'd0, data}),
      .credit_valid_o    ({unused_valid, up_valid}),
      .credit_vc_o       ({unused_vc, up_vc}),
      .credit_words_o    ({unused_words, up_words}),
      .credit_packets_o  ({unused_packets, up_packets}),
      .credit_health_o   (),
      .tx_valid_o        ({unused_tx_valid, out_valid}),
      .tx_vc_o           ({unused_tx_vc, out_vc}),
      .tx_sop_o          ({unused_tx_sop, out_sop}),
      .tx_eop_o          ({unused_tx_eop, out_eop}),
      .tx_data_o         ({unused_tx_data, out_data}),
      .tx_ready_i        ({2'b11, ready}),
      .credit_valid_i    ({2'b00, down_valid}),
      .credit_vc_i       ({2'b00, down_vc}),
      .credit_words_i    ({(2*ape_router_pkg::ReturnWidth)'(0), down_words}),
      .credit_packets_i  ({(2*ape_router_pkg::ReturnPacketWidth)'(0), down_packets}),
      .credit_health_i   ('0),
      .idle_o            (),
      .credit_stall_o    (),
      .error_o           (),
      .dropped_route_o   (),
      .dropped_disabled_o(),
      .malformed_o       (),
      .sent_o            (),
      .marked_o          (),
      .discarded_o       (),
      .neighbour_health_o(),
      .queued_o          (),
      .packets_o         ()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  logic [1:0] unused_valid, unused_vc, unused_tx_valid, unused_tx_vc, unused_tx_sop, unused_tx_eop;
  logic [2*ape_router_pkg::ReturnWidth-1:0] unused_words;
  logic [2*ape_router_pkg::ReturnPacketWidth-1:0] unused_packets;
  logic [255:0] unused_tx_data;

  assign sink_o = result[2];
  assign echo_o = result[0];
  assign busy_o = busy != '0;
  assign unused = ^{hops_i, error_rate_i, unused_valid, unused_vc, unused_words, unused_packets, unused_tx_valid, unused_tx_vc, unused_tx_sop,
                    unused_tx_eop, unused_tx_data};

endmodule
