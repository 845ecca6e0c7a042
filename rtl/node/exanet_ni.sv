// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The network interface of a node: packetizer and mailbox (small_ni), the RDMA unit and the Allreduce accelerator behind one tile port. docs/models/exanet-node.md is the contract.
module exanet_ni #(
    /// Receive buffer of each VC in words, and that of the neighbour. A power of two from 32 to 128.
    parameter int unsigned BufferWords = 64,
    parameter int unsigned FarWords = 64,
    /// As in small_ni.
    parameter int unsigned MailboxDepth = 16,
    parameter bit BlockRings = 1'b1,
    parameter int unsigned RingBits = 12,
    parameter int unsigned PeerBits = 7,
    parameter int unsigned AnswerDepth = 64,
    /// As in rdma_unit.
    parameter int unsigned FirmwareDelay = 0,
    parameter int unsigned MaxBursts = 8,
    parameter int unsigned NumContexts = 32,
    /// The accelerator is the server of its board, not a client.
    parameter bit AllreduceServer = 1'b0
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

    /// RDMA unit: AXI slave for descriptors and registers, as in rdma_unit. AXI master to the host's memory, of the RDMA unit and of the mailbox's rings.
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

    /// Tile port: words to the router, or what stands for it, and credits from there; a word is taken at an edge where both valid and ready are high.
    output logic                                tx_valid_o,
    output logic                                tx_vc_o,
    output logic                                tx_sop_o,
    output logic                                tx_eop_o,
    output logic [exanet_pkg::DataWidth-1:0]    tx_data_o,
    input  logic                                tx_ready_i,
    input  logic                                credit_valid_i,
    input  logic                                credit_vc_i,
    input  logic [exanet_pkg::CreditWidth-1:0]  credit_count_i,
    /// Words from there, and the credits for them.
    input  logic                                rx_valid_i,
    input  logic                                rx_vc_i,
    input  logic                                rx_sop_i,
    input  logic                                rx_eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]    rx_data_i,
    output logic                                credit_valid_o,
    output logic                                credit_vc_o,
    output logic [exanet_pkg::CreditWidth-1:0]  credit_count_o,

    /// By VC: a packet waits only for credits.
    output logic [1:0]                          credit_stall_o,
    /// Nothing is inside: without input nothing but time passes. Follows the registers.
    output logic                                idle_o,
    /// Registered, for one cycle each: a message (bit 0), a block of a transfer (bit 1) is going to be sent again.
    output logic [1:0]                          repeats_o,
    /// Sticky: the neighbour returned credits that were not in use.
    output logic                                error_o
);

  localparam int unsigned DataWidth = exanet_pkg::DataWidth;

  // Packets of the RDMA unit: requests on VC 0, answers on VC 1.
  logic [1:0] out_valid, out_ready;
  logic [2*DataWidth-1:0] out_data;
  logic in_valid, in_ready, in_sop, in_eop;
  logic [DataWidth-1:0] in_data;
  logic small_idle, rdma_idle, reduce_idle;
  // The accelerator: registers, events, and packets, which share the stream of requests.
  logic access, access_write, access_done, access_error, mailbox_event, reduce_event;
  logic [12:0] access_address;
  logic [63:0] access_data, answer_data;
  logic [ni_pkg::InterfaceWidth-1:0] mailbox_interface;
  logic request_valid, request_ready, reduce_valid, reduce_ready, to_reduce, to_reduce_q;
  logic [DataWidth-1:0] request_data, reduce_data;
  logic [1:0] repeats, repeats_q;
  // The header says how long a packet is.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [1:0] out_sop, out_eop;
  /* verilator lint_on UNUSEDSIGNAL */

  // Writes to memory of the RDMA unit (0) and of the mailbox (1).
  logic [1:0] write_awvalid, write_awready, write_wvalid, write_wready, write_wlast, write_bvalid;
  logic [77:0] write_awaddr;
  logic [15:0] write_awlen;
  logic [37:0] write_awuser;
  logic [255:0] write_wdata;
  logic [31:0] write_wstrb;
  logic [1:0] write_bresp;
  logic writes_idle, clk_writes;

  // Each part has a clock that stands while nothing is inside.
  logic clk_small, clk_rdma, clk_reduce;

  idle_gate i_small_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!small_idle || axi_awvalid_i || axi_wvalid_i || axi_arvalid_i || rx_valid_i || credit_valid_i || out_valid != 2'b00 || access_done),
      .clk_o (clk_small)
  );
  idle_gate i_rdma_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!rdma_idle || s_awvalid_i || s_wvalid_i || s_arvalid_i || m_bvalid_i || m_rvalid_i || in_valid),
      .clk_o (clk_rdma)
  );
  idle_gate i_reduce_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!reduce_idle || access || in_valid),
      .clk_o (clk_reduce)
  );

  small_ni #(
      .BufferWords (BufferWords),
      .MailboxDepth(MailboxDepth),
      .PeerBits    (PeerBits),
      .AnswerDepth (AnswerDepth),
      .BlockRings  (BlockRings),
      .RingBits    (RingBits),
      .External    (1'b1)
  ) i_small (
      .clk_i             (clk_small),
      .rst_ni,
      .time_i,
      .idle_o           (small_idle),
      .repeat_o         (repeats[0]),
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
      .initial_credits_i(exanet_pkg::CreditWidth'(FarWords)),
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
      .m_awvalid_o       (write_awvalid[1]),
      .m_awready_i       (write_awready[1]),
      .m_awaddr_o        (write_awaddr[77:39]),
      .m_awlen_o         (write_awlen[15:8]),
      .m_awuser_o        (write_awuser[37:19]),
      .m_wvalid_o        (write_wvalid[1]),
      .m_wready_i        (write_wready[1]),
      .m_wdata_o         (write_wdata[255:128]),
      .m_wlast_o         (write_wlast[1]),
      .m_bvalid_i        (write_bvalid[1]),
      .m_bresp_i         (write_bresp),
      .event_valid_o     (mailbox_event),
      .event_interface_o (mailbox_interface),
      .irq_o,
      .external_valid_o  (access),
      .external_write_o  (access_write),
      .external_address_o(access_address),
      .external_data_o   (access_data),
      .external_done_i   (access_done),
      .external_error_i  (access_error),
      .external_data_i   (answer_data),
      .tx_valid_o,
      .tx_vc_o,
      .tx_sop_o,
      .tx_eop_o,
      .tx_data_o,
      .tx_ready_i,
      .credit_valid_i,
      .credit_vc_i,
      .credit_count_i,
      .rx_valid_i,
      .rx_vc_i,
      .rx_sop_i,
      .rx_eop_i,
      .rx_data_i,
      .credit_valid_o,
      .credit_vc_o,
      .credit_count_o,
      .rdma_tx_valid_i  (out_valid),
      .rdma_tx_data_i   (out_data),
      .rdma_tx_ready_o  (out_ready),
      .rdma_rx_valid_o  (in_valid),
      .rdma_rx_sop_o    (in_sop),
      .rdma_rx_eop_o    (in_eop),
      .rdma_rx_data_o   (in_data),
      .rdma_rx_ready_i  (in_ready || to_reduce),
      .credit_stall_o,
      .error_o
  );

  rdma_unit #(
      .FirmwareDelay(FirmwareDelay),
      .MaxBursts    (MaxBursts),
      .NumContexts  (NumContexts)
  ) i_rdma (
      .clk_i          (clk_rdma),
      .rst_ni,
      .time_i,
      .idle_o         (rdma_idle),
      .repeat_o       (repeats[1]),
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
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
      .m_awvalid_o    (write_awvalid[0]),
      .m_awready_i    (write_awready[0]),
      .m_awaddr_o     (write_awaddr[38:0]),
      .m_awlen_o      (write_awlen[7:0]),
      .m_awuser_o     (write_awuser[18:0]),
      .m_wvalid_o     (write_wvalid[0]),
      .m_wready_i     (write_wready[0]),
      .m_wdata_o      (write_wdata[127:0]),
      .m_wstrb_o      (write_wstrb[15:0]),
      .m_wlast_o      (write_wlast[0]),
      .m_bvalid_i     (write_bvalid[0]),
      /* verilator lint_off PINCONNECTEMPTY */
      .m_bready_o     (),
      /* verilator lint_on PINCONNECTEMPTY */
      .m_bresp_i      (write_bresp),
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
      .request_valid_o(request_valid),
      .request_ready_i(request_ready),
      .request_sop_o  (out_sop[0]),
      .request_eop_o  (out_eop[0]),
      .request_data_o (request_data),
      .answer_valid_o (out_valid[1]),
      .answer_ready_i (out_ready[1]),
      .answer_sop_o   (out_sop[1]),
      .answer_eop_o   (out_eop[1]),
      .answer_data_o  (out_data[DataWidth+:DataWidth]),
      .rx_valid_i     (in_valid && !to_reduce),
      .rx_ready_o     (in_ready),
      .rx_sop_i       (in_sop),
      .rx_eop_i       (in_eop),
      .rx_data_i      (in_data)
  );

  assign write_wstrb[31:16] = '1;
  idle_gate i_write_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!writes_idle || write_awvalid != 2'b00),
      .clk_o (clk_writes)
  );
  axi_write_mux i_writes (
      .clk_i    (clk_writes),
      .rst_ni,
      .idle_o   (writes_idle),
      .awvalid_i(write_awvalid),
      .awready_o(write_awready),
      .awaddr_i (write_awaddr),
      .awlen_i  (write_awlen),
      .awuser_i (write_awuser),
      .wvalid_i (write_wvalid),
      .wready_o (write_wready),
      .wdata_i  (write_wdata),
      .wstrb_i  (write_wstrb),
      .wlast_i  (write_wlast),
      .bvalid_o (write_bvalid),
      .bresp_o  (write_bresp),
      .awvalid_o(m_awvalid_o),
      .awready_i(m_awready_i),
      .awaddr_o (m_awaddr_o),
      .awlen_o  (m_awlen_o),
      .awuser_o (m_awuser_o),
      .wvalid_o (m_wvalid_o),
      .wready_i (m_wready_i),
      .wdata_o  (m_wdata_o),
      .wstrb_o  (m_wstrb_o),
      .wlast_o  (m_wlast_o),
      .bvalid_i (m_bvalid_i),
      .bready_o (m_bready_o),
      .bresp_i  (m_bresp_i)
  );

  allreduce_unit #(
      .Server(AllreduceServer)
  ) i_allreduce (
      .clk_i            (clk_reduce),
      .rst_ni,
      .idle_o           (reduce_idle),
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
      .request_valid_i  (access),
      .request_write_i  (access_write),
      .request_address_i(access_address),
      .request_data_i   (access_data),
      .response_valid_o (access_done),
      .response_error_o (access_error),
      .response_data_o  (answer_data),
      .event_valid_o    (reduce_event),
      .event_ready_i    (!mailbox_event),
      .tx_valid_o       (reduce_valid),
      .tx_data_o        (reduce_data),
      .tx_ready_i       (reduce_ready),
      .rx_valid_i       (in_valid && to_reduce),
      .rx_sop_i         (in_sop),
      .rx_eop_i         (in_eop),
      .rx_data_i        (in_data)
  );

  packet_merge i_merge (
      .clk_i,
      .rst_ni,
      .valid_i({reduce_valid, request_valid}),
      .data_i ({reduce_data, request_data}),
      .ready_o({reduce_ready, request_ready}),
      .valid_o(out_valid[0]),
      .data_o (out_data[0+:DataWidth]),
      .ready_i(out_ready[0])
  );

  // Packets of its kind go to the accelerator, which always takes them.
  assign to_reduce = in_sop ? in_data[ni_pkg::KindLow+:3] == allreduce_pkg::PacketReduce : to_reduce_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) to_reduce_q <= 1'b0;
    else if (in_valid && (in_ready || to_reduce)) to_reduce_q <= to_reduce;
  end

  // Those of the mailbox go first: its rings tell how many there were, so none may be lost.
  assign event_valid_o = mailbox_event || reduce_event;
  assign event_interface_o = mailbox_event ? {1'b0, mailbox_interface} : {1'b1, {ni_pkg::InterfaceWidth{1'b0}}};
  assign idle_o = small_idle && rdma_idle && reduce_idle;
  assign repeats_o = repeats_q;

  always_ff @(posedge clk_i) repeats_q <= rst_ni ? repeats : 2'b00;

endmodule
