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
    logic nan;
    logic special;  ///< NaN or infinite.
  } kind_t;

  // The operand of the larger magnitude and the other one. Of two equal magnitudes the positive one is the larger, so that it gives its sign to a sum of zero.
  fp32_pkg::fp32_t large1_q, small1_q;
  // Significands; the smaller one has three more bits, guard, round and whether anything below is not zero, and is shifted by one more if `odd2_q`.
  logic [23:0] large2_q;
  logic [26:0] small2_q, coarse, fine, aligned;
  logic subtract2_q, odd2_q, lost2_q, lost_coarse, lost_fine, sticky;
  // The sum with one digit before those of the operands.
  logic [27:0] sum3_q, sum4_q;
  logic [26:0] upper;
  /* verilator lint_off UNUSEDSIGNAL */
  logic unused_carry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [7:0] exponent2_q, exponent3_q, exponent4_q;  ///< At least 1.
  logic [4:0] left4_q, zeros;
  logic zero4_q;
  // Shifted to the left, by one more if `odd5_q`. The exponent is one less than that of a number whose first digit is 1, to which that digit is added.
  logic [27:0] left_coarse, left_fine, sum5_q, normal;
  logic [7:0] exponent5_q;
  logic odd5_q, up;
  kind_t kind2_q, kind3_q, kind4_q, kind5_q;
  logic [7:0] large_exponent, small_exponent, distance;
  logic [4:0] shift;
  logic [30:0] rounded;

  function automatic logic [7:0] exponent_of(input logic [7:0] exponent);
    exponent_of = exponent == '0 ? 8'd1 : exponent;
  endfunction
  function automatic logic [23:0] significand(input logic [30:0] magnitude);
    significand = {magnitude[30:23] != '0, magnitude[22:0]};
  endfunction

  // The last step of each shift is left to the adder that follows, whose look-up tables have inputs for it.
  assign large_exponent = exponent_of(large1_q.exponent);
  assign small_exponent = exponent_of(small1_q.exponent);
  assign distance = large_exponent - small_exponent;
  assign shift = distance[4:0] | {5{distance[7:5] != '0}};
  always_comb begin
    coarse = {significand(small1_q[30:0]), 3'd0};
    case (shift[4:3])
      2'd0: lost_coarse = 1'b0;
      2'd1: lost_coarse = coarse[7:0] != '0;
      2'd2: lost_coarse = coarse[15:0] != '0;
      default: lost_coarse = coarse[23:0] != '0;
    endcase
    case (shift[4:3])
      2'd0: ;
      2'd1: coarse = {8'd0, coarse[26:8]};
      2'd2: coarse = {16'd0, coarse[26:16]};
      default: coarse = {24'd0, coarse[26:24]};
    endcase
    case (shift[2:1])
      2'd0: {fine, lost_fine} = {coarse, 1'b0};
      2'd1: {fine, lost_fine} = {2'd0, coarse[26:2], coarse[1:0] != '0};
      2'd2: {fine, lost_fine} = {4'd0, coarse[26:4], coarse[3:0] != '0};
      default: {fine, lost_fine} = {6'd0, coarse[26:6], coarse[5:0] != '0};
    endcase
  end

  // The larger operand has zeros below its significand, so the lowest digit stays, and only borrows.
  assign aligned = odd2_q ? {1'b0, small2_q[26:1]} : small2_q;
  assign sticky = aligned[0] || small2_q[0] || lost2_q;
  assign {upper, unused_carry} = {1'b0, large2_q, 2'b00, 1'b1} + {{1'b0, aligned[26:1]} ^ {27{subtract2_q}}, subtract2_q && !sticky};

  assign zeros = fp32_pkg::leading_zeros({sum3_q, 4'd0});
  always_comb begin
    case (left4_q[4:3])
      2'd0: left_coarse = sum4_q;
      2'd1: left_coarse = {sum4_q[19:0], 8'd0};
      2'd2: left_coarse = {sum4_q[11:0], 16'd0};
      default: left_coarse = {sum4_q[3:0], 24'd0};
    endcase
    case (left4_q[2:1])
      2'd0: left_fine = left_coarse;
      2'd1: left_fine = {left_coarse[25:0], 2'd0};
      2'd2: left_fine = {left_coarse[23:0], 4'd0};
      default: left_fine = {left_coarse[21:0], 6'd0};
    endcase
  end

  // Rounding may carry into the exponent.
  assign normal = odd5_q ? {sum5_q[26:0], 1'b0} : sum5_q;
  assign up = normal[3] && (normal[2:0] != '0 || normal[4]);
  assign rounded = {exponent5_q, 23'd0} + {7'd0, normal[27:4]} + 31'(up);

  always_ff @(posedge clk_i) begin
    if ({a_i[30:0], !a_i[31]} >= {b_i[30:0], !b_i[31]}) begin
      large1_q <= a_i;
      small1_q <= b_i;
    end else begin
      large1_q <= b_i;
      small1_q <= a_i;
    end

    large2_q <= significand(large1_q[30:0]);
    small2_q <= fine;
    odd2_q <= shift[0];
    lost2_q <= lost_coarse || lost_fine;
    exponent2_q <= large_exponent;
    subtract2_q <= large1_q.sign != small1_q.sign;
    kind2_q.sign <= large1_q.sign;
    kind2_q.nan <= large1_q.exponent == 8'hff &&
                   (large1_q.fraction != '0 || (small1_q.exponent == 8'hff && large1_q.sign != small1_q.sign));
    kind2_q.special <= large1_q.exponent == 8'hff;

    sum3_q <= {upper, sticky};
    exponent3_q <= exponent2_q;
    kind3_q <= kind2_q;

    // A number that would fall below the smallest exponent keeps its zeros and is subnormal.
    sum4_q <= sum3_q;
    left4_q <= {3'd0, zeros} < exponent3_q ? zeros : exponent3_q[4:0];
    zero4_q <= zeros[4:2] == '1;
    exponent4_q <= exponent3_q;
    kind4_q <= kind3_q;

    sum5_q <= left_fine;
    odd5_q <= left4_q[0];
    exponent5_q <= zero4_q ? '0 : exponent4_q - 8'(left4_q);
    kind5_q <= kind4_q;
    kind5_q.special <= kind4_q.special || (exponent4_q == 8'd254 && left4_q == '0);

    result_o <= {kind5_q.sign && !kind5_q.nan, rounded};
    if (kind5_q.special) result_o[30:0] <= kind5_q.nan ? fp32_pkg::QuietNan[30:0] : {8'hff, 23'd0};
  end

endmodule
