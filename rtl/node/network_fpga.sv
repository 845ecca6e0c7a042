// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The logic of the network FPGA of a QFDB (F1): network interface, router, links to other QFDBs, and the Target Controller.
/// docs/models/exanet-node.md is the contract.
///
/// Board link l leads to F(l + 2); network links are x+, x-, y+, y-, z+, z-. The fields of a link are bit l (or slice l) of the vectors below. In vectors of
/// ports, 0 is the network interface, 1 to 3 are the board links and 4 to 9 the network links. The far end of a board link has 64 words for each VC.
module network_fpga #(
    /// As in exanet_ni.
    parameter int unsigned MailboxDepth = 16,
    parameter bit BlockRings = 1'b1,
    parameter int unsigned RingBits = 12,
    parameter int unsigned PeerBits = 7,
    parameter int unsigned FirmwareDelay = 0,
    /// Network links that exist: 2 (x), 4 (x and y) or 6. Pins of the others do nothing.
    parameter int unsigned InterPorts = 6,
    /// As in ape_router; they hold what the links may send.
    parameter int unsigned HeaderDepth = 64,
    parameter int unsigned IntraPayloadDepth = 64,
    parameter int unsigned InterPayloadDepth = 128,
    /// As in network_ip; 1024 and 64 with HeaderDepth 64 and InterPayloadDepth 1024 are what was published.
    parameter int unsigned LinkWords = 96,
    parameter int unsigned LinkPackets = 16,
    /// As in apelink_tcl.
    parameter int unsigned RefreshCycles = 4096
) (
    input  logic                                clk_i,
    /// Synchronous, active low; two edges.
    input  logic                                rst_ni,
    /// Cycles since reset, modulo 2^32; a counter drives it in hardware.
    input  logic [31:0]                         time_i,
    /// Own node number, {z, y, x, f}, and its bits for f, x and y; constant.
    input  logic [ni_pkg::NodeWidth-1:0]        node_i,
    input  logic [1:0]                          tile_bits_i,
    input  logic [3:0]                          x_bits_i,
    input  logic [3:0]                          y_bits_i,
    /// The Target Controller's registers begin with these, taken while reset is low: coordinates, lattice sizes minus one (X in bits 7..0), ports in use.
    input  logic [3*ape_router_pkg::CoordWidth-1:0] coordinates_i,
    input  logic [3*ape_router_pkg::CoordWidth-1:0] last_i,
    input  logic [9:0]                          port_enable_i,
    /// Packetizer and mailbox: AXI4-Lite slave, 64-bit data, as in small_ni.
    input  logic                                axi_awvalid_i,
    output logic                                axi_awready_o,
    input  logic [19:0]                         axi_awaddr_i,
    input  logic                                axi_wvalid_i,
    output logic                                axi_wready_o,
    input  logic [63:0]                         axi_wdata_i,
    input  logic [7:0]                          axi_wstrb_i,
    output logic                                axi_bvalid_o,
    input  logic                                axi_bready_i,
    output logic [1:0]                          axi_bresp_o,
    input  logic                                axi_arvalid_i,
    output logic                                axi_arready_o,
    input  logic [19:0]                         axi_araddr_i,
    output logic                                axi_rvalid_o,
    input  logic                                axi_rready_i,
    output logic [63:0]                         axi_rdata_o,
    output logic [1:0]                          axi_rresp_o,
    /// For one cycle: an entry has been added to the mailbox of this interface, or, 64, an operation of the accelerator has ended.
    output logic                                event_valid_o,
    output logic [ni_pkg::InterfaceWidth:0]     event_interface_o,
    /// The interrupt of the mailbox, by level; see ni_interrupts.
    output logic                                irq_o,
    /// RDMA unit: AXI slave for descriptors and registers, AXI master to the host's memory, as in rdma_unit.
    input  logic                                s_awvalid_i,
    output logic                                s_awready_o,
    input  logic [16:0]                         s_awaddr_i,
    input  logic                                s_wvalid_i,
    output logic                                s_wready_o,
    input  logic [127:0]                        s_wdata_i,
    input  logic [15:0]                         s_wstrb_i,
    input  logic                                s_wlast_i,
    output logic                                s_bvalid_o,
    input  logic                                s_bready_i,
    output logic [1:0]                          s_bresp_o,
    input  logic                                s_arvalid_i,
    output logic                                s_arready_o,
    input  logic [16:0]                         s_araddr_i,
    input  logic [7:0]                          s_arlen_i,
    output logic                                s_rvalid_o,
    input  logic                                s_rready_i,
    output logic [127:0]                        s_rdata_o,
    output logic                                s_rlast_o,
    output logic                                m_awvalid_o,
    input  logic                                m_awready_i,
    output logic [38:0]                         m_awaddr_o,
    output logic [7:0]                          m_awlen_o,
    output logic [18:0]                         m_awuser_o,
    output logic                                m_wvalid_o,
    input  logic                                m_wready_i,
    output logic [127:0]                        m_wdata_o,
    output logic [15:0]                         m_wstrb_o,
    output logic                                m_wlast_o,
    input  logic                                m_bvalid_i,
    output logic                                m_bready_o,
    input  logic [1:0]                          m_bresp_i,
    output logic                                m_arvalid_o,
    input  logic                                m_arready_i,
    output logic [38:0]                         m_araddr_o,
    output logic [7:0]                          m_arlen_o,
    output logic [18:0]                         m_aruser_o,
    input  logic                                m_rvalid_i,
    output logic                                m_rready_o,
    input  logic [127:0]                        m_rdata_i,
    input  logic [1:0]                          m_rresp_i,
    input  logic                                m_rlast_i,
    /// Target Controller: AXI4-Lite slave, 32-bit data.
    input  logic                                control_awvalid_i,
    output logic                                control_awready_o,
    input  logic [11:0]                         control_awaddr_i,
    input  logic                                control_wvalid_i,
    output logic                                control_wready_o,
    input  logic [31:0]                         control_wdata_i,
    input  logic [3:0]                          control_wstrb_i,
    output logic                                control_bvalid_o,
    input  logic                                control_bready_i,
    output logic [1:0]                          control_bresp_o,
    input  logic                                control_arvalid_i,
    output logic                                control_arready_o,
    input  logic [11:0]                         control_araddr_i,
    output logic                                control_rvalid_o,
    input  logic                                control_rready_i,
    output logic [31:0]                         control_rdata_o,
    output logic [1:0]                          control_rresp_o,
    /// Words from the links and credits to them, in words.
    input  logic [2:0]                          rx_valid_i,
    input  logic [2:0]                          rx_vc_i,
    input  logic [2:0]                          rx_sop_i,
    input  logic [2:0]                          rx_eop_i,
    input  logic [3*exanet_pkg::DataWidth-1:0]  rx_data_i,
    output logic [2:0]                          credit_valid_o,
    output logic [2:0]                          credit_vc_o,
    output logic [3*exanet_pkg::CreditWidth-1:0] credit_count_o,
    /// Words to the links; a word is taken at an edge where both valid and ready are high. Credits from them, in words.
    output logic [2:0]                          tx_valid_o,
    output logic [2:0]                          tx_vc_o,
    output logic [2:0]                          tx_sop_o,
    output logic [2:0]                          tx_eop_o,
    output logic [3*exanet_pkg::DataWidth-1:0]  tx_data_o,
    input  logic [2:0]                          tx_ready_i,
    input  logic [2:0]                          credit_valid_i,
    input  logic [2:0]                          credit_vc_i,
    input  logic [3*exanet_pkg::CreditWidth-1:0] credit_count_i,
    /// AXI streams to and from the transceivers of the network links.
    output logic [6*apelink_pkg::DataWidth-1:0] m_tdata_o,
    output logic [5:0]                          m_tvalid_o,
    input  logic [5:0]                          m_tready_i,
    input  logic [6*apelink_pkg::DataWidth-1:0] s_tdata_i,
    input  logic [5:0]                          s_tvalid_i,
    output logic [5:0]                          s_tready_o,
    /// The transceivers receive something; matters where the Target Controller is told to supervise links.
    input  logic [5:0]                          link_signal_i,
    /// Nothing is inside: without input nothing but time passes, and the links only repeat what they have said. Follows the registers.
    output logic                                idle_o,
    /// As in exanet_ni.
    output logic [1:0]                          repeats_o,
    /// By port: a packet waits only for credits.
    output logic [9:0]                          credit_stall_o,
    /// Sticky: a neighbour sent what is no packet or more than its credits, or returned too many.
    output logic                                error_o
);

  localparam int unsigned DataWidth = exanet_pkg::DataWidth;
  localparam int unsigned CreditWidth = exanet_pkg::CreditWidth;
  localparam int unsigned ReturnWidth = ape_router_pkg::ReturnWidth;
  localparam int unsigned ReturnPacketWidth = ape_router_pkg::ReturnPacketWidth;
  localparam int unsigned IntraPorts = 4;
  localparam int unsigned NumPorts = IntraPorts + InterPorts;
  localparam int unsigned BufferWords = 64;  ///< The buffer of each VC of what is at an intra-tile port.
  localparam int unsigned TilePackets = 8;   ///< With 48 payload words they fill it: header and footer count.

  if (HeaderDepth < BufferWords || IntraPayloadDepth < BufferWords) begin : gen_check
    $error("network_fpga: the router must hold what a link may send to it");
  end

  logic network_rst_n, network_idle, ni_idle, ni_error, error_q;
  // Bit (or slice) p belongs to intra-tile port p of the router: in_* to it, out_* from it; back and free are the credits of the ones and the others.
  logic [IntraPorts-1:0] in_valid, in_vc, in_sop, in_eop, out_valid, out_vc, out_sop, out_eop, out_ready;
  logic [IntraPorts*DataWidth-1:0] in_data, out_data;
  logic [IntraPorts-1:0] back_valid, back_vc, free_valid, free_vc, tile_idle;
  logic [IntraPorts*CreditWidth-1:0] back_count, free_count;
  logic [IntraPorts-1:0] router_back_valid, router_back_vc, router_free_valid, router_free_vc;
  logic [IntraPorts*ReturnWidth-1:0] router_back_words, router_free_words;
  logic [IntraPorts*ReturnPacketWidth-1:0] router_back_packets, router_free_packets;
  logic [NumPorts-1:0] router_error;
  logic [InterPorts-1:0] link_error;

  exanet_ni #(
      .BufferWords  (BufferWords),
      .FarWords     (BufferWords),
      .MailboxDepth (MailboxDepth),
      .BlockRings   (BlockRings),
      .RingBits     (RingBits),
      .PeerBits     (PeerBits),
      .FirmwareDelay(FirmwareDelay),
      .AllreduceServer(1'b1)
  ) i_ni (
      .clk_i,
      .rst_ni,
      .time_i,
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
      .axi_awvalid_i,
      .axi_awready_o,
      .axi_awaddr_i,
      .axi_wvalid_i,
      .axi_wready_o,
      .axi_wdata_i,
      .axi_wstrb_i,
      .axi_bvalid_o,
      .axi_bready_i,
      .axi_bresp_o,
      .axi_arvalid_i,
      .axi_arready_o,
      .axi_araddr_i,
      .axi_rvalid_o,
      .axi_rready_i,
      .axi_rdata_o,
      .axi_rresp_o,
      .event_valid_o,
      .event_interface_o,
      .irq_o,
      .s_awvalid_i,
      .s_awready_o,
      .s_awaddr_i,
      .s_wvalid_i,
      .s_wready_o,
      .s_wdata_i,
      .s_wstrb_i,
      .s_wlast_i,
      .s_bvalid_o,
      .s_bready_i,
      .s_bresp_o,
      .s_arvalid_i,
      .s_arready_o,
      .s_araddr_i,
      .s_arlen_i,
      .s_rvalid_o,
      .s_rready_i,
      .s_rdata_o,
      .s_rlast_o,
      .m_awvalid_o,
      .m_awready_i,
      .m_awaddr_o,
      .m_awlen_o,
      .m_awuser_o,
      .m_wvalid_o,
      .m_wready_i,
      .m_wdata_o,
      .m_wstrb_o,
      .m_wlast_o,
      .m_bvalid_i,
      .m_bready_o,
      .m_bresp_i,
      .m_arvalid_o,
      .m_arready_i,
      .m_araddr_o,
      .m_arlen_o,
      .m_aruser_o,
      .m_rvalid_i,
      .m_rready_o,
      .m_rdata_i,
      .m_rresp_i,
      .m_rlast_i,
      .tx_valid_o    (in_valid[0]),
      .tx_vc_o       (in_vc[0]),
      .tx_sop_o      (in_sop[0]),
      .tx_eop_o      (in_eop[0]),
      .tx_data_o     (in_data[0+:DataWidth]),
      // Nothing goes into a router in reset.
      .tx_ready_i    (network_rst_n),
      .credit_valid_i(back_valid[0]),
      .credit_vc_i   (back_vc[0]),
      .credit_count_i(back_count[0+:CreditWidth]),
      .rx_valid_i    (out_valid[0]),
      .rx_vc_i       (out_vc[0]),
      .rx_sop_i      (out_sop[0]),
      .rx_eop_i      (out_eop[0]),
      .rx_data_i     (out_data[0+:DataWidth]),
      .credit_valid_o(free_valid[0]),
      .credit_vc_o   (free_vc[0]),
      .credit_count_o(free_count[0+:CreditWidth]),
      /* verilator lint_off PINCONNECTEMPTY */
      .credit_stall_o(),  // The router's ports say who waits for credits.
      /* verilator lint_on PINCONNECTEMPTY */
      .idle_o        (ni_idle),
      .repeats_o,
      .error_o       (ni_error)
  );

  assign {in_valid[3:1], in_vc[3:1], in_sop[3:1], in_eop[3:1]} = {rx_valid_i, rx_vc_i, rx_sop_i, rx_eop_i};
  assign in_data[DataWidth+:3*DataWidth] = rx_data_i;
  assign credit_valid_o = back_valid[3:1];
  assign credit_vc_o = back_vc[3:1];
  assign credit_count_o = back_count[CreditWidth+:3*CreditWidth];
  assign {tx_valid_o, tx_vc_o, tx_sop_o, tx_eop_o} = {out_valid[3:1], out_vc[3:1], out_sop[3:1], out_eop[3:1]};
  assign tx_data_o = out_data[DataWidth+:3*DataWidth];
  assign out_ready = {tx_ready_i, 1'b1};
  assign free_valid[3:1] = credit_valid_i;
  assign free_vc[3:1] = credit_vc_i;
  assign free_count[CreditWidth+:3*CreditWidth] = credit_count_i;

  for (genvar p = 0; p < IntraPorts; p++) begin : gen_tile
    tile_credits i_credits (
        .clk_i,
        .rst_ni                 (network_rst_n),
        .tx_valid_i             (out_valid[p]),
        .tx_ready_i             (out_ready[p]),
        .tx_vc_i                (out_vc[p]),
        .tx_sop_i               (out_sop[p]),
        .tx_payload_bytes_i     (out_data[DataWidth*p+ni_pkg::PayloadBytesLow+:10]),
        .credit_valid_i         (free_valid[p]),
        .credit_vc_i            (free_vc[p]),
        .credit_count_i         (free_count[CreditWidth*p+:CreditWidth]),
        .router_credit_valid_o  (router_free_valid[p]),
        .router_credit_vc_o     (router_free_vc[p]),
        .router_credit_words_o  (router_free_words[ReturnWidth*p+:ReturnWidth]),
        .router_credit_packets_o(router_free_packets[ReturnPacketWidth*p+:ReturnPacketWidth]),
        .router_credit_valid_i  (router_back_valid[p]),
        .router_credit_vc_i     (router_back_vc[p]),
        .router_credit_words_i  (router_back_words[ReturnWidth*p+:ReturnWidth]),
        .router_credit_packets_i(router_back_packets[ReturnPacketWidth*p+:ReturnPacketWidth]),
        .credit_valid_o         (back_valid[p]),
        .credit_vc_o            (back_vc[p]),
        .credit_count_o         (back_count[CreditWidth*p+:CreditWidth]),
        .idle_o                 (tile_idle[p])
    );
  end

  controlled_network_ip #(
      .IntraPorts       (IntraPorts),
      .InterPorts       (InterPorts),
      .MaxPayload       (256),
      .HeaderDepth      (HeaderDepth),
      .IntraPayloadDepth(IntraPayloadDepth),
      .InterPayloadDepth(InterPayloadDepth),
      .LinkWords        (LinkWords),
      .LinkPackets      (LinkPackets),
      .RefreshCycles    (RefreshCycles),
      .Strapped         (1'b1)
  ) i_network (
      .clk_i,
      .rst_ni,
      .strap_coordinates_i (coordinates_i),
      .strap_last_i        (last_i),
      .strap_port_enable_i (port_enable_i[NumPorts-1:0]),
      .strap_tile_words_i  (ape_router_pkg::WordCreditWidth'(BufferWords - 2 * TilePackets)),
      .strap_tile_packets_i(ape_router_pkg::PacketCreditWidth'(TilePackets)),
      .network_rst_no      (network_rst_n),
      .awvalid_i           (control_awvalid_i),
      .awready_o           (control_awready_o),
      .awaddr_i            (control_awaddr_i),
      .wvalid_i            (control_wvalid_i),
      .wready_o            (control_wready_o),
      .wdata_i             (control_wdata_i),
      .wstrb_i             (control_wstrb_i),
      .bvalid_o            (control_bvalid_o),
      .bready_i            (control_bready_i),
      .bresp_o             (control_bresp_o),
      .arvalid_i           (control_arvalid_i),
      .arready_o           (control_arready_o),
      .araddr_i            (control_araddr_i),
      .rvalid_o            (control_rvalid_o),
      .rready_i            (control_rready_i),
      .rdata_o             (control_rdata_o),
      .rresp_o             (control_rresp_o),
      .rx_valid_i          (in_valid),
      .rx_vc_i             (in_vc),
      .rx_sop_i            (in_sop),
      .rx_eop_i            (in_eop),
      .rx_data_i           (in_data),
      .credit_valid_o      (router_back_valid),
      .credit_vc_o         (router_back_vc),
      .credit_words_o      (router_back_words),
      .credit_packets_o    (router_back_packets),
      .tx_valid_o          (out_valid),
      .tx_vc_o             (out_vc),
      .tx_sop_o            (out_sop),
      .tx_eop_o            (out_eop),
      .tx_data_o           (out_data),
      .tx_ready_i          (out_ready),
      .credit_valid_i      (router_free_valid),
      .credit_vc_i         (router_free_vc),
      .credit_words_i      (router_free_words),
      .credit_packets_i    (router_free_packets),
      .m_tdata_o           (m_tdata_o[DataWidth*InterPorts-1:0]),
      .m_tvalid_o          (m_tvalid_o[InterPorts-1:0]),
      .m_tready_i          (m_tready_i[InterPorts-1:0]),
      .s_tdata_i           (s_tdata_i[DataWidth*InterPorts-1:0]),
      .s_tvalid_i          (s_tvalid_i[InterPorts-1:0]),
      .s_tready_o          (s_tready_o[InterPorts-1:0]),
      .link_signal_i       (link_signal_i[InterPorts-1:0]),
      .idle_o              (network_idle),
      .credit_stall_o      (credit_stall_o[NumPorts-1:0]),
      .router_error_o      (router_error),
      .link_error_o        (link_error)
  );

  if (InterPorts < 6) begin : gen_absent
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    /* verilator lint_on UNUSEDSIGNAL */
    assign unused = ^{port_enable_i[9:NumPorts], link_signal_i[5:InterPorts], m_tready_i[5:InterPorts], s_tdata_i[6*DataWidth-1:DataWidth*InterPorts], s_tvalid_i[5:InterPorts]};
    assign m_tdata_o[6*DataWidth-1:DataWidth*InterPorts] = '0;
    assign {m_tvalid_o[5:InterPorts], s_tready_o[5:InterPorts], credit_stall_o[9:NumPorts]} = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) error_q <= 1'b0;
    else if (ni_error || router_error != '0 || link_error != '0) error_q <= 1'b1;
  end
  assign error_o = error_q;
  assign idle_o = ni_idle && network_idle && tile_idle == '1;

endmodule
