// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The host's side: an AXI slave in front of the descriptors, states and registers, and the scheduler that takes channels with work: pages in turn, the
/// channels of a page in the order in which they were started. After reset it clears its tables for 1024 cycles and takes nothing meanwhile.
module rdma_channels #(
    /// The register of the firmware after reset.
    parameter int unsigned FirmwareDelay = 0
) (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    /// AXI slave, 128 bits, incrementing bursts; one write and one read at a time.
    input  logic         awvalid_i,
    output logic         awready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [16:0]  awaddr_i,  // Whole words only.
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic         wvalid_i,
    output logic         wready_o,
    input  logic [127:0] wdata_i,
    input  logic [15:0]  wstrb_i,
    input  logic         wlast_i,
    output logic         bvalid_o,
    input  logic         bready_i,
    output logic [1:0]   bresp_o,
    input  logic         arvalid_i,
    output logic         arready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [16:0]  araddr_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [7:0]   arlen_i,
    output logic         rvalid_o,
    input  logic         rready_i,
    output logic [127:0] rdata_o,
    output logic         rlast_o,
    /// Events since reset, 32 bits each, as the registers from 0x10200 show them.
    input  logic [511:0] counters_i,
    /// Without input nothing happens.
    output logic         idle_o,
    output rdma_pkg::config_t config_o,
    /// Cycles that the firmware takes to start a transfer.
    output logic [rdma_pkg::FirmwareWidth-1:0] firmware_o,
    /// The translation cache of the receive unit is in use, and forgets all pages; what it had known is still relied on.
    output logic         translate_o,
    output logic         forget_o,
    input  logic         draining_i,
    /// Register and table of rdma_throttle.
    output rdma_pkg::throttle_t throttle_o,
    output logic         gap_write_o,
    output logic [3:0]   gap_index_o,
    output logic [127:0] gaps_o,
    /// Each page's protection domain, page 0 in the low bits, and whether the page is in use.
    output logic [255:0] pdids_o,
    output logic [15:0]  pages_o,
    /// A channel waits for the firmware's invocation.
    output logic         schedule_o,
    input  logic         scheduled_i,
    output logic         schedule_done_o,
    /// The next transfer; `job_o` is there one cycle after `job_valid_o`.
    output logic         job_valid_o,
    input  logic         job_ready_i,
    output rdma_pkg::job_t job_o,
    /// A transfer is over.
    input  logic         finish_valid_i,
    input  logic [9:0]   finish_channel_i,
    input  logic [3:0]   finish_code_i
);

  localparam logic [1:0] AxiOkay = 2'd0;
  localparam logic [1:0] AxiSlverr = 2'd2;

  // Host side.
  logic        clearing_q;
  logic [9:0]  clear_q;
  logic        write_busy_q, write_response_q, write_error_q;
  logic [16:4] write_address_q;
  logic        beat, beat_busy, beat_error, beat_listed, doorbell;
  logic [9:0]  beat_channel;
  logic        read_busy_q;
  logic [16:4] read_address_q;
  logic [7:0]  read_left_q;
  rdma_pkg::config_t config_q;
  logic [rdma_pkg::FirmwareWidth-1:0] firmware_q;
  logic        translate_q, forget_q;
  rdma_pkg::throttle_t throttle_q;
  logic        throttle_beat;
  logic [255:0] pdids_q;
  logic [15:0] pages_q;

  // A channel is busy while its posted bit differs from its finished bit: so each memory has one writer.
  logic       posted_q[rdma_pkg::NumChannels];
  logic       finished_q[rdma_pkg::NumChannels];
  logic [11:0] transfer_q[rdma_pkg::NumChannels];
  logic [3:0] code_q[rdma_pkg::NumChannels];

  // Scheduler.
  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StFirmware = 2'd1;
  localparam logic [1:0] StOffer = 2'd2;
  localparam logic [1:0] StError = 2'd3;
  logic [1:0]  state_q;
  logic [9:0]  channel_q, channel_next;
  logic        direct;  ///< Nobody waits, so the channel whose doorbell rings is next.
  logic [3:0]  error_q;
  rdma_pkg::job_t job_q;
  // Channel numbers of each page in the order of their doorbells. A channel is in at most once, so there is always space.
  logic [5:0]  waiting_q[rdma_pkg::NumChannels];
  logic [15:0] page_waiting, page_grant;
  logic [111:0] page_write_q, page_read_q;  ///< 7 bits for each page.
  logic [3:0]  page;
  logic [6:0]  doorbell_slot, page_slot;
  logic [127:0] words_q[3];
  /* verilator lint_off UNUSEDSIGNAL */
  rdma_pkg::descriptor_t descriptor;  // Some bits are reserved.
  ni_pkg::gvas_t remote;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [15:0] own_pdid;
  logic [3:0]  error;
  logic        finish_valid;
  logic [9:0]  finish_channel;
  logic [3:0]  finish_code;

  // --- AXI writes ---
  assign awready_o = !write_busy_q && !write_response_q && !clearing_q;
  assign wready_o = write_busy_q;
  assign bvalid_o = write_response_q;
  assign bresp_o = write_error_q ? AxiSlverr : AxiOkay;
  assign beat = wvalid_i && wready_o;
  assign beat_channel = write_address_q[15:6];
  assign beat_busy = posted_q[beat_channel] != finished_q[beat_channel];
  // 0x10300 and the table, 0x10800 to 0x108ff.
  assign throttle_beat = beat && write_address_q[16:4] == 13'h1030;
  assign gap_write_o = beat && write_address_q[16:8] == 9'h108;
  assign gap_index_o = write_address_q[7:4];
  assign gaps_o = wdata_i;
  // 0x10000 to 0x100ff, and 0x10100 to 0x1012f.
  assign beat_listed = write_address_q[15:8] == 8'd0 || (write_address_q[15:8] == 8'd1 && write_address_q[7:4] < 4'd3) || throttle_beat || gap_write_o;
  assign beat_error = write_address_q[16] ? !beat_listed : beat_busy;
  assign doorbell = beat && !write_address_q[16] && !beat_busy && write_address_q[5:4] == 2'd3 && wstrb_i[15] && wdata_i[127];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_busy_q <= 1'b0;
      write_response_q <= 1'b0;
      write_error_q <= 1'b0;
      write_address_q <= '0;
    end else begin
      if (awvalid_i && awready_o) begin
        write_busy_q <= 1'b1;
        write_error_q <= 1'b0;
        write_address_q <= awaddr_i[16:4];
      end
      if (beat) begin
        write_address_q <= write_address_q + 1'b1;
        if (beat_error) write_error_q <= 1'b1;
        if (wlast_i) begin
          write_busy_q <= 1'b0;
          write_response_q <= 1'b1;
        end
      end
      if (bvalid_o && bready_i) write_response_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      clear_q <= '0;
    end else if (clearing_q) begin
      clear_q <= clear_q + 1'b1;
      if (clear_q == '1) clearing_q <= 1'b0;
    end
  end

  // --- Descriptors: one memory for each word, so that a descriptor is read at once. The last word has only the doorbell. ---
  for (genvar w = 0; w < 3; w++) begin : gen_words
    logic [127:0] word_q[rdma_pkg::NumChannels];
    always_ff @(posedge clk_i) begin
      if (beat && !write_address_q[16] && !beat_busy && write_address_q[5:4] == w) begin
        for (int b = 0; b < 16; b++) if (wstrb_i[b]) word_q[beat_channel][8*b+:8] <= wdata_i[8*b+:8];
      end
      words_q[w] <= word_q[state_q == StIdle ? channel_next : channel_q];
    end
  end

  // --- State of the channels ---
  assign finish_valid = finish_valid_i || state_q == StError;
  assign finish_channel = finish_valid_i ? finish_channel_i : channel_q;
  assign finish_code = finish_valid_i ? finish_code_i : error_q;

  always_ff @(posedge clk_i) begin
    if (clearing_q) begin
      posted_q[clear_q] <= 1'b0;
      transfer_q[clear_q] <= '0;
      finished_q[clear_q] <= 1'b0;
      code_q[clear_q] <= rdma_pkg::CodeIdle;
    end else begin
      if (doorbell) begin
        posted_q[beat_channel] <= !finished_q[beat_channel];
        transfer_q[beat_channel] <= transfer_q[beat_channel] + 1'b1;
      end
      if (finish_valid) begin
        finished_q[finish_channel] <= posted_q[finish_channel];
        code_q[finish_channel] <= finish_code;
      end
    end
  end

  // --- Registers ---
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      config_q <= {16'd8192, 4'd8, 16'd64, 16'd2048};
      firmware_q <= rdma_pkg::FirmwareWidth'(FirmwareDelay);
      translate_q <= 1'b0;
      throttle_q <= '0;
      pdids_q <= '0;
      pages_q <= '0;
    end else if (beat && write_address_q[16:9] == 8'h80) begin
      if (!write_address_q[8]) begin
        pdids_q[16*write_address_q[7:4]+:16] <= wdata_i[15:0];
        pages_q[write_address_q[7:4]] <= wdata_i[16];
      end else if (write_address_q[7:4] == 4'd0) begin
        config_q <= wdata_i[51:0];
      end else if (write_address_q[7:4] == 4'd1) begin
        firmware_q <= wdata_i[rdma_pkg::FirmwareWidth-1:0];
      end else if (write_address_q[7:4] == 4'd2) begin
        translate_q <= wdata_i[0];
      end
    end else if (throttle_beat) begin
      throttle_q <= wdata_i[39:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) forget_q <= 1'b0;
    else forget_q <= beat && write_address_q[16:4] == 13'h1012;
  end

  assign config_o = config_q;
  assign firmware_o = firmware_q;
  assign translate_o = translate_q;
  assign forget_o = forget_q;
  assign throttle_o = throttle_q;
  assign pdids_o = pdids_q;
  assign pages_o = pages_q;

  // --- AXI reads ---
  assign arready_o = !read_busy_q && !clearing_q;
  assign rvalid_o = read_busy_q;
  assign rlast_o = read_left_q == '0;

  always_comb begin
    rdata_o = '0;
    if (!read_address_q[16]) begin
      rdata_o[0] = posted_q[read_address_q[15:6]] != finished_q[read_address_q[15:6]];
      rdata_o[7:4] = rdata_o[0] ? rdma_pkg::CodeBusy : code_q[read_address_q[15:6]];
      rdata_o[19:8] = transfer_q[read_address_q[15:6]];
    end else begin
      case (read_address_q[15:8])
        8'd0: begin
          rdata_o[15:0] = pdids_q[16*read_address_q[7:4]+:16];
          rdata_o[16] = pages_q[read_address_q[7:4]];
        end
        8'd1: begin
          if (read_address_q[7:4] == '0) rdata_o[51:0] = config_q;
          else if (read_address_q[7:4] == 4'd1) rdata_o[rdma_pkg::FirmwareWidth-1:0] = firmware_q;
          else if (read_address_q[7:4] == 4'd2) rdata_o[1:0] = {forget_q || draining_i, translate_q};
        end
        8'd2: if (read_address_q[7:4] < 4'd4) rdata_o = counters_i[128*read_address_q[5:4]+:128];
        8'd3: if (read_address_q[7:4] == '0) rdata_o[39:0] = throttle_q;
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_busy_q <= 1'b0;
      read_address_q <= '0;
      read_left_q <= '0;
    end else if (arvalid_i && arready_o) begin
      read_busy_q <= 1'b1;
      read_address_q <= araddr_i[16:4];
      read_left_q <= arlen_i;
    end else if (rvalid_o && rready_i) begin
      read_address_q <= read_address_q + 1'b1;
      read_left_q <= read_left_q - 1'b1;
      if (rlast_o) read_busy_q <= 1'b0;
    end
  end

  // A write or read that the host has begun waits for it.
  assign idle_o = !clearing_q && !forget_q && !write_response_q && !read_busy_q && state_q == StIdle && page_waiting == '0;

  // --- Scheduler ---
  for (genvar p = 0; p < 16; p++) begin : gen_page
    assign page_waiting[p] = page_write_q[7*p+:7] != page_read_q[7*p+:7];
  end

  round_robin_arbiter #(
      .NumRequests(rdma_pkg::NumPages)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (state_q == StIdle),
      .request_i(page_waiting),
      .grant_o  (page_grant)
  );

  always_comb begin
    page = '0;
    for (int p = 0; p < 16; p++) if (page_grant[p]) page = 4'(p);
  end
  assign doorbell_slot = page_write_q[7*beat_channel[9:6]+:7];
  assign page_slot = page_read_q[7*page+:7];

  assign direct = doorbell && state_q == StIdle && page_waiting == '0;
  assign channel_next = direct ? beat_channel : {page, waiting_q[{page, page_slot[5:0]}]};

  assign descriptor = {words_q[2], words_q[1], words_q[0]};
  assign remote = descriptor.remote;
  assign own_pdid = pdids_q[16*channel_q[9:6]+:16];
  assign schedule_o = state_q == StFirmware;
  assign schedule_done_o = state_q == StFirmware && scheduled_i;
  // Offered one cycle before `job_o` is there: nobody takes it in the same cycle.
  assign job_valid_o = state_q == StOffer || (schedule_done_o && error == rdma_pkg::CodeIdle);
  assign job_o = job_q;

  always_comb begin
    error = rdma_pkg::CodeIdle;
    if (!pages_q[channel_q[9:6]] || remote.pdid != own_pdid) error = rdma_pkg::CodeProtection;
    else if (descriptor.length == '0) error = rdma_pkg::CodeLength;
    else if (descriptor.va[3:0] != remote.va[3:0] || (descriptor.notify && descriptor.notify_va[2:0] != '0) ||
             (descriptor.local_notify && descriptor.local_va[2:0] != '0)) error = rdma_pkg::CodeAlignment;
  end

  always_ff @(posedge clk_i) begin
    if (doorbell && !direct) waiting_q[{beat_channel[9:6], doorbell_slot[5:0]}] <= beat_channel[5:0];
    if (!rst_ni) begin
      state_q <= StIdle;
      page_write_q <= '0;
      page_read_q <= '0;
      channel_q <= '0;
      error_q <= '0;
      job_q <= '0;
    end else begin
      if (doorbell && !direct) page_write_q[7*beat_channel[9:6]+:7] <= doorbell_slot + 1'b1;
      case (state_q)
        StIdle: begin
          channel_q <= channel_next;
          if (page_grant != '0) page_read_q[7*page+:7] <= page_slot + 1'b1;
          if (page_grant != '0 || direct) state_q <= StFirmware;
        end
        StFirmware: begin
          job_q.kind <= channel_q[5] ? rdma_pkg::JobRead : rdma_pkg::JobWrite;
          job_q.channel <= channel_q;
          job_q.transfer <= transfer_q[channel_q];
          job_q.pdid <= own_pdid;
          job_q.rank <= remote.rank;
          job_q.node <= remote.node;
          job_q.source <= channel_q[5] ? remote.va : descriptor.va;
          job_q.destination <= channel_q[5] ? descriptor.va : remote.va;
          job_q.length <= descriptor.length;
          job_q.notify <= descriptor.notify;
          job_q.notify_va <= descriptor.notify_va;
          job_q.data <= descriptor.data;
          job_q.local_notify <= descriptor.local_notify;
          job_q.local_va <= descriptor.local_va;
          job_q.early <= descriptor.early;
          job_q.peer_slot <= '0;
          error_q <= error;
          if (scheduled_i) state_q <= error == rdma_pkg::CodeIdle ? StOffer : StError;
        end
        StOffer: if (job_ready_i) state_q <= StIdle;
        StError: if (!finish_valid_i) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && doorbell) begin
      assert ((doorbell_slot ^ page_read_q[7*beat_channel[9:6]+:7]) != 7'd64) else $error("more doorbells than channels");
    end
  end
`endif

endmodule
