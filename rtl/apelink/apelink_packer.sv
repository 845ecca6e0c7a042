// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Packs 1 to 4 units of 32 bits a cycle into 128-bit words for the transceiver.
module apelink_packer (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    /// Units to append, the first in the low bits. Zero units change nothing.
    input  logic [apelink_pkg::DataWidth-1:0] units_i,
    input  logic [2:0]                        count_i,
    /// Units that wait for a word to become full; the output register can be loaded at the edge.
    output logic [1:0]                        fill_o,
    output logic                              ready_o,
    /// AXI stream.
    output logic [apelink_pkg::DataWidth-1:0] m_tdata_o,
    output logic                              m_tvalid_o,
    input  logic                              m_tready_i
);

  logic [95:0] rest_q;
  logic [1:0] fill_q;
  logic [apelink_pkg::DataWidth-1:0] data_q;
  logic valid_q;
  logic [apelink_pkg::DataWidth-1:0] turned;  ///< Each unit at its position in a word.
  logic [2:0] total;

  assign ready_o = !valid_q || m_tready_i;
  assign fill_o = fill_q;
  assign m_tdata_o = data_q;
  assign m_tvalid_o = valid_q;
  assign total = {1'b0, fill_q} + count_i;

  always_comb begin
    case (fill_q)
      2'd0: turned = units_i;
      2'd1: turned = {units_i[95:0], units_i[127:96]};
      2'd2: turned = {units_i[63:0], units_i[127:64]};
      default: turned = {units_i[31:0], units_i[127:32]};
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (total[2]) data_q[127:96] <= turned[127:96];
    for (int u = 0; u < 3; u++) begin
      if (total[2]) data_q[32*u+:32] <= fill_q > 2'(u) ? rest_q[32*u+:32] : turned[32*u+:32];
      // What is too much is written over later.
      if (total[2] || fill_q <= 2'(u)) rest_q[32*u+:32] <= turned[32*u+:32];
    end
    if (!rst_ni) begin
      fill_q <= '0;
      valid_q <= 1'b0;
    end else begin
      if (total[2]) valid_q <= 1'b1;
      else if (m_tready_i) valid_q <= 1'b0;
      fill_q <= total[1:0];
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Otherwise: word lost.
      assert (!total[2] || ready_o);
    end
  end
`endif

endmodule
