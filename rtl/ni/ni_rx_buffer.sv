// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Buffer of whole packets of one VC for the RDMA units. Words of a packet are seen only when it is committed; until then they can be taken back.
module ni_rx_buffer #(
    /// Words; a power of two.
    parameter int unsigned Depth = 64
) (
    input  logic                             clk_i,
    /// Synchronous, active low.
    input  logic                             rst_ni,
    /// Forgets the words that are not committed, before a word of the same cycle.
    input  logic                             rollback_i,
    /// Appends a word; lost if it is full (see `full_o`).
    input  logic                             push_i,
    input  logic [exanet_pkg::DataWidth-1:0] data_i,
    /// Commits everything up to the word of this cycle.
    input  logic                             commit_i,
    /// No space for another word, whether or not words are taken back in this cycle.
    output logic                             full_o,
    /// There are committed words; the oldest follows.
    output logic                             valid_o,
    output logic [exanet_pkg::DataWidth-1:0] data_o,
    /// Removes the oldest word; only with `valid_o`.
    input  logic                             pop_i
`ifdef FORMAL
    ,
    /// Words here, committed or not, and those committed, for the proofs.
    output logic [7:0]                       formal_words_o,
    output logic [7:0]                       formal_committed_o
`endif
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth < exanet_pkg::MaxPacketWords || Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("ni_rx_buffer: Depth must be a power of two that holds the largest packet");
  end

  logic [exanet_pkg::DataWidth-1:0] data_q[Depth];
  logic [PointerWidth:0] write_q, commit_q, read_q;
  logic [PointerWidth:0] base, next;
  logic write;

  assign full_o = (write_q ^ read_q) == {1'b1, {PointerWidth{1'b0}}};
`ifdef FORMAL
  assign formal_words_o = 8'((PointerWidth + 1)'(write_q - read_q));
  assign formal_committed_o = 8'((PointerWidth + 1)'(commit_q - read_q));
`endif
  assign valid_o = commit_q != read_q;
  assign data_o = data_q[read_q[PointerWidth-1:0]];
  assign base = rollback_i ? commit_q : write_q;
  assign write = push_i && !full_o;
  assign next = write ? base + 1'b1 : base;

  always_ff @(posedge clk_i) begin
    if (write) data_q[base[PointerWidth-1:0]] <= data_i;
    if (!rst_ni) begin
      write_q <= '0;
      commit_q <= '0;
      read_q <= '0;
    end else begin
      write_q <= next;
      if (commit_i) commit_q <= next;
      if (pop_i) read_q <= read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!pop_i || valid_o) else $error("pop from an empty buffer");
      assert (!(rollback_i && commit_i)) else $error("commit of words that are taken back");
    end
  end
`endif

endmodule
