// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A transmitter with any router, any credits and any transceiver: nothing is written to a full buffer or over an unsent word (assertions of the modules),
/// and the frames on the wire follow each other as they must: each packet whole, of one VC.
module apelink_tx_formal (
    input logic         clk_i,
    input logic         rst_ni,
    input logic         tx_valid_i,
    input logic         tx_vc_i,
    input logic         tx_sop_i,
    input logic [127:0] tx_data_i,
    input logic [1:0]   allow_i,
    input logic [15:0]  sent_i,
    input logic [15:0]  freed_i,
    input logic [2:0]   health_i,
    input logic         m_tready_i
);

  logic begun_q = 1'b0;
  logic tx_ready, m_tvalid, word_event, packet_event, stall_event, credit_event;
  logic [127:0] m_tdata;
  logic [11:0] words;
  logic [1:0] take, discard;
  logic held_valid_q;
  logic [5:0] left_q;
  logic [8:0] in0_q, in1_q;  ///< Words in the buffers.
  logic vc_q;
  logic push;

  apelink_tx #(
      .BufferWords    (4),
      .MaxPayloadBytes(32),
      .RefreshCycles  (6)
  ) i_tx (
      .clk_i,
      .clk_free_i     (clk_i),
      .rst_ni,
      .tx_valid_i,
      .tx_vc_i,
      .tx_sop_i,
      .tx_data_i,
      .tx_ready_o     (tx_ready),
      .words_o        (words),
      .allow_i,
      .take_o         (take),
      .sent_i,
      .freed_i,
      .health_i,
      .supervise_i    (1'b0),
      .up_i           (1'b1),
      .link_i         (apelink_pkg::Up),
      .delivered_i    ('0),
      .fresh_i        (1'b0),
      .m_tdata_o      (m_tdata),
      .m_tvalid_o     (m_tvalid),
      .m_tready_i,
      .word_event_o   (word_event),
      .packet_event_o (packet_event),
      .stall_event_o  (stall_event),
      .credit_event_o (credit_event),
      .discard_event_o(discard)
  );

  assign push = tx_valid_i && tx_ready;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni) begin
      held_valid_q <= 1'b0;
      left_q <= '0;
      in0_q <= '0;
      in1_q <= '0;
      vc_q <= 1'b0;
    end else begin
      held_valid_q <= m_tvalid && !m_tready_i;
      if (take != 2'b00 && discard != take) begin
        left_q <= (take & ~discard) == 2'b10 ? words[11:6] : words[5:0];
        vc_q <= (take & ~discard) == 2'b10;
      end else if (word_event) begin
        left_q <= left_q - 6'd1;
      end
      in0_q <= in0_q + {8'd0, push && !tx_vc_i} - {8'd0, (word_event && !vc_q) || discard[0]};
      in1_q <= in1_q + {8'd0, push && tx_vc_i} - {8'd0, (word_event && vc_q) || discard[1]};
    end
  end

  always_comb begin
    assume (begun_q || !rst_ni);
    if (begun_q && rst_ni) begin
      // AXI stream: a word offered stays until it is taken.
      assert (!held_valid_q || m_tvalid);
      // A packet is begun only when the one before is complete, and words go out only within a packet: none interleave.
      assert ((take & ~discard) == 2'b00 || left_q == '0);
      assert ((take & ~discard) != 2'b11);
      assert (!word_event || left_q != '0);
      assert (packet_event == (word_event && left_q == 6'd1));
      assert (!credit_event || left_q == '0);
      assert ((take & ~allow_i) == 2'b00);
      // Never more than the buffers hold, and never fewer than none.
      assert (in0_q <= 9'd4 && in1_q <= 9'd4);
      assert (!word_event || (vc_q ? in1_q : in0_q) != '0);
    end
  end

endmodule
