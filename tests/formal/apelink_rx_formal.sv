// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// From any state at all, a receiver that sees good packets delivers one soon.
module apelink_rx_formal (
    input logic clk_i,
    /// Pauses of the stream.
    input logic pause_i
);

  localparam int unsigned MaxPayloadBytes = 32;
  /// Words of the wire until a good packet is out: the rest of the longest packet as it was believed to be, and two packets.
  localparam int unsigned Words = 14;
  localparam logic [127:0] Header = 128'h0123_4567_0000_0000_0000_0000_89AB_CDEF;
  localparam logic [127:0] Footer = 128'h5555_0000_1111_2222_3333_4444_6666_7777;

  apelink_pkg::frame_t frame;
  logic [8:0] check;
  logic [31:0] crc_header, crc_footer;
  logic [383:0] packet;
  logic [1:0] place_q;
  logic [4:0] words_q = 5'd0;
  logic [5:0] after_q = 6'd0;
  logic good_q = 1'b0;
  logic ready, rx_valid, rx_eop, rx_bad;
  logic [127:0] rx_data;

  apelink_secded_encode i_encode (.data_i(Header), .check_o(check));
  apelink_crc32 i_crc_header (.crc_i(32'hFFFF_FFFF), .data_i(Header), .crc_o(crc_header));
  apelink_crc32 i_crc_footer (.crc_i(crc_header), .data_i(Footer), .crc_o(crc_footer));

  always_comb begin
    frame = '0;
    frame.magic = apelink_pkg::Magic;
    frame.check = check;
    frame.crc8 = apelink_pkg::frame_crc(frame[55:0]);
    packet = {apelink_pkg::IdleUnit, ~crc_footer, Footer, Header, frame};
    assume (place_q != 2'd3);
  end

  apelink_rx #(
      .MaxPayloadBytes(MaxPayloadBytes)
  ) i_rx (
      .clk_i,
      .rst_ni    (1'b1),
      .s_tdata_i (packet[128*place_q+:128]),
      .s_tvalid_i(!pause_i),
      .s_tready_o(ready),
      .supervise_i(1'b0),
      .down_i    (1'b0),
      .rx_valid_o(rx_valid),
      .rx_eop_o  (rx_eop),
      .rx_bad_o  (rx_bad),
      .rx_data_o (rx_data)
  );

  always_ff @(posedge clk_i) begin
    if (!pause_i && ready) begin
      place_q <= place_q == 2'd2 ? 2'd0 : place_q + 2'd1;
      if (words_q != 5'd31) words_q <= words_q + 5'd1;
    end
    // Good: the footer as it was sent, after at least one word came in.
    if (rx_valid && rx_eop && !rx_bad && rx_data == Footer && words_q > 5'd1) good_q <= 1'b1;
    after_q <= words_q >= 5'(Words) ? after_q + 6'd1 : 6'd0;
  end

  always_comb begin
    assert (after_q < 6'd3 || good_q);
  end

endmodule
