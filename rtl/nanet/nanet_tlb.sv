// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Translates virtual pages: 128 entries in 32 sets of 4, the oldest of a set is replaced. A page that is not there is asked of the host; one that the host
/// does not know, or does not tell in time, has failed. Requests are served one at a time.
module nanet_tlb #(
    localparam int unsigned PageWidth = 64 - nanet_pkg::PageBits
) (
    input  logic                 clk_i,
    /// Synchronous, active low.
    input  logic                 rst_ni,
    /// Forgets all.
    input  logic                 flush_i,
    input  logic [31:0]          timeout_i,  ///< Cycles that the host has for an answer; 0 is for ever.
    /// Holds until `done_o`.
    input  logic                 lookup_i,
    input  logic [PageWidth-1:0] page_i,
    output logic                 done_o,
    output logic                 ok_o,
    output logic                 gpu_o,      ///< The page is one of the GPU's memory.
    output logic [PageWidth-1:0] physical_o,
    /// To and from the host.
    output logic                 miss_o,     ///< For as long as the host is asked for `page_i`.
    input  logic                 refill_i,
    input  logic                 refill_ok_i,  ///< There is such a page.
    input  logic                 refill_gpu_i,
    input  logic [PageWidth-1:0] refill_page_i,
    input  logic [PageWidth-1:0] refill_physical_i,
    output logic                 hit_o,      ///< For one cycle, to be counted.
    output logic                 missed_o,
    output logic                 failed_o
);

  localparam int unsigned Sets = 32;
  localparam int unsigned TagWidth = PageWidth - 5;
  localparam int unsigned EntryWidth = TagWidth + 1 + PageWidth;

  /// Buffers of streams are far apart, by powers of two: their pages must not all be in one set.
  function automatic logic [4:0] set_of(input logic [29:0] page);
    set_of = page[4:0] ^ page[9:5] ^ page[14:10] ^ page[19:15] ^ page[24:20] ^ page[29:25];
  endfunction

  logic [4:0]            set, refill_set;
  logic [3:0]            hit, refill_way;
  logic [1:0]            next_q[Sets];  ///< Way that is replaced next.
  logic [4*(PageWidth+1)-1:0] found;
  logic                  looked_q, miss_q, failed_q;
  logic [31:0]           timer_q;
  logic [PageWidth:0]    chosen;
  logic                  learn, refused, again_q;

  assign set = set_of(page_i[29:0]);
  assign refill_set = set_of(refill_page_i[29:0]);
  assign refill_way = 4'd1 << next_q[refill_set];

  for (genvar w = 0; w < 4; w++) begin : gen_way
    (* ram_style = "distributed" *)
    logic [EntryWidth-1:0] entries_q[Sets];
    logic [Sets-1:0]       valid_q;
    logic [EntryWidth-1:0] entry_q;
    logic                  entry_valid_q;
    assign hit[w] = entry_valid_q && entry_q[EntryWidth-1-:TagWidth] == page_i[PageWidth-1:5];
    assign found[w*(PageWidth+1)+:PageWidth+1] = entry_q[PageWidth:0];
    always_ff @(posedge clk_i) begin
      entry_q <= entries_q[set];
      entry_valid_q <= valid_q[set];
      if (learn && refill_way[w]) entries_q[refill_set] <= {refill_page_i[PageWidth-1:5], refill_gpu_i, refill_physical_i};
      if (!rst_ni || flush_i) valid_q <= '0;
      else if (learn && refill_way[w]) valid_q[refill_set] <= 1'b1;
    end
  end

  always_comb begin
    chosen = '0;
    for (int w = 0; w < 4; w++) if (hit[w]) chosen = chosen | found[w*(PageWidth+1)+:PageWidth+1];
  end

  // Only what was asked for, so that a page has one entry.
  assign learn = miss_q && refill_i && refill_ok_i && refill_page_i == page_i;
  assign refused = miss_q && refill_i && !refill_ok_i && refill_page_i == page_i;
  assign done_o = lookup_i && looked_q && (hit != '0 || failed_q);
  assign ok_o = !failed_q;
  assign {gpu_o, physical_o} = chosen;
  assign miss_o = miss_q;
  assign hit_o = done_o && !again_q;
  assign missed_o = lookup_i && looked_q && hit == '0 && !miss_q && !failed_q && !again_q;
  assign failed_o = done_o && failed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      looked_q <= 1'b0;
      miss_q <= 1'b0;
      failed_q <= 1'b0;
      again_q <= 1'b0;
      timer_q <= '0;
      for (int s = 0; s < Sets; s++) next_q[s] <= '0;
    end else begin
      if (learn) next_q[refill_set] <= next_q[refill_set] + 1'b1;
      // What is learnt is read at the next edge.
      looked_q <= lookup_i && !done_o && !flush_i && !learn;
      if (lookup_i && looked_q && !done_o && !miss_q) begin
        miss_q <= 1'b1;
        again_q <= 1'b1;
        timer_q <= timeout_i;
      end else if (miss_q) begin
        timer_q <= timer_q - 1'b1;
        if (refused || (timeout_i != '0 && timer_q == 32'd1)) begin
          miss_q <= 1'b0;
          failed_q <= 1'b1;
        end
      end
      if (done_o || !lookup_i) begin
        miss_q <= 1'b0;
        failed_q <= 1'b0;
        again_q <= 1'b0;
      end
    end
  end

endmodule
