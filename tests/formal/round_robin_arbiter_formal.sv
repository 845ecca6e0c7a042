// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The arbiter of rtl/lib: grants are one-hot and requested, and in turn: who keeps asking waits for at most as many grants as there are others.
module round_robin_arbiter_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       enable_i,
    input logic [4:0] request_i
);

  logic [4:0] grant;

  round_robin_arbiter #(
      .NumRequests(5)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i,
      .request_i,
      .grant_o(grant)
  );

  logic started_q;
  logic [2:0] waited_q;  ///< Grants to others since request 2 began to ask.
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni || !request_i[2] || grant[2]) waited_q <= '0;
    else if (grant != '0) waited_q <= waited_q + 1'b1;
  end

  always_comb begin
    assume (started_q || !rst_ni);
    if (started_q) begin
      assert ((grant & ~request_i) == '0);
      assert ((grant & (grant - 1'b1)) == '0);
      assert ((grant != '0) == (enable_i && request_i != '0));
`ifndef INDUCTION
      assert (waited_q <= 3'd4);
`endif
    end
  end

endmodule
