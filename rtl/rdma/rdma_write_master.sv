// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Writes cells and notifications to the host's memory, one AXI burst each, and tells what became of each in order. All bursts have one ID. Jobs take their
/// words from the buffer of received cells in order and free them.
module rdma_write_master #(
    /// Bursts in flight.
    parameter int unsigned MaxBursts = 8,
    /// Bursts in flight or with a result that was not taken; a power of two.
    parameter int unsigned MaxResults = 16,
    parameter int unsigned BufferAddrWidth = 8
) (
    input  logic                 clk_i,
    /// Synchronous, active low.
    input  logic                 rst_ni,
    input  logic                 valid_i,
    output logic                 ready_o,
    /// A job that is given in the next cycle begins at once: `buffer_addr_o` is where its words begin.
    output logic                 free_now_o,
    input  rdma_pkg::write_job_t job_i,
    /// The buffer of received cells: where to look, what is there, and how many of the oldest words are free again.
    output logic [BufferAddrWidth-1:0] buffer_addr_o,
    input  logic [127:0]         data_i,
    output logic [4:0]           free_o,
    /// AXI.
    output logic                 awvalid_o,
    input  logic                 awready_i,
    output logic [38:0]          awaddr_o,
    output logic [7:0]           awlen_o,
    output logic [18:0]          awuser_o,
    output logic                 wvalid_o,
    input  logic                 wready_i,
    output logic [127:0]         wdata_o,
    output logic [15:0]          wstrb_o,
    output logic                 wlast_o,
    input  logic                 bvalid_i,
    output logic                 bready_o,
    input  logic                 berror_i,
    /// Nothing is to be written and every result was taken.
    output logic                 idle_o,
    /// What became of the oldest job.
    output logic                 valid_o,
    input  logic                 ready_i,
    output logic [1:0]           kind_o,
    output logic [5:0]           tag_o,
    output logic                 error_o,
    /// Where it was written: rank, protection domain and page; and its `known`.
    output logic [rdma_pkg::PageWidth-1:0] page_o,
    output logic                 known_o
);

  localparam int unsigned CountWidth = $clog2(MaxResults) + 1;

  if (MaxBursts < 1 || MaxBursts > MaxResults) begin : gen_check
    $error("rdma_write_master: MaxBursts must be 1 to MaxResults");
  end

  /* verilator lint_off UNUSEDSIGNAL */
  rdma_pkg::write_job_t job_q, waiting_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic                  busy_q, awvalid_q, words_left_q, first_q, waits_q;
  logic [4:0]            left_q;
  logic [BufferAddrWidth-1:0] buffer_addr_q;
  logic [CountWidth-1:0] bursts_q;
  logic                  take, take_burst, beat, finished, load, tag_ready, tag_valid, result_valid, leave;
  rdma_pkg::write_job_t  next;  ///< What is written when the job at work is over.
  logic                  next_burst;
  logic [4:0]            next_words;
  logic [15:0]           last_strobe;
  // A result for each tag: there is always space.
  /* verilator lint_off UNUSEDSIGNAL */
  logic                  result_ready;
  /* verilator lint_on UNUSEDSIGNAL */

  assign next = waits_q ? waiting_q : job_i;
  assign next_burst = next.kind != rdma_pkg::WriteSkip;
  assign next_words = next.bytes[8:4] + {4'd0, |next.bytes[3:0]};
  assign beat = wvalid_o && wready_i;
  assign finished = busy_q && (!awvalid_q || awready_i) && (!words_left_q || (beat && wlast_o));
  // One job may wait, so that its words follow those of the one before without a gap.
  assign ready_o = !waits_q && tag_ready && bursts_q < CountWidth'(MaxBursts);
  assign free_now_o = ready_o && (!busy_q || finished);
  assign take = valid_i && ready_o;
  assign load = (!busy_q || finished) && (waits_q || take);
  assign take_burst = take && job_i.kind != rdma_pkg::WriteSkip;
  assign leave = valid_o && ready_i;

  assign buffer_addr_o = buffer_addr_q;
  assign awvalid_o = awvalid_q;
  assign awaddr_o = {job_q.va[38:4], 4'd0};
  assign awlen_o = job_q.kind == rdma_pkg::WriteCell ? {3'd0, job_q.bytes[8:4] + {4'd0, |job_q.bytes[3:0]}} - 8'd1 : 8'd0;
  assign awuser_o = job_q.user;
  assign wvalid_o = words_left_q;
  assign wlast_o = left_q == 5'd1;
  assign wdata_o = job_q.kind == rdma_pkg::WriteCell ? data_i : {job_q.data, job_q.data};
  assign last_strobe = job_q.bytes[3:0] == '0 ? 16'hffff : ~(16'hffff << job_q.bytes[3:0]);
  assign bready_o = 1'b1;

  always_comb begin
    if (job_q.kind == rdma_pkg::WriteCell) begin
      wstrb_o = (first_q ? 16'hffff << job_q.va[3:0] : 16'hffff) & (wlast_o ? last_strobe : 16'hffff);
    end else begin
      wstrb_o = job_q.va[3] ? 16'hff00 : 16'h00ff;
    end
    free_o = '0;
    if (beat && job_q.kind == rdma_pkg::WriteCell) free_o = 5'd1;
    else if (busy_q && job_q.kind == rdma_pkg::WriteSkip) free_o = job_q.bytes[8:4] + {4'd0, |job_q.bytes[3:0]};
  end

  stream_fifo #(
      .Width(9 + rdma_pkg::PageWidth),
      .Depth(MaxResults)
  ) i_tags (
      .clk_i,
      .rst_ni,
      .valid_i(take_burst),
      .ready_o(tag_ready),
      .data_i ({job_i.known, job_i.user, job_i.va[38:12], job_i.kind, job_i.tag}),
      .valid_o(tag_valid),
      .ready_i(leave),
      .data_o ({known_o, page_o, kind_o, tag_o})
  );

  stream_fifo #(
      .Width(1),
      .Depth(MaxResults)
  ) i_results (
      .clk_i,
      .rst_ni,
      .valid_i(bvalid_i),
      .ready_o(result_ready),
      .data_i (berror_i),
      .valid_o(result_valid),
      .ready_i(leave),
      .data_o (error_o)
  );

  assign idle_o = !busy_q && !tag_valid;
  assign valid_o = tag_valid && result_valid;

  always_ff @(posedge clk_i) begin
    if (take) waiting_q <= job_i;
    if (load) begin
      job_q <= next;
      first_q <= 1'b1;
      left_q <= next.kind == rdma_pkg::WriteCell ? next_words : 5'd1;
    end else if (beat) begin
      first_q <= 1'b0;
      left_q <= left_q - 1'b1;
    end
    if (!rst_ni) begin
      waits_q <= 1'b0;
      busy_q <= 1'b0;
      awvalid_q <= 1'b0;
      words_left_q <= 1'b0;
      buffer_addr_q <= '0;
      bursts_q <= '0;
    end else begin
      buffer_addr_q <= buffer_addr_q + BufferAddrWidth'(free_o);
      bursts_q <= bursts_q + CountWidth'(take_burst) - CountWidth'(bvalid_i);
      if (awready_i) awvalid_q <= 1'b0;
      if (beat && wlast_o) words_left_q <= 1'b0;
      if (finished) busy_q <= 1'b0;
      waits_q <= (waits_q || take) && !load;
      if (load) begin
        busy_q <= 1'b1;
        awvalid_q <= next_burst;
        words_left_q <= next_burst;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!bvalid_i || bursts_q != '0) else $error("answer to a write that was not made");
      assert (!bvalid_i || result_ready) else $error("more results than writes");
    end
  end
`endif

endmodule
