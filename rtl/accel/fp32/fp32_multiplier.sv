// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Multiplies two numbers of binary32 in each cycle, rounded to the nearest, ties to even (IEEE 754-2008). Subnormal operands and results are exact to the
/// same rule; every NaN is fp32_pkg::QuietNan. Flags are not kept.
module fp32_multiplier (
    input  logic        clk_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    /// fp32_pkg::MultiplierLatency cycles later.
    output logic [31:0] result_o
);

  /// What decides about the result without its digits.
  typedef struct packed {
    logic sign;
    logic nan;
    logic infinite;
  } kind_t;

  function automatic logic [23:0] significand(input logic [30:0] magnitude);
    significand = {magnitude[30:23] != '0, magnitude[22:0]};
  endfunction

  // Operands. A subnormal number has the exponent of the smallest normal one.
  fp32_pkg::fp32_t a_q, b_q;
  // Their product, twice, since the registers of two cascaded DSP blocks are there. Its value is product * 2^(shift - 173), so that it becomes a subnormal number when
  // shifted left by `shift`, and a normal one when shifted by its leading zeros, if those are not more.
  logic [47:0] product1_q, product2_q, product3_q;
  logic signed [9:0] limit1_q, limit2_q;
  kind_t kind1_q, kind2_q, kind3_q, kind4_q;
  logic [4:0] zeros;
  logic [5:0] shift3_q;
  logic signed [9:0] exponent3_q, exponent4_q;
  // Shifted, so that 24 digits and two more remain. A shift to the left by n is one to the right by 24 - n here.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [49:0] shifted;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [25:0] shifted4_q;
  logic [30:0] rounded;
  logic a_special, b_special, up;

  assign zeros = fp32_pkg::leading_zeros({product2_q[47:22], 6'd0});
  assign shifted = fp32_pkg::shift_right_jam({product3_q, 2'b00}, shift3_q);
  // Rounding may carry into the exponent: a subnormal number becomes a normal one, the largest one becomes infinity.
  assign up = shifted4_q[1] && (shifted4_q[0] || shifted4_q[2]);
  assign rounded = {shifted4_q[25] ? exponent4_q[7:0] : 8'd0, shifted4_q[24:2]} + 31'(up);
  assign a_special = a_q.exponent == 8'hff;
  assign b_special = b_q.exponent == 8'hff;

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;

    product1_q <= significand(a_q[30:0]) * significand(b_q[30:0]);
    limit1_q <= $signed({2'b00, a_q.exponent}) + $signed({9'd0, a_q.exponent == '0}) + $signed({2'b00, b_q.exponent}) +
                $signed({9'd0, b_q.exponent == '0}) - 10'sd127;
    kind1_q.sign <= a_q.sign ^ b_q.sign;
    kind1_q.nan <= (a_special && a_q.fraction != '0) || (b_special && b_q.fraction != '0) || (a_special && b_q[30:0] == '0) ||
                   (b_special && a_q[30:0] == '0);
    kind1_q.infinite <= a_special || b_special;

    product2_q <= product1_q;
    limit2_q <= limit1_q;
    kind2_q <= kind1_q;

    // Only a product with one subnormal factor has many leading zeros; that of two is below everything.
    product3_q <= product2_q;
    kind3_q <= kind2_q;
    if (limit2_q < -10'sd26) shift3_q <= 6'd50;
    else if (limit2_q < $signed({5'd0, zeros})) shift3_q <= 6'(10'sd24 - limit2_q);
    else shift3_q <= 6'd24 - 6'(zeros);
    exponent3_q <= limit2_q + 10'sd1 - $signed({5'd0, zeros});

    shifted4_q <= shifted[25:0];
    exponent4_q <= exponent3_q;
    kind4_q <= kind3_q;

    if (kind4_q.nan) result_o <= fp32_pkg::QuietNan;
    else if (kind4_q.infinite || (shifted4_q[25] && exponent4_q >= 10'sd255)) result_o <= {kind4_q.sign, 8'hff, 23'd0};
    else result_o <= {kind4_q.sign, rounded};
  end

endmodule
