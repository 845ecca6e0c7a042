// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The ring reader before any memory: what it offers stays, one access at a time, none without enable or after an error, and a record is what a burst has
/// read that began after a read of its own had seen that the slot is written.
module shell_ring_reader_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       enable_i,
    input logic       ar_ready_i,
    input logic       r_valid_i,
    /// The owner bit of a beat, and the value of all its other bits.
    input logic [1:0] data_i,
    input logic [1:0] response_i,
    input logic       ready_i
);

  localparam logic [63:0] Base = 64'h1_0000_1000;

  logic quiet, ar_valid, r_valid, r_ready, valid, empty, error;
  axi_pkg::address_t ar;
  axi_pkg::read_data_t r;
  shell_pkg::record_t record;
  logic [31:0] consumed;

  shell_ring_reader #(
      .SlotsLog2(1)
  ) i_reader (
      .clk_i,
      .rst_ni,
      .enable_i,
      .quiet_o   (quiet),
      .base_i    (Base),
      .ar_valid_o(ar_valid),
      .ar_ready_i,
      .ar_o      (ar),
      .r_valid_i (r_valid),
      .r_ready_o (r_ready),
      .r_i       (r),
      .valid_o   (valid),
      .record_o  (record),
      .ready_i,
      .consumed_o(consumed),
      .empty_o   (empty),
      .error_o   (error)
  );

  logic started_q, reset_q;
  // The cycle before.
  logic was_waiting_q, was_enabled_q, was_error_q;
  axi_pkg::address_t was_ar_q;
  // What the memory owes, of a burst or of a single beat; what it has answered.
  logic [2:0] owed_q;
  logic single_q, bad_q, seen_q, whole_q, looked_empty_q;
  logic [511:0] beats_q;
  logic [31:0] taken_q;
  initial started_q = 1'b0;

  assign r_valid = r_valid_i && owed_q != '0;
  assign r.id = '0;
  assign r.data = {data_i[1], {127{data_i[0]}}};
  assign r.response = response_i;
  assign r.last = owed_q == 3'd1;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    was_waiting_q <= rst_ni && ar_valid && !ar_ready_i;
    was_ar_q <= ar;
    was_enabled_q <= rst_ni && enable_i;
    was_error_q <= rst_ni && error;
    if (!rst_ni) begin
      owed_q <= '0;
      single_q <= 1'b0;
      bad_q <= 1'b0;
      seen_q <= 1'b0;
      whole_q <= 1'b0;
      looked_empty_q <= 1'b0;
      taken_q <= '0;
    end else begin
      if (ar_valid && ar_ready_i) begin
        owed_q <= ar.length[2:0] + 3'd1;
        single_q <= ar.length == 8'd0;
        if (ar.length == 8'd0) seen_q <= 1'b0;
      end
      if (r_valid && r_ready) begin
        owed_q <= owed_q - 3'd1;
        beats_q <= {r.data, beats_q[511:128]};
        if (response_i != 2'd0) bad_q <= 1'b1;
        if (single_q) begin
          seen_q <= data_i[1] == !taken_q[1];
          looked_empty_q <= data_i[1] != !taken_q[1];
        end else if (owed_q == 3'd1) begin
          whole_q <= 1'b1;
        end
      end
      if (valid && ready_i) begin
        taken_q <= taken_q + 32'd1;
        seen_q <= 1'b0;
        whole_q <= 1'b0;
      end
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    // A reset comes only while no access is under way.
    if (started_q) assume (rst_ni || quiet);
    if (started_q) begin
      assert (!was_waiting_q || !rst_ni || (ar_valid && ar == was_ar_q));
      assert (!ar_valid || !reset_q);
      assert (!ar_valid || was_waiting_q || was_enabled_q);
      assert (!quiet || (!ar_valid && !r_ready));
      assert (!error || (quiet && !valid));
      assert (!was_error_q || reset_q || error);
      assert (!ar_valid || (!r_ready && !valid));
      assert (!ar_valid || (ar.size == 3'd4 && ar.burst == 2'b01));
`ifndef INDUCTION
      assert (!empty || !valid);
      assert (consumed == taken_q);
      assert (!ar_valid || owed_q == '0);
      assert (r_ready == (owed_q != '0));
      assert (!ar_valid || (ar.length == 8'd0 && ar.address == Base + {57'd0, taken_q[0], 6'd48}) ||
              (ar.length == 8'd3 && seen_q && ar.address == Base + {57'd0, taken_q[0], 6'd0}));
      assert (valid == (whole_q && !bad_q));
      assert (!valid || (seen_q && record == beats_q));
      assert (error == (bad_q && owed_q == '0));
      assert (empty == looked_empty_q);
`endif
    end
  end

endmodule
