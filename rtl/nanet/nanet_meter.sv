// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Looks at datagrams of a generator as they arrive: how old they are, and whether one is missing.
module nanet_meter (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    input  logic             enable_i,  ///< Begins anew when it rises.
    input  logic [15:0]      port_i,
    input  logic [31:0]      now_i,
    input  logic             valid_i,
    input  logic             first_i,
    // The stamps suffice.
    /* verilator lint_off UNUSEDSIGNAL */
    input  nanet_pkg::beat_t beat_i,
    input  nanet_pkg::datagram_t datagram_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [31:0]      count_o,
    output logic [31:0]      missing_o,  ///< Gaps in the sequence.
    output logic [31:0]      least_o,    ///< Cycles from the generator's first word to that of the receiver.
    output logic [31:0]      most_o,
    output logic [63:0]      sum_o
);

  logic [31:0] count_q, missing_q, least_q, most_q, next_q;
  logic [63:0] sum_q;
  logic [31:0] age;
  logic        second_q, here;

  assign here = valid_i && datagram_i.port == port_i;
  assign age = now_i[31:0] - beat_i.data[31:0];
  assign count_o = count_q;
  assign missing_o = missing_q;
  assign least_o = least_q;
  assign most_o = most_q;
  assign sum_o = sum_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i) begin
      count_q <= '0;
      missing_q <= '0;
      least_q <= '1;
      most_q <= '0;
      sum_q <= '0;
      next_q <= '0;
      second_q <= 1'b0;
    end else if (here) begin
      second_q <= first_i;
      if (first_i) begin
        count_q <= count_q + 1'b1;
        sum_q <= sum_q + {32'd0, age};
        if (age < least_q) least_q <= age;
        if (age > most_q) most_q <= age;
      end
      if (second_q) begin
        next_q <= beat_i.data[31:0] + 1'b1;
        if (beat_i.data[31:0] != next_q) missing_q <= missing_q + 1'b1;
      end
    end
  end

endmodule
