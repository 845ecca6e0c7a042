// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Reduces one vector into another, 64 bits in each cycle: a double, or two elements of 32 bits. Whole words are written back; what is beyond the last
/// element is zero.
module allreduce_combine (
    input  logic                                 clk_i,
    /// Synchronous, active low.
    input  logic                                 rst_ni,
    /// Begins; only while nothing is at work. `command_i` and `other_first_i` stay until `done_o`.
    input  logic                                 start_i,
    input  allreduce_pkg::command_t              command_i,
    /// The other vector holds the first operands.
    input  logic                                 other_first_i,
    /// The words that are looked at.
    output logic [allreduce_pkg::WordWidth-1:0]  index_o,
    input  logic [127:0]                         own_i,
    input  logic [127:0]                         other_i,
    /// A word of results.
    output logic                                 write_o,
    output logic [allreduce_pkg::WordWidth-1:0]  write_index_o,
    output logic [127:0]                         write_data_o,
    /// In the cycle of the last write.
    output logic                                 done_o,
    output logic                                 idle_o
);

  /// Edges from elements at the operands' registers to their results: those of fp_adder.
  localparam int unsigned Latency = 5;

  /// Where 64 bits of results belong.
  typedef struct packed {
    logic                                last;    ///< They are the last of their vector.
    logic                                single;  ///< The lower half alone counts.
    logic                                upper;   ///< They are the upper half of the word.
    logic [allreduce_pkg::WordWidth-1:0] word;
  } position_t;
  localparam int unsigned PositionWidth = 3 + allreduce_pkg::WordWidth;

  logic wide, least, active_q, last;
  logic [5:0] left_q;
  logic [allreduce_pkg::WordWidth:0] step_q;
  position_t at;  ///< Where the result belongs.
  logic [PositionWidth-1:0] position, position_q[Latency+1];
  logic [Latency:0] valid_q;
  logic [63:0] own, other, a_q, b_q, halves, picked, picked_q[Latency];
  logic [63:0] float_sum, double_sum, result, lower_q;
  logic double_nan, double_less;

  assign wide = command_i.kind == allreduce_pkg::TypeDouble;
  assign least = command_i.operation == allreduce_pkg::OperationMin;

  // The elements that are next, taken out of their word.
  assign last = left_q == 6'd1;
  assign index_o = step_q[allreduce_pkg::WordWidth:1];
  assign position = {last, last && command_i.bytes[2], step_q[0], index_o};
  assign own = step_q[0] ? own_i[127:64] : own_i[63:0];
  assign other = step_q[0] ? other_i[127:64] : other_i[63:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      left_q <= '0;
      step_q <= '0;
    end else if (start_i) begin
      active_q <= 1'b1;
      left_q <= command_i.bytes[8:3] + 6'(command_i.bytes[2]);
      step_q <= '0;
    end else if (active_q) begin
      active_q <= !last;
      left_q <= left_q - 1'b1;
      step_q <= step_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    a_q <= other_first_i ? other : own;
    b_q <= other_first_i ? own : other;
    valid_q <= rst_ni ? {valid_q[Latency-1:0], active_q} : '0;
    position_q[0] <= position;
    for (int unsigned i = 1; i <= Latency; i++) position_q[i] <= position_q[i-1];
  end

  fp_adder #(
      .ExpBits (11),
      .FracBits(52)
  ) i_double (
      .clk_i,
      .a_i  (a_q),
      .b_i  (b_q),
      .sum_o(double_sum)
  );

  assign at = position_q[Latency];

  // All but sums of floating-point numbers is ready at once and waits for those. Numbers of equal sign are ordered as their magnitudes, negative
  // ones in the opposite order.
  for (genvar h = 0; h < 2; h++) begin : gen_half
    logic [31:0] a, b;
    logic nan, integer_less, float_less, first_less;
    assign a = a_q[32*h+:32];
    assign b = b_q[32*h+:32];

    fp_adder #(
        .ExpBits (8),
        .FracBits(23)
    ) i_float (
        .clk_i,
        .a_i  (a),
        .b_i  (b),
        .sum_o(float_sum[32*h+:32])
    );

    always_comb begin
      nan = (a[30:23] == '1 && a[22:0] != '0) || (b[30:23] == '1 && b[22:0] != '0);
      integer_less = $signed(a) <= $signed(b);
      float_less = a[31] != b[31] ? a[31] : a[31] ? a[30:0] >= b[30:0] : a[30:0] <= b[30:0];
      first_less = command_i.kind == allreduce_pkg::TypeFloat ? float_less : integer_less;
      halves[32*h+:32] = first_less == least ? a : b;
      if (command_i.operation == allreduce_pkg::OperationSum) halves[32*h+:32] = a + b;
      else if (command_i.kind == allreduce_pkg::TypeFloat && nan) halves[32*h+:32] = 32'h7fc00000;
    end
  end

  always_comb begin
    double_nan = (a_q[62:52] == '1 && a_q[51:0] != '0) || (b_q[62:52] == '1 && b_q[51:0] != '0);
    double_less = a_q[63] != b_q[63] ? a_q[63] : a_q[63] ? a_q[62:0] >= b_q[62:0] : a_q[62:0] <= b_q[62:0];
    picked = halves;
    if (wide) picked = double_nan ? 64'h7ff80000_00000000 : double_less == least ? a_q : b_q;
  end

  always_ff @(posedge clk_i) begin
    picked_q[0] <= picked;
    for (int unsigned i = 1; i < Latency; i++) picked_q[i] <= picked_q[i-1];
  end

  always_comb begin
    result = picked_q[Latency-1];
    if (command_i.operation == allreduce_pkg::OperationSum) begin
      if (command_i.kind == allreduce_pkg::TypeFloat) result = float_sum;
      if (wide) result = double_sum;
    end
    if (at.single) result[63:32] = '0;
  end

  always_ff @(posedge clk_i) if (valid_q[Latency]) lower_q <= result;

  assign write_o = valid_q[Latency] && (at.upper || at.last);
  assign write_index_o = at.word;
  assign write_data_o = at.upper ? {result, lower_q} : {64'd0, result};
  assign done_o = valid_q[Latency] && at.last;

  assign idle_o = !active_q && valid_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!start_i || idle_o) else $error("a vector before the one before it is reduced");
      assert (!start_i || command_i.bytes != '0) else $error("a vector without elements");
    end
  end
`endif

endmodule

