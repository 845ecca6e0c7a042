// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Whatever comes on a VC, each word has one fate: it goes to its FIFO, it is dropped and its credit returned, or it is lost and said so. Each header
/// that passes is followed by one footer before the next, and the payload that passed plus what the footer says is missing is the header's length.
module ape_framer_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       enable_i,
    input logic       push_i,
    input logic       sop_i,
    input logic       eop_i,
    input logic [9:0] payload_bytes_i,
    input logic       payload_full_i,
    input logic       done_i
);

  localparam int unsigned HeaderDepth = 2;

  logic header, payload, footer, footer_real, free_word, free_packet, malformed, refused, overflow;
  logic [ape_router_pkg::LengthWidth-1:0] length, missing;
  logic open_q;                                           ///< A header has passed and its footer has not.
  logic [ape_router_pkg::LengthWidth-1:0] length_q, passed_q;  ///< Of that packet: its length, and payload words that have passed.
  logic [2:0] inside_q, ended_q;                          ///< Packets whose header has passed, and whose footer has too, and that have not left.
  logic begun_q = 1'b0;

  ape_framer #(
      .MaxPayload (256),
      .HeaderDepth(HeaderDepth)
  ) i_framer (
      .clk_i,
      .rst_ni,
      .enable_i,
      .push_i,
      .sop_i,
      .eop_i,
      .payload_bytes_i,
      .header_o        (header),
      .length_o        (length),
      .payload_o       (payload),
      .payload_full_i,
      .footer_o        (footer),
      .footer_real_o   (footer_real),
      .footer_missing_o(missing),
      .done_i,
      .free_word_o     (free_word),
      .free_packet_o   (free_packet),
      .malformed_o     (malformed),
      .refused_o       (refused),
      .overflow_o      (overflow)
  );

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni) begin
      open_q <= 1'b0;
      inside_q <= '0;
      ended_q <= '0;
    end else begin
      open_q <= header || (open_q && !footer);
      if (header) begin
        length_q <= length;
        passed_q <= '0;
      end else if (payload) begin
        passed_q <= passed_q + 1'b1;
      end
      inside_q <= inside_q + {2'd0, header} - {2'd0, done_i};
      ended_q <= ended_q + {2'd0, footer} - {2'd0, done_i};
    end
  end

  always_comb begin
    assume (begun_q || !rst_ni);
    // What leaves has its footer.
    assume (!rst_ni || !begun_q || !done_i || ended_q != '0);
    if (begun_q && rst_ni) begin
      // A header: passed on, its slot returned, or lost.
      assert ({1'b0, header} + {1'b0, free_packet} + {1'b0, overflow && sop_i} == {1'b0, push_i && sop_i});
      // Payload: the same.
      assert ({1'b0, payload} + {1'b0, free_word} + {1'b0, overflow && !sop_i} == {1'b0, push_i && !sop_i && !eop_i});
      // A footer that nobody waits for is dropped, and counted unless the port is disabled.
      if (push_i && eop_i && !sop_i && enable_i) assert (footer_real || malformed);
      if (footer_real) assert (footer && push_i && eop_i && !sop_i);
      assert (!refused || (free_packet && !enable_i));
      assert (!overflow || sop_i || payload_full_i);
      assert (!payload || !payload_full_i);
      // One footer for each header, and before the next.
      assert (!footer || open_q);
      assert (!header || !open_q || footer);
      assert (!payload || (open_q && !footer));
      if (header) assert (length <= 6'd16 && {length, 4'd0} >= payload_bytes_i && {length, 4'd0} < payload_bytes_i + 10'd16);
      if (footer) assert (passed_q + missing == length_q);
      if (footer && missing != '0) assert (malformed);
      assert (inside_q <= 3'(HeaderDepth));
      // A disabled port closes its packet at once.
      assert (enable_i || !open_q || footer);
    end
  end

endmodule
