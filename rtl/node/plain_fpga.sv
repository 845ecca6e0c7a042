// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The logic of a plain FPGA of a QFDB (F2 to F4): network interface, board switch, and their registers. docs/models/exanet-node.md is the contract.
///
/// Board link l leads to the l-th other FPGA of the board in rising order of f; its fields are bit l (or slice l) of the vectors below. Words come on both
/// VCs and go on VC 0. The far end of a link has 64 words for each VC, and so has this one.
module plain_fpga #(
    /// As in exanet_ni.
    parameter int unsigned MailboxDepth = 16,
    parameter bit BlockRings = 1'b1,
    parameter int unsigned RingBits = 12,
    parameter int unsigned PeerBits = 7,
    parameter int unsigned FirmwareDelay = 0
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

    /// Switch controller: AXI4-Lite slave, 32-bit data.
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

    /// Nothing is inside: without input nothing but time passes. Follows the registers.
    output logic                                idle_o,
    /// As in exanet_ni.
    output logic [1:0]                          repeats_o,
    /// By port (0 is the network interface, 1 + l is link l): a packet waits only for credits.
    output logic [3:0]                          credit_stall_o,
    /// Sticky: a neighbour sent what is no packet or more than its credits, or returned too many.
    output logic                                error_o
);

  localparam int unsigned DataWidth = exanet_pkg::DataWidth;
  localparam int unsigned NumPorts = 4;
  localparam int unsigned IndexWidth = 2;
  localparam int unsigned EntryWidth = 3;
  localparam int unsigned BufferWords = 64;
  localparam int unsigned FillWidth = $clog2(BufferWords) + 1;
  localparam int unsigned CounterWidth = 16;

  // Bit (or slice) p belongs to port p of the switch: in_* to it, out_* from it.
  logic [NumPorts-1:0] in_valid, in_sop, in_eop, in_ready, out_valid, out_sop, out_eop, out_ready;
  logic [NumPorts*DataWidth-1:0] in_data, out_data;
  logic [(2**IndexWidth+1)*EntryWidth-1:0] entries;
  logic [1:0] self;
  logic ni_tx_vc, ni_rx_valid, ni_rx_vc, ni_rx_sop, ni_rx_eop, ni_credit_valid, ni_credit_vc;
  logic [DataWidth-1:0] ni_rx_data;
  logic [exanet_pkg::CreditWidth-1:0] ni_credit_count;
  logic ni_idle, ni_error, switch_idle, control_idle, inside_idle, error_q;
  logic [2:0] rx_idle, rx_error;
  logic [NumPorts-1:0] tx_error;
  logic [2:0] stray;
  logic [3*CounterWidth-1:0] strays;
  // The switch drops nothing: it gets whole packets, and what is not for this board goes to F1.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumPorts*CounterWidth-1:0] dropped;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [NumPorts*2*FillWidth-1:0] queued;
  logic [NumPorts*FillWidth-1:0] used;

  // The output towards each FPGA of the board, and at last to those of others, which is that to F1. Bit 0 of an entry says that there is one.
  assign self = node_i[IndexWidth-1:0];
  always_comb begin
    entries = '0;
    for (int f = 0; f < 2 ** IndexWidth; f++) begin
      entries[EntryWidth*f] = 1'b1;
      if (IndexWidth'(f) < self) entries[EntryWidth*f+1+:2] = 2'(f + 1);
      if (IndexWidth'(f) > self) entries[EntryWidth*f+1+:2] = 2'(f);
    end
    entries[EntryWidth*2**IndexWidth+:EntryWidth] = entries[0+:EntryWidth];
  end

  exanet_ni #(
      .BufferWords  (BufferWords),
      .FarWords     (BufferWords),
      .MailboxDepth (MailboxDepth),
      .BlockRings   (BlockRings),
      .RingBits     (RingBits),
      .PeerBits     (PeerBits),
      .FirmwareDelay(FirmwareDelay)
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
      .tx_vc_o       (ni_tx_vc),
      .tx_sop_o      (in_sop[0]),
      .tx_eop_o      (in_eop[0]),
      .tx_data_o     (in_data[0+:DataWidth]),
      .tx_ready_i    (in_ready[0]),
      // The switch says by itself when it has no space, so a word that it takes is free at once.
      .credit_valid_i(in_valid[0] && in_ready[0]),
      .credit_vc_i   (ni_tx_vc),
      .credit_count_i(exanet_pkg::CreditWidth'(1)),
      .rx_valid_i    (ni_rx_valid),
      .rx_vc_i       (ni_rx_vc),
      .rx_sop_i      (ni_rx_sop),
      .rx_eop_i      (ni_rx_eop),
      .rx_data_i     (ni_rx_data),
      .credit_valid_o(ni_credit_valid),
      .credit_vc_o   (ni_credit_vc),
      .credit_count_o(ni_credit_count),
      // What the switch takes never lacks credits.
      /* verilator lint_off PINCONNECTEMPTY */
      .credit_stall_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .idle_o        (ni_idle),
      .repeats_o,
      .error_o       (ni_error)
  );

  for (genvar l = 0; l < 3; l++) begin : gen_rx
    board_link_rx #(
        .BufferWords(BufferWords)
    ) i_rx (
        .clk_i,
        .rst_ni,
        .rx_valid_i    (rx_valid_i[l]),
        .rx_vc_i       (rx_vc_i[l]),
        .rx_sop_i      (rx_sop_i[l]),
        .rx_eop_i      (rx_eop_i[l]),
        .rx_data_i     (rx_data_i[DataWidth*l+:DataWidth]),
        .credit_valid_o(credit_valid_o[l]),
        .credit_vc_o   (credit_vc_o[l]),
        .credit_count_o(credit_count_o[exanet_pkg::CreditWidth*l+:exanet_pkg::CreditWidth]),
        .valid_o       (in_valid[1+l]),
        .sop_o         (in_sop[1+l]),
        .eop_o         (in_eop[1+l]),
        .data_o        (in_data[DataWidth*(1+l)+:DataWidth]),
        .ready_i       (in_ready[1+l]),
        .queued_o      (queued[2*FillWidth*(1+l)+:2*FillWidth]),
        .drop_o        (stray[l]),
        .idle_o        (rx_idle[l]),
        .error_o       (rx_error[l])
    );
    event_counter #(
        .Width(CounterWidth)
    ) i_strays (
        .clk_i,
        .rst_ni,
        .event_i(stray[l]),
        .count_o(strays[CounterWidth*l+:CounterWidth])
    );
  end

  qfdb_switch #(
      .NumPorts    (NumPorts),
      .IndexWidth  (IndexWidth),
      .CounterWidth(CounterWidth)
  ) i_switch (
      .clk_i,
      .rst_ni,
      .board_i   ({2'b00, node_i[ni_pkg::NodeWidth-1:IndexWidth]}),
      .table_i   (entries),
      .rx_valid_i(in_valid),
      .rx_sop_i  (in_sop),
      .rx_eop_i  (in_eop),
      .rx_data_i (in_data),
      .rx_ready_o(in_ready),
      .tx_valid_o(out_valid),
      .tx_sop_o  (out_sop),
      .tx_eop_o  (out_eop),
      .tx_data_o (out_data),
      .tx_ready_i(out_ready),
      .dropped_o (dropped),
      .idle_o    (switch_idle)
  );

  // Port 0 is the network interface, whose buffer counts like that of a link.
  for (genvar p = 0; p < NumPorts; p++) begin : gen_tx
    logic valid, vc, sop, eop, ready, back_valid, back_vc;
    logic [DataWidth-1:0] data;
    logic [exanet_pkg::CreditWidth-1:0] back_count;
    board_link_tx #(
        .FarWords(BufferWords)
    ) i_tx (
        .clk_i,
        .rst_ni,
        .valid_i       (out_valid[p]),
        .sop_i         (out_sop[p]),
        .eop_i         (out_eop[p]),
        .data_i        (out_data[DataWidth*p+:DataWidth]),
        .ready_o       (out_ready[p]),
        .tx_valid_o    (valid),
        .tx_vc_o       (vc),
        .tx_sop_o      (sop),
        .tx_eop_o      (eop),
        .tx_data_o     (data),
        .tx_ready_i    (ready),
        .credit_valid_i(back_valid),
        .credit_vc_i   (back_vc),
        .credit_count_i(back_count),
        .used_o        (used[FillWidth*p+:FillWidth]),
        .credit_stall_o(credit_stall_o[p]),
        .error_o       (tx_error[p])
    );
    if (p == 0) begin : gen_ni
      assign ni_rx_valid = valid;
      assign ni_rx_vc = vc;
      assign ni_rx_sop = sop;
      assign ni_rx_eop = eop;
      assign ni_rx_data = data;
      assign ready = 1'b1;
      assign back_valid = ni_credit_valid;
      assign back_vc = ni_credit_vc;
      assign back_count = ni_credit_count;
    end else begin : gen_link
      assign tx_valid_o[p-1] = valid;
      assign tx_vc_o[p-1] = vc;
      assign tx_sop_o[p-1] = sop;
      assign tx_eop_o[p-1] = eop;
      assign tx_data_o[DataWidth*(p-1)+:DataWidth] = data;
      assign ready = tx_ready_i[p-1];
      assign back_valid = credit_valid_i[p-1];
      assign back_vc = credit_vc_i[p-1];
      assign back_count = credit_count_i[exanet_pkg::CreditWidth*(p-1)+:exanet_pkg::CreditWidth];
    end
  end

  // Packets of the network interface wait in it, and not in a buffer of a link.
  assign queued[2*FillWidth-1:0] = '0;
  assign inside_idle = ni_idle && switch_idle && rx_idle == '1;

  switch_controller #(
      .NumPorts    (NumPorts),
      .CounterWidth(CounterWidth),
      .BufferWords (BufferWords)
  ) i_control (
      .clk_i,
      .rst_ni,
      .awvalid_i     (control_awvalid_i),
      .awready_o     (control_awready_o),
      .awaddr_i      (control_awaddr_i),
      .wvalid_i      (control_wvalid_i),
      .wready_o      (control_wready_o),
      .wdata_i       (control_wdata_i),
      .wstrb_i       (control_wstrb_i),
      .bvalid_o      (control_bvalid_o),
      .bready_i      (control_bready_i),
      .bresp_o       (control_bresp_o),
      .arvalid_i     (control_arvalid_i),
      .arready_o     (control_arready_o),
      .araddr_i      (control_araddr_i),
      .rvalid_o      (control_rvalid_o),
      .rready_i      (control_rready_i),
      .rdata_o       (control_rdata_o),
      .rresp_o       (control_rresp_o),
      .idle_i        (inside_idle),
      .credit_stall_i(credit_stall_o),
      .error_i       ({rx_error, ni_error} | tx_error),
      .sent_i        (out_valid & out_ready & out_eop),
      .dropped_i     ({strays, dropped[CounterWidth-1:0]}),
      .queued_i      (queued),
      .used_i        (used),
      .idle_o        (control_idle)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) error_q <= 1'b0;
    else if (ni_error || rx_error != '0 || tx_error != '0) error_q <= 1'b1;
  end
  assign error_o = error_q;
  assign idle_o = inside_idle && control_idle;

endmodule
