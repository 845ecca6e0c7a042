// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Check bits of a header: single errors can be corrected and double errors are seen (Hsiao code, 137 bits). Without registers.
module apelink_secded_encode (
    input  logic [apelink_pkg::DataWidth-1:0]  data_i,
    output logic [apelink_pkg::CheckWidth-1:0] check_o
);

  localparam logic [apelink_pkg::CheckWidth*apelink_pkg::DataWidth-1:0] Columns = apelink_pkg::secded_columns(1'b0);

  function automatic logic [apelink_pkg::DataWidth-1:0] row(input logic [3:0] b);
    for (int i = 0; i < 128; i++) row[i] = Columns[9*i+32'(b)];
  endfunction

  for (genvar b = 0; b < 9; b = b + 3) begin : gen_check
    localparam logic [apelink_pkg::DataWidth-1:0] Mask0 = row(4'(b));
    localparam logic [apelink_pkg::DataWidth-1:0] Mask1 = row(4'(b + 1));
    localparam logic [apelink_pkg::DataWidth-1:0] Mask2 = row(4'(b + 2));
    apelink_parities #(
        .Mask0(Mask0),
        .Mask1(Mask1),
        .Mask2(Mask2)
    ) i_parities (
        .bits_i    (data_i),
        .parities_o(check_o[b+:3])
    );
  end

endmodule
