// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Numbers of IEEE 754-2008 binary32.
package fp32_pkg;

  typedef struct packed {
    logic        sign;
    logic [7:0]  exponent;  ///< Biased by 127; 0 for zero and subnormal numbers, 255 for infinity and NaN.
    logic [22:0] fraction;
  } fp32_t;

  /// The one NaN that results have.
  localparam logic [31:0] QuietNan = 32'h7fc0_0000;

  /* verilator lint_off UNUSEDPARAM */
  /// Cycles from operands to result.
  localparam int unsigned MultiplierLatency = 6;
  localparam int unsigned AdderLatency = 6;
  /* verilator lint_on UNUSEDPARAM */

  /// Number of leading zeros; 31 also if there is no one at all.
  function automatic logic [4:0] leading_zeros(input logic [31:0] value);
    logic [31:0] rest;
    rest = value;
    leading_zeros[4] = rest[31:16] == '0;
    if (leading_zeros[4]) rest = {rest[15:0], 16'd0};
    leading_zeros[3] = rest[31:24] == '0;
    if (leading_zeros[3]) rest = {rest[23:0], 8'd0};
    leading_zeros[2] = rest[31:28] == '0;
    if (leading_zeros[2]) rest = {rest[27:0], 4'd0};
    leading_zeros[1] = rest[31:30] == '0;
    if (leading_zeros[1]) rest = {rest[29:0], 2'd0};
    leading_zeros[0] = !rest[31];
  endfunction

  /// Shifts to the right; bit 0 is also set if a one is lost ("jamming": Hauser, Berkeley SoftFloat). Step by step, since that takes a third of the look-up tables that a
  /// shift and a mask take.
  function automatic logic [49:0] shift_right_jam(input logic [49:0] value, input logic [5:0] shift);
    logic [49:0] rest;
    logic lost;
    rest = value;
    lost = 1'b0;
    if (shift[5]) begin
      lost = rest[31:0] != '0;
      rest = {32'd0, rest[49:32]};
    end
    if (shift[4]) begin
      lost = lost || rest[15:0] != '0;
      rest = {16'd0, rest[49:16]};
    end
    if (shift[3]) begin
      lost = lost || rest[7:0] != '0;
      rest = {8'd0, rest[49:8]};
    end
    if (shift[2]) begin
      lost = lost || rest[3:0] != '0;
      rest = {4'd0, rest[49:4]};
    end
    if (shift[1]) begin
      lost = lost || rest[1:0] != '0;
      rest = {2'd0, rest[49:2]};
    end
    if (shift[0]) begin
      lost = lost || rest[0];
      rest = {1'd0, rest[49:1]};
    end
    shift_right_jam = {rest[49:1], rest[0] || lost};
  endfunction

endpackage
