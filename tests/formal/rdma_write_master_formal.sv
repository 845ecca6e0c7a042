// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// rdma_write_master never has more bursts in flight than it may, sends as many words as each address says, frees each word once, and tells a result for
/// each burst and for nothing else.
module rdma_write_master_formal (
    input logic       clk_i,
    input logic       valid_i,
    input logic [1:0] kind_i,
    input logic       long_i,
    input logic       awready_i,
    input logic       wready_i,
    input logic       bvalid_i,
    input logic       ready_i
);
  localparam int unsigned MaxBursts = 2;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  rdma_pkg::write_job_t job;
  logic ready, awvalid, wvalid, wlast, bready, valid, error;
  logic [7:0] buffer_addr;
  logic [4:0] free;
  logic [38:0] awaddr;
  logic [7:0] awlen;
  logic [18:0] awuser;
  logic [127:0] wdata;
  logic [15:0] wstrb;
  logic [1:0] kind;
  logic [5:0] tag;
  always_comb begin
    job = '0;
    job.kind = kind_i;
    job.bytes = long_i ? 10'd17 : 10'd1;
  end

  // Bursts that are complete and not answered; words freed against words given.
  logic [3:0] addresses = '0, bursts = '0, open = '0;
  logic [3:0] results = '0;
  logic [4:0] given = '0, freed = '0;
  logic [4:0] beats = '0;
  logic aw, w, b, take;
  assign aw = awvalid && awready_i;
  assign w = wvalid && wready_i;
  assign b = bvalid_i && addresses != '0 && bursts != '0 && rst_ni;
  assign take = valid_i && ready && rst_ni;

  rdma_write_master #(
      .MaxBursts (MaxBursts),
      .MaxResults(4),
      .BufferAddrWidth(8)
  ) i_dut (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o  (ready),
      .job_i    (job),
      .buffer_addr_o(buffer_addr),
      .data_i   ('0),
      .free_o   (free),
      .awvalid_o(awvalid),
      .awready_i,
      .awaddr_o (awaddr),
      .awlen_o  (awlen),
      .awuser_o (awuser),
      .wvalid_o (wvalid),
      .wready_i,
      .wdata_o  (wdata),
      .wstrb_o  (wstrb),
      .wlast_o  (wlast),
      .bvalid_i (b),
      .bready_o (bready),
      .berror_i (1'b0),
      .valid_o  (valid),
      .ready_i,
      .kind_o   (kind),
      .tag_o    (tag),
      .error_o  (error)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      addresses <= addresses + 4'(aw) - 4'(b);
      bursts <= bursts + 4'(w && wlast) - 4'(b);
      open <= open + 4'(take && kind_i != rdma_pkg::WriteSkip) - 4'(b);
      results <= results + 4'(b) - 4'(valid && ready_i);
      if (take && (kind_i == rdma_pkg::WriteSkip || kind_i == rdma_pkg::WriteCell))
        given <= given + (long_i ? 5'd2 : 5'd1);
      freed <= freed + free;
      if (w) beats <= wlast ? 5'd0 : beats + 1'b1;
      assert (open <= MaxBursts);
      assert (addresses <= MaxBursts && bursts <= MaxBursts);
      assert (results <= 4'd4);
      assert (valid == (results != '0));
      assert (buffer_addr[4:0] == freed);
      // Never more than what was given: the difference is at most the job at work and the one that waits.
      assert (5'(given - freed) <= 5'd4);
      if (w && wlast) assert ({3'd0, beats} == awlen);
      if (w) assert (wstrb != '0);
    end
  end
endmodule
