// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The ring writer before any bus: what it offers stays, one access at a time, each burst as long as its address says, no stamp before the rest of the slot
/// was answered, nothing after an error, and no record into a ring that is full.
module shell_ring_writer_formal (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        enable_i,
    input logic [31:0] consumed_i,
    input logic        aw_ready_i,
    input logic        w_ready_i,
    input logic        b_valid_i,
    input logic [1:0]  response_i,
    input logic        valid_i,
    /// The value of all bits of each beat, and the owner bit.
    input logic [4:0]  bits_i
);

  localparam logic [63:0] Base = 64'h1_0000_1000;

  logic quiet, aw_valid, w_valid, b_valid, b_ready, ready, error;
  axi_pkg::address_t aw;
  axi_pkg::write_data_t w;
  axi_pkg::write_response_t b;
  shell_pkg::record_t record;

  assign record = {bits_i[4], {127{bits_i[3]}}, {128{bits_i[2]}}, {128{bits_i[1]}}, {128{bits_i[0]}}};

  shell_ring_writer #(
      .SlotsLog2(1)
  ) i_writer (
      .clk_i,
      .rst_ni,
      .enable_i,
      .quiet_o    (quiet),
      .base_i     (Base),
      .consumed_i,
      .aw_valid_o (aw_valid),
      .aw_ready_i,
      .aw_o       (aw),
      .w_valid_o  (w_valid),
      .w_ready_i,
      .w_o        (w),
      .b_valid_i  (b_valid),
      .b_ready_o  (b_ready),
      .b_i        (b),
      .valid_i,
      .ready_o    (ready),
      .record_i   (record),
      .error_o    (error)
  );

  logic started_q, reset_q;
  // The cycle before.
  logic was_aw_q, was_w_q, was_error_q;
  axi_pkg::address_t was_aw_payload_q;
  axi_pkg::write_data_t was_w_payload_q;
  // The record that is written, and how far that is.
  logic busy_q, stamp_q, bad_q;
  logic [511:0] record_q;
  logic aw_done_q, w_done_q;
  logic [1:0] beat_q;
  logic [31:0] written_q;
  logic answered;
  logic [63:0] slot;
  initial started_q = 1'b0;

  // The bus answers a burst that it has.
  assign b_valid = b_valid_i && aw_done_q && w_done_q;
  assign b.id = '0;
  assign b.response = response_i;
  assign answered = b_valid && b_ready;
  assign slot = Base + {57'd0, written_q[0], 6'd0};

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    was_aw_q <= rst_ni && aw_valid && !aw_ready_i;
    was_aw_payload_q <= aw;
    was_w_q <= rst_ni && w_valid && !w_ready_i;
    was_w_payload_q <= w;
    was_error_q <= rst_ni && error;
    if (!rst_ni) begin
      busy_q <= 1'b0;
      stamp_q <= 1'b0;
      bad_q <= 1'b0;
      aw_done_q <= 1'b0;
      w_done_q <= 1'b0;
      beat_q <= '0;
      written_q <= '0;
    end else begin
      if (valid_i && ready) begin
        busy_q <= 1'b1;
        stamp_q <= 1'b0;
        record_q <= record;
      end
      if (aw_valid && aw_ready_i) aw_done_q <= 1'b1;
      if (w_valid && w_ready_i) begin
        beat_q <= beat_q + 2'd1;
        if (w.last) w_done_q <= 1'b1;
      end
      if (answered) begin
        aw_done_q <= 1'b0;
        w_done_q <= 1'b0;
        beat_q <= '0;
        stamp_q <= 1'b1;
        if (response_i != 2'd0) bad_q <= 1'b1;
        if (stamp_q || response_i != 2'd0) busy_q <= 1'b0;
        if (stamp_q) written_q <= written_q + 32'd1;
      end
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    // A reset comes only while no access is under way.
    if (started_q) assume (rst_ni || quiet);
    if (started_q) begin
      assert (!was_aw_q || !rst_ni || (aw_valid && aw == was_aw_payload_q));
      assert (!was_w_q || !rst_ni || (w_valid && w == was_w_payload_q));
      assert (!(aw_valid || w_valid) || !reset_q);
      assert (!quiet || (!aw_valid && !w_valid && !b_ready));
      assert (!error || (quiet && !ready));
      assert (!was_error_q || reset_q || error);
      assert (!b_ready || (!aw_valid && !w_valid));
      assert (!ready || enable_i);
`ifndef INDUCTION
      assert (quiet == !busy_q);
      assert (!quiet || (!aw_done_q && !w_done_q && beat_q == '0));
      assert (b_ready == (aw_done_q && w_done_q));
      assert (!aw_valid || (busy_q && !aw_done_q));
      assert (!w_valid || (busy_q && !w_done_q));
      assert (!busy_q || aw_valid || aw_done_q);
      assert (!busy_q || w_valid || w_done_q);
      assert (error == bad_q);
      // The whole slot but for the stamp; or the stamp.
      if (aw_valid) begin
        if (!stamp_q) assert (aw.address == slot && aw.length == 8'd3);
        else assert (aw.address == slot + 64'd48 && aw.length == 8'd0);
      end
      if (w_valid) begin
        if (!stamp_q) begin
          assert (w.last == (beat_q == 2'd3));
          assert (w.strobe == (beat_q == 2'd3 ? 16'h00FF : 16'hFFFF));
          if (beat_q != 2'd3) assert (w.data == record_q[128*beat_q+:128]);
        end else begin
          assert (w.last && beat_q == 2'd0);
          assert (w.strobe == 16'hFF00);
        end
        if (w.last) assert (w.data == {!written_q[1], record_q[510:384]});
      end
      assert (!ready || (written_q - consumed_i < 32'd2));
`endif
    end
  end

endmodule
