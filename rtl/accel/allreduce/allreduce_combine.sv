// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Reduces one vector into another, an element in each cycle, in the order of the elements. Whole words are written back; what is beyond the last
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

  /// Edges from an element at the operands' registers to its result: those of fp_adder.
  localparam int unsigned Latency = 5;

  /// Where an element belongs.
  typedef struct packed {
    logic                                last;       ///< The element is the last one of its vector.
    logic                                ends_word;
    logic [allreduce_pkg::WordWidth-1:0] word;
    logic [1:0]                          lane;       ///< A double has two: the even one counts.
  } place_t;
  localparam int unsigned PlaceWidth = 4 + allreduce_pkg::WordWidth;

  logic wide, active_q, last;
  logic [1:0] lane;
  logic [6:0] left_q, elements;
  logic [5:0] element_q;
  place_t at;               ///< Where the result belongs.
  logic [PlaceWidth-1:0] place, place_q[Latency+1];
  logic [Latency:0] valid_q;
  logic [63:0] own, other, a_q, b_q, picked, picked_q[Latency];
  logic [31:0] float_sum;
  logic [63:0] double_sum, result;
  logic [127:0] word_q, word;
  logic first_less, float_nan, double_nan, integer_less, float_less, double_less, pick_first;

  assign wide = command_i.kind == allreduce_pkg::TypeDouble;
  assign elements = wide ? {1'b0, command_i.bytes[8:3]} : command_i.bytes[8:2];

  // The element that is next, taken out of its word.
  assign last = left_q == 7'd1;
  assign lane = wide ? {element_q[0], 1'b0} : element_q[1:0];
  assign index_o = wide ? element_q[4:1] : element_q[5:2];
  assign place = {last, last || lane == (wide ? 2'd2 : 2'd3), index_o, lane};
  assign own = wide ? own_i[64*lane[1]+:64] : {32'd0, own_i[32*lane+:32]};
  assign other = wide ? other_i[64*lane[1]+:64] : {32'd0, other_i[32*lane+:32]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      left_q <= '0;
      element_q <= '0;
    end else if (start_i) begin
      active_q <= 1'b1;
      left_q <= elements;
      element_q <= '0;
    end else if (active_q) begin
      active_q <= !last;
      left_q <= left_q - 1'b1;
      element_q <= element_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    a_q <= other_first_i ? other : own;
    b_q <= other_first_i ? own : other;
    valid_q <= rst_ni ? {valid_q[Latency-1:0], active_q} : '0;
    place_q[0] <= place;
    for (int unsigned i = 1; i <= Latency; i++) place_q[i] <= place_q[i-1];
  end

  fp_adder #(
      .ExpBits (8),
      .FracBits(23)
  ) i_float (
      .clk_i,
      .a_i  (a_q[31:0]),
      .b_i  (b_q[31:0]),
      .sum_o(float_sum)
  );

  fp_adder #(
      .ExpBits (11),
      .FracBits(52)
  ) i_double (
      .clk_i,
      .a_i  (a_q),
      .b_i  (b_q),
      .sum_o(double_sum)
  );

  assign at = place_q[Latency];

  // All but sums of floating-point numbers is ready at once and waits for those. Numbers of equal sign are ordered as their magnitudes, negative
  // ones in the opposite order.
  always_comb begin
    float_nan = (a_q[30:23] == '1 && a_q[22:0] != '0) || (b_q[30:23] == '1 && b_q[22:0] != '0);
    double_nan = (a_q[62:52] == '1 && a_q[51:0] != '0) || (b_q[62:52] == '1 && b_q[51:0] != '0);
    integer_less = $signed(a_q[31:0]) <= $signed(b_q[31:0]);
    float_less = a_q[31] != b_q[31] ? a_q[31] : a_q[31] ? a_q[30:0] >= b_q[30:0] : a_q[30:0] <= b_q[30:0];
    double_less = a_q[63] != b_q[63] ? a_q[63] : a_q[63] ? a_q[62:0] >= b_q[62:0] : a_q[62:0] <= b_q[62:0];
    case (command_i.kind)
      allreduce_pkg::TypeFloat: first_less = float_less;
      allreduce_pkg::TypeDouble: first_less = double_less;
      default: first_less = integer_less;
    endcase
    pick_first = first_less == (command_i.operation == allreduce_pkg::OperationMin);
    picked = pick_first ? a_q : b_q;
    if (command_i.operation == allreduce_pkg::OperationSum) picked = {32'd0, a_q[31:0] + b_q[31:0]};
    else if (command_i.kind == allreduce_pkg::TypeFloat && float_nan) picked = {32'd0, 32'h7fc00000};
    else if (wide && double_nan) picked = 64'h7ff80000_00000000;
  end

  always_ff @(posedge clk_i) begin
    picked_q[0] <= picked;
    for (int unsigned i = 1; i < Latency; i++) picked_q[i] <= picked_q[i-1];
  end

  always_comb begin
    result = picked_q[Latency-1];
    if (command_i.operation == allreduce_pkg::OperationSum) begin
      if (command_i.kind == allreduce_pkg::TypeFloat) result = {32'd0, float_sum};
      if (wide) result = double_sum;
    end
    word = at.lane == 2'd0 ? '0 : word_q;
    if (wide) word[64*at.lane[1]+:64] = result;
    else word[32*at.lane+:32] = result[31:0];
  end

  always_ff @(posedge clk_i) if (valid_q[Latency]) word_q <= word;

  assign write_o = valid_q[Latency] && at.ends_word;
  assign write_index_o = at.word;
  assign write_data_o = word;
  assign done_o = valid_q[Latency] && at.last;

  assign idle_o = !active_q && valid_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!start_i || idle_o) else $error("a vector before the one before it is reduced");
      assert (!start_i || elements != '0) else $error("a vector without elements");
    end
  end
`endif

endmodule

