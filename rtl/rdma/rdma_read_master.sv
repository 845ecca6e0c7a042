// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Reads cells from the host's memory, one AXI burst each, and keeps them until they are sent. All bursts have one ID, so they come back in order. A burst
/// is only asked for when there is space for all of it: the memory never waits, and a cell leaves only when it is complete and free of errors.
module rdma_read_master #(
    /// Bursts in flight.
    parameter int unsigned MaxBursts = 8,
    /// Words for cells that are asked for or wait; a power of two.
    parameter int unsigned BufferWords = 256,
    /// Cells that are asked for or wait; a power of two.
    parameter int unsigned MaxCells = 16
) (
    input  logic            clk_i,
    /// Synchronous, active low.
    input  logic            rst_ni,
    /// A cell to read: its packet, and where its first word is. The words are those of `meta_i.bytes`.
    input  logic            valid_i,
    output logic            ready_o,
    input  rdma_pkg::meta_t meta_i,
    input  logic [38:4]     address_i,
    /// The rank in the own memory; the protection domain is the packet's.
    input  logic [2:0]      rank_i,
    /// AXI.
    output logic            arvalid_o,
    input  logic            arready_i,
    output logic [38:0]     araddr_o,
    output logic [7:0]      arlen_o,
    output logic [18:0]     aruser_o,
    input  logic            rvalid_i,
    output logic            rready_o,
    input  logic [127:0]    rdata_i,
    input  logic            rerror_i,
    input  logic            rlast_i,
    /// The oldest cell is complete; its words follow one by one with `pop_i`, from the next cycle on, and `done_i` ends it.
    output logic            valid_o,
    output rdma_pkg::meta_t meta_o,
    output logic [127:0]    data_o,
    input  logic            pop_i,
    input  logic            done_i,
    /// Nothing is asked for and nothing waits.
    output logic            idle_o,
    /// The oldest cell could not be read; it is gone with `fault_ready_i`.
    output logic            fault_o,
    input  logic            fault_ready_i
);

  localparam int unsigned PointerWidth = $clog2(BufferWords);
  localparam int unsigned CellWidth = $clog2(MaxCells);

  if (MaxBursts < 1 || MaxBursts > MaxCells || BufferWords < 16) begin : gen_check
    $error("rdma_read_master: MaxBursts must be 1 to MaxCells, BufferWords at least 16");
  end

  logic [127:0] buffer_q[BufferWords];
  logic [PointerWidth-1:0] write_q, read_q;
  logic [PointerWidth:0]   reserved_q;    ///< Words that are asked for or in the buffer.
  logic [CellWidth:0]      bursts_q;      ///< Asked for, last word not here.
  logic                    failed_q;      ///< A word of the burst that comes in had an error.
  logic                    arvalid_q;
  logic [38:4]             araddr_q;
  logic [4:0]              arwords_q;
  logic [18:0]             aruser_q;
  logic                    take, burst_end, meta_ready, meta_valid, result_valid, result_failed, leave;
  logic [4:0]              words, head_words;
  // A result for each cell: there is always space.
  /* verilator lint_off UNUSEDSIGNAL */
  logic                    result_ready;
  /* verilator lint_on UNUSEDSIGNAL */

  assign words = meta_i.bytes[8:4] + {4'd0, |meta_i.bytes[3:0]};
  assign head_words = meta_o.bytes[8:4] + {4'd0, |meta_o.bytes[3:0]};
  assign ready_o = !arvalid_q && meta_ready && bursts_q < (CellWidth + 1)'(MaxBursts) &&
                   reserved_q <= (PointerWidth + 1)'(BufferWords - 16);
  assign take = valid_i && ready_o;
  assign rready_o = 1'b1;
  assign burst_end = rvalid_i && rlast_i;
  assign leave = valid_o ? done_i : fault_o && fault_ready_i;

  stream_fifo #(
      .Width(rdma_pkg::MetaWidth),
      .Depth(MaxCells)
  ) i_metas (
      .clk_i,
      .rst_ni,
      .valid_i(take),
      .ready_o(meta_ready),
      .data_i (meta_i),
      .valid_o(meta_valid),
      .ready_i(leave),
      .data_o (meta_o)
  );

  stream_fifo #(
      .Width(1),
      .Depth(MaxCells)
  ) i_results (
      .clk_i,
      .rst_ni,
      .valid_i(burst_end),
      .ready_o(result_ready),
      .data_i (failed_q || rerror_i),
      .valid_o(result_valid),
      .ready_i(leave),
      .data_o (result_failed)
  );

  // A cell that completes may begin in the same cycle: its first words are here, its last one in the next cycle.
  assign valid_o = meta_valid && (result_valid ? !result_failed : burst_end && !failed_q && !rerror_i);
  assign fault_o = meta_valid && result_valid && result_failed;
  assign idle_o = !meta_valid && !arvalid_q;
  assign data_o = buffer_q[read_q];
  // An address goes out at once and is kept only while the memory does not take it.
  assign arvalid_o = arvalid_q || take;
  assign araddr_o = {arvalid_q ? araddr_q : address_i, 4'd0};
  assign arlen_o = {3'd0, arvalid_q ? arwords_q : words} - 8'd1;
  assign aruser_o = arvalid_q ? aruser_q : {rank_i, meta_i.pdid};

  always_ff @(posedge clk_i) begin
    if (rvalid_i) buffer_q[write_q] <= rdata_i;
    if (take) begin
      araddr_q <= address_i;
      arwords_q <= words;
      aruser_q <= {rank_i, meta_i.pdid};
    end
    if (!rst_ni) begin
      write_q <= '0;
      read_q <= '0;
      reserved_q <= '0;
      bursts_q <= '0;
      failed_q <= 1'b0;
      arvalid_q <= 1'b0;
    end else begin
      arvalid_q <= arvalid_o && !arready_i;
      if (rvalid_i) begin
        write_q <= write_q + 1'b1;
        failed_q <= !rlast_i && (failed_q || rerror_i);
      end
      bursts_q <= bursts_q + (CellWidth + 1)'(take) - (CellWidth + 1)'(burst_end);
      if (pop_i) read_q <= read_q + 1'b1;
      else if (fault_o && fault_ready_i) read_q <= read_q + PointerWidth'(head_words);
      reserved_q <= reserved_q + (take ? (PointerWidth + 1)'(words) : '0) - (leave ? (PointerWidth + 1)'(head_words) : '0);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!rvalid_i || bursts_q != '0) else $error("data that nobody asked for");
      assert (reserved_q <= (PointerWidth + 1)'(BufferWords)) else $error("more words than slots");
      assert (!pop_i || valid_o) else $error("word of a cell that is not there");
      assert (result_ready || !burst_end) else $error("more results than cells");
    end
  end
`endif

endmodule
