// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The departure queues of a port: words and credits with the edges at which they left the element, as in shell_port_in.
module shell_port_out #(
    /// Bits of a link's word, at most 128, and of the number of a VC.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    parameter int unsigned Depth = 8,
    localparam int unsigned WordWidth = VcWidth + 2 + DataWidth,
    localparam int unsigned CreditWidth = VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth,
    localparam int unsigned TimedWordWidth = shell_pkg::EdgeWidth + VcWidth + 2 + DataWidth,
    localparam int unsigned TimedCreditWidth = shell_pkg::EdgeWidth + VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth
) (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    /// The edge that the element executes now.
    input  logic [shell_pkg::EdgeWidth-1:0]   edge_i,
    /// At it the link takes a word; credits come back. Only with `space_o`.
    input  logic                              word_valid_i,
    input  logic [WordWidth-1:0]              word_i,
    input  logic                              credit_valid_i,
    input  logic [CreditWidth-1:0]            credit_i,
    output logic                              space_o,

    output logic                              word_valid_o,
    output logic [TimedWordWidth-1:0]         word_o,
    input  logic                              word_pop_i,
    output logic                              credit_valid_o,
    output logic [TimedCreditWidth-1:0]       credit_o,
    input  logic                              credit_pop_i
);

  logic word_full, credit_full;

  assign space_o = !word_full && !credit_full;

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
