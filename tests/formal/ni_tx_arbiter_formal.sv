// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// ni_tx_arbiter: never more words than the neighbour has space for, credits are conserved, packets are whole, one sender at a time, and every sender that can
/// send does so after at most one packet of each other sender.
module ni_tx_arbiter_formal (
    input logic         clk_i,
    input logic [2:0]   valid_i,
    input logic [2:0]   vc_i,
    input logic [383:0] data_i,
    input logic         tx_ready_i,
    input logic         credit_valid_i,
    input logic         credit_vc_i,
    input logic [7:0]   credit_count_i
);

  localparam logic [7:0] Initial = 8'd18;

  logic rst_q = 1'b0;
  always_ff @(posedge clk_i) rst_q <= 1'b1;

  logic [2:0] ready;
  logic tx_valid, tx_vc, tx_sop, tx_eop, error;
  logic [2:0] request, owner;
  logic busy;
  logic [4:0] left;
  logic [7:0] credits0, credits1;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [127:0] tx_data;
  logic [1:0] stall;
  /* verilator lint_on UNUSEDSIGNAL */

  ni_tx_arbiter #(
      .NumSenders(3)
  ) i_dut (
      .clk_i,
      .rst_ni           (rst_q),
      .initial_credits_i(Initial),
      .valid_i,
      .vc_i,
      .data_i,
      .ready_o          (ready),
      .tx_valid_o       (tx_valid),
      .tx_vc_o          (tx_vc),
      .tx_sop_o         (tx_sop),
      .tx_eop_o         (tx_eop),
      .tx_data_o        (tx_data),
      .tx_ready_i,
      .credit_valid_i,
      .credit_vc_i,
      .credit_count_i,
      .credit_stall_o   (stall),
      .error_o          (error),
      .formal_o         ({request, owner, busy, left, credits1, credits0})
  );

  // The senders: within a packet valid stays, and so does the VC. `in_packet_q` is built from what they were asked for.
  logic [2:0] taken, in_packet_q, vc_q;
  logic [4:0] left_q;                     // Words of the open packet.
  logic [2:0] open_q;                     // Its sender.
  logic [4:0] length;
  // The neighbour: words in its buffers, by VC.
  logic [7:0] held0_q, held1_q;
  logic word;
  // For fairness: packets of others that began while a sender could have begun, by sender.
  logic [1:0] passed0_q, passed1_q, passed2_q;
  logic begins;

  assign taken = ready & valid_i;
  assign word = tx_valid && tx_ready_i;
  assign begins = taken != '0 && open_q == '0;
  always_comb begin
    length = '0;
    for (int s = 0; s < 3; s++) begin
      if (taken[s]) length = exanet_pkg::packet_words(data_i[128*s+48+:9]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_q) begin
      in_packet_q <= '0;
      vc_q <= '0;
      left_q <= '0;
      open_q <= '0;
      held0_q <= '0;
      held1_q <= '0;
      passed0_q <= '0;
      passed1_q <= '0;
      passed2_q <= '0;
    end else begin
      vc_q <= vc_i;
      if (taken != '0) begin
        if (open_q == '0) begin
          open_q <= taken;
          left_q <= length - 5'd1;
        end else begin
          left_q <= left_q - 5'd1;
          if (left_q == 5'd1) open_q <= '0;
        end
      end
      held0_q <= held0_q + {7'd0, word && !tx_vc} - (credit_valid_i && !credit_vc_i ? credit_count_i : 8'd0);
      held1_q <= held1_q + {7'd0, word && tx_vc} - (credit_valid_i && credit_vc_i ? credit_count_i : 8'd0);
      if (!request[0] || taken[0]) passed0_q <= '0;
      else if (begins) passed0_q <= passed0_q + 2'd1;
      if (!request[1] || taken[1]) passed1_q <= '0;
      else if (begins) passed1_q <= passed1_q + 2'd1;
      if (!request[2] || taken[2]) passed2_q <= '0;
      else if (begins) passed2_q <= passed2_q + 2'd1;
    end
  end

  always_comb begin
    if (rst_q) begin
      for (int s = 0; s < 3; s++) begin
        if (open_q[s]) assume (valid_i[s] && vc_i[s] == vc_q[s]);
        assume (data_i[128*s+48+:10] <= 10'd256);
      end
      // The neighbour returns what it holds, no more.
      if (credit_valid_i && !credit_vc_i) assume (credit_count_i <= held0_q);
      if (credit_valid_i && credit_vc_i) assume (credit_count_i <= held1_q);

      assert ((ready & (ready - 3'd1)) == '0);                                       // One sender at a time,
      assert (open_q == '0 || (taken & ~open_q) == '0);                              // the same to the end of its packet.
      assert ((open_q & (open_q - 3'd1)) == 3'd0);
      assert (busy == (open_q != '0));
      if (open_q != '0) assert (left == left_q && owner == open_q && left_q != '0);
      assert (!error);
      assert (held0_q <= Initial && held1_q <= Initial);
      // Each credit is here, reserved for the rest of the open packet, in the output register, or at the neighbour.
      assert ({1'b0, credits0} + {1'b0, held0_q} + {8'd0, tx_valid && !tx_vc} +
              (open_q != '0 && (vc_q & open_q) == '0 ? {4'd0, left_q} : 9'd0) == {1'b0, Initial});
      assert ({1'b0, credits1} + {1'b0, held1_q} + {8'd0, tx_valid && tx_vc} +
              ((vc_q & open_q) != '0 ? {4'd0, left_q} : 9'd0) == {1'b0, Initial});
      if (tx_valid) assert (tx_eop == (open_q == '0) || tx_sop);
`ifndef INDUCTION
      // Round robin: two others, one packet each.
      assert (passed0_q <= 2'd2 && passed1_q <= 2'd2 && passed2_q <= 2'd2);
`endif
    end
  end

endmodule
