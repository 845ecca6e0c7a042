// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Adds two numbers of binary32 in each cycle, rounded to the nearest, ties to even (IEEE 754-2008), with subnormal numbers. A sum that is exactly zero is
/// positive unless both operands are negative zeros; every NaN is fp32_pkg::QuietNan. Flags are not kept.
module fp32_adder (
    input  logic        clk_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    /// fp32_pkg::AdderLatency cycles later.
    output logic [31:0] result_o
);

  /// What decides about the result without its digits.
  typedef struct packed {
    logic sign;
    logic zero_sign;  ///< That of a sum of zero.
    logic nan;
    logic infinite;
  } kind_t;

  // The operand of the larger magnitude and the other one.
  fp32_pkg::fp32_t large1_q, small1_q;
  // Significands with three more bits: guard, round, and whether anything below is not zero.
  logic [26:0] large2_q, small2_q;
  logic subtract2_q;
  logic [27:0] sum3_q, sum4_q;
  logic [7:0] exponent2_q, exponent3_q, exponent4_q, exponent5_q;  ///< At least 1.
  logic [4:0] left4_q, zeros;
  logic [26:0] sum5_q;
  kind_t kind2_q, kind3_q, kind4_q, kind5_q;
  logic [7:0] large_exponent, small_exponent, distance;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [49:0] aligned;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [30:0] rounded;
  logic up;

  function automatic logic [7:0] exponent_of(input logic [7:0] exponent);
    exponent_of = exponent == '0 ? 8'd1 : exponent;
  endfunction
  function automatic logic [26:0] significand(input logic [30:0] magnitude);
    significand = {magnitude[30:23] != '0, magnitude[22:0], 3'd0};
  endfunction

  assign large_exponent = exponent_of(large1_q.exponent);
  assign small_exponent = exponent_of(small1_q.exponent);
  assign distance = large_exponent - small_exponent;
  assign aligned = fp32_pkg::shift_right_jam({23'd0, significand(small1_q[30:0])}, distance > 8'd27 ? 6'd27 : distance[5:0]);
  // Rounding may carry into the exponent.
  assign up = sum5_q[2] && (sum5_q[1:0] != '0 || sum5_q[3]);
  assign rounded = {sum5_q[26] ? exponent5_q : 8'd0, sum5_q[25:3]} + 31'(up);
  assign zeros = fp32_pkg::leading_zeros({sum3_q[26:0], 5'd0});

  always_ff @(posedge clk_i) begin
    if (a_i[30:0] >= b_i[30:0]) begin
      large1_q <= a_i;
      small1_q <= b_i;
    end else begin
      large1_q <= b_i;
      small1_q <= a_i;
    end

    large2_q <= significand(large1_q[30:0]);
    small2_q <= aligned[26:0];
    exponent2_q <= large_exponent;
    subtract2_q <= large1_q.sign != small1_q.sign;
    kind2_q.sign <= large1_q.sign;
    kind2_q.zero_sign <= large1_q.sign && small1_q.sign;
    kind2_q.nan <= large1_q.exponent == 8'hff &&
                   (large1_q.fraction != '0 || (small1_q.exponent == 8'hff && large1_q.sign != small1_q.sign));
    kind2_q.infinite <= large1_q.exponent == 8'hff;

    sum3_q <= {1'b0, large2_q} + ({1'b0, small2_q} ^ {28{subtract2_q}}) + 28'(subtract2_q);
    exponent3_q <= exponent2_q;
    kind3_q <= kind2_q;

    // A number that would fall below the smallest exponent keeps its zeros and is subnormal.
    sum4_q <= sum3_q;
    left4_q <= {3'd0, zeros} < exponent3_q ? zeros : 5'(exponent3_q - 8'd1);
    exponent4_q <= exponent3_q;
    kind4_q <= kind3_q;

    if (sum4_q[27]) begin
      sum5_q <= {sum4_q[27:2], sum4_q[1] || sum4_q[0]};
      exponent5_q <= exponent4_q + 8'd1;
    end else begin
      sum5_q <= sum4_q[26:0] << left4_q;
      exponent5_q <= exponent4_q - 8'(left4_q);
    end
    kind5_q <= kind4_q;

    if (kind5_q.nan) result_o <= fp32_pkg::QuietNan;
    else if (kind5_q.infinite || exponent5_q == 8'hff) result_o <= {kind5_q.sign, 8'hff, 23'd0};
    else if (sum5_q == '0) result_o <= {kind5_q.zero_sign, 31'd0};
    else result_o <= {kind5_q.sign, rounded};
  end

endmodule
