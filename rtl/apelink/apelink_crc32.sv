// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// One step of the IEEE 802.3 CRC-32 over a 128-bit word, without a register: bit 0 of the word first, reflected polynomial EDB88320. The caller begins
/// with all ones and sends the complement.
module apelink_crc32 (
    input  logic [31:0]                      crc_i,
    input  logic [apelink_pkg::DataWidth-1:0] data_i,
    output logic [31:0]                      crc_o
);

  // The step is linear over GF(2): output bit b is the parity of `mixed` under a constant mask. A loop over the data bits would be a chain of 128
  // levels that no mapper flattens well.
  function automatic logic [127:0] row(input logic [4:0] b);
    logic [31:0] column;
    column = 32'hEDB8_8320;
    row = '0;
    for (int i = 127; i >= 0; i--) begin
      row[i] = column[b];
      column = {1'b0, column[31:1]} ^ (column[0] ? 32'hEDB8_8320 : 32'd0);
    end
  endfunction

  logic [127:0] mixed;
  /* verilator lint_off UNUSEDSIGNAL */
  logic unused;
  /* verilator lint_on UNUSEDSIGNAL */

  assign mixed = {data_i[127:32], data_i[31:0] ^ crc_i};

  // Three bits share their trees.
  for (genvar b = 0; b < 30; b = b + 3) begin : gen_bits
    localparam logic [127:0] Mask0 = row(5'(b));
    localparam logic [127:0] Mask1 = row(5'(b + 1));
    localparam logic [127:0] Mask2 = row(5'(b + 2));
    apelink_parities #(
        .Mask0(Mask0),
        .Mask1(Mask1),
        .Mask2(Mask2)
    ) i_parities (
        .bits_i    (mixed),
        .parities_o(crc_o[b+:3])
    );
  end
  // There is no bit 32.
  apelink_parities #(
      .Mask0(row(5'd30)),
      .Mask1(row(5'd31)),
      .Mask2('0)
  ) i_last (
      .bits_i    (mixed),
      .parities_o({unused, crc_o[31:30]})
  );

endmodule
