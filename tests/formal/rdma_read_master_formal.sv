// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// rdma_read_master never has more bursts in flight than it may, never more words than slots, and neither loses nor invents a word, for any memory
/// that answers in order and any taker.
module rdma_read_master_formal (
    input logic       clk_i,
    input logic       valid_i,
    input logic       long_i,
    input logic       arready_i,
    input logic       rvalid_i,
    input logic       rerror_i,
    input logic       pop_i,
    input logic       fault_ready_i
);
  localparam int unsigned MaxBursts = 2;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  rdma_pkg::meta_t meta, head;
  logic ready, arvalid, rready, valid, fault, last, pop, done;
  logic [38:0] araddr;
  logic [7:0] arlen;
  logic [18:0] aruser;
  logic [127:0] data;

  // Cells of one or two words.
  always_comb begin
    meta = '0;
    meta.bytes = long_i ? 10'd17 : 10'd1;
  end

  // Words of the cells, and of the bursts that the memory owes: at most two.
  logic [3:0] owed0 = '0, owed1 = '0;
  logic [2:0] bursts = '0;
  logic [5:0] words = '0;
  logic [3:0] popped = '0;
  logic ar, r;
  assign ar = arvalid && arready_i;
  assign r = rvalid_i && owed0 != '0 && rst_ni;
  assign last = owed0 == 4'd1;
  logic [3:0] head_words;
  assign head_words = {1'b0, head.bytes[6:4]} + {3'd0, |head.bytes[3:0]};
  // A cell begins with its header, so its words follow one cycle later.
  logic begun = 1'b0;
  assign pop = pop_i && valid && begun && popped != head_words;
  assign done = pop_i && valid && begun && popped == head_words;

  rdma_read_master #(
      .MaxBursts  (MaxBursts),
      .BufferWords(32),
      .MaxCells   (4)
  ) i_dut (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o      (ready),
      .meta_i       (meta),
      .address_i    ('0),
      .rank_i       ('0),
      .arvalid_o    (arvalid),
      .arready_i,
      .araddr_o     (araddr),
      .arlen_o      (arlen),
      .aruser_o     (aruser),
      .rvalid_i     (r),
      .rready_o     (rready),
      .rdata_i      ('0),
      .rerror_i,
      .rlast_i      (last),
      .valid_o      (valid),
      .meta_o       (head),
      .data_o       (data),
      .pop_i        (pop),
      .done_i       (done),
      .fault_o      (fault),
      .fault_ready_i
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      bursts <= bursts + 3'(ar) - 3'(r && last);
      words <= words + 6'(r) - 6'(pop) - (fault && fault_ready_i ? {2'd0, head_words} : 6'd0);
      if (r && last) begin
        owed0 <= owed1 != '0 ? owed1 : (ar ? arlen[3:0] + 4'd1 : 4'd0);
        owed1 <= owed1 != '0 && ar ? arlen[3:0] + 4'd1 : 4'd0;
      end else begin
        if (r) owed0 <= owed0 - 1'b1;
        if (ar && owed0 == '0) owed0 <= arlen[3:0] + 4'd1;
        if (ar && owed0 != '0) owed1 <= arlen[3:0] + 4'd1;
      end
      if (done) begun <= 1'b0;
      else if (valid) begun <= 1'b1;
      if (done) popped <= '0;
      else if (pop) popped <= popped + 1'b1;
      assert (bursts <= MaxBursts);
      assert (words <= 6'd32);
      assert (rready);
      assert (!(valid && fault));
      // What leaves is there: a complete cell has all its words.
      if (valid) assert (words + 6'(r) + {2'd0, popped} >= {2'd0, head_words});
      if (ar) assert (arlen <= 8'd4);
    end
  end
endmodule
