// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A window on the next four units of the stream from the transceiver, of which 0 to 4 can be taken in a cycle.
module apelink_aligner (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    /// AXI stream.
    input  logic [apelink_pkg::DataWidth-1:0] s_tdata_i,
    input  logic                              s_tvalid_i,
    output logic                              s_tready_o,
    /// The next units, the first in the low bits, and how many of them are there.
    output logic [apelink_pkg::DataWidth-1:0] window_o,
    output logic [2:0]                        available_o,
    /// Units taken; at most `available_o`.
    input  logic [2:0]                        take_i
);

  logic [apelink_pkg::DataWidth-1:0] word_q;
  logic valid_q;
  logic [1:0] offset_q;  ///< Units of the word that have been taken.
  logic [2:0] next;

  always_comb begin
    case (offset_q)
      2'd0: window_o = word_q;
      2'd1: window_o = {s_tdata_i[31:0], word_q[127:32]};
      2'd2: window_o = {s_tdata_i[63:0], word_q[127:64]};
      default: window_o = {s_tdata_i[95:0], word_q[127:96]};
    endcase
    if (!valid_q) available_o = 3'd0;
    else if (s_tvalid_i) available_o = 3'd4;
    else available_o = 3'd4 - {1'b0, offset_q};
  end

  assign next = {1'b0, offset_q} + take_i;
  assign s_tready_o = !valid_q || next[2];

  always_ff @(posedge clk_i) begin
    if (s_tready_o) word_q <= s_tdata_i;
    if (!rst_ni) begin
      valid_q <= 1'b0;
      offset_q <= '0;
    end else begin
      if (s_tready_o) valid_q <= s_tvalid_i;
      if (valid_q) offset_q <= next[1:0];
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Otherwise: units taken that are not there.
      assert (take_i <= available_o);
    end
  end
`endif

endmodule
