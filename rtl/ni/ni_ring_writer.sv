// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Writes entries of mailbox rings to the host's memory: first the message's bytes, if it has any, then in a burst of its own the word that describes it, so that
/// who polls that word and finds it new finds the bytes. All bursts have one ID.
module ni_ring_writer #(
    /// Entries that wait, are in flight, or have a result that was not taken; a power of two. There are never more.
    parameter int unsigned MaxEntries = 32
) (
    input  logic                clk_i,
    /// Synchronous, active low.
    input  logic                rst_ni,
    input  logic                valid_i,
    input  ni_pkg::ring_entry_t entry_i,
    /// AXI; `bready` is always high.
    output logic                awvalid_o,
    input  logic                awready_i,
    output logic [38:0]         awaddr_o,
    output logic [7:0]          awlen_o,
    output logic [18:0]         awuser_o,
    output logic                wvalid_o,
    input  logic                wready_i,
    output logic [127:0]        wdata_o,
    output logic                wlast_o,
    input  logic                bvalid_i,
    input  logic [1:0]          bresp_i,
    /// What became of the oldest entry: both its writes have been answered, and one of them with an error.
    output logic                valid_o,
    input  logic                ready_i,
    output logic                error_o
);

  ni_pkg::ring_entry_t next, entry_q;
  logic next_valid;
  logic busy_q, awvalid_q, wvalid_q, data_q, error_q;
  logic [2:0] left_q;  ///< Words of the burst that have not been taken.
  logic take, beat, finished, describes, result_valid;
  logic [1:0] word;
  /* verilator lint_off UNUSEDSIGNAL */
  logic entry_ready, burst_ready, burst_valid, result_ready;  // There is always space: two bursts for each entry.
  /* verilator lint_on UNUSEDSIGNAL */

  stream_fifo #(
      .Width(ni_pkg::RingEntryWidth),
      .Depth(MaxEntries)
  ) i_entries (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o(entry_ready),
      .data_i (entry_i),
      .valid_o(next_valid),
      .ready_i(take),
      .data_o (next)
  );

  assign take = next_valid && (!busy_q || (finished && !data_q));
  assign beat = wvalid_q && wready_i;
  assign finished = busy_q && (!awvalid_q || awready_i) && (!wvalid_q || (beat && wlast_o));

  assign word = 2'(entry_q.words - left_q);
  assign awvalid_o = awvalid_q;
  assign awaddr_o = {entry_q.slot, !data_q, 6'd0};
  assign awlen_o = data_q ? {5'd0, entry_q.words - 3'd1} : 8'd0;
  assign awuser_o = entry_q.user;
  assign wvalid_o = wvalid_q;
  assign wdata_o = data_q ? entry_q.data[128*word+:128] : {63'd0, entry_q.lap, entry_q.description};
  assign wlast_o = left_q == 3'd1;

  stream_fifo #(
      .Width(1),
      .Depth(2 * MaxEntries)
  ) i_bursts (
      .clk_i,
      .rst_ni,
      .valid_i(finished),
      .ready_o(burst_ready),
      .data_i (!data_q),
      .valid_o(burst_valid),
      .ready_i(bvalid_i),
      .data_o (describes)
  );

  assign result_valid = bvalid_i && describes;
  stream_fifo #(
      .Width(1),
      .Depth(MaxEntries)
  ) i_results (
      .clk_i,
      .rst_ni,
      .valid_i(result_valid),
      .ready_o(result_ready),
      .data_i (error_q || bresp_i != 2'b00),
      .valid_o,
      .ready_i,
      .data_o (error_o)
  );

  always_ff @(posedge clk_i) begin
    if (take) entry_q <= next;
    if (take) begin
      data_q <= next.words != '0;
      left_q <= next.words != '0 ? next.words : 3'd1;
    end else if (finished) begin
      data_q <= 1'b0;
      left_q <= 3'd1;
    end else if (beat) begin
      left_q <= left_q - 1'b1;
    end
    if (!rst_ni) begin
      busy_q <= 1'b0;
      awvalid_q <= 1'b0;
      wvalid_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      if (take) busy_q <= 1'b1;
      else if (finished && !data_q) busy_q <= 1'b0;
      if (take || (finished && data_q)) begin
        awvalid_q <= 1'b1;
        wvalid_q <= 1'b1;
      end else begin
        if (awready_i) awvalid_q <= 1'b0;
        if (beat && wlast_o) wvalid_q <= 1'b0;
      end
      if (bvalid_i) error_q <= !describes && bresp_i != 2'b00;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!valid_i || entry_ready) else $error("more entries than there may be");
      assert (!bvalid_i || burst_valid) else $error("answer to a write that was not made");
      assert (!finished || burst_ready) else $error("more writes than entries");
      assert (!result_valid || result_ready) else $error("more results than entries");
    end
  end
`endif

endmodule
