// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What ExaNet routers with any number of ports share: sizes, the header word and the route on a torus, whose port 0 is the tile, 1 + 2d is "+"
/// and 2 + 2d is "-" of dimension d. docs/models/exanet-router.md is the contract; cosim/link/packet.h holds the same header for C++.
package exanet_pkg;

  localparam int unsigned NumVcs = 2;
  localparam int unsigned DataWidth = 128;      ///< Links of nodes have it; routers may have wider words.
  localparam int unsigned HeaderWidth = 128;    ///< Header and footer, whatever the width of a word.
  localparam int unsigned CoordWidth = 8;
  localparam int unsigned CreditWidth = 8;
  localparam int unsigned HealthWidth = 3;      ///< Node-health bits LO|FA|MO, carried with every credit.
  localparam int unsigned LengthWidth = 5;
  localparam int unsigned LengthStride = 8;     ///< Bits from one length to the next where many are side by side.
  localparam int unsigned MaxPacketWords = 18;  ///< Header, 16 payload words, footer.

  /// The header word, most significant field first.
  typedef struct packed {
    logic [7:0]  ties;           ///< Bit d: which direction to take where both round dimension d are equally long.
    logic [31:0] message;        ///< Sequence number of the message in its flow.
    logic [23:0] source;
    logic [5:0]  zero;
    logic [9:0]  payload_bytes;  ///< 0 to 256.
    logic [23:0] destination;
    logic [23:0] coordinates;    ///< x in bits 7..0, y in 15..8, z in 23..16.
  } header_t;

  localparam int unsigned MarkBit = 96;         ///< The congestion mark in a packet's footer.
  localparam int unsigned MarkWidth = 16;

  /// When outputs mark packets; docs/models/exanet-congestion.md.
  typedef struct packed {
    logic [MarkWidth-1:0]   threshold;  ///< More words than this must wait for the output; 0: nothing is marked.
    logic [MarkWidth-1:0]   rate;       ///< Eligible packets between two marked ones.
    logic [LengthWidth-1:0] least;      ///< Only packets of at least so many words are marked.
  } marking_t;

  localparam int unsigned TableAddressWidth = 10;  ///< Destination nodes that a route table can tell apart, as a power of two.

  /// Dimension-ordered route on a torus, Z first: valid, output port, output VC. `here` and `last` (size minus one) hold X in their low byte; `vc` is
  /// the input VC.
  function automatic logic [4:0] route(input logic [23:0] coordinates, input logic [2:0] ties, input logic [23:0] here,
                                       input logic [23:0] last, input logic vc);
    logic       inside_lattice;
    logic [3:0] port_vc;
    logic [7:0] to;
    logic [7:0] at;
    logic [8:0] size;
    logic [8:0] forward;
    logic [8:0] backward;
    inside_lattice = 1'b1;
    port_vc = {3'd0, vc};
    // The last dimension that differs overrides the ones before it, so Z comes first.
    for (int d = 0; d < 3; d++) begin
      to = coordinates[8*d+:8];
      at = here[8*d+:8];
      if (to > last[8*d+:8]) inside_lattice = 1'b0;
      if (to != at) begin
        size = {1'b0, last[8*d+:8]} + 9'd1;
        forward = {1'b0, to} - {1'b0, at};
        if (to < at) forward = forward + size;
        backward = size - forward;
        if (forward < backward || (forward == backward && !ties[d])) port_vc = {3'(1 + 2 * d), to > at};
        else port_vc = {3'(2 + 2 * d), to > at};
      end
    end
    route = {inside_lattice, port_vc};
  endfunction

  /// Words of a packet with this much payload (at most 256 bytes), header and footer included.
  function automatic logic [LengthWidth-1:0] packet_words(input logic [8:0] payload_bytes);
    packet_words = payload_bytes[8:4] + {4'd0, |payload_bytes[3:0]} + 5'd2;
  endfunction

endpackage
