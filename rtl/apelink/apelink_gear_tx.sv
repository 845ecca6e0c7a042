// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Gearbox from words of 128 bits to the blocks of 64 that a transceiver takes at each edge. Where there is no word, and now and then on purpose, goes an idle
/// block (64B/66B: a control block), never between the halves of a word: what is at the other end drops or repeats them as clocks differ.
module apelink_gear_tx #(
    /// Words after which an idle block goes out at the latest: one in 2 * SkipWords + 1 blocks makes good 1e6 / (2 * SkipWords + 1) ppm.
    parameter int unsigned SkipWords = 1000
) (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    /// Words; taken at an edge where both valid and ready are high.
    input  logic [127:0] s_tdata_i,
    input  logic         s_tvalid_i,
    output logic         s_tready_o,
    /// The block of this cycle, registered.
    output logic         idle_o,
    output logic [63:0]  block_o
);

  localparam int unsigned CountWidth = $clog2(SkipWords + 1);

  if (SkipWords < 1) begin : gen_check
    $error("apelink_gear_tx: SkipWords must be 1 or more");
  end

  logic second_q, idle_q, take;
  logic [63:0] block_q, high_q;
  logic [CountWidth-1:0] left_q;  ///< Words that may go before an idle block.

  assign s_tready_o = !second_q && left_q != '0;
  assign take = s_tvalid_i && s_tready_o;
  assign idle_o = idle_q;
  assign block_o = block_q;

  always_ff @(posedge clk_i) begin
    block_q <= second_q ? high_q : s_tdata_i[63:0];
    high_q <= s_tdata_i[127:64];
    if (!rst_ni) begin
      second_q <= 1'b0;
      idle_q <= 1'b1;
      left_q <= CountWidth'(SkipWords);
    end else begin
      second_q <= take;
      idle_q <= !take && !second_q;
      if (take) left_q <= left_q - CountWidth'(1);
      else if (!second_q) left_q <= CountWidth'(SkipWords);
    end
  end

endmodule
