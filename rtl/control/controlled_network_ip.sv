// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The network IP with its Target Controller: what a node's processors and transceivers see. Reset (`rst_ni`) is that of both; the network IP stays
/// in reset until software writes 0 to control.soft_reset. Parameters and ports are those of target_controller and network_ip.
module controlled_network_ip #(
    parameter int unsigned IntraPorts = 3,
    parameter int unsigned InterPorts = 2,
    parameter int unsigned MaxPayload = 512,
    parameter int unsigned HeaderDepth = 128,
    parameter int unsigned IntraPayloadDepth = 4096,
    parameter int unsigned InterPayloadDepth = 1024,
    parameter int unsigned CounterWidth = 16,
    parameter int unsigned LinkWords = 96,
    parameter int unsigned LinkPackets = 16,
    parameter int unsigned RefreshCycles = 4096,
    parameter bit Strapped = 1'b0
) (
    input  logic                                                    clk_i,
    /// Synchronous, active low.
    input  logic                                                    rst_ni,
    /// As in target_controller.
    input  logic [3*ape_router_pkg::CoordWidth-1:0]                 strap_coordinates_i,
    input  logic [3*ape_router_pkg::CoordWidth-1:0]                 strap_last_i,
    input  logic [IntraPorts+InterPorts-1:0]                        strap_port_enable_i,
    input  logic [ape_router_pkg::WordCreditWidth-1:0]              strap_tile_words_i,
    input  logic [ape_router_pkg::PacketCreditWidth-1:0]            strap_tile_packets_i,
    /// Reset of the network IP, active low.
    output logic                                                    network_rst_no,

    /// AXI4-Lite.
    input  logic                                                    awvalid_i,
    output logic                                                    awready_o,
    input  logic [11:0]                                             awaddr_i,
    input  logic                                                    wvalid_i,
    output logic                                                    wready_o,
    input  logic [31:0]                                             wdata_i,
    input  logic [3:0]                                              wstrb_i,
    output logic                                                    bvalid_o,
    input  logic                                                    bready_i,
    output logic [1:0]                                              bresp_o,
    input  logic                                                    arvalid_i,
    output logic                                                    arready_o,
    input  logic [11:0]                                             araddr_i,
    output logic                                                    rvalid_o,
    input  logic                                                    rready_i,
    output logic [31:0]                                             rdata_o,
    output logic [1:0]                                              rresp_o,

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
    /// The transceivers receive something; matters with control.supervise.
    input  logic [InterPorts-1:0]                                   link_signal_i,

    /// Nothing is inside: without input, the links only repeat what they have said. Follows the registers.
    output logic                                                    idle_o,
    /// As in network_ip.
    output logic [IntraPorts+InterPorts-1:0]                        credit_stall_o,
    output logic [IntraPorts+InterPorts-1:0]                        router_error_o,
    output logic [InterPorts-1:0]                                   link_error_o
);

  localparam int unsigned NumPorts = IntraPorts + InterPorts;
  localparam int unsigned EventWidth = apelink_pkg::EventWidth;

  logic vc_by_direction, fixed_priority, router_idle, links_idle, controller_idle, quiet;
  logic [1:0] settle_q;
  logic [3*ape_router_pkg::CoordWidth-1:0] coordinates, last;
  logic [NumPorts-1:0] port_enable;
  logic [5:0] dimension_order;
  logic [NumPorts*ape_router_pkg::PriorityWidth-1:0] port_priority;
  logic [ape_router_pkg::HealthWidth-1:0] health;
  logic [apelink_pkg::LongCountWidth-1:0] tred;
  logic [ape_router_pkg::MarkWidth-1:0] mark_threshold, mark_rate;
  logic [ape_router_pkg::LengthWidth-1:0] mark_least;
  logic mark_hosts;
  logic [ape_router_pkg::WordCreditWidth-1:0] tile_words;
  logic [ape_router_pkg::PacketCreditWidth-1:0] tile_packets;
  logic [NumPorts*CounterWidth-1:0] dropped_route, dropped_disabled, malformed, sent, marked, discarded;
  logic [NumPorts*ape_router_pkg::HealthWidth-1:0] neighbour_health;
  logic [InterPorts*2*apelink_pkg::LongCountWidth-1:0] link_used;
  logic [NumPorts*2*ape_router_pkg::QueueWidth-1:0] queued;
  logic [NumPorts*2*ape_router_pkg::PacketsWidth-1:0] packets;
  logic [InterPorts*2*apelink_pkg::WaitingWidth-1:0] link_waiting;
  logic [InterPorts*EventWidth-1:0] link_corrected, link_uncorrectable, link_crc_errors, link_dropped, link_resyncs, link_downs, link_aborted;
  logic [InterPorts-1:0] link_up;
  logic supervise;

  target_controller #(
      .IntraPorts  (IntraPorts),
      .InterPorts  (InterPorts),
      .CounterWidth(CounterWidth),
      .Strapped    (Strapped),
      .HeaderDepth (HeaderDepth),
      .IntraPayloadDepth(IntraPayloadDepth),
      .InterPayloadDepth(InterPayloadDepth),
      .LinkBufferWords(1 << $clog2(LinkWords + 2 * LinkPackets))
  ) i_controller (
      .clk_i,
      .rst_ni,
      .awvalid_i,
      .awready_o,
      .awaddr_i,
      .wvalid_i,
      .wready_o,
      .wdata_i,
      .wstrb_i,
      .bvalid_o,
      .bready_i,
      .bresp_o,
      .arvalid_i,
      .arready_o,
      .araddr_i,
      .rvalid_o,
      .rready_i,
      .rdata_o,
      .rresp_o,
      .strap_coordinates_i,
      .strap_last_i,
      .strap_port_enable_i,
      .strap_tile_words_i,
      .strap_tile_packets_i,
      .network_rst_no,
      .coordinates_o       (coordinates),
      .last_o              (last),
      .port_enable_o       (port_enable),
      .dimension_order_o   (dimension_order),
      .vc_by_direction_o   (vc_by_direction),
      .fixed_priority_o    (fixed_priority),
      .priority_o          (port_priority),
      .health_o            (health),
      .tred_o              (tred),
      .supervise_o         (supervise),
      .mark_threshold_o    (mark_threshold),
      .mark_rate_o         (mark_rate),
      .mark_least_o        (mark_least),
      .mark_hosts_o        (mark_hosts),
      .tile_words_o        (tile_words),
      .tile_packets_o      (tile_packets),
      .router_idle_i       (router_idle),
      .credit_stall_i      (credit_stall_o),
      .router_error_i      (router_error_o),
      .dropped_route_i     (dropped_route),
      .dropped_disabled_i  (dropped_disabled),
      .malformed_i         (malformed),
      .sent_i              (sent),
      .marked_i            (marked),
      .discarded_i         (discarded),
      .neighbour_health_i  (neighbour_health),
      .link_error_i        (link_error_o),
      .link_used_i         (link_used),
      .queued_i            (queued),
      .packets_i           (packets),
      .link_waiting_i      (link_waiting),
      .link_corrected_i    (link_corrected),
      .link_uncorrectable_i(link_uncorrectable),
      .link_crc_errors_i   (link_crc_errors),
      .link_dropped_i      (link_dropped),
      .link_resyncs_i      (link_resyncs),
      .link_up_i           (link_up),
      .link_downs_i        (link_downs),
      .link_aborted_i      (link_aborted),
      .idle_o              (controller_idle)
  );

  network_ip #(
      .IntraPorts       (IntraPorts),
      .InterPorts       (InterPorts),
      .MaxPayload       (MaxPayload),
      .HeaderDepth      (HeaderDepth),
      .IntraPayloadDepth(IntraPayloadDepth),
      .InterPayloadDepth(InterPayloadDepth),
      .CounterWidth     (CounterWidth),
      .LinkWords        (LinkWords),
      .LinkPackets      (LinkPackets),
      .RefreshCycles    (RefreshCycles)
  ) i_network (
      .clk_i,
      .rst_ni              (network_rst_no),
      .coordinates_i       (coordinates),
      .last_i              (last),
      .port_enable_i       (port_enable),
      .dimension_order_i   (dimension_order),
      .vc_by_direction_i   (vc_by_direction),
      .fixed_priority_i    (fixed_priority),
      .priority_i          (port_priority),
      .health_i            (health),
      .tred_i              (tred),
      .supervise_i         (supervise),
      .signal_i            (link_signal_i),
      .mark_threshold_i    (mark_threshold),
      .mark_rate_i         (mark_rate),
      .mark_least_i        (mark_least),
      .mark_hosts_i        (mark_hosts),
      .tile_words_i        (tile_words),
      .tile_packets_i      (tile_packets),
      .rx_valid_i,
      .rx_vc_i,
      .rx_sop_i,
      .rx_eop_i,
      .rx_data_i,
      .credit_valid_o,
      .credit_vc_o,
      .credit_words_o,
      .credit_packets_o,
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
      .m_tdata_o,
      .m_tvalid_o,
      .m_tready_i,
      .s_tdata_i,
      .s_tvalid_i,
      .s_tready_o,
      .router_idle_o       (router_idle),
      .links_idle_o        (links_idle),
      .credit_stall_o,
      .router_error_o,
      .dropped_route_o     (dropped_route),
      .dropped_disabled_o  (dropped_disabled),
      .malformed_o         (malformed),
      .sent_o              (sent),
      .marked_o            (marked),
      .discarded_o         (discarded),
      .neighbour_health_o  (neighbour_health),
      .link_error_o,
      .link_used_o         (link_used),
      .queued_o            (queued),
      .packets_o           (packets),
      .link_waiting_o      (link_waiting),
      .link_corrected_o    (link_corrected),
      .link_uncorrectable_o(link_uncorrectable),
      .link_crc_errors_o   (link_crc_errors),
      .link_dropped_o      (link_dropped),
      .link_resyncs_o      (link_resyncs),
      .link_up_o           (link_up),
      .link_downs_o        (link_downs),
      .link_aborted_o      (link_aborted)
  );

  // What changed last is still seen by registers that follow others: events by three edges, the health on its way to the links likewise.
  assign quiet = router_idle && links_idle && controller_idle;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !quiet) settle_q <= 2'd3;
    else if (settle_q != 2'd0) settle_q <= settle_q - 2'd1;
  end
  assign idle_o = quiet && settle_q == 2'd0;

endmodule
