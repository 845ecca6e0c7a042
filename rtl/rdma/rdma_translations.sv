// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The translation cache of the receive unit: pages of which the memory has taken data. A write to one of them cannot fault, so nobody needs to wait for its
/// response. As with any such cache, system software makes it forget before it takes a page away, and waits until the writes that were under way are over.
module rdma_translations #(
    /// Pages; a power of two.
    parameter int unsigned Entries = 64
) (
    input  logic        clk_i,
    /// Synchronous, active low.
    input  logic        rst_ni,
    /// Otherwise no page is known.
    input  logic        enable_i,
    /// All pages are forgotten. `draining_o`: writes from before are still under way.
    input  logic        forget_i,
    output logic        draining_o,
    /// Rank, protection domain and number of the page of 4 KB that is looked at; known in the same cycle.
    input  logic [rdma_pkg::PageWidth-1:0] page_i,
    output logic        known_o,
    /// Data have been written there, by a write for which `learnable_o` was high when its response was taken; the write has faulted.
    input  logic        learn_i,
    input  logic        fault_i,
    output logic        learnable_o,
    /// A write begins; the response of the oldest one is taken.
    input  logic        write_i,
    input  logic        response_i
);

  localparam int unsigned PageWidth = rdma_pkg::PageWidth;
  localparam int unsigned IndexWidth = $clog2(Entries);
  localparam int unsigned CountWidth = 6;

  if (Entries < 2 || Entries != 1 << IndexWidth) begin : gen_check
    $error("rdma_translations: Entries must be a power of two, at least 2");
  end

  logic [Entries-1:0]           valid_q, match;
  logic [Entries*PageWidth-1:0] pages_q;
  logic [IndexWidth-1:0]        next_q;  ///< The oldest entry is replaced.
  logic [CountWidth-1:0]        writes_q, writes, drain_q;

  for (genvar e = 0; e < Entries; e++) begin : gen_match
    assign match[e] = valid_q[e] && pages_q[PageWidth*e+:PageWidth] == page_i;
  end
  assign known_o = enable_i && match != '0;
  assign writes = writes_q + CountWidth'(write_i) - CountWidth'(response_i);
  assign draining_o = drain_q != '0;
  assign learnable_o = drain_q == '0 && !forget_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      pages_q <= '0;
      next_q <= '0;
      writes_q <= '0;
      drain_q <= '0;
    end else begin
      writes_q <= writes;
      if (forget_i) drain_q <= writes;
      else if (response_i && drain_q != '0) drain_q <= drain_q - 1'b1;
      if (forget_i || fault_i) begin
        valid_q <= '0;
        next_q <= '0;
      end else if (learn_i && enable_i && match == '0) begin
        valid_q[next_q] <= 1'b1;
        pages_q[PageWidth*next_q+:PageWidth] <= page_i;
        next_q <= next_q + 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!response_i || writes_q != '0) else $error("response to no write");
    end
  end
`endif

endmodule
