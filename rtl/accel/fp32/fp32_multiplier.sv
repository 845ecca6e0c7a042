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
    logic special;  ///< NaN or infinite.
  } kind_t;

  function automatic logic [23:0] significand(input logic [30:0] magnitude);
    significand = {magnitude[30:23] != '0, magnitude[22:0]};
  endfunction

  // Operands. A subnormal number has the exponent of the smallest normal one.
  fp32_pkg::fp32_t a_q, b_q;
  // Their product, twice, since the registers of two cascaded DSP blocks are there. Its value is product * 2^(limit - 173), so that it becomes a subnormal number when
  // shifted left by `limit`, and a normal one when shifted by its leading zeros, if those are not more.
  logic [47:0] product1_q, product2_q, product3_q;
  logic signed [9:0] limit1_q, limit2_q, above;
  logic [8:0] exponents;
  logic [7:0] down;  ///< By how many digits a subnormal result is shifted to the right.
  kind_t kind1_q, kind2_q, kind3_q, kind4_q;
  logic [4:0] zeros;
  logic [5:0] shift3_q;
  // One less than the exponent of a normal result, whose first digit is added to it; 0 for others.
  logic [7:0] exponent3_q, exponent4_q;
  // Shifted, so that 24 digits and two more remain. A shift to the left by n is one to the right by 24 - n here. Its last two steps are left to the adder that rounds, whose
  // look-up tables have inputs for them.
  logic [40:0] coarse;
  logic [28:0] fine, fine4_q;
  logic [25:0] shifted;
  logic [1:0] rest4_q;
  logic lost_coarse, lost_fine, lost4_q, zero1_q, zero2_q;
  logic [30:0] rounded;
  logic a_special, b_special, a_zero, b_zero, up, below;

  assign zeros = fp32_pkg::leading_zeros({product2_q[47:22], 6'd0});
  assign above = limit2_q - $signed({5'd0, zeros});
  assign down = 8'(10'sd24 - limit2_q);
  assign below = above[9] || zero2_q;
  assign exponents = {1'b0, a_q.exponent[7:1], a_q.exponent[0] || a_q.exponent == '0} +
                     {1'b0, b_q.exponent[7:1], b_q.exponent[0] || b_q.exponent == '0} + 9'd1;
  always_comb begin
    case (shift3_q[5:4])
      2'd0: {coarse, lost_coarse} = {product3_q[38:0], 2'b00, 1'b0};
      2'd1: {coarse, lost_coarse} = {7'd0, product3_q[47:14], product3_q[13:0] != '0};
      2'd2: {coarse, lost_coarse} = {23'd0, product3_q[47:30], product3_q[29:0] != '0};
      default: {coarse, lost_coarse} = {39'd0, product3_q[47:46], product3_q[45:0] != '0};
    endcase
    case (shift3_q[3:2])
      2'd0: {fine, lost_fine} = {coarse[28:0], 1'b0};
      2'd1: {fine, lost_fine} = {coarse[32:4], coarse[3:0] != '0};
      2'd2: {fine, lost_fine} = {coarse[36:8], coarse[7:0] != '0};
      default: {fine, lost_fine} = {coarse[40:12], coarse[11:0] != '0};
    endcase
    case (rest4_q)
      2'd0: shifted = fine4_q[25:0];
      2'd1: shifted = {fine4_q[26:2], fine4_q[1] || fine4_q[0]};
      2'd2: shifted = {fine4_q[27:3], fine4_q[2:0] != '0};
      default: shifted = {fine4_q[28:4], fine4_q[3:0] != '0};
    endcase
  end
  // Rounding may carry into the exponent: a subnormal number becomes a normal one, the largest one becomes infinity.
  assign up = shifted[1] && (shifted[0] || lost4_q || shifted[2]);
  assign rounded = {exponent4_q, 23'd0} + {7'd0, shifted[25:2]} + 31'(up);
  assign a_special = a_q.exponent == 8'hff;
  assign b_special = b_q.exponent == 8'hff;
  assign a_zero = a_q[30:0] == '0;
  assign b_zero = b_q[30:0] == '0;

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;

    product1_q <= significand(a_q[30:0]) * significand(b_q[30:0]);
    // 127 less, as 1 more and 128 less.
    limit1_q <= $signed({{1'b0, exponents[8:7]} - 3'd1, exponents[6:0]});
    zero1_q <= a_zero || b_zero;
    kind1_q.sign <= a_q.sign ^ b_q.sign;
    kind1_q.nan <= (a_special && a_q.fraction != '0) || (b_special && b_q.fraction != '0) || (a_special && b_zero) || (b_special && a_zero);
    kind1_q.special <= a_special || b_special;

    product2_q <= product1_q;
    limit2_q <= limit1_q;
    zero2_q <= zero1_q;
    kind2_q <= kind1_q;

    // Only a product with one subnormal factor has many leading zeros; that of two is below everything.
    product3_q <= product2_q;
    shift3_q <= above[9] ? down[5:0] | {6{down[7:6] != '0}} : 6'd24 - 6'(zeros);
    exponent3_q <= below ? '0 : above[7:0];
    kind3_q <= kind2_q;
    kind3_q.special <= kind2_q.special || (!below && above >= 10'sd254);

    fine4_q <= fine;
    rest4_q <= shift3_q[1:0];
    lost4_q <= lost_coarse || lost_fine;
    exponent4_q <= exponent3_q;
    kind4_q <= kind3_q;

    result_o <= {kind4_q.sign && !kind4_q.nan, rounded};
    if (kind4_q.special) result_o[30:0] <= kind4_q.nan ? fp32_pkg::QuietNan[30:0] : {8'hff, 23'd0};
  end

endmodule
