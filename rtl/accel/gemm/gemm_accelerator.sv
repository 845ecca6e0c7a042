// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A matrix-multiply accelerator: command registers and an interrupt, an engine for tiles of single precision, and three masters of AXI4 with 128 bits.
/// docs/models/gemm-engine.md says how software uses it. With tiles of 128 and 128 lanes it is that of the ExaNeSt prototype: 512 multiplications and 512 additions in a
/// cycle.
module gemm_accelerator #(
    /// Elements on a side of a tile; a power of two, 8 to 128.
    parameter int unsigned Tile = 16,
    /// Elements of the inner dimension that are multiplied at once; a power of two, 4 to Tile.
    parameter int unsigned Lanes = 4,
    parameter int unsigned BurstBeats = 16,
    parameter int unsigned MaxBursts = 8
) (
    input  logic                     clk_i,
    /// Synchronous, active low.
    input  logic                     rst_ni,

    /// Registers: AXI4-Lite.
    input  logic                     awvalid_i,
    output logic                     awready_o,
    input  logic [11:0]              awaddr_i,
    input  logic                     wvalid_i,
    output logic                     wready_o,
    input  logic [31:0]              wdata_i,
    input  logic [3:0]               wstrb_i,
    output logic                     bvalid_o,
    input  logic                     bready_i,
    output logic [1:0]               bresp_o,
    input  logic                     arvalid_i,
    output logic                     arready_o,
    input  logic [11:0]              araddr_i,
    output logic                     rvalid_o,
    input  logic                     rready_i,
    output logic [31:0]              rdata_o,
    output logic [1:0]               rresp_o,
    /// A command has ended, until software clears interrupt.done.
    output logic                     interrupt_o,

    /// Memory: AXI4, A.
    output logic                     a_ar_valid_o,
    input  logic                     a_ar_ready_i,
    output axi_pkg::address_t        a_ar_o,
    input  logic                     a_r_valid_i,
    output logic                     a_r_ready_o,
    input  axi_pkg::read_data_t      a_r_i,
    /// B.
    output logic                     b_ar_valid_o,
    input  logic                     b_ar_ready_i,
    output axi_pkg::address_t        b_ar_o,
    input  logic                     b_r_valid_i,
    output logic                     b_r_ready_o,
    input  axi_pkg::read_data_t      b_r_i,
    /// C.
    output logic                     c_ar_valid_o,
    input  logic                     c_ar_ready_i,
    output axi_pkg::address_t        c_ar_o,
    input  logic                     c_r_valid_i,
    output logic                     c_r_ready_o,
    input  axi_pkg::read_data_t      c_r_i,
    output logic                     c_aw_valid_o,
    input  logic                     c_aw_ready_i,
    output axi_pkg::address_t        c_aw_o,
    output logic                     c_w_valid_o,
    input  logic                     c_w_ready_i,
    output axi_pkg::write_data_t     c_w_o,
    input  logic                     c_b_valid_i,
    output logic                     c_b_ready_o,
    input  axi_pkg::write_response_t c_b_i
);

  logic start, busy, done, multiply, wait_factors, wait_result;
  logic [gemm_pkg::ErrorWidth-1:0] error;
  gemm_pkg::matrix_t a, b, c;
  gemm_pkg::extent_t extent;

  gemm_registers #(
      .Tile(Tile),
      .Lanes(Lanes),
      .BurstBeats(BurstBeats)
  ) i_registers (
      .clk_i,
      .rst_ni,
      .awvalid_i,
      .awready_o,
      .awaddr_i,
      .wvalid_i,
      .wready_o,
      .wdata_i,
      .wstrb_i,
      .bvalid_o,
      .bready_i,
      .bresp_o,
      .arvalid_i,
      .arready_o,
      .araddr_i,
      .rvalid_o,
      .rready_i,
      .rdata_o,
      .rresp_o,
      .interrupt_o,
      .start_o       (start),
      .a_o           (a),
      .b_o           (b),
      .c_o           (c),
      .extent_o      (extent),
      .busy_i        (busy),
      .done_i        (done),
      .error_i       (error),
      .multiply_i    (multiply),
      .wait_factors_i(wait_factors),
      .wait_result_i (wait_result)
  );

  gemm_engine #(
      .Tile(Tile),
      .Lanes(Lanes),
      .BurstBeats(BurstBeats),
      .MaxBursts(MaxBursts)
  ) i_engine (
      .clk_i,
      .rst_ni,
      .start_i       (start),
      .a_i           (a),
      .b_i           (b),
      .c_i           (c),
      .extent_i      (extent),
      .busy_o        (busy),
      .done_o        (done),
      .error_o       (error),
      .multiply_o    (multiply),
      .wait_factors_o(wait_factors),
      .wait_result_o (wait_result),
      .a_ar_valid_o,
      .a_ar_ready_i,
      .a_ar_o,
      .a_r_valid_i,
      .a_r_ready_o,
      .a_r_i,
      .b_ar_valid_o,
      .b_ar_ready_i,
      .b_ar_o,
      .b_r_valid_i,
      .b_r_ready_o,
      .b_r_i,
      .c_ar_valid_o,
      .c_ar_ready_i,
      .c_ar_o,
      .c_r_valid_i,
      .c_r_ready_o,
      .c_r_i,
      .c_aw_valid_o,
      .c_aw_ready_i,
      .c_aw_o,
      .c_w_valid_o,
      .c_w_ready_i,
      .c_w_o,
      .c_b_valid_i,
      .c_b_ready_o,
      .c_b_i
  );

endmodule
