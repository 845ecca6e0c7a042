// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Says at which edges of the element a link takes a word: as soon as the word clock's slot after the last word begins before the next edge, as
/// link::WordSerializer does. It counts slots only as far as that matters.
module shell_pacer (
    input  logic       clk_i,
    /// Synchronous, active low.
    input  logic       rst_ni,
    /// The last word was long ago: any number of slots is free.
    input  logic       load_i,
    input  logic       tick_i,
    /// From the word clock of the link.
    input  logic       step_i,
    input  logic       extra_i,
    input  logic [1:0] passed_i,
    /// At this tick the link takes a word; only with `ready_o`.
    input  logic       accept_i,
    output logic       ready_o
);

  localparam logic signed [3:0] Many = 4'sd3;

  /// Slots that begin before the next edge, from the one after that of the last word.
  logic signed [3:0] free_q, kept, newest, sum;

  // The word gets the slot after the last word, or the first one that begins at this edge or later.
  assign newest = $signed({2'b00, passed_i}) - 4'sd1;
  assign kept = !accept_i ? free_q : free_q - 4'sd1 < newest ? free_q - 4'sd1 : newest;
  assign sum = (tick_i ? kept : free_q) + $signed({3'b000, tick_i ? step_i : extra_i});
  assign ready_o = free_q > 4'sd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || load_i) free_q <= Many;
    else free_q <= sum > Many ? Many : sum;
  end

endmodule
