// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A network interface as NaNet-10: ports of 10 Gb/s Ethernet whose UDP datagrams go to buffers in the memories of CPU and GPU, and datagrams from there to
/// the ports. docs/models/nanet.md is the contract.
module nanet #(
    /// Ports; 1 to 4.
    parameter int unsigned NumPorts = 4,
    localparam int unsigned B = nanet_pkg::BeatWidth
) (
    /// Clock of the device, at least that of the MACs.
    input  logic                   clk_i,
    /// Synchronous, active low.
    input  logic                   rst_ni,
    input  logic                   mac_clk_i,
    /// Synchronous to `mac_clk_i`, active low.
    input  logic                   mac_rst_ni,
    /// MACs.
    input  logic [NumPorts-1:0]    mac_valid_i,
    input  logic [NumPorts*B-1:0]  mac_beat_i,
    output logic [NumPorts-1:0]    mac_valid_o,
    input  logic [NumPorts-1:0]    mac_ready_i,
    output logic [NumPorts*B-1:0]  mac_beat_o,
    /// Registers.
    input  logic                   awvalid_i,
    output logic                   awready_o,
    input  logic [11:0]            awaddr_i,
    input  logic                   wvalid_i,
    output logic                   wready_o,
    input  logic [31:0]            wdata_i,
    input  logic [3:0]             wstrb_i,
    output logic                   bvalid_o,
    input  logic                   bready_i,
    output logic [1:0]             bresp_o,
    input  logic                   arvalid_i,
    output logic                   arready_o,
    input  logic [11:0]            araddr_i,
    output logic                   rvalid_o,
    input  logic                   rready_i,
    output logic [31:0]            rdata_o,
    output logic [1:0]             rresp_o,
    /// Memories: bit 0 is the CPU's, bit 1 the GPU's. Both have the same addresses and data to write.
    output logic [1:0]             m_aw_valid_o,
    input  logic [1:0]             m_aw_ready_i,
    output axi_pkg::address_t      m_aw_o,
    output logic [1:0]             m_w_valid_o,
    input  logic [1:0]             m_w_ready_i,
    output axi_pkg::write_data_t   m_w_o,
    input  logic [1:0]             m_b_valid_i,
    output logic [1:0]             m_b_ready_o,
    input  logic [1:0]             m_b_error_i,
    output logic [1:0]             m_ar_valid_o,
    input  logic [1:0]             m_ar_ready_i,
    output axi_pkg::address_t      m_ar_o,
    input  logic [1:0]             m_r_valid_i,
    output logic [1:0]             m_r_ready_o,
    input  logic [255:0]           m_r_data_i,
    input  logic [1:0]             m_r_error_i,
    /// An event waits in the ring, or the TLB misses a page.
    output logic                   interrupt_o
);

  localparam int unsigned Streams = nanet_pkg::StreamsPerPort;
  localparam int unsigned PageWidth = 64 - nanet_pkg::PageBits;

  if (NumPorts < 1 || NumPorts > 4) begin : gen_check
    $error("nanet: NumPorts must be 1 to 4");
  end

  logic flush_tlb, flush_arp;
  logic [31:0] timeout, tlb_timeout, arp_timeout;
  logic [63:0] ring, now_q;
  logic [3:0] ring_log2;
  logic [15:0] consumed, written;
  logic [NumPorts-1:0] enable, generates;
  logic [NumPorts*nanet_pkg::StationWidth-1:0] stations;
  logic [NumPorts*nanet_pkg::DestinationWidth-1:0] generate_to;
  // One bit of a shape has no field.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumPorts*32-1:0] generate_shape;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [NumPorts*32-1:0] generate_count, counts;
  logic [NumPorts*Streams*nanet_pkg::StreamWidth-1:0] streams;
  logic [NumPorts*192-1:0] meters;
  logic send, send_valid, send_ready, refill, refill_ok, refill_gpu, miss;
  nanet_pkg::send_t send_what;
  logic [nanet_pkg::SendWidth-1:0] send_next;
  logic [4:0] send_used_q;
  logic [PageWidth-1:0] refill_physical, page;
  logic [nanet_pkg::ResultWidth-1:0] counter;
  logic [4:0] pulses;
  logic [5*32-1:0] totals;

  nanet_registers #(
      .NumPorts(NumPorts)
  ) i_registers (
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
      .flush_tlb_o      (flush_tlb),
      .flush_arp_o      (flush_arp),
      .timeout_o        (timeout),
      .tlb_timeout_o    (tlb_timeout),
      .arp_timeout_o    (arp_timeout),
      .ring_o           (ring),
      .ring_log2_o      (ring_log2),
      .consumed_o       (consumed),
      .enable_o         (enable),
      .generate_o       (generates),
      .stations_o       (stations),
      .generate_to_o    (generate_to),
      .generate_shape_o (generate_shape),
      .generate_count_o (generate_count),
      .streams_o        (streams),
      .send_o           (send),
      .send_what_o      (send_what),
      .send_free_i      (5'd16 - send_used_q),
      .refill_o         (refill),
      .refill_ok_o      (refill_ok),
      .refill_gpu_o     (refill_gpu),
      .refill_physical_o(refill_physical),
      .miss_i           (miss),
      .page_i           (page),
      .written_i        (written),
      .counter_o        (counter),
      .counts_i         (counts),
      .meters_i         (meters),
      .totals_i         (totals),
      .now_i            (now_q[31:0])
  );
  assign interrupt_o = written != consumed || miss;

  for (genvar t = 0; t < 5; t++) begin : gen_total
    logic [31:0] total_q;
    assign totals[32*t+:32] = total_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) total_q <= '0;
      else if (pulses[t]) total_q <= total_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q <= '0;
      send_used_q <= '0;
    end else begin
      now_q <= now_q + 1'b1;
      // An entry is taken when the register is written, one cycle before the queue.
      send_used_q <= send_used_q + {4'd0, send} - {4'd0, send_valid && send_ready};
    end
  end

  // Ports.
  logic [NumPorts-1:0] packet_valid, packet_ready, sent_ready;
  logic [NumPorts*129-1:0] packets;
  logic read_valid;
  logic [1:0] read_port;
  nanet_pkg::wide_t read_wide;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    nanet_port #(
        .Port(4'(p))
    ) i_port (
        .clk_i,
        .rst_ni,
        .mac_clk_i,
        .mac_rst_ni,
        .enable_i           (enable[p]),
        .station_i          (stations[p*nanet_pkg::StationWidth+:nanet_pkg::StationWidth]),
        .arp_timeout_i      (arp_timeout),
        .flush_arp_i        (flush_arp),
        .streams_i          (streams[p*Streams*nanet_pkg::StreamWidth+:Streams*nanet_pkg::StreamWidth]),
        .timeout_i          (timeout),
        .now_i              (now_q),
        .generate_i         (generates[p]),
        .generate_to_i      (generate_to[p*nanet_pkg::DestinationWidth+:nanet_pkg::DestinationWidth]),
        .generate_bytes_i   (generate_shape[32*p+:11]),
        .generate_interval_i(generate_shape[32*p+12+:20]),
        .generate_count_i   (generate_count[32*p+:32]),
        .meter_o            (meters[192*p+:192]),
        .counter_i          (counter),
        .count_o            (counts[32*p+:32]),
        .mac_valid_i        (mac_valid_i[p]),
        .mac_beat_i         (mac_beat_i[p*B+:B]),
        .mac_valid_o        (mac_valid_o[p]),
        .mac_ready_i        (mac_ready_i[p]),
        .mac_beat_o         (mac_beat_o[p*B+:B]),
        .valid_i            (read_valid && read_port == 2'(p)),
        .ready_o            (sent_ready[p]),
        .wide_i             (read_wide),
        .valid_o            (packet_valid[p]),
        .ready_i            (packet_ready[p]),
        .last_o             (packets[129*p+128]),
        .data_o             (packets[129*p+:128])
    );
  end

  // Into the memories.
  logic word_valid, word_ready, word_last, job_valid, job_pop, job_skip, job_gpu, data_valid, data_pop;
  logic [127:0] word, data;
  nanet_pkg::packet_header_t job;
  logic [1:0] lookup, done;
  logic [2*PageWidth-1:0] pages;
  logic tlb_lookup, tlb_done, tlb_ok, tlb_gpu, tlb_busy_q, tlb_owner_q, tlb_owner;
  logic [PageWidth-1:0] physical;

  nanet_switch #(
      .NumPorts(NumPorts)
  ) i_switch (
      .clk_i,
      .rst_ni,
      .valid_i(packet_valid),
      .ready_o(packet_ready),
      .data_i (packets),
      .valid_o(word_valid),
      .ready_i(word_ready),
      .last_o (word_last),
      .data_o (word)
  );
  nanet_translate i_translate (
      .clk_i,
      .rst_ni,
      .valid_i    (word_valid),
      .ready_o    (word_ready),
      .last_i     (word_last),
      .data_i     (word),
      .lookup_o   (lookup[0]),
      .page_o     (pages[PageWidth-1:0]),
      .done_i     (done[0]),
      .ok_i       (tlb_ok),
      .gpu_i      (tlb_gpu),
      .physical_i (physical),
      .job_valid_o(job_valid),
      .job_pop_i  (job_pop),
      .job_skip_o (job_skip),
      .job_gpu_o  (job_gpu),
      .job_o      (job),
      .valid_o    (data_valid),
      .pop_i      (data_pop),
      .data_o     (data)
  );
  nanet_dma_write i_dma_write (
      .clk_i,
      .rst_ni,
      .now_i      (now_q[31:0]),
      .ring_i     (ring),
      .ring_log2_i(ring_log2),
      .consumed_i (consumed),
      .written_o  (written),
      .job_valid_i(job_valid),
      .job_pop_o  (job_pop),
      .job_skip_i (job_skip),
      .job_gpu_i  (job_gpu),
      .job_i      (job),
      .valid_i    (data_valid),
      .pop_o      (data_pop),
      .data_i     (data),
      .aw_valid_o (m_aw_valid_o),
      .aw_ready_i (m_aw_ready_i),
      .aw_o       (m_aw_o),
      .w_valid_o  (m_w_valid_o),
      .w_ready_i  (m_w_ready_i),
      .w_o        (m_w_o),
      .b_valid_i  (m_b_valid_i),
      .b_ready_o  (m_b_ready_o),
      .b_error_i  (m_b_error_i),
      .skipped_o  (pulses[3]),
      .error_o    (pulses[4])
  );

  // One translation at a time, received packets first.
  assign tlb_owner = tlb_busy_q ? tlb_owner_q : !lookup[0];
  assign tlb_lookup = lookup[tlb_owner];
  assign page = tlb_owner ? pages[2*PageWidth-1:PageWidth] : pages[PageWidth-1:0];
  assign done = tlb_done ? {tlb_owner, !tlb_owner} : 2'b00;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tlb_busy_q <= 1'b0;
      tlb_owner_q <= 1'b0;
    end else begin
      tlb_busy_q <= tlb_lookup && !tlb_done;
      tlb_owner_q <= tlb_owner;
    end
  end
  nanet_tlb i_tlb (
      .clk_i,
      .rst_ni,
      .flush_i          (flush_tlb),
      .timeout_i        (tlb_timeout),
      .lookup_i         (tlb_lookup),
      .page_i           (page),
      .done_o           (tlb_done),
      .ok_o             (tlb_ok),
      .gpu_o            (tlb_gpu),
      .physical_o       (physical),
      .miss_o           (miss),
      .refill_i         (refill),
      .refill_ok_i      (refill_ok),
      .refill_gpu_i     (refill_gpu),
      .refill_page_i    (page),
      .refill_physical_i(refill_physical),
      .hit_o            (pulses[0]),
      .missed_o         (pulses[1]),
      .failed_o         (pulses[2])
  );

  // Out of the memories.
  /* verilator lint_off UNUSEDSIGNAL */
  logic send_full;  // Software cannot write into a full queue.
  /* verilator lint_on UNUSEDSIGNAL */
  fifo #(
      .Width(nanet_pkg::SendWidth),
      .Depth(16)
  ) i_sends (
      .clk_i,
      .rst_ni,
      .push_i (send),
      .data_i (send_what),
      .full_o (send_full),
      .valid_o(send_valid),
      .data_o (send_next),
      .pop_i  (send_valid && send_ready),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  logic read_ready;
  always_comb begin
    read_ready = 1'b0;
    for (int p = 0; p < NumPorts; p++) if (read_port == 2'(p)) read_ready = sent_ready[p];
  end
  nanet_dma_read i_dma_read (
      .clk_i,
      .rst_ni,
      .valid_i      (send_valid),
      .ready_o      (send_ready),
      .send_i       (send_next),
      .lookup_o     (lookup[1]),
      .page_o       (pages[2*PageWidth-1:PageWidth]),
      .done_i       (done[1]),
      .ok_i         (tlb_ok),
      .gpu_i        (tlb_gpu),
      .physical_i   (physical),
      .ar_valid_o   (m_ar_valid_o),
      .ar_ready_i   (m_ar_ready_i),
      .ar_o         (m_ar_o),
      .r_valid_i    (m_r_valid_i),
      .r_ready_o    (m_r_ready_o),
      .r_data_i     (m_r_data_i),
      .r_error_i    (m_r_error_i),
      .valid_o      (read_valid),
      .ready_i      (read_ready),
      .port_o       (read_port),
      .wide_o       (read_wide)
  );

endmodule
