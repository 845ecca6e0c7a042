// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// One VC of an output port: counts the neighbour's credits and gives the VC to one waiting packet at a time, and only when the neighbour has
/// buffer space for the largest packet (virtual cut-through).
module exanet_output_vc #(
    /// Ports of the router.
    parameter int unsigned NumPorts = 7,
    localparam int unsigned NumInputs = NumPorts * exanet_pkg::NumVcs,
    localparam int unsigned InputIdWidth = $clog2(NumPorts) + 1
) (
    input  logic                                          clk_i,
    /// Synchronous, active low.
    input  logic                                          rst_ni,
    /// Credits after reset; there are never more. Constant.
    input  logic [exanet_pkg::CreditWidth-1:0]            initial_credits_i,
    /// Packets that want this VC, by input VC, and the lengths of all packets.
    input  logic [NumInputs-1:0]                          request_i,
    input  logic [NumInputs*exanet_pkg::LengthStride-1:0] length_i,
    /// The input VC that gets this VC at the next edge; one-hot or zero.
    output logic [NumInputs-1:0]                          grant_o,
    /// This VC has an owner, the input VC `owner_o`.
    output logic                                          owned_o,
    output logic [InputIdWidth-1:0]                       owner_o,
    /// The owner's packet ends.
    input  logic                                          release_i,
    /// Credits from the link.
    input  logic                                          credit_valid_i,
    input  logic [exanet_pkg::CreditWidth-1:0]            credit_count_i,
    /// The neighbour has buffer space for a largest packet.
    output logic                                          enough_o,
    /// A packet waits only for credits.
    output logic                                          stall_o,
    /// Sticky: more credits came back than were used; the count stays at its initial value.
    output logic                                          error_o
);

  logic enough, any_request;
  logic [InputIdWidth-1:0] winner;
  logic [exanet_pkg::LengthWidth-1:0] winner_length;

  logic owned_q;
  logic [InputIdWidth-1:0] owner_q;
  logic [exanet_pkg::CreditWidth-1:0] credits;

  assign enough = credits >= 8'(exanet_pkg::MaxPacketWords);
  assign any_request = request_i != '0;
  assign enough_o = enough;
  assign stall_o = any_request && !owned_q && !enough;
  assign owned_o = owned_q;
  assign owner_o = owner_q;

  round_robin_arbiter #(
      .NumRequests(NumInputs)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (!owned_q && enough),
      .request_i,
      .grant_o
  );

  always_comb begin
    winner = '0;
    winner_length = '0;
    if (grant_o != '0) begin
      for (int i = 0; i < NumInputs; i++) begin
        if (grant_o[i]) begin
          winner = InputIdWidth'(i);
          winner_length = length_i[exanet_pkg::LengthStride*i+:exanet_pkg::LengthWidth];
        end
      end
    end
  end

  credit_counter #(
      .Width(exanet_pkg::CreditWidth)
  ) i_credits (
      .clk_i,
      .rst_ni,
      .initial_i(initial_credits_i),
      .take_i   (exanet_pkg::CreditWidth'(winner_length)),
      .give_i   (credit_valid_i ? credit_count_i : '0),
      .count_o  (credits),
      .error_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owned_q <= 1'b0;
      owner_q <= '0;
    end else begin
      if (grant_o != '0) begin
        owned_q <= 1'b1;
        owner_q <= winner;
      end else if (release_i) begin
        owned_q <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!release_i || owned_q) else $error("release without an owner");
    end
  end
`endif

endmodule
