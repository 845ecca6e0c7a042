// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The AXI4-Lite slave before any registers and any master: an answer stays until it is taken, each write and each read is answered once, the
/// answer is here at most two edges after what it needs, and registers see each write once with its own address and data.
module axi_lite_slave_formal (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        awvalid_i,
    input logic [5:0]  awaddr_i,
    input logic        wvalid_i,
    input logic [31:0] wdata_i,
    input logic [3:0]  wstrb_i,
    input logic        bready_i,
    input logic        arvalid_i,
    input logic [5:0]  araddr_i,
    input logic        rready_i,
    input logic        write_ok_i,
    input logic [31:0] read_data_i,
    input logic        read_ok_i
);

  logic awready, wready, bvalid, arready, rvalid, write;
  logic [1:0] bresp, rresp;
  logic [3:0] write_address, read_address;
  logic [31:0] rdata, write_data, write_mask;

  axi_lite_slave #(
      .AddressWidth(6)
  ) i_slave (
      .clk_i,
      .rst_ni,
      .awvalid_i,
      .awready_o      (awready),
      .awaddr_i,
      .wvalid_i,
      .wready_o       (wready),
      .wdata_i,
      .wstrb_i,
      .bvalid_o       (bvalid),
      .bready_i,
      .bresp_o        (bresp),
      .arvalid_i,
      .arready_o      (arready),
      .araddr_i,
      .rvalid_o       (rvalid),
      .rready_i,
      .rdata_o        (rdata),
      .rresp_o        (rresp),
      .write_o        (write),
      .write_address_o(write_address),
      .write_data_o   (write_data),
      .write_mask_o   (write_mask),
      .write_ok_i,
      .read_address_o (read_address),
      .read_data_i,
      .read_ok_i
  );

  logic started_q;
  // What waits for an answer, and whether the registers have seen it.
  logic aw_q, w_q, ar_q, done_q, done_ok_q;
  logic [3:0] aw_address_q, ar_address_q, w_strobe_q;
  logic [31:0] w_data_q;
  // The cycle before.
  logic was_b_q, was_r_q, was_read_ok_q;
  logic [1:0] was_bresp_q, was_rresp_q;
  logic [31:0] was_rdata_q, was_read_data_q;
  logic [1:0] b_wait_q, r_wait_q;
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    was_b_q <= rst_ni && bvalid && !bready_i;
    was_bresp_q <= bresp;
    was_r_q <= rst_ni && rvalid && !rready_i;
    was_rresp_q <= rresp;
    was_rdata_q <= rdata;
    was_read_data_q <= read_data_i;
    was_read_ok_q <= read_ok_i;
    if (awvalid_i && awready) aw_address_q <= awaddr_i[5:2];
    if (arvalid_i && arready) ar_address_q <= araddr_i[5:2];
    if (wvalid_i && wready) begin
      w_data_q <= wdata_i;
      w_strobe_q <= wstrb_i;
    end
    if (!rst_ni) begin
      aw_q <= 1'b0;
      w_q <= 1'b0;
      ar_q <= 1'b0;
      done_q <= 1'b0;
      b_wait_q <= '0;
      r_wait_q <= '0;
    end else begin
      aw_q <= (awvalid_i && awready) || (aw_q && !(bvalid && bready_i));
      w_q <= (wvalid_i && wready) || (w_q && !(bvalid && bready_i));
      ar_q <= (arvalid_i && arready) || (ar_q && !(rvalid && rready_i));
      done_q <= write || (done_q && !(bvalid && bready_i));
      if (write) done_ok_q <= write_ok_i;
      b_wait_q <= aw_q && w_q && !bvalid ? b_wait_q + 2'd1 : 2'd0;
      r_wait_q <= ar_q && !rvalid ? r_wait_q + 2'd1 : 2'd0;
    end
  end

  always_comb begin
    assume (started_q == rst_ni);
    if (started_q) begin
      // Valid and payload stay.
      assert (!was_b_q || (bvalid && bresp == was_bresp_q));
      assert (!was_r_q || (rvalid && rresp == was_rresp_q && rdata == was_rdata_q));
      // Answers only to what was asked, nothing more is taken before the answer, and none is forgotten.
      assert (!bvalid || (aw_q && w_q));
      assert (!rvalid || ar_q);
      assert (!(aw_q && awready) && !(w_q && wready) && !(ar_q && arready));
      assert (aw_q || awready);
      assert (w_q || wready);
      assert (ar_q || arready);
      assert (b_wait_q <= 2'd1 && r_wait_q <= 2'd1);
      // One write for each answer, with what was taken.
      assert (bvalid == done_q);
      assert (!(write && done_q));
      assert (!bvalid || bresp == (done_ok_q ? 2'b00 : 2'b10));
      assert (!aw_q || write_address == aw_address_q);
      assert (!w_q || write_data == w_data_q);
      assert (!write || (aw_q && w_q));
      assert (!w_q || write_mask == {{8{w_strobe_q[3]}}, {8{w_strobe_q[2]}}, {8{w_strobe_q[1]}}, {8{w_strobe_q[0]}}});
      // A read is of its own address, and gives what the registers said in the cycle before the answer.
      assert (!ar_q || rvalid || read_address == ar_address_q);
      assert (!(rvalid && r_wait_q == 2'd1) ||
              (rresp == (was_read_ok_q ? 2'b00 : 2'b10) && rdata == (was_read_ok_q ? was_read_data_q : 32'd0)));
    end
  end

endmodule
