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

  assign mixed = {data_i[127:32], data_i[31:0] ^ crc_i};

  for (genvar b = 0; b < 32; b++) begin : gen_bit
    localparam logic [127:0] Mask = row(5'(b));
    apelink_parity #(
        .Mask(Mask)
    ) i_parity (
        .bits_i  (mixed),
        .parity_o(crc_o[b])
    );
  end

endmodule
