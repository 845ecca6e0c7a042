// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Round-robin arbiter whose requests may be of different rank: only requests that no other request beats take part.
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

  logic [NumRequests-1:0] eligible;
  logic [NumGroups-1:0] group;

  for (genvar g = 0; g < NumGroups; g++) begin : gen_group
    logic best;
    assign group[g] = request_i[2*g+:2] != 2'b00;
    assign best = (group & beaten_i[NumGroups*g+:NumGroups]) == '0;
    assign eligible[2*g+:2] = request_i[2*g+:2] & {2{best}};
  end

  round_robin_arbiter #(
      .NumRequests(NumRequests)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i,
      .request_i(eligible),
      .grant_o
  );

endmodule
