// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What the parts of the KARMA self-test agree on. docs/models/karma.md describes them.
package karma_pkg;

  localparam int unsigned CountWidth = 32;  ///< Counters and times in cycles.

  /// What a generator fills payload with.
  typedef enum logic [1:0] {
    Zeros   = 2'd0,
    Count   = 2'd1,  ///< Number of the packet plus number of the word, four times.
    Scramble = 2'd2  ///< A hash of both.
  } pattern_e;

  /// When a generator sends.
  typedef enum logic [1:0] {
    Stream  = 2'd0,  ///< As fast as the network takes packets.
    Reflect = 2'd1,  ///< One packet for each that arrives, with its time.
    Ping    = 2'd2   ///< One at first, then as in Reflect but with the present time.
  } mode_e;

  /// The footer of a packet of the self-test. The top bit is the link's, for a damaged packet.
  typedef struct packed {
    logic        bad;
    logic [62:0] zero;
    logic [31:0] sequence_number;
    logic [31:0] born;             ///< Cycle in which the header was sent.
  } footer_t;

  /// What a counter has seen since it was cleared, most significant first.
  typedef struct packed {
    logic [63:0] latency_sum;
    logic [31:0] latency_max;
    logic [31:0] latency_min;  ///< Cycles from a packet's first word sent to its last word taken, both included; all ones without packets.
    logic [31:0] cycles;       ///< From the last word of the first packet to the last word of the last one.
    logic [63:0] bytes;        ///< Payload, without that of the first packet, which only starts the clock.
    logic [31:0] errors;       ///< Packets that are not as they were sent.
    logic [31:0] packets;      ///< Packets whose last word came.
    logic [31:0] begun;        ///< Packets whose first word came.
  } result_t;

  /// Payload word `index` of packet `sequence_number`.
  function automatic logic [127:0] payload_word(input logic [1:0] pattern, input logic [31:0] sequence_number, input logic [5:0] index);
    logic [63:0] x;
    payload_word = '0;
    if (pattern == Count) payload_word = {4{sequence_number + 32'(index)}};
    if (pattern == Scramble) begin
      // Xorshift, twice.
      x = {sequence_number, 26'h2545F49, index};
      x = x ^ (x << 13);
      x = x ^ (x >> 7);
      x = x ^ (x << 17);
      payload_word[127:64] = x;
      x = x ^ (x << 13);
      x = x ^ (x >> 7);
      x = x ^ (x << 17);
      payload_word[63:0] = x;
    end
  endfunction

endpackage
