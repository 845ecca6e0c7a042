// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The memories of one lane: its elements of two tiles of A and two of B, one pair to be multiplied while the other is loaded. A lane has every `Lanes`th element
/// of a row of A, one in a word, and every `Lanes`th row of B, four elements in a word.
module gemm_lane #(
    parameter int unsigned ADepth = 32,
    parameter int unsigned BDepth = 8,
    localparam int unsigned AAddressWidth = $clog2(ADepth),
    localparam int unsigned BAddressWidth = $clog2(BDepth)
) (
    input  logic                          clk_i,
    input  logic                          a_write_i,
    input  logic [AAddressWidth-1:0]      a_write_address_i,
    input  logic [31:0]                   a_write_data_i,
    input  logic                          b_write_i,
    input  logic [BAddressWidth-1:0]      b_write_address_i,
    input  logic [axi_pkg::DataWidth-1:0] b_write_data_i,
    /// Two cycles later the words are there.
    input  logic                          read_i,
    input  logic [AAddressWidth-1:0]      a_read_address_i,
    input  logic [BAddressWidth-1:0]      b_read_address_i,
    output logic [31:0]                   a_o,
    output logic [axi_pkg::DataWidth-1:0] b_o
);

  // Each lane has its own copy of the addresses, which come from afar.
  logic read_q;
  logic [AAddressWidth-1:0] a_read_address_q;
  logic [BAddressWidth-1:0] b_read_address_q;

  always_ff @(posedge clk_i) begin
    read_q <= read_i;
    a_read_address_q <= a_read_address_i;
    b_read_address_q <= b_read_address_i;
  end

  gemm_ram #(
      .Width(32),
      .Depth(ADepth)
  ) i_a (
      .clk_i,
      .write_i        (a_write_i),
      .write_address_i(a_write_address_i),
      .write_data_i   (a_write_data_i),
      .read_i         (read_q),
      .read_address_i (a_read_address_q),
      .read_data_o    (a_o)
  );
  gemm_ram #(
      .Width(axi_pkg::DataWidth),
      .Depth(BDepth)
  ) i_b (
      .clk_i,
      .write_i        (b_write_i),
      .write_address_i(b_write_address_i),
      .write_data_i   (b_write_data_i),
      .read_i         (read_q),
      .read_address_i (b_read_address_q),
      .read_data_o    (b_o)
  );

endmodule
