// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The departure queues of a port: words and credits with the edges at which they left the element.
module shell_port_out #(
    parameter int unsigned Depth = 8
) (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    /// The edge that the element executes now.
    input  logic [shell_pkg::EdgeWidth-1:0]   edge_i,
    /// At it the link takes a word; credits come back. Only with `space_o`.
    input  logic                              word_valid_i,
    input  shell_pkg::word_t                  word_i,
    input  logic                              credit_valid_i,
    input  shell_pkg::credit_t                credit_i,
    output logic                              space_o,

    output logic                              word_valid_o,
    output shell_pkg::timed_word_t            word_o,
    input  logic                              word_pop_i,
    output logic                              credit_valid_o,
    output shell_pkg::timed_credit_t          credit_o,
    input  logic                              credit_pop_i
);

  shell_pkg::timed_word_t word;
  shell_pkg::timed_credit_t credit;
  logic word_full, credit_full;

  assign word.edge_number = edge_i;
  assign word.word = word_i;
  assign credit.edge_number = edge_i;
  assign credit.credit = credit_i;
  assign space_o = !word_full && !credit_full;

  fifo #(
      .Width(shell_pkg::TimedWordBits),
      .Depth(Depth)
  ) i_words (
      .clk_i,
      .rst_ni,
      .push_i (word_valid_i),
      .data_i (word),
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
      .Width(shell_pkg::TimedCreditBits),
      .Depth(Depth)
  ) i_credits (
      .clk_i,
      .rst_ni,
      .push_i (credit_valid_i),
      .data_i (credit),
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
