// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// AXI4-Lite slave for 32-bit registers: one write and one read at a time, independent of each other. Address and data of a write may come in any
/// order. All AXI outputs are registers: `valid` rises without a look at `ready`, and stays with its payload until the edge at which both are high.
module axi_lite_slave #(
    parameter int unsigned AddressWidth = 12
) (
    input  logic                    clk_i,
    /// Synchronous, active low.
    input  logic                    rst_ni,

    input  logic                    awvalid_i,
    output logic                    awready_o,
    input  logic [AddressWidth-1:0] awaddr_i,
    input  logic                    wvalid_i,
    output logic                    wready_o,
    input  logic [31:0]             wdata_i,
    input  logic [3:0]              wstrb_i,
    output logic                    bvalid_o,
    input  logic                    bready_i,
    output logic [1:0]              bresp_o,
    input  logic                    arvalid_i,
    output logic                    arready_o,
    input  logic [AddressWidth-1:0] araddr_i,
    output logic                    rvalid_o,
    input  logic                    rready_i,
    output logic [31:0]             rdata_o,
    output logic [1:0]              rresp_o,

    /// For one cycle: the registers take this write at the next edge if it is `write_ok_i`, which they answer in the same cycle. Addresses are
    /// those of words.
    output logic                    write_o,
    output logic [AddressWidth-3:0] write_address_o,
    output logic [31:0]             write_data_o,
    output logic [31:0]             write_mask_o,  ///< Bits of the bytes that are written.
    input  logic                    write_ok_i,
    /// Always: what is read there, and whether there is anything.
    output logic [AddressWidth-3:0] read_address_o,
    input  logic [31:0]             read_data_i,
    input  logic                    read_ok_i
);

  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  if (AddressWidth < 3) begin : gen_check
    $error("axi_lite_slave: AddressWidth must be 3 or more");
  end

  logic aw_ready_q, w_ready_q, b_valid_q, b_error_q, ar_ready_q, r_valid_q, r_error_q;
  logic [AddressWidth-3:0] aw_address_q, ar_address_q;
  logic [31:0] w_data_q, r_data_q;
  logic [3:0] w_strobe_q;
  logic b_taken, r_taken, read;
  // A word is meant whichever of its bytes is named.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [3:0] byte_address;
  /* verilator lint_on UNUSEDSIGNAL */

  // Not ready for an address or for data, and no answer yet: it is here. Both channels get ready again when the answer is taken.
  assign write_o = !aw_ready_q && !w_ready_q && !b_valid_q;
  assign read = !ar_ready_q && !r_valid_q;
  assign b_taken = b_valid_q && bready_i;
  assign r_taken = r_valid_q && rready_i;
  assign byte_address = {awaddr_i[1:0], araddr_i[1:0]};

  always_ff @(posedge clk_i) begin
    if (awvalid_i && aw_ready_q) aw_address_q <= awaddr_i[AddressWidth-1:2];
    if (wvalid_i && w_ready_q) begin
      w_data_q <= wdata_i;
      w_strobe_q <= wstrb_i;
    end
    if (arvalid_i && ar_ready_q) ar_address_q <= araddr_i[AddressWidth-1:2];
    if (write_o) b_error_q <= !write_ok_i;
    if (read) begin
      r_data_q <= read_ok_i ? read_data_i : 32'd0;
      r_error_q <= !read_ok_i;
    end
    if (!rst_ni) begin
      aw_ready_q <= 1'b1;
      w_ready_q <= 1'b1;
      b_valid_q <= 1'b0;
      ar_ready_q <= 1'b1;
      r_valid_q <= 1'b0;
    end else begin
      aw_ready_q <= b_taken || (aw_ready_q && !awvalid_i);
      w_ready_q <= b_taken || (w_ready_q && !wvalid_i);
      b_valid_q <= write_o || (b_valid_q && !bready_i);
      ar_ready_q <= r_taken || (ar_ready_q && !arvalid_i);
      r_valid_q <= read || (r_valid_q && !rready_i);
    end
  end

  assign awready_o = aw_ready_q;
  assign wready_o = w_ready_q;
  assign bvalid_o = b_valid_q;
  assign bresp_o = b_error_q ? SlaveError : Okay;
  assign arready_o = ar_ready_q;
  assign rvalid_o = r_valid_q;
  assign rdata_o = r_data_q;
  assign rresp_o = r_error_q ? SlaveError : Okay;
  assign write_address_o = aw_address_q;
  assign write_data_o = w_data_q;
  assign write_mask_o = {{8{w_strobe_q[3]}}, {8{w_strobe_q[2]}}, {8{w_strobe_q[1]}}, {8{w_strobe_q[0]}}};
  assign read_address_o = ar_address_q;

endmodule
