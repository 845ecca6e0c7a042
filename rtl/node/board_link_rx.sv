// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The receiving end of a board link on an FPGA with one stream of packets behind it: buffers both VCs and merges them packet by packet, the VCs in turn.
/// The length in the header frames a packet; a word that cannot begin one where one must begin is dropped. Credits count words and come back with the
/// last word of a packet.
module board_link_rx #(
    /// Words of buffer of each VC: the credits that the neighbour begins with. A power of two, at most 128.
    parameter int unsigned BufferWords = 64,
    localparam int unsigned FillWidth = $clog2(BufferWords) + 1
) (
    input  logic                               clk_i,
    /// Synchronous, active low.
    input  logic                               rst_ni,
    /// The word from the link.
    input  logic                               rx_valid_i,
    input  logic                               rx_vc_i,
    input  logic                               rx_sop_i,
    input  logic                               rx_eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]   rx_data_i,
    /// Credits to the link, registered.
    output logic                               credit_valid_o,
    output logic                               credit_vc_o,
    output logic [exanet_pkg::CreditWidth-1:0] credit_count_o,
    /// Words of whole packets; taken at an edge where both valid and ready are high.
    output logic                               valid_o,
    output logic                               sop_o,
    output logic                               eop_o,
    output logic [exanet_pkg::DataWidth-1:0]   data_o,
    input  logic                               ready_i,
    /// Words inside, by VC.
    output logic [2*FillWidth-1:0]             queued_o,
    /// A word that begins no packet is dropped at this edge.
    output logic                               drop_o,
    /// Nothing is inside. Follows the registers.
    output logic                               idle_o,
    /// Sticky: words were lost or dropped, or the flags do not frame what the header says.
    output logic                               error_o
);

  localparam int unsigned DataWidth = exanet_pkg::DataWidth;
  localparam int unsigned LengthWidth = exanet_pkg::LengthWidth;

  if (BufferWords < exanet_pkg::MaxPacketWords || BufferWords > 128) begin : gen_check_buffer
    $error("board_link_rx: BufferWords must hold the largest packet and fit the credit count");
  end

  logic [1:0] valid, sop, eop, overflow, pop;
  logic [2*DataWidth-1:0] data;
  logic vc, vc_q, busy_q, head_valid, head_sop, head_eop, good, drop, take, last;
  logic [DataWidth-1:0] head;
  logic [9:0] payload_bytes;
  logic [LengthWidth-1:0] length, length_q, left_q;  // The length of the packet at the head, and its words that are still to leave.
  logic credit_valid_q, credit_vc_q, error_q;
  logic [exanet_pkg::CreditWidth-1:0] credit_count_q;

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    logic here, full;
    assign here = rx_valid_i && rx_vc_i == (v == 1);
    assign overflow[v] = here && full;
    fifo #(
        .Width(DataWidth + 2),
        .Depth(BufferWords)
    ) i_fifo (
        .clk_i,
        .rst_ni,
        .push_i (here && !full),
        .data_i ({rx_sop_i, rx_eop_i, rx_data_i}),
        .full_o (full),
        .valid_o(valid[v]),
        .data_o ({sop[v], eop[v], data[DataWidth*v+:DataWidth]}),
        .pop_i  (pop[v]),
        /* verilator lint_off PINCONNECTEMPTY */
        .empty_o(),
        /* verilator lint_on PINCONNECTEMPTY */
        .count_o(queued_o[FillWidth*v+:FillWidth])
    );
  end

  // A packet is finished first; then it is the other VC's turn.
  assign vc = busy_q ? vc_q : (valid == 2'b11 ? !vc_q : valid[1]);
  assign head_valid = valid[vc];
  assign head_sop = sop[vc];
  assign head_eop = eop[vc];
  assign head = vc ? data[DataWidth+:DataWidth] : data[0+:DataWidth];
  assign payload_bytes = head[ni_pkg::PayloadBytesLow+:10];
  assign good = head_sop && payload_bytes <= 10'd256;
  assign drop = head_valid && !busy_q && !good;
  assign length = exanet_pkg::packet_words(payload_bytes[8:0]);
  assign last = busy_q && left_q == LengthWidth'(1);
  assign valid_o = head_valid && !drop;
  assign sop_o = !busy_q;
  assign eop_o = last;
  assign data_o = head;
  assign take = valid_o && ready_i;
  assign pop = take || drop ? (vc ? 2'b10 : 2'b01) : 2'b00;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      vc_q <= 1'b1;
      busy_q <= 1'b0;
      length_q <= '0;
      left_q <= '0;
      credit_valid_q <= 1'b0;
      credit_vc_q <= 1'b0;
      credit_count_q <= '0;
      error_q <= 1'b0;
    end else begin
      if (take || drop) vc_q <= vc;
      if (take) begin
        busy_q <= !last;
        if (!busy_q) length_q <= length;
        left_q <= busy_q ? left_q - 1'b1 : length - 1'b1;
      end
      credit_valid_q <= drop || (take && last);
      credit_vc_q <= vc;
      credit_count_q <= drop ? exanet_pkg::CreditWidth'(1) : exanet_pkg::CreditWidth'(length_q);
      if (drop || overflow != 2'b00 || (take && (head_sop == busy_q || head_eop != last))) error_q <= 1'b1;
    end
  end

  assign credit_valid_o = credit_valid_q;
  assign credit_vc_o = credit_vc_q;
  assign credit_count_o = credit_count_q;
  assign drop_o = drop;
  assign idle_o = valid == 2'b00 && !busy_q && !credit_valid_q;
  assign error_o = error_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!busy_q || left_q != '0) else $error("packet without words");
    end
  end
`endif

endmodule
