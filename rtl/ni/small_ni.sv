// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The short-message part of the ExaNeSt network interface: packetizer and mailbox behind one AXI4-Lite slave and one tile port of the router, with stream
/// ports through which the RDMA units share the tile port. docs/models/exanet-ni.md describes registers, packets and what can go wrong.
module small_ni #(
    /// Receive buffer of each VC in words: the credits that the router's tile output begins with. A power of two from 32 to 128.
    parameter int unsigned BufferWords = 64,
    /// Entries of each mailbox ring in block RAM: a power of two from 2 to 16.
    parameter int unsigned MailboxDepth = 16,
    /// There are rings in block RAM, not only in the host's memory, where they have up to 2^RingBits entries (1 to 12).
    parameter bit BlockRings = 1'b1,
    parameter int unsigned RingBits = 12,
    /// Nodes that can send messages here: 2^PeerBits.
    parameter int unsigned PeerBits = 7,
    /// Answers that can wait for the tile port; a power of two.
    parameter int unsigned AnswerDepth = 64,
    /// The registers from d0000 to dffff are those of another unit.
    parameter bit External = 1'b0
) (
    input  logic                               clk_i,
    /// Synchronous, active low.
    input  logic                               rst_ni,
    /// Cycles since reset. Counts on its own in hardware; while `idle_o` is high it may jump.
    input  logic [31:0]                        time_i,
    /// Without input at any port nothing happens at any later edge, whatever the time.
    output logic                               idle_o,
    /// For one cycle: a message is going to be sent again.
    output logic                               repeat_o,
    /// Own node, and how many bits of a node number are tile port, x and y. Constant.
    input  logic [ni_pkg::NodeWidth-1:0]       node_i,
    input  logic [1:0]                         tile_bits_i,
    input  logic [3:0]                         x_bits_i,
    input  logic [3:0]                         y_bits_i,
    /// Buffer words of each VC of the router's tile input. Constant.
    input  logic [exanet_pkg::CreditWidth-1:0] initial_credits_i,

    /// AXI4-Lite slave, 64-bit data, 1 MiB.
    input  logic                               axi_awvalid_i,
    output logic                               axi_awready_o,
    input  logic [19:0]                        axi_awaddr_i,
    input  logic                               axi_wvalid_i,
    output logic                               axi_wready_o,
    input  logic [63:0]                        axi_wdata_i,
    input  logic [7:0]                         axi_wstrb_i,
    output logic                               axi_bvalid_o,
    input  logic                               axi_bready_i,
    output logic [1:0]                         axi_bresp_o,
    input  logic                               axi_arvalid_i,
    output logic                               axi_arready_o,
    input  logic [19:0]                        axi_araddr_i,
    output logic                               axi_rvalid_o,
    input  logic                               axi_rready_i,
    output logic [63:0]                        axi_rdata_o,
    output logic [1:0]                         axi_rresp_o,

    /// An access to a register of the other unit, held until its response: words of 64 bits.
    output logic                               external_valid_o,
    output logic                               external_write_o,
    output logic [12:0]                        external_address_o,
    output logic [63:0]                        external_data_o,
    input  logic                               external_done_i,
    input  logic                               external_error_i,
    input  logic [63:0]                        external_data_i,

    /// Words to the router; taken at an edge where both valid and ready are high.
    output logic                               tx_valid_o,
    output logic                               tx_vc_o,
    output logic                               tx_sop_o,
    output logic                               tx_eop_o,
    output logic [exanet_pkg::DataWidth-1:0]   tx_data_o,
    input  logic                               tx_ready_i,
    input  logic                               credit_valid_i,
    input  logic                               credit_vc_i,
    input  logic [exanet_pkg::CreditWidth-1:0] credit_count_i,
    /// Words from the router and the credits for them.
    input  logic                               rx_valid_i,
    input  logic                               rx_vc_i,
    input  logic                               rx_sop_i,
    input  logic                               rx_eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]   rx_data_i,
    output logic                               credit_valid_o,
    output logic                               credit_vc_o,
    output logic [exanet_pkg::CreditWidth-1:0] credit_count_o,

    /// Packets of the RDMA units with their footers, one stream for each VC. Valid stays within a packet.
    input  logic [1:0]                         rdma_tx_valid_i,
    input  logic [2*exanet_pkg::DataWidth-1:0] rdma_tx_data_i,
    output logic [1:0]                         rdma_tx_ready_o,
    /// Packets for the RDMA units, whole; their CRC is not checked. Must be taken whether or not the units can send.
    output logic                               rdma_rx_valid_o,
    output logic                               rdma_rx_sop_o,
    output logic                               rdma_rx_eop_o,
    output logic [exanet_pkg::DataWidth-1:0]   rdma_rx_data_o,
    input  logic                               rdma_rx_ready_i,

    /// Entries of rings in the host's memory: AXI, only writes, all strobes are set.
    output logic                               m_awvalid_o,
    input  logic                               m_awready_i,
    output logic [38:0]                        m_awaddr_o,
    output logic [7:0]                         m_awlen_o,
    output logic [18:0]                        m_awuser_o,
    output logic                               m_wvalid_o,
    input  logic                               m_wready_i,
    output logic [127:0]                       m_wdata_o,
    output logic                               m_wlast_o,
    input  logic                               m_bvalid_i,
    input  logic [1:0]                         m_bresp_i,

    /// For one cycle: an entry has been added to the mailbox of this interface.
    output logic                               event_valid_o,
    output logic [ni_pkg::InterfaceWidth-1:0]  event_interface_o,
    /// The interrupt of the mailbox, by level; see ni_interrupts.
    output logic                               irq_o,
    /// By VC: a packet waits only for credits.
    output logic [1:0]                         credit_stall_o,
    /// Sticky: more credits came back than were used.
    output logic                               error_o
);

  localparam int unsigned NumCounters = 23;
  localparam logic [1:0] RegionPacketizer = 2'd0;
  localparam logic [1:0] RegionMailbox = 2'd1;
  localparam logic [1:0] RegionSystem = 2'd2;

  // Host accesses.
  logic request_valid, request_write, response_valid, response_error;
  logic [16:0] address;
  logic [63:0] request_data, response_data;
  logic [1:0] region;
  logic [5:0] page;
  logic [3:0] word;
  logic packetizer_ready, mailbox_ready, clearing, ready;
  logic accessed, listed, in_packetizer, in_mailbox, in_system, in_global, in_external;
  logic channel_access, channel_done, channel_error, mailbox_done, mailbox_error, sender_write;
  logic [63:0] channel_data, mailbox_data;
  logic global_write, interrupt_write, forget, forget_taken, packetizer_config, mailbox_config, in_ring, ring_write, ring_taken, ring_refused;
  ni_pkg::ring_t ring;
  logic [63:0] packetizer_enable_q;
  logic [15:0] timeout_q;
  logic [3:0] retry_limit_q, prescale_q;
  logic [31:0] counter;
  logic [63:0] interrupts_pending, interrupts_enable, interrupts_moderation;

  logic axi_idle, packetizer_idle, sender_idle, mailbox_idle, rx_idle, interrupts_idle, quiet;
  logic [1:0] quiet_q;

  // Between the units.
  logic send_valid, send_take, send_taken, send_go, message_sent;
  logic [7:0] send_channel;
  logic [23:0] send_sequence;
  logic [6:0] send_bytes;
  logic message_valid, message_ready, answer_valid, answer_nack, answer_push, answer_full, answer_tx_valid, message_tx_valid;
  logic [21:0] message_source, answer_node;
  logic [127:0] message_header, message_tx_data, answer_tx_data;
  logic [511:0] message_data;
  logic [31:0] answer_tag, mailbox_tag;
  logic [2:0] answer_verdict, answer_rank, answer_from_rank;
  logic [3:0] tx_ready;
  logic [15:0] answer_pdid;
  logic [5:0] packetizer_count;
  logic [8:0] mailbox_count;
  logic [5:0] answer_reserved;
  ni_pkg::ring_entry_t entry;
  logic entry_valid, written_valid, written_ready, written_error;
  logic [13:0] rx_count;
  logic [6:0] rx_either;

  ni_axi_slave i_axi (
      .clk_i,
      .rst_ni,
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
      .idle_o           (axi_idle),
      .request_valid_o  (request_valid),
      .request_write_o  (request_write),
      .request_address_o(address),
      .request_data_o   (request_data),
      .response_valid_i (response_valid),
      .response_error_i (response_error),
      .response_data_i  (response_data)
  );

  assign ready = packetizer_ready && mailbox_ready;
  assign region = address[16:15];
  assign page = address[14:9];
  assign word = address[3:0];
  // Bits of an address that no register has are an error, so that each register has one address.
  always_comb begin
    case (region)
      RegionPacketizer: listed = address[8:6] == '0;
      RegionMailbox: listed = address[8] ? address[7:4] == '0 : 32'(address[7:4]) < MailboxDepth;
      RegionSystem: listed = address[8:4] == '0;
      default: listed = in_external || (address[14:5] == '0 && (address[4:3] == '0 ? address[2:0] < 3'd6 : 32'(address[4:0]) < 8 + NumCounters));
    endcase
  end
  assign accessed = request_valid && ready;
  assign in_packetizer = accessed && listed && region == RegionPacketizer;
  assign in_mailbox = accessed && listed && region == RegionMailbox;
  assign in_system = accessed && listed && region == RegionSystem;
  assign in_external = External && accessed && region == 2'd3 && address[14:13] == 2'd1;
  assign in_global = accessed && listed && region == 2'd3 && !in_external;
  assign channel_access = in_packetizer && word == 4'd9;
  assign sender_write = in_packetizer && request_write && word < 4'd9;
  assign packetizer_config = in_system && request_write && word == 4'd0;
  assign mailbox_config = in_system && request_write && word == 4'd1;
  assign global_write = in_global && request_write && address[4:0] == 5'd1;
  assign forget = in_global && request_write && address[4:0] == 5'd2;
  assign interrupt_write = in_global && request_write && address[4:0] >= 5'd3 && address[4:0] < 5'd6;
  assign in_ring = in_system && word == 4'd2;
  assign ring_write = in_ring && request_write;

  always_comb begin
    response_valid = 1'b0;
    response_error = 1'b0;
    response_data = '0;
    if (channel_access) begin
      response_valid = channel_done;
      response_error = channel_error;
      response_data = channel_data;
    end else if (in_packetizer) begin
      response_valid = 1'b1;
      response_error = !sender_write;
    end else if (in_mailbox) begin
      response_valid = mailbox_done;
      response_error = mailbox_error;
      response_data = mailbox_data;
    end else if (in_ring) begin
      response_valid = !request_write || ring_taken;
      response_error = request_write && ring_refused;
      response_data = ring;
    end else if (in_system) begin
      response_valid = 1'b1;
      response_error = !packetizer_config && !mailbox_config;
    end else if (in_external) begin
      response_valid = external_done_i;
      response_error = external_error_i;
      response_data = external_data_i;
    end else if (in_global) begin
      response_valid = !forget || forget_taken;
      response_error = request_write ? !global_write && !forget && !interrupt_write : address[4:0] == 5'd2;
      if (address[4:0] == 5'd0) response_data = {32'h4e490001, 7'd0, error_o, 1'b0, clearing, node_i};
      else if (address[4:0] == 5'd1) response_data = {40'd0, prescale_q, retry_limit_q, timeout_q};
      else if (address[4:0] == 5'd3) response_data = interrupts_pending;
      else if (address[4:0] == 5'd4) response_data = interrupts_enable;
      else if (address[4:0] == 5'd5) response_data = interrupts_moderation;
      else if (address[4:0] >= 5'd8) response_data = {32'd0, counter};
    end else if (accessed) begin
      response_valid = 1'b1;
      response_error = 1'b1;
    end
  end

  assign external_valid_o = in_external;
  assign external_write_o = request_write;
  assign external_address_o = address[12:0];
  assign external_data_o = request_data;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      packetizer_enable_q <= '0;
      timeout_q <= 16'd1024;
      retry_limit_q <= 4'd7;
      prescale_q <= 4'd4;
    end else begin
      if (packetizer_config) packetizer_enable_q[page] <= request_data[63];
      if (global_write) {prescale_q, retry_limit_q, timeout_q} <= request_data[23:0];
    end
  end

  assign quiet = axi_idle && packetizer_idle && sender_idle && mailbox_idle && rx_idle && interrupts_idle && !answer_tx_valid && !tx_valid_o;
  // The last events reach their counters two edges later.
  assign idle_o = quiet && quiet_q == 2'b11;
  assign repeat_o = packetizer_count[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) quiet_q <= '0;
    else quiet_q <= {quiet_q[0], 1'b1} & {2{quiet}};
  end

  ni_packetizer i_packetizer (
      .clk_i,
      .rst_ni,
      .ready_o        (packetizer_ready),
      .time_i,
      .idle_o         (packetizer_idle),
      .timeout_i      (timeout_q),
      .prescale_i     (prescale_q),
      .retry_limit_i  (retry_limit_q),
      .enable_i       (packetizer_enable_q),
      .host_valid_i   (channel_access),
      .host_write_i   (request_write),
      .host_channel_i ({page, address[5:4]}),
      .host_bytes_i   (request_data[6:0]),
      .host_done_o    (channel_done),
      .host_error_o   (channel_error),
      .host_data_o    (channel_data),
      .answer_valid_i (answer_valid),
      .answer_nack_i  (answer_nack),
      .answer_tag_i   (answer_tag),
      .send_valid_o   (send_valid),
      .send_channel_o (send_channel),
      .send_take_i    (send_take),
      .send_taken_o   (send_taken),
      .send_go_o      (send_go),
      .send_sequence_o(send_sequence),
      .send_bytes_o   (send_bytes),
      .count_o        (packetizer_count)
  );

  ni_message_sender i_sender (
      .clk_i,
      .rst_ni,
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
      .write_i           (sender_write),
      .write_channel_i   ({page, address[5:4]}),
      .write_word_i      (word),
      .write_data_i      (request_data),
      .config_write_i    (packetizer_config),
      .config_interface_i(page),
      .config_pdid_i     (request_data[15:0]),
      .config_rank_i     (request_data[18:16]),
      .send_valid_i      (send_valid),
      .send_channel_i    (send_channel),
      .send_take_o       (send_take),
      .send_taken_i      (send_taken),
      .send_go_i         (send_go),
      .send_sequence_i   (send_sequence),
      .send_bytes_i      (send_bytes),
      .valid_o           (message_tx_valid),
      .data_o            (message_tx_data),
      .ready_i           (tx_ready[1]),
      .count_o           (message_sent),
      .idle_o            (sender_idle)
  );

  ni_answer_sender #(
      .Depth(AnswerDepth)
  ) i_answers (
      .clk_i,
      .rst_ni,
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
      .push_i     (answer_push),
      .verdict_i  (answer_verdict),
      .to_node_i  (answer_node),
      .to_rank_i  (answer_rank),
      .pdid_i     (answer_pdid),
      .tag_i      (mailbox_tag),
      .from_rank_i(answer_from_rank),
      .full_o     (answer_full),
      .reserved_i (answer_reserved),
      .valid_o    (answer_tx_valid),
      .data_o     (answer_tx_data),
      .ready_i    (tx_ready[0])
  );

  ni_tx_arbiter #(
      .NumSenders(4),
      .Footed    (4'b1100)
  ) i_tx (
      .clk_i,
      .rst_ni,
      .initial_credits_i,
      .valid_i({rdma_tx_valid_i, message_tx_valid, answer_tx_valid}),
      .vc_i   ({ni_pkg::VcAnswer, ni_pkg::VcRequest, ni_pkg::VcRequest, ni_pkg::VcAnswer}),
      .data_i ({rdma_tx_data_i, message_tx_data, answer_tx_data}),
      .ready_o(tx_ready),
      .tx_valid_o,
      .tx_vc_o,
      .tx_sop_o,
      .tx_eop_o,
      .tx_data_o,
      .tx_ready_i,
      .credit_valid_i,
      .credit_vc_i,
      .credit_count_i,
      .credit_stall_o,
      .error_o
  );
  assign rdma_tx_ready_o = tx_ready[3:2];

  ni_rx_demux #(
      .BufferWords(BufferWords)
  ) i_rx (
      .clk_i,
      .rst_ni,
      .node_i,
      .rx_valid_i,
      .rx_vc_i,
      .rx_sop_i,
      .rx_eop_i,
      .rx_data_i,
      .credit_valid_o,
      .credit_vc_o,
      .credit_count_o,
      .message_valid_o (message_valid),
      .message_source_o(message_source),
      .message_header_o(message_header),
      .message_data_o  (message_data),
      .message_ready_i (message_ready),
      .answer_valid_o  (answer_valid),
      .answer_nack_o   (answer_nack),
      .answer_tag_o    (answer_tag),
      .rdma_valid_o    (rdma_rx_valid_o),
      .rdma_sop_o      (rdma_rx_sop_o),
      .rdma_eop_o      (rdma_rx_eop_o),
      .rdma_data_o     (rdma_rx_data_o),
      .rdma_ready_i    (rdma_rx_ready_i),
      .idle_o          (rx_idle),
      .count_o         (rx_count)
  );

  ni_mailbox #(
      .Depth     (MailboxDepth),
      .BlockRings(BlockRings),
      .RingBits  (RingBits),
      .PeerBits  (PeerBits)
  ) i_mailbox (
      .clk_i,
      .rst_ni,
      .ready_o           (mailbox_ready),
      .clearing_o        (clearing),
      .message_valid_i   (message_valid),
      .message_source_i  (message_source),
      .message_header_i  (message_header),
      .message_data_i    (message_data),
      .message_ready_o   (message_ready),
      .answer_push_o     (answer_push),
      .answer_verdict_o  (answer_verdict),
      .answer_node_o     (answer_node),
      .answer_rank_o     (answer_rank),
      .answer_pdid_o     (answer_pdid),
      .answer_tag_o      (mailbox_tag),
      .answer_from_rank_o(answer_from_rank),
      .answer_full_i     (answer_full),
      .answer_reserved_o (answer_reserved),
      .entry_valid_o     (entry_valid),
      .entry_o           (entry),
      .written_valid_i   (written_valid),
      .written_ready_o   (written_ready),
      .written_error_i   (written_error),
      .event_valid_o,
      .event_interface_o,
      .host_valid_i      (in_mailbox),
      .host_write_i      (request_write),
      .host_interface_i  (page),
      .host_pointers_i   (address[8]),
      .host_slot_i       (address[7:4]),
      .host_word_i       (word),
      .host_data_i       (request_data[ni_pkg::RingBitsMax:0]),
      .host_done_o       (mailbox_done),
      .host_error_o      (mailbox_error),
      .host_data_o       (mailbox_data),
      .config_write_i    (mailbox_config),
      .config_interface_i(page),
      .config_pdid_i     (request_data[15:0]),
      .config_enable_i   (request_data[63]),
      .forget_i          (forget),
      .forget_node_i     (request_data[PeerBits-1:0]),
      .forget_taken_o    (forget_taken),
      .ring_write_i      (ring_write),
      .ring_i            (request_data),
      .ring_taken_o      (ring_taken),
      .ring_refused_o    (ring_refused),
      .ring_o            (ring),
      .idle_o            (mailbox_idle),
      .count_o           (mailbox_count)
  );

  ni_interrupts i_interrupts (
      .clk_i,
      .rst_ni,
      .event_valid_i     (event_valid_o),
      .event_interface_i (event_interface_o),
      .pending_write_i   (interrupt_write && address[4:0] == 5'd3),
      .enable_write_i    (interrupt_write && address[4:0] == 5'd4),
      .moderation_write_i(interrupt_write && address[4:0] == 5'd5),
      .data_i            (request_data),
      .pending_o         (interrupts_pending),
      .enable_o          (interrupts_enable),
      .moderation_o      (interrupts_moderation),
      .irq_o,
      .idle_o            (interrupts_idle)
  );

  ni_ring_writer #(
      .MaxEntries(ni_pkg::RingWrites)
  ) i_writer (
      .clk_i,
      .rst_ni,
      .valid_i  (entry_valid),
      .entry_i  (entry),
      .awvalid_o(m_awvalid_o),
      .awready_i(m_awready_i),
      .awaddr_o (m_awaddr_o),
      .awlen_o  (m_awlen_o),
      .awuser_o (m_awuser_o),
      .wvalid_o (m_wvalid_o),
      .wready_i (m_wready_i),
      .wdata_o  (m_wdata_o),
      .wlast_o  (m_wlast_o),
      .bvalid_i (m_bvalid_i),
      .bresp_i  (m_bresp_i),
      .valid_o  (written_valid),
      .ready_i  (written_ready),
      .error_o  (written_error)
  );

  // One word a cycle arrives, so both VCs never count the same thing at once.
  assign rx_either = rx_count[6:0] | rx_count[13:7];

  ni_counters #(
      .NumCounters(NumCounters)
  ) i_counters (
      .clk_i,
      .rst_ni,
      .count_i ({mailbox_count[8], rx_either, mailbox_count[7:0], packetizer_count, message_sent}),
      .number_i(address[4:0] - 5'd8),
      .value_o (counter)
  );

endmodule
