// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The arbiter: grants are one-hot and requested, only of the highest rank that asks, and in turn: among equals, who keeps asking waits for at
/// most as many grants as there are others.
module ape_arbiter_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       enable_i,
    input logic [5:0] request_i,
    input logic [2:0] rank_i
);

  logic [5:0] grant;
  // Two ranks are enough to see all cases of "beaten".
  logic [8:0] beaten;
  for (genvar a = 0; a < 3; a++) begin : gen_a
    for (genvar b = 0; b < 3; b++) begin : gen_b
      assign beaten[3*a+b] = rank_i[b] && !rank_i[a];
    end
  end

  ape_arbiter #(
      .NumRequests(6)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i,
      .request_i,
      .beaten_i(beaten),
      .grant_o (grant)
  );

  logic started_q;
  logic [2:0] waited_q;  ///< Grants to others since request 3 began to ask, while nobody was of another rank.
  logic high_asks;
  initial started_q = 1'b0;

  assign high_asks = (request_i & {{2{rank_i[2]}}, {2{rank_i[1]}}, {2{rank_i[0]}}}) != '0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni || !request_i[3] || grant[3] || rank_i != '0) waited_q <= '0;
    else if (grant != '0) waited_q <= waited_q + 1'b1;
  end

  always_comb begin
    assume (started_q == rst_ni);
    if (started_q) begin
      assert ((grant & ~request_i) == '0);
      assert ((grant & (grant - 1'b1)) == '0);
      assert ((grant != '0) == (enable_i && request_i != '0));
      assert (!high_asks || (grant & ~{{2{rank_i[2]}}, {2{rank_i[1]}}, {2{rank_i[0]}}}) == '0);
`ifndef INDUCTION
      assert (waited_q <= 3'd5);
`endif
    end
  end

endmodule
