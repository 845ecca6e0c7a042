// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Queues the answers to messages (acks and nacks) and makes their packets. A full queue never stops the receiver: the mailbox then drops the message,
/// whose sender will try again.
module ni_answer_sender #(
    /// Answers; a power of two.
    parameter int unsigned Depth = 64
) (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    /// Own node and the widths of tile port and coordinates in a node number; constant.
    input  logic [ni_pkg::NodeWidth-1:0]      node_i,
    input  logic [1:0]                        tile_bits_i,
    input  logic [3:0]                        x_bits_i,
    input  logic [3:0]                        y_bits_i,
    /// An answer; only without `full_o`.
    input  logic                              push_i,
    input  logic [ni_pkg::VerdictWidth-1:0]   verdict_i,
    /// The message's sender, its rank, protection domain and tag, and the rank to which the message went.
    input  logic [ni_pkg::NodeWidth-1:0]      to_node_i,
    input  logic [ni_pkg::RankWidth-1:0]      to_rank_i,
    input  logic [ni_pkg::PdidWidth-1:0]      pdid_i,
    input  logic [ni_pkg::TagWidth-1:0]       tag_i,
    input  logic [ni_pkg::RankWidth-1:0]      from_rank_i,
    output logic                              full_o,
    /// Slots that answers will need whose verdict is not known yet: full without them.
    input  logic [5:0]                        reserved_i,
    /// Towards ni_tx_arbiter.
    output logic                              valid_o,
    output logic [exanet_pkg::DataWidth-1:0]  data_o,
    input  logic                              ready_i
);

  localparam int unsigned EntryWidth = 79;

  logic [2:0] verdict;
  logic [21:0] to_node;
  logic [2:0] to_rank, from_rank;
  logic [15:0] pdid;
  logic [31:0] tag;
  logic [1:0] word_q;
  logic [$clog2(Depth):0] count;
  ni_pkg::ni_header_t header;

  fifo #(
      .Width(EntryWidth),
      .Depth(Depth)
  ) i_fifo (
      .clk_i,
      .rst_ni,
      .push_i,
      .data_i ({verdict_i, to_node_i, to_rank_i, pdid_i, tag_i, from_rank_i}),
      /* verilator lint_off PINCONNECTEMPTY */
      .full_o (),
      .empty_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .count_o(count),
      .valid_o,
      .data_o ({verdict, to_node, to_rank, pdid, tag, from_rank}),
      .pop_i  (valid_o && ready_i && word_q == 2'd2)
  );
  assign full_o = 32'(count) + 32'(reserved_i) >= Depth;

  always_comb begin
    header.kind = verdict == ni_pkg::VerdictAccepted ? ni_pkg::KindAck : ni_pkg::KindNack;
    header.source_rank = from_rank;
    header.bytes = 9'd0;
    header.tag = tag;
    header.destination = {pdid, to_node, to_rank, 36'd0, verdict};
    data_o = '0;
    if (word_q == 2'd0) data_o = ni_pkg::exanet_header(node_i, to_node, tag, 9'd0, tile_bits_i, x_bits_i, y_bits_i);
    else if (word_q == 2'd1) data_o = header;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_q <= 2'd0;
    else if (valid_o && ready_i) word_q <= word_q == 2'd2 ? 2'd0 : word_q + 2'd1;
  end

endmodule
