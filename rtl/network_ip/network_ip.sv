// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The network IP of a node: an APErouter whose inter-tile ports go through APElink control logic to transceivers. docs/models/exanet-rtl.md
///
/// The fields of intra-tile port p and of link l (inter-tile port IntraPorts + l) are bit p or l (or slice p or l) of the vectors below.
module network_ip #(
    parameter int unsigned IntraPorts = 3,
    parameter int unsigned InterPorts = 2,
    parameter int unsigned MaxPayload = 512,
    parameter int unsigned HeaderDepth = 128,
    parameter int unsigned IntraPayloadDepth = 4096,
    parameter int unsigned InterPayloadDepth = 1024,
    parameter int unsigned CounterWidth = 16,
    /// Payload words and packets that the router may have under way on each VC of a link, as many as the far router holds. With more than 128 words, headers
    /// and footers counted, links have long credit words (docs/models/apelink.md), so both ends must have the same.
    parameter int unsigned LinkWords = 96,
    parameter int unsigned LinkPackets = 16,
    /// As in apelink_tcl.
    parameter int unsigned RefreshCycles = 4096
) (
    input  logic                                                    clk_i,
    /// Synchronous, active low; two edges.
    input  logic                                                    rst_ni,

    /// As in ape_router; coordinates and sizes are taken while reset is low.
    input  logic [3*ape_router_pkg::CoordWidth-1:0]                 coordinates_i,
    input  logic [3*ape_router_pkg::CoordWidth-1:0]                 last_i,
    input  logic [IntraPorts+InterPorts-1:0]                        port_enable_i,
    input  logic [5:0]                                              dimension_order_i,
    input  logic                                                    vc_by_direction_i,
    input  logic                                                    fixed_priority_i,
    input  logic [(IntraPorts+InterPorts)*ape_router_pkg::PriorityWidth-1:0] priority_i,
    input  logic [ape_router_pkg::MarkWidth-1:0]                    mark_threshold_i,
    input  logic [ape_router_pkg::MarkWidth-1:0]                    mark_rate_i,
    input  logic [ape_router_pkg::LengthWidth-1:0]                  mark_least_i,
    input  logic                                                    mark_hosts_i,
    input  logic [ape_router_pkg::HealthWidth-1:0]                  health_i,
    /// Words that may be in use in the far buffer of a link, for each VC, header and footer counted; from the largest packet to 250, or 2000 with long credit
    /// words. What is more counts as that.
    input  logic [apelink_pkg::LongCountWidth-1:0]                  tred_i,
    /// Links are supervised, as in apelink_tcl, and their transceivers receive something.
    input  logic                                                    supervise_i,
    input  logic [InterPorts-1:0]                                   signal_i,
    /// Payload words and packets that each VC of what is at an intra-tile port holds; taken while reset is low.
    input  logic [ape_router_pkg::WordCreditWidth-1:0]              tile_words_i,
    input  logic [ape_router_pkg::PacketCreditWidth-1:0]            tile_packets_i,

    /// Intra-tile ports, as in ape_router.
    input  logic [IntraPorts-1:0]                                   rx_valid_i,
    input  logic [IntraPorts-1:0]                                   rx_vc_i,
    input  logic [IntraPorts-1:0]                                   rx_sop_i,
    input  logic [IntraPorts-1:0]                                   rx_eop_i,
    input  logic [IntraPorts*128-1:0]                               rx_data_i,
    output logic [IntraPorts-1:0]                                   credit_valid_o,
    output logic [IntraPorts-1:0]                                   credit_vc_o,
    output logic [IntraPorts*ape_router_pkg::ReturnWidth-1:0]       credit_words_o,
    output logic [IntraPorts*ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_o,
    output logic [IntraPorts-1:0]                                   tx_valid_o,
    output logic [IntraPorts-1:0]                                   tx_vc_o,
    output logic [IntraPorts-1:0]                                   tx_sop_o,
    output logic [IntraPorts-1:0]                                   tx_eop_o,
    output logic [IntraPorts*128-1:0]                               tx_data_o,
    input  logic [IntraPorts-1:0]                                   tx_ready_i,
    input  logic [IntraPorts-1:0]                                   credit_valid_i,
    input  logic [IntraPorts-1:0]                                   credit_vc_i,
    input  logic [IntraPorts*ape_router_pkg::ReturnWidth-1:0]       credit_words_i,
    input  logic [IntraPorts*ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_i,

    /// AXI streams to and from the transceivers.
    output logic [InterPorts*128-1:0]                               m_tdata_o,
    output logic [InterPorts-1:0]                                   m_tvalid_o,
    input  logic [InterPorts-1:0]                                   m_tready_i,
    input  logic [InterPorts*128-1:0]                               s_tdata_i,
    input  logic [InterPorts-1:0]                                   s_tvalid_i,
    output logic [InterPorts-1:0]                                   s_tready_o,

    /// Status for the Target Controller, as in ape_router and apelink_tcl.
    output logic                                                    router_idle_o,
    /// Nothing is inside the links: they only repeat what they have said. Follows the registers.
    output logic                                                    links_idle_o,
    output logic [IntraPorts+InterPorts-1:0]                        credit_stall_o,
    output logic [IntraPorts+InterPorts-1:0]                        router_error_o,
    output logic [(IntraPorts+InterPorts)*CounterWidth-1:0]         dropped_route_o,
    output logic [(IntraPorts+InterPorts)*CounterWidth-1:0]         dropped_disabled_o,
    output logic [(IntraPorts+InterPorts)*CounterWidth-1:0]         malformed_o,
    output logic [(IntraPorts+InterPorts)*CounterWidth-1:0]         sent_o,
    output logic [(IntraPorts+InterPorts)*CounterWidth-1:0]         marked_o,
    output logic [(IntraPorts+InterPorts)*CounterWidth-1:0]         discarded_o,
    output logic [(IntraPorts+InterPorts)*ape_router_pkg::HealthWidth-1:0] neighbour_health_o,
    output logic [(IntraPorts+InterPorts)*2*ape_router_pkg::QueueWidth-1:0] queued_o,
    output logic [(IntraPorts+InterPorts)*2*ape_router_pkg::PacketsWidth-1:0] packets_o,
    output logic [InterPorts-1:0]                                   link_error_o,
    output logic [InterPorts*2*apelink_pkg::LongCountWidth-1:0]     link_used_o,
    output logic [InterPorts*2*apelink_pkg::WaitingWidth-1:0]       link_waiting_o,
    output logic [InterPorts*apelink_pkg::EventWidth-1:0]           link_corrected_o,
    output logic [InterPorts*apelink_pkg::EventWidth-1:0]           link_uncorrectable_o,
    output logic [InterPorts*apelink_pkg::EventWidth-1:0]           link_crc_errors_o,
    output logic [InterPorts*apelink_pkg::EventWidth-1:0]           link_dropped_o,
    output logic [InterPorts*apelink_pkg::EventWidth-1:0]           link_resyncs_o,
    output logic [InterPorts-1:0]                                   link_up_o,
    output logic [InterPorts*apelink_pkg::EventWidth-1:0]           link_downs_o,
    output logic [InterPorts*apelink_pkg::EventWidth-1:0]           link_aborted_o
);

  localparam int unsigned NumPorts = IntraPorts + InterPorts;
  localparam int unsigned WordsWidth = ape_router_pkg::WordCreditWidth;
  localparam int unsigned PacketsWidth = ape_router_pkg::PacketCreditWidth;
  localparam int unsigned ReturnWidth = ape_router_pkg::ReturnWidth;
  localparam int unsigned ReturnPacketWidth = ape_router_pkg::ReturnPacketWidth;
  localparam int unsigned HealthWidth = ape_router_pkg::HealthWidth;
  localparam int unsigned EventWidth = apelink_pkg::EventWidth;
  /// What the router may send on a VC of a link before it gets credits back fits the link's own buffer, header and footer of each packet
  /// counted, so a VC that stands still never stops the other.
  localparam int unsigned LinkTotal = LinkWords + 2 * LinkPackets;
  localparam int unsigned LinkBufferWords = 1 << $clog2(LinkTotal);
  localparam int unsigned CountWidth = LinkTotal <= 128 ? apelink_pkg::CountWidth : apelink_pkg::LongCountWidth;
  localparam int unsigned LongCountWidth = apelink_pkg::LongCountWidth;
  localparam logic [LongCountWidth-1:0] MaxTred = LongCountWidth'(LinkTotal <= 128 ? 250 : 2000);

  if (InterPayloadDepth < LinkWords || HeaderDepth < LinkPackets) begin : gen_check
    $error("network_ip: a link port of the router must hold what a link may send to it");
  end
  if (LinkWords < MaxPayload / 16 || LinkTotal > 2000) begin : gen_check_link
    $error("network_ip: a link has words for the largest packet, and fewer than its counts tell apart");
  end

  logic [CountWidth-1:0] tred;
  assign tred = CountWidth'(tred_i > MaxTred ? MaxTred : tred_i);

  logic [NumPorts*WordsWidth-1:0] initial_words;
  logic [NumPorts*PacketsWidth-1:0] initial_packets;
  logic [InterPorts-1:0] in_valid, in_vc, in_sop, in_eop, out_valid, out_vc, out_sop, out_eop, out_ready;
  logic [InterPorts*128-1:0] in_data, out_data;
  logic [InterPorts-1:0] link_idle, credits_idle;
  logic [InterPorts-1:0] back_valid, back_vc, freed_valid, freed_vc;
  logic [InterPorts*ReturnWidth-1:0] back_words, freed_words;
  logic [InterPorts*ReturnPacketWidth-1:0] back_packets, freed_packets;
  logic [NumPorts*HealthWidth-1:0] far_health;
  // The tile knows its own health.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumPorts*HealthWidth-1:0] health;
  /* verilator lint_on UNUSEDSIGNAL */

  assign initial_words = {{InterPorts{WordsWidth'(LinkWords)}}, {IntraPorts{tile_words_i}}};
  assign initial_packets = {{InterPorts{PacketsWidth'(LinkPackets)}}, {IntraPorts{tile_packets_i}}};
  assign links_idle_o = link_idle == '1 && credits_idle == '1;
  assign far_health[IntraPorts*HealthWidth-1:0] = '0;

  ape_router #(
      .IntraPorts       (IntraPorts),
      .InterPorts       (InterPorts),
      .MaxPayload       (MaxPayload),
      .HeaderDepth      (HeaderDepth),
      .IntraPayloadDepth(IntraPayloadDepth),
      .InterPayloadDepth(InterPayloadDepth),
      .CounterWidth     (CounterWidth)
  ) i_router (
      .clk_i,
      .rst_ni,
      .coordinates_i,
      .last_i,
      .initial_words_i  (initial_words),
      .initial_packets_i(initial_packets),
      .port_enable_i,
      .dimension_order_i,
      .vc_by_direction_i,
      .fixed_priority_i,
      .priority_i,
      .mark_threshold_i,
      .mark_rate_i,
      .mark_least_i,
      .mark_hosts_i,
      .health_i,
      .rx_valid_i       ({in_valid, rx_valid_i}),
      .rx_vc_i          ({in_vc, rx_vc_i}),
      .rx_sop_i         ({in_sop, rx_sop_i}),
      .rx_eop_i         ({in_eop, rx_eop_i}),
      .rx_data_i        ({in_data, rx_data_i}),
      .credit_valid_o   ({freed_valid, credit_valid_o}),
      .credit_vc_o      ({freed_vc, credit_vc_o}),
      .credit_words_o   ({freed_words, credit_words_o}),
      .credit_packets_o ({freed_packets, credit_packets_o}),
      .credit_health_o  (health),
      .tx_valid_o       ({out_valid, tx_valid_o}),
      .tx_vc_o          ({out_vc, tx_vc_o}),
      .tx_sop_o         ({out_sop, tx_sop_o}),
      .tx_eop_o         ({out_eop, tx_eop_o}),
      .tx_data_o        ({out_data, tx_data_o}),
      .tx_ready_i       ({out_ready, tx_ready_i}),
      .credit_valid_i   ({back_valid, credit_valid_i}),
      .credit_vc_i      ({back_vc, credit_vc_i}),
      .credit_words_i   ({back_words, credit_words_i}),
      .credit_packets_i ({back_packets, credit_packets_i}),
      .credit_health_i  (far_health),
      .idle_o           (router_idle_o),
      .credit_stall_o,
      .error_o          (router_error_o),
      .dropped_route_o,
      .dropped_disabled_o,
      .malformed_o,
      .sent_o,
      .marked_o,
      .discarded_o,
      .neighbour_health_o,
      .queued_o,
      .packets_o
  );

  for (genvar l = 0; l < InterPorts; l++) begin : gen_link
    logic count_valid, count_vc, return_valid, return_vc;
    logic [CountWidth-1:0] count, returned;
    apelink_pkg::link_e link;
    logic [2*CountWidth-1:0] used;
    assign link_used_o[2*LongCountWidth*l+:LongCountWidth] = LongCountWidth'(used[0+:CountWidth]);
    assign link_used_o[2*LongCountWidth*l+LongCountWidth+:LongCountWidth] = LongCountWidth'(used[CountWidth+:CountWidth]);
    assign link_up_o[l] = link == apelink_pkg::Up;

    link_credits #(
        .Packets   (LinkPackets),
        .CountWidth(CountWidth)
    ) i_credits (
        .clk_i,
        .rst_ni,
        .tx_valid_i      (out_valid[l]),
        .tx_ready_i      (out_ready[l]),
        .tx_vc_i         (out_vc[l]),
        .tx_sop_i        (out_sop[l]),
        .tx_payload_bytes_i(out_data[128*l+apelink_pkg::PayloadBytesLow+:10]),
        .free_valid_i    (count_valid),
        .free_vc_i       (count_vc),
        .free_count_i    (count),
        .credit_valid_o  (back_valid[l]),
        .credit_vc_o     (back_vc[l]),
        .credit_words_o  (back_words[ReturnWidth*l+:ReturnWidth]),
        .credit_packets_o(back_packets[ReturnPacketWidth*l+:ReturnPacketWidth]),
        .return_valid_i  (freed_valid[l]),
        .return_vc_i     (freed_vc[l]),
        .return_words_i  (freed_words[ReturnWidth*l+:ReturnWidth]),
        .return_packets_i(freed_packets[ReturnPacketWidth*l+:ReturnPacketWidth]),
        .freed_valid_o   (return_valid),
        .freed_vc_o      (return_vc),
        .freed_count_o   (returned),
        .idle_o          (credits_idle[l])
    );

    // The words counted are those of packets, which the router counts as well.
    /* verilator lint_off PINCONNECTEMPTY */
    apelink_tcl #(
        .BufferWords    (LinkBufferWords),
        .MaxPayloadBytes(MaxPayload),
        .RefreshCycles  (RefreshCycles),
        .CountWidth     (CountWidth)
    ) i_tcl (
        .clk_i,
        .rst_ni,
        .tred_i                 ({tred, tred}),
        .supervise_i,
        .signal_i               (signal_i[l]),
        .tx_valid_i             (out_valid[l]),
        .tx_vc_i                (out_vc[l]),
        .tx_sop_i               (out_sop[l]),
        .tx_eop_i               (out_eop[l]),
        .tx_data_i              (out_data[128*l+:128]),
        .tx_ready_o             (out_ready[l]),
        .credit_valid_o         (count_valid),
        .credit_vc_o            (count_vc),
        .credit_count_o         (count),
        .credit_health_o        (far_health[HealthWidth*(IntraPorts+l)+:HealthWidth]),
        .rx_valid_o             (in_valid[l]),
        .rx_vc_o                (in_vc[l]),
        .rx_sop_o               (in_sop[l]),
        .rx_eop_o               (in_eop[l]),
        .rx_data_o              (in_data[128*l+:128]),
        .rx_bad_o               (),
        .credit_valid_i         (return_valid),
        .credit_vc_i            (return_vc),
        .credit_count_i         (returned),
        .credit_health_i        (health[HealthWidth*(IntraPorts+l)+:HealthWidth]),
        .m_tdata_o              (m_tdata_o[128*l+:128]),
        .m_tvalid_o             (m_tvalid_o[l]),
        .m_tready_i             (m_tready_i[l]),
        .s_tdata_i              (s_tdata_i[128*l+:128]),
        .s_tvalid_i             (s_tvalid_i[l]),
        .s_tready_o             (s_tready_o[l]),
        .used_o                 (used),
        .waiting_o              (link_waiting_o[2*apelink_pkg::WaitingWidth*l+:2*apelink_pkg::WaitingWidth]),
        .words_sent_o           (),
        .packets_sent_o         (),
        .packets_received_o     (),
        .corrected_headers_o    (link_corrected_o[EventWidth*l+:EventWidth]),
        .uncorrectable_headers_o(link_uncorrectable_o[EventWidth*l+:EventWidth]),
        .crc_errors_o           (link_crc_errors_o[EventWidth*l+:EventWidth]),
        .dropped_packets_o      (link_dropped_o[EventWidth*l+:EventWidth]),
        .resyncs_o              (link_resyncs_o[EventWidth*l+:EventWidth]),
        .credit_stalls_o        (),
        .credit_words_o         (),
        .link_o                 (link),
        .downs_o                (link_downs_o[EventWidth*l+:EventWidth]),
        .aborted_packets_o      (link_aborted_o[EventWidth*l+:EventWidth]),
        .error_o                (link_error_o[l]),
        .idle_o                 (link_idle[l])
    );
    /* verilator lint_on PINCONNECTEMPTY */
  end

endmodule
