// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The departure queues of a port: words and credits with the low bits of the edges at which they left the element, as in shell_port_in. What waits
/// is less than 2^15 edges old.
module shell_port_out #(
    /// Bits of a link's word, at most 128, and of the number of a VC.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    parameter int unsigned Depth = 8,
    localparam int unsigned WordWidth = VcWidth + 2 + DataWidth,
    localparam int unsigned CreditWidth = VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth,
    localparam int unsigned TimedWordWidth = shell_pkg::StampWidth + VcWidth + 2 + DataWidth,
    localparam int unsigned TimedCreditWidth = shell_pkg::StampWidth + VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth
) (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    /// The low bits of the edge that the element executes now.
    input  logic [shell_pkg::StampWidth-1:0]  edge_i,
    /// At it the link takes a word; credits come back. Only with `space_o`.
    input  logic                              word_valid_i,
    input  logic [WordWidth-1:0]              word_i,
    input  logic                              credit_valid_i,
    input  logic [CreditWidth-1:0]            credit_i,
    /// The element may execute this edge, and the clock go on from it.
    output logic                              space_o,

    output logic                              word_valid_o,
    output logic [TimedWordWidth-1:0]         word_o,
    input  logic                              word_pop_i,
    output logic                              credit_valid_o,
    output logic [TimedCreditWidth-1:0]       credit_o,
    input  logic                              credit_pop_i
);

  logic word_full, credit_full, last, old;

  // What has left in one half of all stamps must be gone before that half begins again.
  assign last = edge_i[shell_pkg::StampWidth-2:0] == '1;
  assign old = (word_valid_o && word_o[TimedWordWidth-1] != edge_i[shell_pkg::StampWidth-1]) ||
      (credit_valid_o && credit_o[TimedCreditWidth-1] != edge_i[shell_pkg::StampWidth-1]);
  assign space_o = !word_full && !credit_full && !(last && old);

  fifo #(
      .Width(TimedWordWidth),
      .Depth(Depth)
  ) i_words (
      .clk_i,
      .rst_ni,
      .push_i (word_valid_i),
      .data_i ({edge_i, word_i}),
      .full_o (word_full),
      .valid_o(word_valid_o),
      .data_o (word_o),
      .pop_i  (word_pop_i),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  fifo #(
      .Width(TimedCreditWidth),
      .Depth(Depth)
  ) i_credits (
      .clk_i,
      .rst_ni,
      .push_i (credit_valid_i),
      .data_i ({edge_i, credit_i}),
      .full_o (credit_full),
      .valid_o(credit_valid_o),
      .data_o (credit_o),
      .pop_i  (credit_pop_i),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

endmodule
