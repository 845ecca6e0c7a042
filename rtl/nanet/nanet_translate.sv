// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Takes packets and has their addresses translated, while their words go on into a buffer. Makes a job of each: a burst to write, to be thrown away if
/// nobody knows the address, or an event.
module nanet_translate (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic         last_i,
    input  logic [127:0] data_i,
    /// To the TLB.
    output logic         lookup_o,
    output logic [63-nanet_pkg::PageBits:0] page_o,
    input  logic         done_i,
    input  logic         ok_i,
    input  logic         gpu_i,
    input  logic [63-nanet_pkg::PageBits:0] physical_i,
    /// Jobs: for an event `address_o` and `event_o` are what its header says, otherwise the physical address.
    output logic         job_valid_o,
    input  logic         job_pop_i,
    output logic         job_skip_o,
    output logic         job_gpu_o,
    output nanet_pkg::packet_header_t job_o,
    /// Words of the oldest job.
    output logic         valid_o,
    input  logic         pop_i,
    output logic [127:0] data_o
);

  localparam int unsigned JobWidth = 2 + nanet_pkg::PacketHeaderWidth;

  typedef enum logic [1:0] {
    StateHeader,
    StateWords,
    StateLookup
  } state_t;

  state_t state_q;
  nanet_pkg::packet_header_t header, header_q, job;
  logic   translated_q, skip_q, gpu_q, over_q, take, push_word, push_job, job_full, words_full, done;
  logic   skip, gpu;
  logic   [63-nanet_pkg::PageBits:0] physical, physical_q;

  assign header = data_i;
  assign done = translated_q || done_i;
  assign skip = translated_q ? skip_q : !ok_i;
  assign gpu = translated_q ? gpu_q : gpu_i;
  assign physical = translated_q ? physical_q : physical_i;
  assign lookup_o = state_q != StateHeader && !translated_q;
  assign page_o = header_q.address[63:nanet_pkg::PageBits];

  assign ready_o = state_q == StateHeader ? !job_full : state_q == StateWords && !words_full;
  assign take = valid_i && ready_o;
  // The footer is for who looks at packets on their way.
  assign push_word = take && state_q == StateWords && !last_i;
  always_comb begin
    push_job = 1'b0;
    job = header_q;
    if (state_q == StateHeader) begin
      push_job = take && header.is_event;
      job = header;
    end else begin
      // As early as possible.
      push_job = done && !over_q;
      job.address[63:nanet_pkg::PageBits] = physical;
    end
  end

  /* verilator lint_off UNUSEDSIGNAL */
  logic unused_empty;
  /* verilator lint_on UNUSEDSIGNAL */
  fifo #(
      .Width   (128),
      .Depth   (64),
      .BlockRam(1'b1)
  ) i_words (
      .clk_i,
      .rst_ni,
      .push_i (push_word && !words_full),
      .data_i,
      .full_o (words_full),
      .pop_i,
      .valid_o,
      .data_o,
      .empty_o(unused_empty),
      /* verilator lint_off PINCONNECTEMPTY */
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  fifo #(
      .Width(JobWidth),
      .Depth(8)
  ) i_jobs (
      .clk_i,
      .rst_ni,
      .push_i (push_job),
      .data_i ({state_q != StateHeader && skip, state_q != StateHeader && gpu, job}),
      .full_o (job_full),
      .valid_o(job_valid_o),
      .data_o ({job_skip_o, job_gpu_o, job_o}),
      .pop_i  (job_pop_i),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (done_i && lookup_o) begin
      skip_q <= !ok_i;
      gpu_q <= gpu_i;
      physical_q <= physical_i;
    end
    if (take && state_q == StateHeader) header_q <= header;
    if (!rst_ni) begin
      state_q <= StateHeader;
      translated_q <= 1'b0;
      over_q <= 1'b0;
    end else begin
      if (done_i && lookup_o) translated_q <= 1'b1;
      if (push_job && state_q != StateHeader) over_q <= 1'b1;
      case (state_q)
        StateHeader: begin
          if (take && !header.is_event) begin
            state_q <= StateWords;
            translated_q <= 1'b0;
            over_q <= 1'b0;
          end
        end
        StateWords: if (take && last_i) state_q <= over_q || push_job ? StateHeader : StateLookup;
        default: if (over_q || push_job) state_q <= StateHeader;
      endcase
    end
  end

endmodule
