// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The receiving half of the tile port: one ni_rx_vc each, credits back to the neighbour, and what arrives handed to whom it concerns.
module ni_rx_demux #(
    /// Words of buffer of each VC: the credits that the neighbour begins with. A power of two, at most 128.
    parameter int unsigned BufferWords = 64
) (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    /// Own node; constant.
    input  logic [ni_pkg::NodeWidth-1:0]        node_i,
    /// The tile port.
    input  logic                                rx_valid_i,
    input  logic                                rx_vc_i,
    input  logic                                rx_sop_i,
    input  logic                                rx_eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]    rx_data_i,
    output logic                                credit_valid_o,
    output logic                                credit_vc_o,
    output logic [exanet_pkg::CreditWidth-1:0]  credit_count_o,
    /// A message for the mailbox; taken with `message_ready_i`. Its data come in the cycle after.
    output logic                                message_valid_o,
    output logic [ni_pkg::NodeWidth-1:0]        message_source_o,
    output logic [exanet_pkg::DataWidth-1:0]    message_header_o,
    output logic [ni_pkg::MessageWidth-1:0]     message_data_o,
    input  logic                                message_ready_i,
    /// An answer for the packetizer, for one cycle.
    output logic                                answer_valid_o,
    output logic                                answer_nack_o,
    output logic [ni_pkg::TagWidth-1:0]         answer_tag_o,
    /// Whole packets for the RDMA units, header and footer included, not mixed.
    output logic                                rdma_valid_o,
    output logic                                rdma_sop_o,
    output logic                                rdma_eop_o,
    output logic [exanet_pkg::DataWidth-1:0]    rdma_data_o,
    input  logic                                rdma_ready_i,
    /// Without input nothing happens.
    output logic                                idle_o,
    /// One-cycle pulses for the counters, as in ni_rx_vc, VC 0 in the low part.
    output logic [13:0]                         count_o
`ifdef FORMAL
    ,
    /// By VC: words buffered, committed, held for the arriving packet, and freed but not returned, for the proofs.
    output logic [15:0]                         formal_words_o,
    output logic [15:0]                         formal_committed_o,
    output logic [9:0]                          formal_held_o,
    output logic [5:0]                          formal_bad_o,
    output logic [15:0]                         formal_pending_o
`endif
);

  if (BufferWords > 128) begin : gen_check_buffer
    $error("ni_rx_demux: BufferWords must fit the credit count");
  end

  logic [1:0] message_valid, message_take, answer_valid, answer_nack, rdma_valid, rdma_pop;
  logic [2*ni_pkg::NodeWidth-1:0] message_source;
  logic [2*exanet_pkg::DataWidth-1:0] message_header, rdma_data;
  logic [2*ni_pkg::MessageWidth-1:0] message_data;
  logic [2*ni_pkg::TagWidth-1:0] answer_tag;
  logic [2*exanet_pkg::LengthWidth-1:0] freed;
  logic [63:0] crc;
  logic [31:0] crc_next;
  logic message_vc, message_vc_q;
  logic rdma_vc, rdma_vc_q, rdma_busy_q;
  logic [exanet_pkg::LengthWidth-1:0] rdma_left_q;
  /* verilator lint_off UNUSEDSIGNAL */
  exanet_pkg::header_t rdma_header;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [exanet_pkg::CreditWidth-1:0] pending0_q, pending1_q;
  logic return_vc, returns;
  logic credit_valid_q, credit_vc_q;
  logic [exanet_pkg::CreditWidth-1:0] credit_count_q;

  // One word a cycle, so one CRC unit serves both VCs.
  assign crc_next = ni_pkg::crc_word(rx_sop_i ? ni_pkg::CrcStart : (rx_vc_i ? crc[63:32] : crc[31:0]), rx_data_i);

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    ni_rx_vc #(
        .BufferWords(BufferWords)
    ) i_vc (
        .clk_i,
        .rst_ni,
        .node_i,
        .valid_i         (rx_valid_i && rx_vc_i == (v == 1)),
        .sop_i           (rx_sop_i),
        .eop_i           (rx_eop_i),
        .data_i          (rx_data_i),
        .crc_o           (crc[32*v+:32]),
        .crc_i           (crc_next),
        .message_valid_o (message_valid[v]),
        .message_source_o(message_source[ni_pkg::NodeWidth*v+:ni_pkg::NodeWidth]),
        .message_header_o(message_header[exanet_pkg::DataWidth*v+:exanet_pkg::DataWidth]),
        .message_data_o  (message_data[ni_pkg::MessageWidth*v+:ni_pkg::MessageWidth]),
        .message_take_i  (message_take[v]),
        .answer_valid_o  (answer_valid[v]),
        .answer_nack_o   (answer_nack[v]),
        .answer_tag_o    (answer_tag[ni_pkg::TagWidth*v+:ni_pkg::TagWidth]),
        .rdma_valid_o    (rdma_valid[v]),
        .rdma_data_o     (rdma_data[exanet_pkg::DataWidth*v+:exanet_pkg::DataWidth]),
        .rdma_pop_i      (rdma_pop[v]),
        .release_o       (freed[exanet_pkg::LengthWidth*v+:exanet_pkg::LengthWidth]),
        .count_o         (count_o[7*v+:7])
`ifdef FORMAL
        ,
        .formal_words_o    (formal_words_o[8*v+:8]),
        .formal_committed_o(formal_committed_o[8*v+:8]),
        .formal_bad_o      (formal_bad_o[3*v+:3]),
        .formal_held_o     (formal_held_o[5*v+:5])
`endif
    );
  end

  // Messages: the mailbox needs two cycles for each and a VC brings one in three, so both VCs are served in time in any order.
  assign message_vc = !message_valid[0];
  assign message_valid_o = message_valid != 2'b00;
  assign message_take = message_ready_i && message_valid_o ? (message_vc ? 2'b10 : 2'b01) : 2'b00;
  assign message_source_o = message_vc ? message_source[ni_pkg::NodeWidth+:ni_pkg::NodeWidth] : message_source[ni_pkg::NodeWidth-1:0];
  assign message_header_o = message_vc ? message_header[exanet_pkg::DataWidth+:exanet_pkg::DataWidth] :
                                         message_header[exanet_pkg::DataWidth-1:0];
  assign message_data_o = message_vc_q ? message_data[ni_pkg::MessageWidth+:ni_pkg::MessageWidth] :
                                         message_data[ni_pkg::MessageWidth-1:0];

  // Answers: one word a cycle arrives, so one VC at most has one.
  assign answer_valid_o = answer_valid != 2'b00;
  assign answer_nack_o = answer_valid[1] ? answer_nack[1] : answer_nack[0];
  assign answer_tag_o = answer_valid[1] ? answer_tag[ni_pkg::TagWidth+:ni_pkg::TagWidth] : answer_tag[ni_pkg::TagWidth-1:0];

  // RDMA: whole packets, the VCs in turn.
  assign rdma_vc = rdma_busy_q ? rdma_vc_q : (rdma_valid == 2'b11 ? !rdma_vc_q : rdma_valid[1]);
  assign rdma_data_o = rdma_vc ? rdma_data[exanet_pkg::DataWidth+:exanet_pkg::DataWidth] : rdma_data[exanet_pkg::DataWidth-1:0];
  assign rdma_header = rdma_data_o;
  assign rdma_valid_o = rdma_valid[rdma_vc];
  assign rdma_sop_o = !rdma_busy_q;
  assign rdma_eop_o = rdma_busy_q && rdma_left_q == 5'd1;
  assign rdma_pop = rdma_valid_o && rdma_ready_i ? (rdma_vc ? 2'b10 : 2'b01) : 2'b00;

  // Credits: the VC that was not served last goes first, so that neither starves under full load of the other.
  assign returns = pending0_q != '0 || pending1_q != '0;
  assign return_vc = pending0_q != '0 && pending1_q != '0 ? !credit_vc_q : pending1_q != '0;

  // A packet of which words are missing waits for input.
  assign idle_o = !message_valid_o && !answer_valid_o && !rdma_valid_o && !returns && !credit_valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      message_vc_q <= 1'b0;
      rdma_vc_q <= 1'b0;
      rdma_busy_q <= 1'b0;
      rdma_left_q <= '0;
      pending0_q <= '0;
      pending1_q <= '0;
      credit_valid_q <= 1'b0;
      credit_vc_q <= 1'b0;
      credit_count_q <= '0;
    end else begin
      message_vc_q <= message_vc;
      if (rdma_pop != 2'b00) begin
        rdma_vc_q <= rdma_vc;
        rdma_busy_q <= !rdma_eop_o;
        rdma_left_q <= rdma_sop_o ? exanet_pkg::packet_words(rdma_header.payload_bytes[8:0]) - 1'b1 : rdma_left_q - 1'b1;
      end
      pending0_q <= (returns && !return_vc ? '0 : pending0_q) + {3'd0, freed[4:0]} + {7'd0, rdma_pop[0]};
      pending1_q <= (returns && return_vc ? '0 : pending1_q) + {3'd0, freed[9:5]} + {7'd0, rdma_pop[1]};
      credit_valid_q <= returns;
      if (returns) credit_vc_q <= return_vc;
      credit_count_q <= return_vc ? pending1_q : pending0_q;
    end
  end

`ifdef FORMAL
  assign formal_pending_o = {pending1_q, pending0_q};
`endif
  assign credit_valid_o = credit_valid_q;
  assign credit_vc_o = credit_vc_q;
  assign credit_count_o = credit_count_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (answer_valid != 2'b11) else $error("two answers at once");
      assert (pending0_q <= 8'(BufferWords) && pending1_q <= 8'(BufferWords)) else $error("more space free than there is");
    end
  end
`endif

endmodule
