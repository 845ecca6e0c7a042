// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What all parts of the APErouter agree on: widths and the header word. docs/models/ape-router.md is the contract.
package ape_router_pkg;

  localparam int unsigned CoordWidth = 8;
  localparam int unsigned HealthWidth = 3;        ///< Node-health bits LO|FA|MO, carried with every credit.
  localparam int unsigned HeaderWidth = 128;      ///< Header and footer, whatever the width of a word.
  localparam int unsigned PriorityWidth = 4;
  localparam int unsigned LengthWidth = 6;        ///< Payload words of a packet, 0 to 32.
  localparam int unsigned WordCreditWidth = 13;   ///< Free payload words of a neighbour, up to 4096.
  localparam int unsigned PacketCreditWidth = 8;  ///< Free packet slots of a neighbour, up to 128.
  localparam int unsigned ReturnWidth = 8;        ///< Payload words that one credit returns.
  localparam int unsigned ReturnPacketWidth = 4;  ///< Packet slots that one credit returns.
  localparam int unsigned QueueWidth = 13;         ///< Words in the buffers of an input VC: payload, and two for each packet.
  localparam int unsigned PacketsWidth = 8;        ///< Packets in them, up to 128.
  localparam int unsigned SumWidth = 18;           ///< The same of all input VCs of a router.
  localparam int unsigned MarkWidth = 16;          ///< Threshold and rate of marking.
  localparam logic [511:0] Mark = 512'd1 << 96;     ///< The congestion mark in a footer of any width: docs/models/exanet-congestion.md.

  /// The header word, most significant field first: exanet_pkg::header_t, but for `tile_port`, whose bits are zero there.
  typedef struct packed {
    logic [7:0]  ties;           ///< Bit d: which direction to take where both round dimension d are equally long.
    logic [31:0] message;        ///< Sequence number of the message in its flow.
    logic [23:0] source;
    logic [2:0]  zero;
    logic [2:0]  tile_port;      ///< Intra-tile port through which the packet leaves at its destination.
    logic [9:0]  payload_bytes;  ///< 0 to the limit of the router, 256 or 512.
    logic [23:0] destination;
    logic [23:0] coordinates;    ///< x in bits 7..0, y in 15..8, z in 23..16.
  } header_t;

  /// Where a router is, and what follows from it for the shorter direction: a position beyond the limit is nearer through "-". Limits are 256 too
  /// large, so that they are never negative. X in the low part of each.
  typedef struct packed {
    logic [23:0] here;
    logic [23:0] last;   ///< Lattice sizes minus one.
    logic [29:0] above;  ///< Limit for positions above the own one.
    logic [29:0] below;  ///< Limit for positions below it.
    logic [2:0]  even;   ///< The size is even: a position at the limit is as far through "+" as through "-".
  } position_t;

  /// Gives the position of a router in its lattice and the limits that follow from it.
  function automatic logic [110:0] position(input logic [23:0] coordinates, input logic [23:0] last);
    logic [29:0] above;
    logic [29:0] below;
    logic [2:0]  even;
    logic [9:0]  size;
    for (int d = 0; d < 3; d++) begin
      size = {2'd0, last[8*d+:8]} + 10'd1;
      above[10*d+:10] = 10'd256 + {2'd0, coordinates[8*d+:8]} + (size >> 1);
      below[10*d+:10] = 10'd256 + {2'd0, coordinates[8*d+:8]} + (size >> 1) - size;
      even[d] = last[8*d];
    end
    position = {coordinates, last, above, below, even};
  endfunction

endpackage
