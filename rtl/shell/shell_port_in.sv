// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The arrival queues of a port: words and credits that wait for the edges that sample them, at most one of each at an edge. A word is, most significant
/// first, its VC, whether it is a header, whether it is a footer, and its data; credits are their VC, count and health. Where a word or credits have a time,
/// the low bits of its edge are above that: what waits is less than 2^14 edges from the next one.
module shell_port_in #(
    /// Bits of a link's word, at most 128, and of the number of a VC.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    /// Entries of each queue; a power of two, at least those of a record.
    parameter int unsigned Depth = 16,
    localparam int unsigned WordWidth = VcWidth + 2 + DataWidth,
    localparam int unsigned CreditWidth = VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth,
    localparam int unsigned TimedWordWidth = shell_pkg::StampWidth + VcWidth + 2 + DataWidth,
    localparam int unsigned TimedCreditWidth = shell_pkg::StampWidth + VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth
) (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    input  logic                              word_push_i,
    input  logic [TimedWordWidth-1:0]         word_i,
    output logic                              word_full_o,
    input  logic                              credit_push_i,
    input  logic [TimedCreditWidth-1:0]       credit_i,
    output logic                              credit_full_o,

    /// The low bits of the next edge, and whether the element executes it now.
    input  logic [shell_pkg::StampWidth-1:0]  edge_i,
    input  logic                              take_i,
    /// What is sampled at it.
    output logic                              word_valid_o,
    output logic [WordWidth-1:0]              word_o,
    output logic                              credit_valid_o,
    output logic [CreditWidth-1:0]            credit_o,
    /// Nothing waits.
    output logic                              empty_o,
    /// With `take_i`: something is sampled later than its edge, which happens only where the clock does not wait.
    output logic                              late_o
);

  if (Depth < shell_pkg::CreditEntries) begin : gen_check_depth
    $error("shell_port_in: a record must fit in a queue that is empty");
  end

  logic [TimedWordWidth-1:0] word;
  logic [TimedCreditWidth-1:0] credit;
  logic [shell_pkg::StampWidth-1:0] word_stamp, credit_stamp, word_age, credit_age;
  logic word_waits, credit_waits;

  fifo #(
      .Width(TimedWordWidth),
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
      .Width(TimedCreditWidth),
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

  assign word_stamp = word[TimedWordWidth-1:WordWidth];
  assign credit_stamp = credit[TimedCreditWidth-1:CreditWidth];
  assign word_age = edge_i - word_stamp;
  assign credit_age = edge_i - credit_stamp;
  assign word_valid_o = word_waits && !word_age[shell_pkg::StampWidth-1];
  assign word_o = word[WordWidth-1:0];
  assign credit_valid_o = credit_waits && !credit_age[shell_pkg::StampWidth-1];
  assign credit_o = credit[CreditWidth-1:0];
  assign empty_o = !word_waits && !credit_waits;
  assign late_o = (word_valid_o && word_stamp != edge_i) || (credit_valid_o && credit_stamp != edge_i);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Otherwise: what waits is so far from the next edge that its stamp no longer tells which way.
      assert (!word_waits || word_age[shell_pkg::StampWidth-1] == word_age[shell_pkg::StampWidth-2]);
      assert (!credit_waits || credit_age[shell_pkg::StampWidth-1] == credit_age[shell_pkg::StampWidth-2]);
    end
  end
`endif

endmodule
