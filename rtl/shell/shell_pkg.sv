// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The slots of the rings between a board's agent and its shell. docs/models/shell.md is the contract; bridges/board/shell/record.h has the same for
/// C++.
package shell_pkg;

  localparam int unsigned WordWidth = 128;    ///< A word in a slot has so many bits; a narrower one of a link is in the low ones.
  localparam int unsigned RecordWords = 3;
  localparam int unsigned EdgeWidth = 48;     ///< Numbers of edges of the element's clock.
  localparam int unsigned StampWidth = 15;    ///< Low bits of such a number, as queues keep them: what they hold is less than 2^14 edges ahead, or 2^15 behind.
  localparam int unsigned NearLog2 = 12;      ///< What is more edges ahead than this tells does not come into a queue yet.
  localparam int unsigned DeltaWidth = 7;
  localparam int unsigned CountWidth = 8;
  localparam int unsigned MaxVcWidth = 5;
  localparam int unsigned HealthWidth = 3;
  localparam int unsigned WordClocks = 4;     ///< Different word clocks that the links of an element may have.
  localparam int unsigned TimeWidth = 54;     ///< Differences of times in femtoseconds.
  localparam int unsigned FractionWidth = 32; ///< Fractions of a femtosecond, in units of the clock's denominator.

  localparam int unsigned ControlOffset = 48; ///< Bytes from the beginning of a slot to its control beat.
  localparam int unsigned SlotBeats = 4;

  localparam logic [7:0] KindLimit = 8'd1;    ///< No record with an earlier edge follows.
  localparam logic [7:0] KindWords = 8'd2;    ///< Words of one VC.
  localparam logic [7:0] KindCredits = 8'd3;  ///< Credits of a port, each a `credit_entry_t` in the words.
  localparam logic [7:0] KindJump = 8'd16;    ///< To the shell: goes on at this edge.
  localparam logic [7:0] KindStatus = 8'd17;  ///< From the shell: how far it has come.

  localparam logic [7:0] KindRoutes = 8'd18;  ///< To the shell: entries of the route table, a byte each, for destinations from `edge_number`.

  localparam int unsigned RouteBytes = 48;    ///< Entries in one record.
  localparam int unsigned CreditEntries = 16;  ///< Credits in one record; an arrival queue holds them all.
  localparam int unsigned CreditEntryBits = 16;  ///< An entry is, most significant first, a count, a VC and the edges since the entry before.
  localparam int unsigned DeltaAndVcWidth = CreditEntryBits - CountWidth;

  localparam int unsigned StartFlag = 0;      ///< Bit of `flags`: the first word is a header.
  localparam int unsigned EndFlag = 1;        ///< The last word is a footer.
  localparam int unsigned IdleFlag = 0;       ///< A status says that nothing changes without a further record.
  localparam int unsigned SettledFlag = 1;    ///< A status says that all before its edge is in the ring.

  /// Bytes 48 to 63 of a slot, most significant first. `owner` is the ring's ownership bit.
  typedef struct packed {
    logic                  owner;
    logic                  zero;
    logic [DeltaWidth-1:0] delta2;  ///< Edges from the second word to the third.
    logic [DeltaWidth-1:0] delta1;  ///< Edges from the first word to the second.
    logic [EdgeWidth-1:0]  edge_number;
    logic [7:0]            flags;
    logic [7:0]            count;
    logic [7:0]            vc;
    logic [7:0]            kind;
    logic [31:0]           port;
  } control_t;

  typedef struct packed {
    control_t                         control;
    logic [RecordWords*WordWidth-1:0] words;  ///< The first one lowest.
  } record_t;

  // Bits of the type that follows, for whom the tool does not know $bits of a type.
  localparam int unsigned WordPhaseBits = TimeWidth + FractionWidth + 2;

  /// What a jump says of one word clock. Those of clock c are at bit 88 * c of the words; the fraction of the element's clock is above them.
  typedef struct packed {
    logic [TimeWidth-1:0]     distance;
    logic [1:0]               passed;
    logic [FractionWidth-1:0] fraction;
  } word_phase_t;

  // How the element's clock follows simulated time.
  localparam int unsigned ModeWidth = 2;
  localparam logic [ModeWidth-1:0] Gated = 2'd0;
  localparam logic [ModeWidth-1:0] Paced = 2'd1;
  localparam logic [ModeWidth-1:0] Free = 2'd2;

endpackage
