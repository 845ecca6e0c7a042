// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The RDMA unit of the network interface: send and receive units, between the host (AXI slave for descriptors and registers, AXI master to its memory)
/// and the network (packets in and out). docs/models/exanet-rdma.md is the contract.
module rdma_unit #(
    /// Cycles that the firmware of the first generation takes to start a transfer, after reset; 0 is scheduling in logic.
    parameter int unsigned FirmwareDelay = 0,
    /// AXI bursts in flight, reads and writes each; at most 16.
    parameter int unsigned MaxBursts = 8,
    /// Transfers that are received at once; a power of two, at most 32.
    parameter int unsigned NumContexts = 32,
    /// Blocks that wait for their transfer to be received; a power of two.
    parameter int unsigned NumWaiting = 64,
    /// Pages in the translation cache of the receive unit; a power of two.
    parameter int unsigned NumTranslations = 64
) (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    /// Cycles since reset. Counts on its own in hardware; while `idle_o` is high it may jump.
    input  logic [31:0]  time_i,
    /// Without input at any port nothing happens at any later edge, whatever the time.
    output logic         idle_o,
    /// For one cycle: a block is going to be sent again.
    output logic         repeat_o,
    /// Own number, and bits of a node number for tile port, x and y; constant.
    input  logic [21:0]  node_i,
    input  logic [1:0]   tile_bits_i,
    input  logic [3:0]   x_bits_i,
    input  logic [3:0]   y_bits_i,
    /// The host's AXI port: 128 bits, incrementing bursts.
    input  logic         s_awvalid_i,
    output logic         s_awready_o,
    input  logic [16:0]  s_awaddr_i,
    input  logic         s_wvalid_i,
    output logic         s_wready_o,
    input  logic [127:0] s_wdata_i,
    input  logic [15:0]  s_wstrb_i,
    input  logic         s_wlast_i,
    output logic         s_bvalid_o,
    input  logic         s_bready_i,
    output logic [1:0]   s_bresp_o,
    input  logic         s_arvalid_i,
    output logic         s_arready_o,
    input  logic [16:0]  s_araddr_i,
    input  logic [7:0]   s_arlen_i,
    output logic         s_rvalid_o,
    input  logic         s_rready_i,
    output logic [127:0] s_rdata_o,
    output logic         s_rlast_o,
    /// AXI to the host's memory: 128 bits, incrementing bursts of up to 16 words that stay within 256 bytes of a write and 4 KB of a read, one ID.
    /// The user bits are rank (3) and protection domain (16). An error response is a page fault.
    output logic         m_awvalid_o,
    input  logic         m_awready_i,
    output logic [38:0]  m_awaddr_o,
    output logic [7:0]   m_awlen_o,
    output logic [18:0]  m_awuser_o,
    output logic         m_wvalid_o,
    input  logic         m_wready_i,
    output logic [127:0] m_wdata_o,
    output logic [15:0]  m_wstrb_o,
    output logic         m_wlast_o,
    input  logic         m_bvalid_i,
    output logic         m_bready_o,
    input  logic [1:0]   m_bresp_i,
    output logic         m_arvalid_o,
    input  logic         m_arready_i,
    output logic [38:0]  m_araddr_o,
    output logic [7:0]   m_arlen_o,
    output logic [18:0]  m_aruser_o,
    input  logic         m_rvalid_i,
    output logic         m_rready_o,
    input  logic [127:0] m_rdata_i,
    input  logic [1:0]   m_rresp_i,
    input  logic         m_rlast_i,
    /// Packets for the network: cells, notifications and read requests (for ni_pkg::VcRequest), and answers (for ni_pkg::VcAnswer). Words are taken at
    /// an edge where both valid and ready are high.
    output logic         request_valid_o,
    input  logic         request_ready_i,
    output logic         request_sop_o,
    output logic         request_eop_o,
    output logic [127:0] request_data_o,
    output logic         answer_valid_o,
    input  logic         answer_ready_i,
    output logic         answer_sop_o,
    output logic         answer_eop_o,
    output logic [127:0] answer_data_o,
    /// Packets from the network, of either kind; the words of a packet follow each other.
    input  logic         rx_valid_i,
    output logic         rx_ready_o,
    input  logic         rx_sop_i,
    input  logic         rx_eop_i,
    input  logic [127:0] rx_data_i
);

  localparam int unsigned BufferAddrWidth = 8;
  localparam int unsigned NumCounters = 14;

  if (MaxBursts < 1 || MaxBursts > 16) begin : gen_check_bursts
    $error("rdma_unit: MaxBursts must be 1 to 16");
  end
  if (FirmwareDelay >= 1 << rdma_pkg::FirmwareWidth) begin : gen_check_firmware
    $error("rdma_unit: FirmwareDelay must be below 2^20");
  end

  logic [27:0]       now;
  logic              channels_idle, firmware_idle, send_idle, read_idle, receive_idle, write_idle, in_idle, quiet;
  logic [1:0]        quiet_q;
  rdma_pkg::config_t settings;
  logic [255:0]      pdids;
  logic [15:0]       pages;
  logic [511:0]      counters_q;
  logic [NumCounters-1:0] events;
  logic [3:0]        send_event;
  logic [4:0]        receive_event;
  logic [1:0]        dropped;

  rdma_pkg::throttle_t throttle;
  logic              gap_write, begin_valid, throttle_idle, marked, notice, notice_space, notice_valid, notice_ready;
  logic [3:0]        gap_index;
  logic [127:0]      gaps;
  logic [3:0]        begin_slot;
  logic [6:0]        begin_node;
  logic              begin_waits;
  logic [rdma_pkg::NumSlots-1:0] blocked;
  /* verilator lint_off UNUSEDSIGNAL */
  rdma_pkg::meta_t   arrived;  // Its source and its transfer.
  /* verilator lint_on UNUSEDSIGNAL */
  logic [44:0]       notice_about;
  rdma_pkg::meta_t   notice_meta;

  logic              schedule, schedule_done;
  logic [1:0]        firmware_grant;
  logic [rdma_pkg::FirmwareWidth-1:0] firmware;
  logic              job_valid, job_ready, finish_valid;
  rdma_pkg::job_t    job;
  logic [9:0]        finish_channel;
  logic [3:0]        finish_code;

  logic              own_answer_valid, own_answer_ready, asked_valid, asked_ready, done_push, done_valid, done_ready;
  rdma_pkg::meta_t   own_answer, asked, done_pushed, done;
  logic [255:0]      asked_payload;

  logic              read_valid, read_ready, fault_valid, fault_ready, ready_cell_valid, ready_cell_pop, ready_cell_done;
  rdma_pkg::meta_t   read_meta, ready_cell;
  logic [38:4]       read_address;
  logic [2:0]        read_rank;
  logic [127:0]      ready_cell_data;

  logic              message_push, message_space, message_valid, message_ready;
  rdma_pkg::meta_t   message_pushed, message;
  logic [255:0]      payload_pushed, payload;

  logic              answer_push, answer_space, answer_valid, answer_ready, reply_push, reply_space, reply_valid, reply_ready;
  rdma_pkg::meta_t   answer_pushed, answer, reply_pushed, reply;

  logic              cell_valid, cell_ready, local_valid, local_ready, local_done;
  rdma_pkg::meta_t   received;
  rdma_pkg::write_job_t local_job, write_job;
  logic              write_valid, write_ready, write_free, result_valid, result_ready, result_error;
  logic [1:0]        result_kind;
  logic [5:0]        result_tag;
  logic [rdma_pkg::PageWidth-1:0] result_page;
  logic              result_known, translate, forget, draining;
  logic [BufferAddrWidth-1:0] buffer_addr;
  logic [127:0]      received_data;
  logic [4:0]        freed;

  // An answer has no payload, and of an AXI response only the upper bit tells an error.
  /* verilator lint_off UNUSEDSIGNAL */
  logic              unused_pop, done_space;  // A completion that finds no space comes again with the next ack.
  logic              unused;
  /* verilator lint_on UNUSEDSIGNAL */
  assign unused = m_bresp_i[0] ^ m_rresp_i[0] ^ (|time_i[rdma_pkg::TickShift-1:0]);

  assign now = time_i[31:rdma_pkg::TickShift];
  assign quiet = channels_idle && firmware_idle && send_idle && read_idle && receive_idle && write_idle && in_idle && throttle_idle && !notice_valid && !message_valid &&
                 !answer_valid && !reply_valid && !done_valid && !request_valid_o && !answer_valid_o;
  // What follows the last event in registers is steady two edges later.
  assign idle_o = quiet && quiet_q == 2'b11;
  assign events = {receive_event[4], notice, marked && notice_space, receive_event[3], receive_event[2], receive_event[1], receive_event[0], send_event[3], send_event[2],
                   send_event[1], send_event[0], (answer_push && !answer_space) || (reply_push && !reply_space) || (marked && !notice_space), dropped[1],
                   dropped[0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      quiet_q <= '0;
      counters_q <= '0;
    end else begin
      quiet_q <= {quiet_q[0], 1'b1} & {2{quiet}};
      for (int i = 0; i < NumCounters; i++) begin
        if (events[i]) counters_q[32*i+:32] <= counters_q[32*i+:32] + 1'b1;
      end
    end
  end

  rdma_channels #(
      .FirmwareDelay(FirmwareDelay)
  ) i_channels (
      .clk_i,
      .rst_ni,
      .awvalid_i       (s_awvalid_i),
      .awready_o       (s_awready_o),
      .awaddr_i        (s_awaddr_i),
      .wvalid_i        (s_wvalid_i),
      .wready_o        (s_wready_o),
      .wdata_i         (s_wdata_i),
      .wstrb_i         (s_wstrb_i),
      .wlast_i         (s_wlast_i),
      .bvalid_o        (s_bvalid_o),
      .bready_i        (s_bready_i),
      .bresp_o         (s_bresp_o),
      .arvalid_i       (s_arvalid_i),
      .arready_o       (s_arready_o),
      .araddr_i        (s_araddr_i),
      .arlen_i         (s_arlen_i),
      .rvalid_o        (s_rvalid_o),
      .rready_i        (s_rready_i),
      .rdata_o         (s_rdata_o),
      .rlast_o         (s_rlast_o),
      .counters_i      (counters_q),
      .idle_o          (channels_idle),
      .config_o        (settings),
      .firmware_o      (firmware),
      .translate_o     (translate),
      .forget_o        (forget),
      .draining_i      (draining),
      .throttle_o      (throttle),
      .gap_write_o     (gap_write),
      .gap_index_o     (gap_index),
      .gaps_o          (gaps),
      .pdids_o         (pdids),
      .pages_o         (pages),
      .schedule_o      (schedule),
      .scheduled_i     (firmware_grant[0]),
      .schedule_done_o (schedule_done),
      .job_valid_o     (job_valid),
      .job_ready_i     (job_ready),
      .job_o           (job),
      .finish_valid_i  (finish_valid),
      .finish_channel_i(finish_channel),
      .finish_code_i   (finish_code)
  );

  rdma_firmware i_firmware (
      .clk_i,
      .rst_ni,
      .delay_i  (firmware),
      .request_i({asked_valid, schedule}),
      .grant_o  (firmware_grant),
      .done_i   (schedule_done || asked_ready),
      .idle_o   (firmware_idle)
  );

  rdma_send i_send (
      .clk_i,
      .rst_ni,
      .now_i            (now[15:0]),
      .config_i         (settings),
      .pdids_i          (pdids),
      .pages_i          (pages),
      .job_valid_i      (job_valid),
      .job_ready_o      (job_ready),
      .job_i            (job),
      .finish_valid_o   (finish_valid),
      .finish_channel_o (finish_channel),
      .finish_code_o    (finish_code),
      .answer_valid_i   (own_answer_valid),
      .answer_ready_o   (own_answer_ready),
      .answer_i         (own_answer),
      .request_valid_i  (asked_valid && firmware_grant[1]),
      .request_ready_o  (asked_ready),
      .request_i        (asked),
      .request_payload_i(asked_payload),
      .done_valid_i     (done_valid),
      .done_ready_o     (done_ready),
      .done_i           (done),
      .blocked_i        (blocked),
      .begin_o          (begin_valid),
      .begin_slot_o     (begin_slot),
      .begin_node_o     (begin_node),
      .begin_waits_i    (begin_waits),
      .cell_valid_o     (read_valid),
      .cell_ready_i     (read_ready),
      .cell_o           (read_meta),
      .cell_address_o   (read_address),
      .cell_rank_o      (read_rank),
      .fault_valid_i    (fault_valid),
      .fault_ready_o    (fault_ready),
      .fault_i          (ready_cell),
      .message_valid_o  (message_push),
      .message_ready_i  (message_space),
      .message_o        (message_pushed),
      .payload_o        (payload_pushed),
      .reply_valid_o    (reply_push),
      .reply_o          (reply_pushed),
      .local_valid_o    (local_valid),
      .local_ready_i    (local_ready),
      .local_o          (local_job),
      .local_done_i     (local_done),
      .local_slot_i     (result_tag),
      .local_error_i    (result_error),
      .idle_o           (send_idle),
      .event_o          (send_event),
      .repeat_o
  );

  rdma_throttle i_throttle (
      .clk_i,
      .rst_ni,
      .config_i     (throttle),
      .table_write_i(gap_write),
      .table_index_i(gap_index),
      .table_gaps_i (gaps),
      .notice_i     (notice),
      .notice_node_i(arrived.node[6:0]),
      .cell_i       (read_valid),
      .cell_slot_i  (read_meta.slot),
      .cell_node_i  (read_meta.node[6:0]),
      .cell_words_i (read_meta.bytes[8:4] + {4'd0, |read_meta.bytes[3:0]}),
      .begin_i      (begin_valid),
      .begin_slot_i (begin_slot),
      .begin_node_i (begin_node),
      .begin_waits_o(begin_waits),
      .blocked_o    (blocked),
      .idle_o       (throttle_idle)
  );

  rdma_read_master #(
      .MaxBursts(MaxBursts)
  ) i_read_master (
      .clk_i,
      .rst_ni,
      .valid_i      (read_valid),
      .ready_o      (read_ready),
      .meta_i       (read_meta),
      .address_i    (read_address),
      .rank_i       (read_rank),
      .arvalid_o    (m_arvalid_o),
      .arready_i    (m_arready_i),
      .araddr_o     (m_araddr_o),
      .arlen_o      (m_arlen_o),
      .aruser_o     (m_aruser_o),
      .rvalid_i     (m_rvalid_i),
      .rready_o     (m_rready_o),
      .rdata_i      (m_rdata_i),
      .rerror_i     (m_rresp_i[1]),
      .rlast_i      (m_rlast_i),
      .valid_o      (ready_cell_valid),
      .meta_o       (ready_cell),
      .data_o       (ready_cell_data),
      .pop_i        (ready_cell_pop),
      .done_i       (ready_cell_done),
      .idle_o       (read_idle),
      .fault_o      (fault_valid),
      .fault_ready_i(fault_ready)
  );

  stream_fifo #(
      .Width(rdma_pkg::MetaWidth + 256),
      .Depth(4)
  ) i_messages (
      .clk_i,
      .rst_ni,
      .valid_i(message_push),
      .ready_o(message_space),
      .data_i ({payload_pushed, message_pushed}),
      .valid_o(message_valid),
      .ready_i(message_ready),
      .data_o ({payload, message})
  );

  rdma_packet_out i_requests_out (
      .clk_i,
      .rst_ni,
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
      .message_valid_i(message_valid),
      .message_ready_o(message_ready),
      .message_i      (message),
      .payload_i      (payload),
      .cell_valid_i   (ready_cell_valid),
      .cell_i         (ready_cell),
      .cell_data_i    (ready_cell_data),
      .cell_pop_o     (ready_cell_pop),
      .cell_done_o    (ready_cell_done),
      .valid_o        (request_valid_o),
      .ready_i        (request_ready_i),
      .sop_o          (request_sop_o),
      .eop_o          (request_eop_o),
      .data_o         (request_data_o)
  );

  stream_fifo #(
      .Width(rdma_pkg::MetaWidth),
      .Depth(32)
  ) i_answers (
      .clk_i,
      .rst_ni,
      .valid_i(answer_push),
      .ready_o(answer_space),
      .data_i (answer_pushed),
      .valid_o(answer_valid),
      .ready_i(answer_ready),
      .data_o (answer)
  );

  stream_fifo #(
      .Width(rdma_pkg::MetaWidth),
      .Depth(16)
  ) i_replies (
      .clk_i,
      .rst_ni,
      .valid_i(reply_push || notice_valid),
      .ready_o(reply_space),
      .data_i (reply_push ? reply_pushed : notice_meta),
      .valid_o(reply_valid),
      .ready_i(reply_ready),
      .data_o (reply)
  );

  // Notices go with the replies, which come seldom.
  stream_fifo #(
      .Width(45),
      .Depth(8)
  ) i_notices (
      .clk_i,
      .rst_ni,
      .valid_i(marked),
      .ready_o(notice_space),
      .data_i ({arrived.node, arrived.channel, arrived.transfer, arrived.served}),
      .valid_o(notice_valid),
      .ready_i(notice_ready),
      .data_o (notice_about)
  );
  assign notice_ready = reply_space && !reply_push;
  always_comb begin
    notice_meta = '0;
    notice_meta.kind = ni_pkg::PacketNotice;
    {notice_meta.node, notice_meta.channel, notice_meta.transfer, notice_meta.served} = notice_about;
  end

  rdma_packet_out i_answers_out (
      .clk_i,
      .rst_ni,
      .node_i,
      .tile_bits_i,
      .x_bits_i,
      .y_bits_i,
      .message_valid_i(answer_valid),
      .message_ready_o(answer_ready),
      .message_i      (answer),
      .payload_i      ('0),
      .cell_valid_i   (reply_valid),
      .cell_i         (reply),
      .cell_data_i    ('0),
      .cell_pop_o     (unused_pop),
      .cell_done_o    (reply_ready),
      .valid_o        (answer_valid_o),
      .ready_i        (answer_ready_i),
      .sop_o          (answer_sop_o),
      .eop_o          (answer_eop_o),
      .data_o         (answer_data_o)
  );

  rdma_packet_in i_packet_in (
      .clk_i,
      .rst_ni,
      .node_i,
      .valid_i          (rx_valid_i),
      .ready_o          (rx_ready_o),
      .sop_i            (rx_sop_i),
      .eop_i            (rx_eop_i),
      .data_i           (rx_data_i),
      .cell_valid_o     (cell_valid),
      .cell_ready_i     (cell_ready),
      .cell_o           (received),
      .buffer_addr_i    (buffer_addr),
      .data_o           (received_data),
      .free_i           (freed),
      .answer_valid_o   (own_answer_valid),
      .answer_ready_i   (own_answer_ready),
      .answer_o         (own_answer),
      .request_valid_o  (asked_valid),
      .request_ready_i  (asked_ready),
      .request_o        (asked),
      .request_payload_o(asked_payload),
      .marked_o         (marked),
      .notice_o         (notice),
      .arrived_o        (arrived),
      .idle_o           (in_idle),
      .dropped_o        (dropped)
  );

  rdma_receive #(
      .NumContexts(NumContexts),
      .NumWaiting (NumWaiting),
      .NumTranslations(NumTranslations)
  ) i_receive (
      .clk_i,
      .rst_ni,
      .time_i        (now),
      .idle_o        (receive_idle),
      .config_i      (settings),
      .pdids_i       (pdids),
      .pages_i       (pages),
      .cell_valid_i  (cell_valid),
      .cell_ready_o  (cell_ready),
      .cell_i        (received),
      .notify_data_i (received_data[63:0]),
      .notify_va_i   (received_data[102:64]),
      .local_valid_i (local_valid),
      .local_ready_o (local_ready),
      .local_i       (local_job),
      .local_done_o  (local_done),
      .job_valid_o   (write_valid),
      .job_ready_i   (write_ready),
      .job_free_i    (write_free),
      .job_o         (write_job),
      .result_valid_i(result_valid),
      .result_ready_o(result_ready),
      .result_kind_i (result_kind),
      .result_tag_i  (result_tag),
      .result_error_i(result_error),
      .result_page_i (result_page),
      .result_known_i(result_known),
      .translate_i   (translate),
      .forget_i      (forget),
      .draining_o    (draining),
      .answer_valid_o(answer_push),
      .answer_o      (answer_pushed),
      .done_valid_o  (done_push),
      .done_o        (done_pushed),
      .event_o       (receive_event)
  );

  stream_fifo #(
      .Width(rdma_pkg::MetaWidth),
      .Depth(16)
  ) i_done (
      .clk_i,
      .rst_ni,
      .valid_i(done_push),
      .ready_o(done_space),
      .data_i (done_pushed),
      .valid_o(done_valid),
      .ready_i(done_ready),
      .data_o (done)
  );

  rdma_write_master #(
      .MaxBursts (MaxBursts),
      .BufferAddrWidth(BufferAddrWidth)
  ) i_write_master (
      .clk_i,
      .rst_ni,
      .valid_i  (write_valid),
      .ready_o  (write_ready),
      .free_now_o(write_free),
      .job_i    (write_job),
      .buffer_addr_o(buffer_addr),
      .data_i   (received_data),
      .free_o   (freed),
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
      .berror_i (m_bresp_i[1]),
      .idle_o   (write_idle),
      .valid_o  (result_valid),
      .ready_i  (result_ready),
      .kind_o   (result_kind),
      .tag_o    (result_tag),
      .error_o  (result_error),
      .page_o   (result_page),
      .known_o  (result_known)
  );

endmodule
