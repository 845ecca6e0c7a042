// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Writes what jobs say to the memories of CPU and GPU, one AXI burst each, and events as records of 16 bytes into a ring in the CPU's memory. An event is
/// written when all data before it has been acknowledged.
module nanet_dma_write (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    input  logic [31:0]  now_i,             ///< Stamp of events.
    /// The ring of events: its physical address, a multiple of its size, records as a power of two (1 to 15), and how many software has taken.
    input  logic [63:0]  ring_i,
    input  logic [3:0]   ring_log2_i,
    input  logic [15:0]  consumed_i,
    output logic [15:0]  written_o,         ///< Events in the ring, modulo 2^16.
    /// Jobs, and the words of the oldest one.
    input  logic         job_valid_i,
    output logic         job_pop_o,
    input  logic         job_skip_i,
    input  logic         job_gpu_i,
    // The lower bits of a page and the rest.
    /* verilator lint_off UNUSEDSIGNAL */
    input  nanet_pkg::packet_header_t job_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic         valid_i,
    output logic         pop_o,
    input  logic [127:0] data_i,
    /// AXI to both memories: bit 0 is the CPU's, bit 1 the GPU's.
    output logic [1:0]   aw_valid_o,
    input  logic [1:0]   aw_ready_i,
    output axi_pkg::address_t aw_o,
    output logic [1:0]   w_valid_o,
    input  logic [1:0]   w_ready_i,
    output axi_pkg::write_data_t w_o,
    input  logic [1:0]   b_valid_i,
    output logic [1:0]   b_ready_o,
    input  logic [1:0]   b_error_i,
    /// For one cycle, to be counted.
    output logic         skipped_o,
    output logic         error_o
);

  localparam int unsigned EventWidth = 128 + 32;

  typedef enum logic [1:0] {
    StateIdle,
    StateWrite,
    StateSkip
  } state_t;

  state_t      state_q;
  logic        aw_q, gpu_q, record_q, words_left_q, beat, finished, load, load_event_job, load_burst, load_record;
  logic [63:0] address_q;
  logic [4:0]  left_q, job_words;
  logic [4:0]  beats_q;
  logic [3:0]  rest_q;
  logic [127:0] event_data_q;
  logic [15:0] issued_cpu_q, issued_gpu_q, acked_cpu_q, acked_gpu_q, written_q, started_q;
  // Events that wait until what was written before them is there.
  logic        event_full, event_valid, event_due;
  /* verilator lint_off UNUSEDSIGNAL */
  nanet_pkg::packet_header_t waiting;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [15:0] target_cpu, target_gpu;
  // Events that are written but not acknowledged.
  logic        record_full, record_valid, record_pop;
  logic [15:0] record_target;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [15:0] cpu_behind, gpu_behind, record_behind;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [15:0] in_ring, ring_size;
  logic [127:0] event_record;

  assign job_words = job_i.bytes[8:4] + {4'd0, job_i.bytes[3:0] != '0};
  assign beat = w_valid_o != '0 && (w_valid_o & w_ready_i) != '0;
  assign finished = state_q == StateIdle ||
      (state_q == StateWrite && (!aw_q || (aw_valid_o & aw_ready_i) != '0) && (!words_left_q || (beat && w_o.last))) ||
      (state_q == StateSkip && pop_o && left_q == 5'd1);

  // Wraps around: a difference below half of all is not negative.
  assign cpu_behind = acked_cpu_q - target_cpu;
  assign gpu_behind = acked_gpu_q - target_gpu;
  assign in_ring = started_q - consumed_i;
  assign ring_size = 16'd1 << ring_log2_i;
  assign event_due = event_valid && !cpu_behind[15] && !gpu_behind[15] && in_ring < ring_size && !record_full;

  // Records go first: there is one for many bursts.
  assign load_record = finished && event_due;
  assign load_event_job = job_valid_i && job_i.is_event && !event_full && finished && !load_record;
  assign load_burst = job_valid_i && !job_i.is_event && finished && !load_record;
  assign load = load_record || load_burst;
  assign job_pop_o = load_event_job || load_burst;

  assign event_record = {
    now_i, waiting.sequence_number, 5'd0, waiting.datagrams, {12'd0, waiting.fill} + 32'd1, waiting.address[15:0], 2'd0,
    waiting.stream, 7'd0, waiting.timed_out
  };

  fifo #(
      .Width(EventWidth),
      .Depth(16)
  ) i_events (
      .clk_i,
      .rst_ni,
      .push_i (load_event_job),
      .data_i ({job_i, issued_cpu_q, issued_gpu_q}),
      .full_o (event_full),
      .valid_o(event_valid),
      .data_o ({waiting, target_cpu, target_gpu}),
      .pop_i  (load_record),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  fifo #(
      .Width(16),
      .Depth(16)
  ) i_records (
      .clk_i,
      .rst_ni,
      .push_i (load_record),
      .data_i (issued_cpu_q + 16'd1),
      .full_o (record_full),
      .valid_o(record_valid),
      .data_o (record_target),
      .pop_i  (record_pop),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  assign record_behind = acked_cpu_q - record_target;
  assign record_pop = record_valid && !record_behind[15];
  assign written_o = written_q;

  assign aw_valid_o = aw_q ? {gpu_q, !gpu_q} : 2'b00;
  assign aw_o = {
    axi_pkg::IdWidth'(0), address_q, {3'd0, beats_q} - 8'd1, axi_pkg::SizeFull, axi_pkg::BurstIncrement, axi_pkg::CacheBufferable, axi_pkg::ProtData
  };
  assign w_valid_o = state_q == StateWrite && words_left_q && (record_q || valid_i) ? {gpu_q, !gpu_q} : 2'b00;
  assign w_o = {
    record_q ? event_data_q : data_i, left_q == 5'd1 && rest_q != '0 ? ~(16'hffff << rest_q) : 16'hffff, left_q == 5'd1
  };
  assign pop_o = (beat && !record_q) || (state_q == StateSkip && valid_i);
  assign b_ready_o = 2'b11;
  assign error_o = (b_valid_i & b_error_i) != '0;
  assign skipped_o = load_burst && job_skip_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StateIdle;
      aw_q <= 1'b0;
      words_left_q <= 1'b0;
      issued_cpu_q <= '0;
      issued_gpu_q <= '0;
      acked_cpu_q <= '0;
      acked_gpu_q <= '0;
      written_q <= '0;
      started_q <= '0;
    end else begin
      acked_cpu_q <= acked_cpu_q + {15'd0, b_valid_i[0]};
      acked_gpu_q <= acked_gpu_q + {15'd0, b_valid_i[1]};
      written_q <= written_q + {15'd0, record_pop};
      if ((aw_valid_o & aw_ready_i) != '0) aw_q <= 1'b0;
      if (pop_o || beat) left_q <= left_q - 1'b1;
      if (beat && w_o.last) words_left_q <= 1'b0;
      if (finished) state_q <= StateIdle;
      if (load) begin
        state_q <= load_burst && job_skip_i ? StateSkip : StateWrite;
        aw_q <= load_record || !job_skip_i;
        words_left_q <= 1'b1;
        record_q <= load_record;
        gpu_q <= !load_record && job_gpu_i;
        address_q <= load_record ? ring_i + {44'd0, started_q & (ring_size - 16'd1), 4'd0} : job_i.address;
        beats_q <= load_record ? 5'd1 : job_words;
        left_q <= load_record ? 5'd1 : job_words;
        rest_q <= load_record ? 4'd0 : job_i.bytes[3:0];
        if (load_record || (!job_skip_i && !job_gpu_i)) issued_cpu_q <= issued_cpu_q + 1'b1;
        else if (!job_skip_i) issued_gpu_q <= issued_gpu_q + 1'b1;
      end
      if (load_record) begin
        started_q <= started_q + 1'b1;
        event_data_q <= event_record;
      end
    end
  end

endmodule
