// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Corrects a header of which one bit, or one of its check bits, is wrong, and sees two wrong ones. Without registers.
module apelink_secded_decode (
    input  logic [apelink_pkg::DataWidth-1:0]  data_i,
    input  logic [apelink_pkg::CheckWidth-1:0] check_i,
    /// Without it `data_o` is `data_i` and the rest means nothing: a multiplexer less where other words pass the same data path.
    input  logic                               enable_i,
    output logic [apelink_pkg::DataWidth-1:0]  data_o,
    /// One bit was wrong and `data_o` is right.
    output logic                               corrected_o,
    /// More bits were wrong; `data_o` means nothing.
    output logic                               uncorrectable_o
);

  localparam logic [apelink_pkg::CheckWidth*apelink_pkg::DataWidth-1:0] Columns = apelink_pkg::secded_columns(1'b0);

  /// Syndromes of single errors: the columns, and the check bits themselves.
  function automatic logic [511:0] singles(input logic unused);
    singles = {512{unused}};
    for (int i = 0; i < 128; i++) singles[Columns[9*i+:9]] = 1'b1;
    for (int b = 0; b < 9; b++) singles[9'd1<<b] = 1'b1;
  endfunction
  localparam logic [511:0] Single = singles(1'b0);

  logic [apelink_pkg::CheckWidth-1:0] check, syndrome;
  logic [apelink_pkg::DataWidth-1:0] wrong;
  (* keep *) logic [7:0] low, middle, high;  ///< The syndrome's octal digits, one bit for each value.

  apelink_secded_encode i_encode (
      .data_i,
      .check_o(check)
  );

  assign syndrome = check ^ check_i;
  assign low = 8'(enable_i) << syndrome[2:0];
  assign middle = 8'd1 << syndrome[5:3];
  assign high = 8'd1 << syndrome[8:6];
  for (genvar i = 0; i < 128; i++) begin : gen_bit
    assign wrong[i] = low[Columns[9*i+:3]] && middle[Columns[9*i+3+:3]] && high[Columns[9*i+6+:3]];
  end
  assign data_o = data_i ^ wrong;
  assign corrected_o = Single[syndrome];
  assign uncorrectable_o = syndrome != '0 && !corrected_o;

endmodule
