// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Flow control of one VC, both directions. Words are counted from reset and modulo 2^CountWidth at both ends of the link, and the counts are sent, not
/// their changes: a lost credit word is made good by the next one, and words that were lost on the wire come back as credits.
module apelink_credits #(
    /// The largest packet; a lower threshold counts as this one, since it could never be met.
    parameter int unsigned MaxPacketWords = 34,
    /// Counts are modulo 2^CountWidth: 8, or 11 for links with more words than that under way. Then a frame usually has the low bits alone, and stands for
    /// the next count with them if that is less than 128 words away; what frees, or loses, more words at once is made good by the next long credit word.
    parameter int unsigned CountWidth = apelink_pkg::CountWidth
) (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    /// TRED: words that may be in use in the far buffer. Takes effect at once.
    input  logic [CountWidth-1:0]               tred_i,

    /// Transmission: a packet of `words_i` words may begin; it does, or a word is discarded; words sent before the edge.
    input  logic [apelink_pkg::LengthWidth-1:0] words_i,
    output logic                                allow_o,
    input  logic                                take_i,
    output logic [CountWidth-1:0]               sent_o,
    /// Words in use in the far buffer or in flight to it.
    output logic [CountWidth-1:0]               used_o,
    /// What the far side has freed, from a frame, which has all bits of counts or the low 8.
    input  logic                                full_i,
    input  logic                                freed_valid_i,
    input  logic [CountWidth-1:0]               freed_i,
    /// Credits for the router's transmitter; `return_i` returns them all.
    output logic [CountWidth-1:0]               pending_o,
    input  logic                                return_i,

    /// Reception: what the far side has sent, from a frame; a packet of `deliver_words_i` words begins.
    input  logic                                sync_valid_i,
    input  logic [CountWidth-1:0]               sync_i,
    input  logic                                deliver_i,
    input  logic [apelink_pkg::LengthWidth-1:0] deliver_words_i,
    /// Credits from the router's receiver.
    input  logic                                credit_valid_i,
    input  logic [CountWidth-1:0]               credit_count_i,
    /// What to tell the far side; all words that were delivered.
    output logic [CountWidth-1:0]               freed_o,
    output logic [CountWidth-1:0]               delivered_o,

    /// The link comes up: transmission goes on with what the far side has delivered and freed. Its words that it has not got are lost. Any of both may have
    /// been reset since it was up.
    input  logic                                restart_i,
    input  logic [CountWidth-1:0]               restart_delivered_i,
    input  logic [CountWidth-1:0]               restart_freed_i,
    input  logic                                near_fresh_i,
    input  logic                                far_fresh_i,

    /// The far side claims to have freed more than was in use; ignored. Or it has delivered what was not sent.
    output logic                                error_o
);

  /// Bits of a count that every frame has.
  localparam int unsigned LowWidth = apelink_pkg::CountWidth;
  localparam bit Short = CountWidth == LowWidth;

  logic [CountWidth-1:0] sent_q, far_freed_q, pending_q, freed_q, delivered_q;
  logic [CountWidth-1:0] limit, used, freed, newly_freed, lost, undelivered, back, still_owed;
  logic [CountWidth-1:0] owed_q;  ///< Words in use that were sent before this end was reset: nobody here waits for their credits.
  logic [LowWidth-1:0] low_freed, low_lost;
  logic accept, agreed, more, told;

  assign limit = tred_i < CountWidth'(MaxPacketWords) ? CountWidth'(MaxPacketWords) : tred_i;
  assign used = sent_q - far_freed_q;
  assign allow_o = {1'b0, used} + (CountWidth + 1)'(words_i) <= {1'b0, limit};
  assign freed = restart_i ? restart_freed_i : freed_i;
  // Low bits alone tell of no more than was freed. A difference in their upper half means a count that fell or frames that were lost, and waits for all bits.
  assign low_freed = freed[LowWidth-1:0] - far_freed_q[LowWidth-1:0];
  assign newly_freed = full_i || Short || restart_i ? freed - far_freed_q : CountWidth'(low_freed);
  assign told = freed_valid_i && (full_i || Short || !low_freed[LowWidth-1]);
  assign accept = told && newly_freed <= used;
  assign undelivered = sent_q - restart_delivered_i;
  assign more = newly_freed > owed_q;
  // The oldest words leave the far buffer first, and none of them is in flight any more.
  assign agreed = !near_fresh_i && !far_fresh_i && {1'b0, more ? newly_freed : owed_q} + {1'b0, undelivered} <= {1'b0, used};
  assign error_o = restart_i ? !agreed && !near_fresh_i && !far_fresh_i : told && newly_freed > used;
  assign back = more ? newly_freed - owed_q : '0;
  assign still_owed = more ? '0 : owed_q - newly_freed;
  // Signed: a far count that was wrong once is put right by the next one with all bits. A negative difference of low bits alone would be taken for a large
  // one, and make credits out of nothing.
  assign low_lost = sync_i[LowWidth-1:0] - delivered_q[LowWidth-1:0];
  assign lost = !sync_valid_i             ? '0 :
                full_i || Short           ? sync_i - delivered_q :
                low_lost[LowWidth-1]      ? '0 : CountWidth'(low_lost);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_q <= '0;
      far_freed_q <= '0;
      pending_q <= '0;
      owed_q <= '0;
      freed_q <= '0;
      delivered_q <= '0;
    end else begin
      if (restart_i) begin
        sent_q <= restart_delivered_i;
        far_freed_q <= restart_freed_i;
        owed_q <= !agreed ? restart_delivered_i - restart_freed_i : still_owed;
        pending_q <= (return_i ? CountWidth'(0) : pending_q) + (agreed ? back + undelivered : used - owed_q);
      end else begin
        if (take_i) sent_q <= sent_q + CountWidth'(words_i);
        if (accept) begin
          far_freed_q <= far_freed_q + newly_freed;
          owed_q <= still_owed;
        end
        pending_q <= (return_i ? CountWidth'(0) : pending_q) + (accept ? back : CountWidth'(0));
      end
      freed_q <= freed_q + lost + (credit_valid_i ? credit_count_i : CountWidth'(0));
      delivered_q <= delivered_q + lost + (deliver_i ? CountWidth'(deliver_words_i) : CountWidth'(0));
    end
  end

  assign sent_o = sent_q;
  assign used_o = used;
  assign pending_o = pending_q;
  assign freed_o = freed_q;
  assign delivered_o = delivered_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Otherwise: packet sent without credits.
      assert (!take_i || allow_o);
      // Otherwise: a packet began in the same cycle as a frame.
      assert (!(sync_valid_i && deliver_i));
      // Otherwise: packet sent while the counts change.
      assert (!(restart_i && take_i));
    end
  end
`endif

`ifdef FORMAL
  // Reception neither makes nor loses credits: freed = what the router gave + what the far side sent and the router never got (modulo 2^CountWidth). So when
  // the router has given back all words that it got, freed equals sent, and the far side has nothing in use.
  logic [CountWidth-1:0] credited_q, handed_q;
  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni) begin
      credited_q <= '0;
      handed_q <= '0;
    end else begin
      if (credit_valid_i) credited_q <= credited_q + credit_count_i;
      if (deliver_i) handed_q <= handed_q + CountWidth'(deliver_words_i);
    end
  end
  // Nor does transmission, whatever the far side says when the link comes up: what the router's words took is with it again, on its way there or in use.
  logic [CountWidth-1:0] taken_q, returned_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q <= '0;
      returned_q <= '0;
    end else begin
      if (take_i) taken_q <= taken_q + CountWidth'(words_i);
      if (return_i) returned_q <= returned_q + pending_q;
    end
  end
  always_comb begin
    if (begun_q) assert (freed_q - credited_q == delivered_q - handed_q);
`ifndef INDUCTION
    if (begun_q) assert (taken_q == returned_q + pending_q + used - owed_q);
    if (begun_q) assert (owed_q <= used);
`endif
  end
`endif

endmodule

