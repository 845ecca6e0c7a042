// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Credits are neither made nor lost: what went into apelink_credits equals what came out of it and what is in it, whatever the wire says.
module apelink_credits_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic [7:0] tred_i,
    input logic [5:0] words_i,
    input logic       take_i,
    input logic       freed_valid_i,
    input logic [7:0] freed_i,
    input logic       return_i,
    input logic       sync_valid_i,
    input logic [7:0] sync_i,
    input logic       deliver_i,
    input logic [5:0] deliver_words_i,
    input logic       credit_valid_i,
    input logic [7:0] credit_count_i
);

  logic allow, error;
  logic [7:0] sent, used, pending, freed;
  // Words that the router has credits for again, modulo 256. Reception has its assertion in the module.
  logic [7:0] returned_q;
  logic [7:0] tred_q;
  logic begun_q = 1'b0;

  apelink_credits i_credits (
      .clk_i,
      .rst_ni,
      .tred_i,
      .words_i,
      .allow_o (allow),
      .take_i,
      .sent_o  (sent),
      .used_o  (used),
      .freed_valid_i,
      .freed_i,
      .pending_o(pending),
      .return_i,
      .sync_valid_i,
      .sync_i,
      .deliver_i,
      .deliver_words_i,
      .credit_valid_i,
      .credit_count_i,
      .freed_o (freed),
      .error_o (error)
  );

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    tred_q <= tred_i;
    if (!rst_ni) begin
      returned_q <= '0;
    end else begin
      if (return_i) returned_q <= returned_q + pending;
    end
  end

  always_comb begin
    assume (begun_q || !rst_ni);
    assume (!take_i || allow);
    assume (!(sync_valid_i && deliver_i));
    // A constant threshold; a change may leave more in use than it allows.
    assume (!begun_q || tred_i == tred_q);
    if (begun_q) begin
      // Transmission: sent = with the router again + on its way there + in use.
      assert (sent == returned_q + pending + used);
      assert (used <= (tred_i < 8'd34 ? 8'd34 : tred_i));
    end
  end

endmodule
