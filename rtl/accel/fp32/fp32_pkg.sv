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

  /// Number of leading zeros; 31 also if there is no one at all. The groups of four that are not zero lead to the one that counts, which takes three quarters of the look-up
  /// tables of halving the number step by step.
  function automatic logic [4:0] leading_zeros(input logic [31:0] value);
    logic [7:1] any;  // Bit 7: that of the highest digits.
    logic [3:1] group;
    for (int g = 1; g < 8; g++) any[g] = value[4*g+:4] != '0;
    leading_zeros[4] = any[7:4] == '0;
    leading_zeros[3] = leading_zeros[4] ? any[3:2] == '0 : any[7:6] == '0;
    case (leading_zeros[4:3])
      2'd0: leading_zeros[2] = !any[7];
      2'd1: leading_zeros[2] = !any[5];
      2'd2: leading_zeros[2] = !any[3];
      default: leading_zeros[2] = !any[1];
    endcase
    group = value[{~leading_zeros[4:2], 2'd1}+:3];
    leading_zeros[1] = group[3:2] == '0;
    leading_zeros[0] = leading_zeros[1] ? !group[1] : !group[3];
  endfunction

endpackage
