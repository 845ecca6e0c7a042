// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Credits are neither made nor lost between a link and the router: what the link has freed on a VC is what the router has got back plus what
/// is not enough for its oldest packet yet, and the router gets back no more packets and words than it has sent.
module link_credits_formal #(
    parameter int unsigned CountWidth = 8
) (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       tx_valid_i,
    input logic       tx_ready_i,
    input logic       tx_vc_i,
    input logic       tx_sop_i,
    /// Payload words of the packet, 0 to 3; sizes that do not fill a word are there as well.
    input logic [1:0] tx_words_i,
    input logic       tx_odd_i,
    input logic       free_valid_i,
    input logic       free_vc_i,
    input logic [3:0] free_count_i,
    input logic       return_valid_i,
    input logic       return_vc_i,
    input logic [3:0] return_words_i,
    input logic [1:0] return_packets_i
);

  logic credit_valid, credit_vc, freed_valid, freed_vc;
  logic [ape_router_pkg::ReturnWidth-1:0] credit_words;
  logic [ape_router_pkg::ReturnPacketWidth-1:0] credit_packets;
  logic [CountWidth-1:0] freed_count;
  logic [9:0] bytes;
  // By VC: words that the router has sent, headers and footers counted; words that the link has freed, and that the router has got back.
  logic [15:0] sent_q[2], freed_q[2], back_q[2];
  logic [7:0] packets_q[2], back_packets_q[2];
  logic [4:0] returned_q;
  logic return_valid_q, return_vc_q;
  logic begun_q = 1'b0;
  logic start;

  // An odd size is a byte above the words before it.
  assign bytes = {4'd0, tx_words_i, 4'd0} - (tx_odd_i && tx_words_i != 2'd0 ? 10'd15 : 10'd0);
  assign start = tx_valid_i && tx_ready_i && tx_sop_i;

  link_credits #(
      .Packets   (4),
      .CountWidth(CountWidth)
  ) i_credits (
      .clk_i,
      .rst_ni,
      .tx_valid_i,
      .tx_ready_i,
      .tx_vc_i,
      .tx_sop_i,
      .tx_payload_bytes_i(bytes),
      .free_valid_i,
      .free_vc_i,
      .free_count_i    (CountWidth'(free_count_i)),
      .credit_valid_o  (credit_valid),
      .credit_vc_o     (credit_vc),
      .credit_words_o  (credit_words),
      .credit_packets_o(credit_packets),
      .return_valid_i,
      .return_vc_i,
      .return_words_i  ({4'd0, return_words_i}),
      .return_packets_i({2'd0, return_packets_i}),
      .freed_valid_o   (freed_valid),
      .freed_vc_o      (freed_vc),
      .freed_count_o   (freed_count)
  );

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    return_valid_q <= rst_ni && return_valid_i;
    return_vc_q <= return_vc_i;
    returned_q <= {1'b0, return_words_i} + {2'd0, return_packets_i, 1'b0};
    for (int v = 0; v < 2; v++) begin
      if (!rst_ni) begin
        sent_q[v] <= '0;
        freed_q[v] <= '0;
        back_q[v] <= '0;
        packets_q[v] <= '0;
        back_packets_q[v] <= '0;
      end else begin
        if (start && tx_vc_i == v[0]) begin
          sent_q[v] <= sent_q[v] + 16'(tx_words_i) + 16'd2;
          packets_q[v] <= packets_q[v] + 8'd1;
        end
        if (free_valid_i && free_vc_i == v[0]) freed_q[v] <= freed_q[v] + 16'(free_count_i);
        if (credit_valid && credit_vc == v[0]) begin
          back_q[v] <= back_q[v] + 16'(credit_words) + 16'd2;
          back_packets_q[v] <= back_packets_q[v] + 8'(credit_packets);
        end
      end
    end
  end

  always_comb begin
    assume (begun_q || !rst_ni);
    for (int v = 0; v < 2; v++) begin
      // The router has credits for 4 packets, and the link frees what was sent.
      if (rst_ni && start && tx_vc_i == v[0]) assume (packets_q[v] - back_packets_q[v] < 8'd4);
      if (rst_ni && free_valid_i && free_vc_i == v[0]) assume (freed_q[v] + 16'(free_count_i) <= sent_q[v]);
      if (begun_q && rst_ni) begin
        // Not before the far buffer has freed all the words, and no later than what is not a whole packet, one in the register and one that waits
        // for the other VC.
        assert (back_q[v] + (credit_valid && credit_vc == v[0] ? 16'(credit_words) + 16'd2 : 16'd0) <= freed_q[v]);
        assert (back_packets_q[v] + (credit_valid && credit_vc == v[0] ? 8'd1 : 8'd0) <= packets_q[v]);
        if (!credit_valid) assert (freed_q[v] - back_q[v] < 16'd5 + 16'd15);
      end
    end
    if (begun_q && credit_valid) assert (credit_packets == 4'd1);
    // Towards the link: a payload word is a word, a slot is two.
    if (begun_q) assert (freed_valid == return_valid_q);
    if (begun_q && freed_valid) assert (freed_vc == return_vc_q && freed_count == CountWidth'(returned_q));
  end

endmodule
