// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// ni_rx_demux: whatever the neighbour sends within its credits, right or wrong, every word's credit comes back or belongs to a word that is held for the RDMA
/// units or to a packet that is still arriving, and messages never overtake a mailbox that takes each within two cycles.
module ni_rx_demux_formal (
    input logic         clk_i,
    input logic         rx_valid_i,
    input logic         rx_vc_i,
    input logic         rx_sop_i,
    input logic         rx_eop_i,
    input logic [127:0] rx_data_i,
    input logic         rdma_ready_i
);

  localparam int unsigned BufferWords = 32;

  logic rst_q = 1'b0;
  always_ff @(posedge clk_i) rst_q <= 1'b1;

  logic credit_valid, credit_vc, message_valid, answer_valid, rdma_valid, rdma_sop, rdma_eop;
  logic [7:0] credit_count;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [21:0] source;
  logic [127:0] header, rdma_data;
  logic [511:0] data;
  logic answer_nack;
  logic [31:0] answer_tag;
  logic [13:0] count;
  /* verilator lint_on UNUSEDSIGNAL */
  logic busy_q;  // The mailbox, every other cycle at most.

  ni_rx_demux #(
      .BufferWords(BufferWords)
  ) i_dut (
      .clk_i,
      .rst_ni          (rst_q),
      .node_i          (22'd5),
      .rx_valid_i,
      .rx_vc_i,
      .rx_sop_i,
      .rx_eop_i,
      .rx_data_i,
      .credit_valid_o  (credit_valid),
      .credit_vc_o     (credit_vc),
      .credit_count_o  (credit_count),
      .message_valid_o (message_valid),
      .message_source_o(source),
      .message_header_o(header),
      .message_data_o  (data),
      .message_ready_i (!busy_q),
      .answer_valid_o  (answer_valid),
      .answer_nack_o   (answer_nack),
      .answer_tag_o    (answer_tag),
      .rdma_valid_o    (rdma_valid),
      .rdma_sop_o      (rdma_sop),
      .rdma_eop_o      (rdma_eop),
      .rdma_data_o     (rdma_data),
      .rdma_ready_i,
      .count_o         (count),
      .formal_words_o    (words),
      .formal_committed_o(committed),
      .formal_held_o     (held),
      .formal_bad_o      (bad),
      .formal_pending_o  (pending)
  );

  // The neighbour's credits.
  logic [7:0] room0_q, room1_q;
  logic [15:0] words, committed, pending;
  logic [9:0] held;
  logic [5:0] bad;

  always_ff @(posedge clk_i) begin
    if (!rst_q) begin
      busy_q <= 1'b0;
      room0_q <= 8'(BufferWords);
      room1_q <= 8'(BufferWords);
    end else begin
      busy_q <= message_valid && !busy_q;
      room0_q <= room0_q - {7'd0, rx_valid_i && !rx_vc_i} + (credit_valid && !credit_vc ? credit_count : 8'd0);
      room1_q <= room1_q - {7'd0, rx_valid_i && rx_vc_i} + (credit_valid && credit_vc ? credit_count : 8'd0);
    end
  end

  always_comb begin
    if (rst_q) begin
      if (rx_valid_i && !rx_vc_i) assume (room0_q != '0);
      if (rx_valid_i && rx_vc_i) assume (room1_q != '0);
      // Every credit is with the neighbour, on its way back, waiting to go back, or a word in the buffer.
      assert (room0_q + pending[7:0] + words[7:0] + (credit_valid && !credit_vc ? credit_count : 8'd0) == 8'(BufferWords));
      assert (room1_q + pending[15:8] + words[15:8] + (credit_valid && credit_vc ? credit_count : 8'd0) == 8'(BufferWords));
      assert (room0_q <= 8'(BufferWords) && room1_q <= 8'(BufferWords));
      assert (pending[7:0] <= 8'(BufferWords) && pending[15:8] <= 8'(BufferWords));
      assert (!credit_valid || credit_count <= 8'(BufferWords));
      assert (committed[7:0] <= words[7:0] && committed[15:8] <= words[15:8]);
      // What is buffered is committed or belongs to the arriving packet.
      assert (words[7:0] == committed[7:0] + {3'd0, held[4:0]});
      assert (words[15:8] == committed[15:8] + {3'd0, held[9:5]});
      // No word is lost for want of space, and the mailbox is always in time.
      assert (!bad[1] && !bad[2] && !bad[4] && !bad[5]);
`ifndef INDUCTION
      assert (!bad[0] && !bad[3]);
`endif
`ifndef INDUCTION
      assert (!(rdma_valid && rdma_sop && rdma_eop));
`endif
    end
  end

endmodule
