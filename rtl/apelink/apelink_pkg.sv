// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Framing of the APElink transmission control logic; docs/models/apelink.md is the contract. The wire is a stream of 32-bit units, four to a 128-bit
/// word, unit 0 (bits 31..0) first.
package apelink_pkg;

  localparam int unsigned DataWidth = 128;
  localparam int unsigned CountWidth = 8;     ///< Each frame has this much of the words sent and freed.
  localparam int unsigned LongCountWidth = 11;  ///< Deep links count modulo 2048, and tell all of it in long credit words.
  localparam int unsigned WaitingWidth = 12;  ///< Words in a buffer for transmission, up to 2048.
  localparam int unsigned HealthWidth = 3;    ///< Node-health bits LO|FA|MO.
  localparam int unsigned CheckWidth = 9;     ///< SECDED bits of a header.
  localparam int unsigned LengthWidth = 6;    ///< Words of a packet: 2 to 34.
  localparam int unsigned EventWidth = 16;    ///< Event counters; who reads them often enough can count on.
  localparam int unsigned BadMarkBit = 127;   ///< Set in the footer of a packet whose CRC is wrong.
  localparam int unsigned PayloadBytesLow = 48;  ///< Payload bytes are bits 57..48 of a header.
  localparam logic [15:0] Magic = 16'hC0DE;
  localparam logic [31:0] IdleUnit = 32'h1D1E_1D1E;

  /// What an end knows of its link, as the sessions of RFC 5880.
  typedef enum logic [1:0] {
    Up = 2'd0,
    Down = 2'd1,
    Init = 2'd2  ///< The far end has been heard to be down, as this one.
  } link_e;

  /// The Magic word (low half) and the Start word (high half) of a packet, or the same as a credit word.
  typedef struct packed {
    logic [7:0]  crc8;
    logic [7:0]  sent;        ///< Words of `vc` (credit: of VC 0) that were sent before this. Link not up: words of VC 0 delivered.
    logic [7:0]  freed1;      ///< Words of VC 1 and VC 0 that have left the sender's own input buffers.
    logic [7:0]  freed0;
    link_e       link;        ///< State of the sender's end.
    logic [2:0]  health;
    logic [8:0]  check;       ///< Packet: SECDED bits of the header. Credit: words of VC 1 that were sent before this. Link not up: words of VC 1 delivered.
                              ///< Bit 8 is set in long credit words, which have other counts (long_credit_t).
    logic        vc;          ///< Link not up: the sender has been reset since it was up.
    logic        is_credit;
    logic [15:0] magic;
  } frame_t;

  /// The counts of a long credit word, all of one VC: bits 7 and 2..0 of `check`, `sent`, bits 2..0 of `freed1`, and `freed0`.
  typedef struct packed {
    logic                      vc;
    logic [LongCountWidth-1:0] sent;   ///< Words that were sent before this. Link not up: words delivered.
    logic [LongCountWidth-1:0] freed;
  } long_credit_t;

  /// CRC-8 (polynomial 07, begun with FF) of the low 56 bits of a frame, highest bit first.
  function automatic logic [7:0] frame_crc(input logic [55:0] bits);
    frame_crc = 8'hFF;
    for (int i = 55; i >= 0; i--) begin
      frame_crc = {frame_crc[6:0], 1'b0} ^ ((frame_crc[7] ^ bits[i]) ? 8'h07 : 8'h00);
    end
  endfunction

  /// Words of a packet with this much payload (at most 512 bytes), header and footer included.
  function automatic logic [LengthWidth-1:0] packet_words(input logic [9:0] payload_bytes);
    packet_words = payload_bytes[9:4] + {5'd0, |payload_bytes[3:0]} + 6'd2;
  endfunction

  /// Columns of the header's check matrix, 9 bits for each data bit: all 84 of weight 3 in rising order, then the first 44 of weight 5 (Hsiao: every
  /// column has odd weight, so two errors always make an even syndrome).
  function automatic logic [CheckWidth*DataWidth-1:0] secded_columns(input logic unused);
    logic [7:0] n;
    logic [8:0] v;
    logic [3:0] weight;
    secded_columns = {CheckWidth * DataWidth{unused}};
    n = 8'd0;
    for (int pass = 3; pass <= 5; pass = pass + 2) begin
      for (int value = 0; value < 512; value++) begin
        v = 9'(value);
        weight = {3'd0, v[0]} + {3'd0, v[1]} + {3'd0, v[2]} + {3'd0, v[3]} + {3'd0, v[4]} + {3'd0, v[5]} + {3'd0, v[6]} +
                 {3'd0, v[7]} + {3'd0, v[8]};
        if (weight == 4'(pass) && n < 8'd128) begin
          secded_columns[32'(n)*9+:9] = v;
          n = n + 8'd1;
        end
      end
    end
  endfunction

endpackage
