// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Between the credits of a link, which count words of any kind, and those of the APErouter, which count payload words and packets.
///
/// A buffer gives back its packets in the order in which they came, so the words that the link says are free belong to the oldest packets that the
/// router has sent: when they cover the oldest, its credits are returned.
module link_credits #(
    /// Packets in flight or in the far buffer, for each VC: a power of two, at least what the router has credits for.
    parameter int unsigned Packets = 16,
    /// As in apelink_credits.
    parameter int unsigned CountWidth = apelink_pkg::CountWidth
) (
    input  logic                                         clk_i,
    /// Synchronous, active low.
    input  logic                                         rst_ni,

    /// What the router's output port sends.
    input  logic                                         tx_valid_i,
    input  logic                                         tx_ready_i,
    input  logic                                         tx_vc_i,
    input  logic                                         tx_sop_i,
    /// Payload that the header, with tx_sop_i, announces.
    input  logic [9:0]                                   tx_payload_bytes_i,
    /// Words that the link says are free again.
    input  logic                                         free_valid_i,
    input  logic                                         free_vc_i,
    input  logic [CountWidth-1:0]                        free_count_i,
    /// Credits to the router's output port, registered.
    output logic                                         credit_valid_o,
    output logic                                         credit_vc_o,
    output logic [ape_router_pkg::ReturnWidth-1:0]       credit_words_o,
    output logic [ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_o,

    /// Credits from the router's input port, and the same in words for the link.
    input  logic                                         return_valid_i,
    input  logic                                         return_vc_i,
    input  logic [ape_router_pkg::ReturnWidth-1:0]       return_words_i,
    input  logic [ape_router_pkg::ReturnPacketWidth-1:0] return_packets_i,
    output logic                                         freed_valid_o,
    output logic                                         freed_vc_o,
    output logic [CountWidth-1:0]                        freed_count_o,
    /// Nothing is on its way through. Follows the registers.
    output logic                                         idle_o
);

  localparam int unsigned IndexWidth = $clog2(Packets);
  localparam int unsigned LengthWidth = ape_router_pkg::LengthWidth;
  localparam int unsigned FreeWidth = CountWidth + 1;

  if (Packets < 2 || 2 ** IndexWidth != Packets) begin : gen_check
    $error("link_credits: Packets must be a power of two");
  end

  logic [1:0] due;
  logic [2*LengthWidth-1:0] oldest;
  logic [LengthWidth-1:0] oldest_length;
  logic next_vc_q, vc;
  logic [1:0] empty;
  logic clk;  ///< Stands while nothing is counted.

  idle_gate i_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!idle_o || tx_valid_i || free_valid_i || return_valid_i),
      .clk_o (clk)
  );

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    logic [LengthWidth-1:0] length_q[Packets];
    logic [IndexWidth:0] write_q, read_q;
    logic [FreeWidth-1:0] free_q;
    logic push, pop, freed;

    assign push = tx_valid_i && tx_ready_i && tx_sop_i && tx_vc_i == v[0];
    assign freed = free_valid_i && free_vc_i == v[0];
    assign pop = due[v] && vc == v[0];
    assign empty[v] = write_q == read_q;
    assign oldest[LengthWidth*v+:LengthWidth] = length_q[read_q[IndexWidth-1:0]];
    assign due[v] = !empty[v] && free_q >= FreeWidth'(oldest[LengthWidth*v+:LengthWidth]) + FreeWidth'(2);

    always_ff @(posedge clk) begin
      if (!rst_ni) begin
        write_q <= '0;
        read_q <= '0;
        free_q <= '0;
      end else begin
        if (push) write_q <= write_q + (IndexWidth + 1)'(1);
        if (pop) read_q <= read_q + (IndexWidth + 1)'(1);
        free_q <= free_q + (freed ? FreeWidth'(free_count_i) : '0) -
                  (pop ? FreeWidth'(oldest[LengthWidth*v+:LengthWidth]) + FreeWidth'(2) : '0);
      end
      if (push) begin
        length_q[write_q[IndexWidth-1:0]] <=
            LengthWidth'(tx_payload_bytes_i[9:4]) + LengthWidth'(tx_payload_bytes_i[3:0] != 4'd0);
      end
    end
  end

  // The VCs take turns.
  assign oldest_length = vc ? oldest[LengthWidth+:LengthWidth] : oldest[0+:LengthWidth];
  assign vc = due[1] && (!due[0] || next_vc_q);
  assign idle_o = due == 2'b00 && !credit_valid_o && !freed_valid_o;

  always_ff @(posedge clk) begin
    if (!rst_ni) begin
      credit_valid_o <= 1'b0;
      freed_valid_o <= 1'b0;
      next_vc_q <= 1'b0;
    end else begin
      credit_valid_o <= due != '0;
      freed_valid_o <= return_valid_i;
      if (due != '0) next_vc_q <= !vc;
    end
    credit_vc_o <= vc;
    credit_words_o <= ape_router_pkg::ReturnWidth'(oldest_length);
    credit_packets_o <= ape_router_pkg::ReturnPacketWidth'(1);
    freed_vc_o <= return_vc_i;
    // Header and footer go with the packet's slot.
    freed_count_o <= CountWidth'(return_words_i) + (CountWidth'(return_packets_i) << 1);
  end

endmodule
