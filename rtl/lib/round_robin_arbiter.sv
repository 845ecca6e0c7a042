// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Round-robin arbiter: the first request at or after the one that follows the last grant, round the end. After reset it begins with request 0.
module round_robin_arbiter #(
    parameter int unsigned NumRequests = 14
) (
    input  logic                   clk_i,
    /// Synchronous, active low.
    input  logic                   rst_ni,
    /// Nothing is granted without it.
    input  logic                   enable_i,
    input  logic [NumRequests-1:0] request_i,
    /// One-hot or zero; in the same cycle.
    output logic [NumRequests-1:0] grant_o
);

  /// Ones at the inputs after the last grant.
  logic [NumRequests-1:0] after_q;
  logic [NumRequests-1:0] first;

  always_comb begin
    grant_o = '0;
    first = '0;
    if (enable_i && request_i != '0) begin
      first = request_i & after_q;
      if (first == '0) first = request_i;
      grant_o = first & (~first + 1'b1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) after_q <= '1;
    else if (grant_o != '0) after_q <= ~(grant_o | (grant_o - 1'b1));
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert ((grant_o & ~request_i) == '0) else $error("grant without request");
      assert ((grant_o & (grant_o - 1'b1)) == '0) else $error("more than one grant");
    end
  end
`endif

endmodule
