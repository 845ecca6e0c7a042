// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Takes the packets of one VC apart as their words arrive. It never waits: messages are staged for the mailbox, answers go to the packetizer at once, RDMA
/// packets are buffered until they are whole; their footers are checked there. What is wrong is counted and dropped, and its buffer space returned.
module ni_rx_vc #(
    /// Buffer space for words whose credits are not returned.
    parameter int unsigned BufferWords = 64
) (
    input  logic                                 clk_i,
    /// Synchronous, active low.
    input  logic                                 rst_ni,
    /// Own node; constant.
    input  logic [ni_pkg::NodeWidth-1:0]         node_i,
    /// The word from the link.
    input  logic                                 valid_i,
    input  logic                                 sop_i,
    input  logic                                 eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]     data_i,
    /// The packet's CRC register before this word, and after it.
    output logic [31:0]                          crc_o,
    input  logic [31:0]                          crc_i,
    /// A message waits; it stays for four cycles at least, its data one cycle longer. `message_take_i` takes it.
    output logic                                 message_valid_o,
    output logic [ni_pkg::NodeWidth-1:0]         message_source_o,
    output logic [exanet_pkg::DataWidth-1:0]     message_header_o,
    output logic [ni_pkg::MessageWidth-1:0]      message_data_o,
    input  logic                                 message_take_i,
    /// An answer, for one cycle.
    output logic                                 answer_valid_o,
    output logic                                 answer_nack_o,
    output logic [ni_pkg::TagWidth-1:0]          answer_tag_o,
    /// Words of RDMA packets.
    output logic                                 rdma_valid_o,
    output logic [exanet_pkg::DataWidth-1:0]     rdma_data_o,
    input  logic                                 rdma_pop_i,
    /// Words whose buffer space is free from now on, besides those popped.
    output logic [exanet_pkg::LengthWidth-1:0]   release_o,
    /// One-cycle pulses for the counters: RDMA packet, stray word, unknown kind, wrong node, bad CRC, bad length, bad frame (bit 6 to 0).
    output logic [6:0]                           count_o
`ifdef FORMAL
    ,
    /// Words buffered, committed, and counted as held for the arriving packet, for the proofs.
    output logic [7:0]                           formal_words_o,
    output logic [7:0]                           formal_committed_o,
    /// Held words that do not fit what has arrived; a word is lost; a message overtakes the mailbox (bit 2 to 0).
    output logic [2:0]                           formal_bad_o,
    output logic [4:0]                           formal_held_o
`endif
);

  /* verilator lint_off UNUSEDSIGNAL */
  ni_pkg::packet_header_t header;  ///< This word as a header;
  ni_pkg::ni_header_t own_q;    ///< the own header of this packet.
  ni_pkg::gvas_t target;
  /* verilator lint_on UNUSEDSIGNAL */

  logic active_q, skip_q, lost_q, message_valid_q, answer_valid_q, answer_nack_q;
  logic active_d, skip_d, rdma_d;
  logic [4:0] position_q, position_d, words_q;
  logic [4:0] held_q, held_d;       ///< Words of this packet whose buffer space is not free.
  logic [9:0] payload_bytes_q;
  logic [21:0] source_q, message_source_q;
  logic rdma_q;
  logic [31:0] crc_q;
  logic [ni_pkg::MessageWidth-1:0] stage_q;
  logic [4:0] freed;
  logic [6:0] count_d, count_q;
  logic last, start, push, commit, rollback, full, message_done, answer_done;

  assign header = data_i;
  assign target = own_q.destination;
  assign last = position_q == words_q - 5'd1;
  assign crc_o = crc_q;

  always_comb begin
    active_d = active_q;
    skip_d = skip_q;
    rdma_d = rdma_q;
    position_d = position_q;
    held_d = held_q;
    freed = '0;
    count_d = '0;
    start = 1'b0;
    push = 1'b0;
    commit = 1'b0;
    rollback = 1'b0;
    message_done = 1'b0;
    answer_done = 1'b0;
    if (valid_i && sop_i) begin
      // A packet within a packet ends the older one.
      if (active_q) count_d[0] = 1'b1;
      freed = active_q ? held_q : 5'd0;
      rollback = 1'b1;
      active_d = 1'b0;
      skip_d = !eop_i;
      held_d = '0;
      if (eop_i) begin
        count_d[0] = 1'b1;
        freed = freed + 5'd1;
      end else if ((header.kind == ni_pkg::PacketOwn && header.payload_bytes < 10'(ni_pkg::HeaderBytes)) || header.payload_bytes > 10'd256) begin
        count_d[1] = 1'b1;
        freed = freed + 5'd1;
      end else if (header.destination != {2'd0, node_i}) begin
        count_d[3] = 1'b1;
        freed = freed + 5'd1;
      end else begin
        start = 1'b1;
        active_d = 1'b1;
        skip_d = 1'b0;
        rdma_d = header.kind != ni_pkg::PacketOwn;
        position_d = 5'd1;
        if (rdma_d) begin
          push = 1'b1;
          held_d = 5'd1;
        end else begin
          freed = freed + 5'd1;
        end
      end
    end else if (valid_i && active_q) begin
      position_d = position_q + 5'd1;
      if (eop_i != last || (last && lost_q)) begin
        count_d[0] = 1'b1;
        freed = held_q + 5'd1;
        rollback = 1'b1;
        active_d = 1'b0;
        skip_d = !eop_i;
      end else if (!last) begin
        if (rdma_q) begin
          push = 1'b1;
          held_d = held_q + 5'd1;
        end else begin
          freed = 5'd1;
        end
      end else begin
        active_d = 1'b0;
        if (rdma_q) begin
          // Its footer is the business of the RDMA unit.
          commit = 1'b1;
          push = 1'b1;
          count_d[6] = 1'b1;
        end else if ((data_i & ~ni_pkg::Mark) != ni_pkg::crc_footer(crc_q)) begin
          count_d[2] = 1'b1;
        end else if (target.node != node_i) begin
          count_d[3] = 1'b1;
        end else if (own_q.bytes != 9'(payload_bytes_q - 10'(ni_pkg::HeaderBytes)) ||
                     (own_q.kind == ni_pkg::KindMessage && own_q.bytes > 9'(ni_pkg::MaxMessageBytes)) ||
                     ((own_q.kind == ni_pkg::KindAck || own_q.kind == ni_pkg::KindNack) && own_q.bytes != '0)) begin
          count_d[1] = 1'b1;
        end else if (own_q.kind == ni_pkg::KindMessage) begin
          message_done = 1'b1;
        end else if (own_q.kind == ni_pkg::KindAck || own_q.kind == ni_pkg::KindNack) begin
          answer_done = 1'b1;
        end else begin
          count_d[4] = 1'b1;
        end
        if (!commit) begin
          rollback = 1'b1;
          freed = held_q + 5'd1;
        end
      end
    end else if (valid_i) begin
      freed = 5'd1;
      count_d[5] = !skip_q;
      if (eop_i) skip_d = 1'b0;
    end
  end

  ni_rx_buffer #(
      .Depth(BufferWords)
  ) i_buffer (
      .clk_i,
      .rst_ni,
      .rollback_i(rollback),
      .push_i    (push),
      .data_i,
      .commit_i  (commit && !full),
      .full_o    (full),
      .valid_o   (rdma_valid_o),
      .data_o    (rdma_data_o),
      .pop_i     (rdma_pop_i)
`ifdef FORMAL
      ,
      .formal_words_o,
      .formal_committed_o
`endif
  );

`ifdef FORMAL
  assign formal_bad_o = {active_q && (position_q == 5'd0 || position_q >= words_q || words_q > 5'd18 || held_q != (rdma_q ? position_q : 5'd0)), push && full, message_done && message_valid_q};
  assign formal_held_o = active_q ? held_q : 5'd0;
`endif

  always_ff @(posedge clk_i) begin
    if (start) begin
      words_q <= exanet_pkg::packet_words(header.payload_bytes[8:0]);
      payload_bytes_q <= header.payload_bytes;
      source_q <= header.source[21:0];
    end
    if (valid_i) crc_q <= crc_i;
    if (valid_i && active_q && position_q == 5'd1) own_q <= data_i;
    for (int w = 0; w < 4; w++) begin
      if (valid_i && active_q && position_q == 5'(w + 2)) stage_q[128*w+:128] <= data_i;
    end
    if (message_done) message_source_q <= source_q;
    if (!rst_ni) begin
      active_q <= 1'b0;
      skip_q <= 1'b0;
      rdma_q <= 1'b0;
      lost_q <= 1'b0;
      position_q <= '0;
      held_q <= '0;
      message_valid_q <= 1'b0;
      answer_valid_q <= 1'b0;
      answer_nack_q <= 1'b0;
      count_q <= '0;
    end else begin
      active_q <= active_d;
      skip_q <= skip_d;
      rdma_q <= rdma_d;
      // Only a neighbour that sends more than its credits can bring this about.
      lost_q <= push && full || (lost_q && !start);
      position_q <= position_d;
      held_q <= held_d;
      if (message_done) message_valid_q <= 1'b1;
      else if (message_take_i) message_valid_q <= 1'b0;
      answer_valid_q <= answer_done;
      answer_nack_q <= own_q.kind == ni_pkg::KindNack;
      count_q <= count_d;
    end
  end

  assign message_valid_o = message_valid_q;
  assign message_source_o = message_source_q;
  assign message_header_o = own_q;
  assign message_data_o = stage_q;
  assign answer_valid_o = answer_valid_q;
  assign answer_nack_o = answer_nack_q;
  assign answer_tag_o = own_q.tag;
  assign release_o = freed;
  assign count_o = count_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!message_done || !message_valid_q) else $error("a message overtakes the mailbox");
      assert (!push || !full) else $error("the neighbour sent more words than its credits");
    end
  end
`endif

endmodule
