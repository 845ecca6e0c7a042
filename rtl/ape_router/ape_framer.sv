// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Sorts the words of one VC into headers, payload and footers. The length in the header frames a packet. Whatever comes, each header that is
/// passed on is followed by exactly one footer, which says how many payload words are missing: so a bad packet never blocks a router.
module ape_framer #(
    parameter int unsigned DataWidth = 128,
    parameter int unsigned MaxPayload = 512,
    /// Packets that may be inside; headers beyond are lost.
    parameter int unsigned HeaderDepth = 128
) (
    input  logic                                  clk_i,
    /// Synchronous, active low.
    input  logic                                  rst_ni,
    /// The port is in use. Without it the packet that is coming in ends at once and new ones are refused.
    input  logic                                  enable_i,
    /// The word from the link.
    input  logic                                  push_i,
    input  logic                                  sop_i,
    input  logic                                  eop_i,
    input  logic [9:0]                            payload_bytes_i,
    /// To the FIFOs; a header comes with its payload words.
    output logic                                  header_o,
    output logic [ape_router_pkg::LengthWidth-1:0] length_o,
    output logic                                  payload_o,
    input  logic                                  payload_full_i,
    output logic                                  footer_o,
    /// The word is the footer; otherwise it is made up.
    output logic                                  footer_real_o,
    output logic [ape_router_pkg::LengthWidth-1:0] footer_missing_o,
    /// A packet has left the FIFOs.
    input  logic                                  done_i,
    /// A payload word or packet slot is free at once because the word was dropped.
    output logic                                  free_word_o,
    output logic                                  free_packet_o,
    /// Events: a packet is not framed as it should be, and a packet is refused because the port is disabled.
    output logic                                  malformed_o,
    output logic                                  refused_o,
    /// A word was lost because the neighbour sent more than its credits.
    output logic                                  overflow_o
);

  localparam int unsigned ByteWidth = $clog2(DataWidth / 8);
  localparam int unsigned PacketWidth = $clog2(HeaderDepth + 1);

  logic in_packet_q, in_packet_d;
  logic [ape_router_pkg::LengthWidth-1:0] expect_q, expect_d;  ///< Payload words that are still to come.
  logic [PacketWidth-1:0] packets_q;                           ///< Headers passed on whose packet has not left.
  logic good_header, space;

  assign space = packets_q != PacketWidth'(HeaderDepth);
  assign good_header = sop_i && !eop_i && payload_bytes_i <= 10'(MaxPayload);
  assign length_o = ape_router_pkg::LengthWidth'(payload_bytes_i[9:ByteWidth]) +
                    ape_router_pkg::LengthWidth'(payload_bytes_i[ByteWidth-1:0] != '0);
  assign footer_missing_o = expect_q;

  always_comb begin
    in_packet_d = in_packet_q;
    expect_d = expect_q;
    header_o = 1'b0;
    payload_o = 1'b0;
    footer_o = 1'b0;
    footer_real_o = 1'b0;
    free_word_o = 1'b0;
    free_packet_o = 1'b0;
    malformed_o = 1'b0;
    refused_o = 1'b0;
    overflow_o = 1'b0;
    if (in_packet_q && (!enable_i || (push_i && (sop_i || eop_i || expect_q == '0)))) begin
      // The packet ends: as it should with a footer after all its payload, or because it cannot go on.
      in_packet_d = 1'b0;
      footer_o = 1'b1;
      footer_real_o = enable_i && eop_i && !sop_i;
      malformed_o = expect_q != '0 || !footer_real_o;
    end
    if (push_i && sop_i) begin
      if (enable_i && good_header && space) begin
        header_o = 1'b1;
        in_packet_d = 1'b1;
        expect_d = length_o;
      end else if (enable_i && good_header) begin
        overflow_o = 1'b1;
      end else begin
        free_packet_o = 1'b1;
        if (enable_i) malformed_o = 1'b1;
        else refused_o = 1'b1;
      end
    end else if (push_i && !eop_i) begin
      if (!in_packet_q || !enable_i || expect_q == '0) begin
        free_word_o = 1'b1;
        if (enable_i) malformed_o = 1'b1;
      end else if (payload_full_i) begin
        overflow_o = 1'b1;
      end else begin
        payload_o = 1'b1;
        expect_d = expect_q - 1'b1;
      end
    end else if (push_i && !in_packet_q && enable_i) begin
      malformed_o = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_packet_q <= 1'b0;
      expect_q <= '0;
      packets_q <= '0;
    end else begin
      in_packet_q <= in_packet_d;
      expect_q <= expect_d;
      if (header_o && !done_i) packets_q <= packets_q + 1'b1;
      else if (!header_o && done_i) packets_q <= packets_q - 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!done_i || packets_q != '0) else $error("a packet left that never came");
      assert (!header_o || !payload_o) else $error("one word as two");
    end
  end
`endif

endmodule
