// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Round-robin arbiter whose requests may be of different rank. Only requests that no other request beats take part; among these the first
/// at or after the one that follows the last grant is chosen, round the end. After reset it begins with request 0.
module ape_arbiter #(
    /// Even: two in a group.
    parameter int unsigned NumRequests = 10,
    localparam int unsigned NumGroups = NumRequests / 2
) (
    input  logic                           clk_i,
    /// Synchronous, active low.
    input  logic                           rst_ni,
    /// Nothing is granted without it.
    input  logic                           enable_i,
    input  logic [NumRequests-1:0]         request_i,
    /// Bit NumGroups * a + b: the requests of group b (2b and 2b + 1) are of higher rank than those of a. All zero is plain round-robin.
    input  logic [NumGroups*NumGroups-1:0] beaten_i,
    /// One-hot or zero; in the same cycle.
    output logic [NumRequests-1:0]         grant_o
);

  /// Ones at the inputs after the last grant.
  logic [NumRequests-1:0] after_q;
  logic [NumRequests-1:0] eligible, first;
  logic [NumGroups-1:0] group;

  for (genvar g = 0; g < NumGroups; g++) begin : gen_group
    logic best;
    assign group[g] = request_i[2*g+:2] != 2'b00;
    assign best = (group & beaten_i[NumGroups*g+:NumGroups]) == '0;
    assign eligible[2*g+:2] = request_i[2*g+:2] & {2{best}};
  end

  assign first = (eligible & after_q) != '0 ? eligible & after_q : eligible;
  assign grant_o = enable_i ? first & (~first + 1'b1) : '0;

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
