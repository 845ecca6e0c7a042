// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Check bits of a header: single errors can be corrected and double errors are seen (Hsiao code, 137 bits). Without registers.
module apelink_secded_encode (
    input  logic [apelink_pkg::DataWidth-1:0]  data_i,
    output logic [apelink_pkg::CheckWidth-1:0] check_o
);

  localparam logic [apelink_pkg::CheckWidth*apelink_pkg::DataWidth-1:0] Columns = apelink_pkg::secded_columns(1'b0);

  for (genvar b = 0; b < 9; b++) begin : gen_check
    logic [apelink_pkg::DataWidth-1:0] used;
    for (genvar i = 0; i < 128; i++) begin : gen_bit
      assign used[i] = data_i[i] & Columns[9*i+b];
    end
    assign check_o[b] = ^used;
  end

endmodule
