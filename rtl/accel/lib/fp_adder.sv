// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Adds binary floating-point numbers of IEEE 754-2019 with any widths of exponent and fraction: rounds to nearest, ties to even, with subnormal
/// operands and results. A NaN is always the quiet one with positive sign and no payload. Takes a pair in each cycle; the sum comes Latency edges later.
module fp_adder #(
    /// Widths of exponent and fraction: 8 and 23 for binary32, 11 and 52 for binary64.
    parameter int unsigned ExpBits = 8,
    parameter int unsigned FracBits = 23
) (
    input  logic                        clk_i,
    input  logic [ExpBits+FracBits:0]   a_i,
    input  logic [ExpBits+FracBits:0]   b_i,
    output logic [ExpBits+FracBits:0]   sum_o
);

  localparam int unsigned MagBits = ExpBits + FracBits;
  /// A significand with its leading bit and three more below: guard, round, sticky.
  localparam int unsigned SigBits = FracBits + 4;
  localparam int unsigned CountBits = $clog2(SigBits + 1);
  localparam logic [ExpBits-1:0] ExpMax = '1;

  /// What does not depend on the significands.
  typedef struct packed {
    logic nan;
    logic inf;
    logic sign;      ///< The sign of the larger operand.
    logic subtract;
    logic zero_sign; ///< The sign that a sum of zero has.
  } kind_t;

  // Edge 1: the larger operand first.
  logic swap, a_nan, b_nan, a_inf, b_inf;
  logic [MagBits-1:0] large_mag, small_mag;
  logic [ExpBits-1:0] large_exp, small_exp;
  /* verilator lint_off UNUSEDSIGNAL */
  kind_t kind1_q, kind2_q, kind3_q, kind4_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [ExpBits-1:0] exp1_q, exp2_q, exp3_q, exp4_q, shift1_q;
  logic [FracBits:0] large1_q, small1_q;

  assign swap = b_i[MagBits-1:0] > a_i[MagBits-1:0];
  assign large_mag = swap ? b_i[MagBits-1:0] : a_i[MagBits-1:0];
  assign small_mag = swap ? a_i[MagBits-1:0] : b_i[MagBits-1:0];
  // Subnormal numbers have the exponent of the smallest normal ones and no leading one.
  assign large_exp = large_mag[MagBits-1:FracBits] == '0 ? ExpBits'(1) : large_mag[MagBits-1:FracBits];
  assign small_exp = small_mag[MagBits-1:FracBits] == '0 ? ExpBits'(1) : small_mag[MagBits-1:FracBits];
  assign a_nan = a_i[MagBits-1:FracBits] == ExpMax && a_i[FracBits-1:0] != '0;
  assign b_nan = b_i[MagBits-1:FracBits] == ExpMax && b_i[FracBits-1:0] != '0;
  assign a_inf = a_i[MagBits-1:FracBits] == ExpMax && a_i[FracBits-1:0] == '0;
  assign b_inf = b_i[MagBits-1:FracBits] == ExpMax && b_i[FracBits-1:0] == '0;

  always_ff @(posedge clk_i) begin
    kind1_q.nan <= a_nan || b_nan || (a_inf && b_inf && a_i[MagBits] != b_i[MagBits]);
    kind1_q.inf <= a_inf || b_inf;
    kind1_q.sign <= swap ? b_i[MagBits] : a_i[MagBits];
    kind1_q.subtract <= a_i[MagBits] != b_i[MagBits];
    kind1_q.zero_sign <= a_i[MagBits] && b_i[MagBits];
    exp1_q <= large_exp;
    shift1_q <= large_exp - small_exp;
    large1_q <= {large_mag[MagBits-1:FracBits] != '0, large_mag[FracBits-1:0]};
    small1_q <= {small_mag[MagBits-1:FracBits] != '0, small_mag[FracBits-1:0]};
  end

  // Edge 2: the smaller significand is aligned; what falls off is sticky.
  logic [SigBits-1:0] shifted, large2_q, small2_q;
  logic sticky;

  always_comb begin
    shifted = {small1_q, 3'd0} >> shift1_q;
    sticky = 1'b0;
    for (int unsigned i = 0; i < FracBits + 1; i++) begin
      // Bit i of the significand stands at i + 3.
      if (32'(shift1_q) > i + 3 && small1_q[i]) sticky = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    kind2_q <= kind1_q;
    exp2_q <= exp1_q;
    large2_q <= {large1_q, 3'd0};
    small2_q <= {shifted[SigBits-1:1], shifted[0] || sticky};
  end

  // Edge 3: the sum, which is never negative.
  logic [SigBits:0] sum3_q;

  always_ff @(posedge clk_i) begin
    kind3_q <= kind2_q;
    exp3_q <= exp2_q;
    sum3_q <= kind2_q.subtract ? {1'b0, large2_q} - {1'b0, small2_q} : {1'b0, large2_q} + {1'b0, small2_q};
  end

  // Edge 4: the leading one is shifted to its position, as far as the exponent allows.
  logic [CountBits-1:0] zeros, left;
  logic [SigBits-1:0] normal4_q;
  logic zero4_q, overflow4_q;

  always_comb begin
    zeros = CountBits'(SigBits);
    for (int unsigned i = 0; i < SigBits; i++) begin
      if (sum3_q[i]) zeros = CountBits'(SigBits - 1 - i);
    end
    left = 32'(zeros) < 32'(exp3_q) ? zeros : CountBits'(exp3_q - 1'b1);
  end

  always_ff @(posedge clk_i) begin
    kind4_q <= kind3_q;
    zero4_q <= sum3_q == '0;
    if (sum3_q[SigBits]) begin
      exp4_q <= exp3_q + 1'b1;
      overflow4_q <= exp3_q + 1'b1 == ExpMax;
      normal4_q <= {sum3_q[SigBits:2], sum3_q[1] || sum3_q[0]};
    end else begin
      exp4_q <= exp3_q - ExpBits'(left);
      overflow4_q <= 1'b0;
      normal4_q <= sum3_q[SigBits-1:0] << left;
    end
  end

  // Edge 5: rounding; a carry goes into the exponent, up to infinity.
  logic [MagBits-1:0] truncated, rounded;
  logic up;
  logic [MagBits:0] sum_q;

  assign truncated = {normal4_q[SigBits-1] ? exp4_q : ExpBits'(0), normal4_q[SigBits-2:3]};
  assign up = normal4_q[2] && (normal4_q[1] || normal4_q[0] || normal4_q[3]);
  assign rounded = truncated + MagBits'(up);

  always_ff @(posedge clk_i) begin
    if (kind4_q.nan) sum_q <= {1'b0, ExpMax, 1'b1, {FracBits - 1{1'b0}}};
    else if (kind4_q.inf || overflow4_q) sum_q <= {kind4_q.sign, ExpMax, {FracBits{1'b0}}};
    else if (zero4_q) sum_q <= {kind4_q.zero_sign, {MagBits{1'b0}}};
    else sum_q <= {kind4_q.sign, rounded};
  end

  assign sum_o = sum_q;

endmodule


