// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// AXI4-Lite slave with 64-bit data in front of the plain request bus of the units. One access at a time; reads and writes take turns.
/// A write with partial strobes changes nothing and gets an error response.
module ni_axi_slave (
    input  logic        clk_i,
    /// Synchronous, active low.
    input  logic        rst_ni,

    input  logic        axi_awvalid_i,
    output logic        axi_awready_o,
    input  logic [19:0] axi_awaddr_i,
    input  logic        axi_wvalid_i,
    output logic        axi_wready_o,
    input  logic [63:0] axi_wdata_i,
    input  logic [7:0]  axi_wstrb_i,
    output logic        axi_bvalid_o,
    input  logic        axi_bready_i,
    output logic [1:0]  axi_bresp_o,
    input  logic        axi_arvalid_i,
    output logic        axi_arready_o,
    input  logic [19:0] axi_araddr_i,
    output logic        axi_rvalid_o,
    input  logic        axi_rready_i,
    output logic [63:0] axi_rdata_o,
    output logic [1:0]  axi_rresp_o,

    /// No access is at work.
    output logic        idle_o,
    /// The access, held until the cycle of its response.
    output logic        request_valid_o,
    output logic        request_write_o,
    /// Word address: byte address bits 19 to 3.
    output logic [16:0] request_address_o,
    output logic [63:0] request_data_o,
    input  logic        response_valid_i,
    input  logic        response_error_i,
    input  logic [63:0] response_data_i
);

  localparam logic [1:0] Idle = 2'd0;
  localparam logic [1:0] Request = 2'd1;
  localparam logic [1:0] Respond = 2'd2;

  logic [1:0] state_q;
  logic write_q, error_q, partial_q;
  logic [16:0] address_q;
  logic [63:0] data_q;
  logic write_waits, take_write, take_read, accepted;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [5:0] low_bits;  ///< Accesses are to whole words.
  /* verilator lint_on UNUSEDSIGNAL */

  assign low_bits = {axi_awaddr_i[2:0], axi_araddr_i[2:0]};
  assign write_waits = axi_awvalid_i && axi_wvalid_i;
  // After a write a read goes first, and vice versa.
  assign take_write = state_q == Idle && write_waits && (!axi_arvalid_i || !write_q);
  assign take_read = state_q == Idle && axi_arvalid_i && !take_write;
  assign idle_o = state_q == Idle;
  assign accepted = write_q ? axi_bready_i : axi_rready_i;

  assign axi_awready_o = take_write;
  assign axi_wready_o = take_write;
  assign axi_arready_o = take_read;
  assign axi_bvalid_o = state_q == Respond && write_q;
  assign axi_rvalid_o = state_q == Respond && !write_q;
  assign axi_bresp_o = {error_q, 1'b0};  // OKAY or SLVERR.
  assign axi_rresp_o = {error_q, 1'b0};
  assign axi_rdata_o = data_q;
  assign request_valid_o = state_q == Request && !partial_q;
  assign request_write_o = write_q;
  assign request_address_o = address_q;
  assign request_data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      write_q <= 1'b0;
      error_q <= 1'b0;
      partial_q <= 1'b0;
      address_q <= '0;
      data_q <= '0;
    end else begin
      if (take_write || take_read) begin
        state_q <= Request;
        write_q <= take_write;
        address_q <= take_write ? axi_awaddr_i[19:3] : axi_araddr_i[19:3];
        data_q <= axi_wdata_i;
        partial_q <= take_write && axi_wstrb_i != 8'hff;
      end
      if (state_q == Request && (response_valid_i || partial_q)) begin
        state_q <= Respond;
        error_q <= partial_q || response_error_i;
        if (!write_q) data_q <= response_data_i;
      end
      if (state_q == Respond && accepted) state_q <= Idle;
    end
  end

endmodule
