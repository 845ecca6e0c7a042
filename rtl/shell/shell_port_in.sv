// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The arrival queues of a port: words and credits that wait for the edges that sample them, at most one of each at an edge.
module shell_port_in #(
    /// Entries of each queue; a power of two, at least those of a record.
    parameter int unsigned Depth = 16
) (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    input  logic                              word_push_i,
    input  shell_pkg::timed_word_t            word_i,
    output logic                              word_full_o,
    input  logic                              credit_push_i,
    input  shell_pkg::timed_credit_t          credit_i,
    output logic                              credit_full_o,

    /// The next edge, and whether the element executes it now.
    input  logic [shell_pkg::EdgeWidth-1:0]   edge_i,
    input  logic                              take_i,
    /// What is sampled at it.
    output logic                              word_valid_o,
    output shell_pkg::word_t                  word_o,
    output logic                              credit_valid_o,
    output shell_pkg::credit_t                credit_o,
    /// Nothing waits.
    output logic                              empty_o,
    /// With `take_i`: something is sampled later than its edge, which happens only where the clock does not wait.
    output logic                              late_o
);

  if (Depth < shell_pkg::CreditEntries) begin : gen_check_depth
    $error("shell_port_in: a record must fit in a queue that is empty");
  end

  shell_pkg::timed_word_t word;
  shell_pkg::timed_credit_t credit;
  logic word_waits, credit_waits;

  fifo #(
      .Width(shell_pkg::TimedWordBits),
      .Depth(Depth)
  ) i_words (
      .clk_i,
      .rst_ni,
      .push_i (word_push_i),
      .data_i (word_i),
      .full_o (word_full_o),
      .valid_o(word_waits),
      .data_o (word),
      .pop_i  (take_i && word_valid_o),
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
      .push_i (credit_push_i),
      .data_i (credit_i),
      .full_o (credit_full_o),
      .valid_o(credit_waits),
      .data_o (credit),
      .pop_i  (take_i && credit_valid_o),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  assign word_valid_o = word_waits && word.edge_number <= edge_i;
  assign word_o = word.word;
  assign credit_valid_o = credit_waits && credit.edge_number <= edge_i;
  assign credit_o = credit.credit;
  assign empty_o = !word_waits && !credit_waits;
  assign late_o = (word_valid_o && word.edge_number != edge_i) || (credit_valid_o && credit.edge_number != edge_i);

endmodule
