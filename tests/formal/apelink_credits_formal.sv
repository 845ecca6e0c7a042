// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Credits are neither made nor lost: what went into apelink_credits equals what came out of it and what is in it, whatever the wire says. Low bits alone of a
/// long count tell of no more words than all of it would.
module apelink_credits_formal #(
    parameter int unsigned CountWidth = 8
) (
    input logic                  clk_i,
    input logic                  rst_ni,
    input logic [CountWidth-1:0] tred_i,
    input logic [5:0]            words_i,
    input logic                  take_i,
    input logic                  full_i,
    input logic                  freed_valid_i,
    input logic [CountWidth-1:0] freed_i,
    input logic                  return_i,
    input logic                  sync_valid_i,
    input logic [CountWidth-1:0] sync_i,
    input logic                  deliver_i,
    input logic [5:0]            deliver_words_i,
    input logic                  credit_valid_i,
    input logic [CountWidth-1:0] credit_count_i,
    input logic                  restart_i,
    input logic [CountWidth-1:0] restart_delivered_i,
    input logic [CountWidth-1:0] restart_freed_i,
    input logic                  near_fresh_i,
    input logic                  far_fresh_i
);

  logic allow, error;
  logic [CountWidth-1:0] sent, used, pending, freed, delivered;
  logic [CountWidth-1:0] tred_q;
  logic begun_q = 1'b0;

  apelink_credits #(
      .CountWidth(CountWidth)
  ) i_credits (
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
      .delivered_o(delivered),
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

  // Frames with the low bits of long counts; the inputs have all of them, to compare with. What the far side says may be up to 127 words less than before.
  localparam bit Long = CountWidth > 8;
  localparam logic [CountWidth-1:0] Falls = CountWidth'(2 ** CountWidth - 127);
  logic low_q, low_sync_q;
  logic [CountWidth-1:0] used_q, delivered_q, freed_more_q, sent_more_q;
  logic [CountWidth-1:0] freed_more, sent_more, far_freed;
  logic freed_falls, sent_falls;
  assign far_freed = sent - used;
  assign freed_more = freed_i - far_freed;
  assign sent_more = sync_i - delivered;
  assign freed_falls = freed_more >= Falls;
  assign sent_falls = sent_more >= Falls;
  always_ff @(posedge clk_i) begin
    low_q <= rst_ni && Long && !full_i && !restart_i && freed_valid_i;
    low_sync_q <= rst_ni && Long && !full_i && sync_valid_i;
    used_q <= used + (take_i ? CountWidth'(words_i) : '0);
    delivered_q <= delivered;
    freed_more_q <= freed_falls ? '0 : freed_more;
    sent_more_q <= sent_falls ? '0 : sent_more;
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
    assume (!restart_i || restart_delivered_i - restart_freed_i <= (tred_i < CountWidth'(34) ? CountWidth'(34) : tred_i));
    // A constant threshold; a change may leave more in use than it allows.
    assume (!begun_q || tred_i == tred_q);
    if (begun_q) begin
      // No more than the far side has freed, or sent.
      if (low_q) assert (used_q - used <= freed_more_q);
      if (low_sync_q) assert (delivered - delivered_q <= sent_more_q);
      // That nothing is made or lost has its assertions in the module.
      assert (used <= (tred_i < CountWidth'(34) ? CountWidth'(34) : tred_i));
    end
  end

endmodule
