// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/shell/registers.csv by generate_registers; change that.

/// Offsets, field positions and reset values of a board's shell. docs/models/shell-registers.md says the same.
package shell_registers_pkg;

  // All constants are here, whoever uses them.
  /* verilator lint_off UNUSEDPARAM */

  /// RO. Says that this is a shell.
  localparam logic [11:0] IdentificationOffset = 12'h000;
  localparam logic [31:0] IdentificationMask = 32'hFFFFFFFF;
  localparam logic [31:0] IdentificationReset = 32'h4C485446;
  localparam int unsigned IdentificationMagicLow = 0;
  localparam int unsigned IdentificationMagicWidth = 32;

  /// RO. Version of this register map and of the rings.
  localparam logic [11:0] VersionOffset = 12'h004;
  localparam logic [31:0] VersionMask = 32'h0000FFFF;
  localparam logic [31:0] VersionReset = 32'h00000101;
  localparam int unsigned VersionMinorLow = 0;
  localparam int unsigned VersionMinorWidth = 8;
  localparam int unsigned VersionMajorLow = 8;
  localparam int unsigned VersionMajorWidth = 8;

  /// RO. Shape of the element and of the rings.
  localparam logic [11:0] ShapeOffset = 12'h008;
  localparam logic [31:0] ShapeMask = 32'hFFFFFFFF;
  localparam logic [31:0] ShapeReset = 32'h00000000;
  localparam int unsigned ShapeElementLow = 0;
  localparam int unsigned ShapeElementWidth = 8;
  localparam int unsigned ShapePortsLow = 8;
  localparam int unsigned ShapePortsWidth = 8;
  localparam int unsigned ShapeSlotsLow = 16;
  localparam int unsigned ShapeSlotsWidth = 8;
  localparam int unsigned ShapeRouteDestinationsLow = 24;
  localparam int unsigned ShapeRouteDestinationsWidth = 8;

  /// RO. Where the board's own memory for the rings is.
  localparam logic [11:0] RingOffsetOffset = 12'h00C;
  localparam logic [31:0] RingOffsetMask = 32'hFFFFFFFF;
  localparam logic [31:0] RingOffsetReset = 32'h00000000;
  localparam int unsigned RingOffsetOffsetLow = 0;
  localparam int unsigned RingOffsetOffsetWidth = 32;

  /// RO. Clock of the shell.
  localparam logic [11:0] ClockOffset = 12'h010;
  localparam logic [31:0] ClockMask = 32'hFFFFFFFF;
  localparam logic [31:0] ClockReset = 32'h00000000;
  localparam int unsigned ClockHertzLow = 0;
  localparam int unsigned ClockHertzWidth = 32;

  /// RW. Run that is asked for.
  localparam logic [11:0] RunOffset = 12'h014;
  localparam logic [31:0] RunMask = 32'hFFFFFFFF;
  localparam logic [31:0] RunReset = 32'h00000000;
  localparam int unsigned RunNumberLow = 0;
  localparam int unsigned RunNumberWidth = 32;

  /// RO. Run that goes on.
  localparam logic [11:0] StatusRunOffset = 12'h018;
  localparam logic [31:0] StatusRunMask = 32'hFFFFFFFF;
  localparam logic [31:0] StatusRunReset = 32'h00000000;
  localparam int unsigned StatusRunNumberLow = 0;
  localparam int unsigned StatusRunNumberWidth = 32;

  /// RO. State of the shell.
  localparam logic [11:0] StatusOffset = 12'h01C;
  localparam logic [31:0] StatusMask = 32'h00000703;
  localparam logic [31:0] StatusReset = 32'h00000000;
  localparam int unsigned StatusStateLow = 0;
  localparam int unsigned StatusStateWidth = 2;
  localparam int unsigned StatusRecordErrorLow = 8;
  localparam int unsigned StatusRecordErrorWidth = 1;
  localparam int unsigned StatusBusErrorLow = 9;
  localparam int unsigned StatusBusErrorWidth = 1;
  localparam int unsigned StatusElementErrorLow = 10;
  localparam int unsigned StatusElementErrorWidth = 1;

  /// RO. Ports at which something is broken.
  localparam logic [11:0] ErrorPortsOffset = 12'h020;
  localparam logic [31:0] ErrorPortsMask = 32'h0000FFFF;
  localparam logic [31:0] ErrorPortsReset = 32'h00000000;
  localparam int unsigned ErrorPortsPortsLow = 0;
  localparam int unsigned ErrorPortsPortsWidth = 16;

  /// RO. Shows that the shell lives.
  localparam logic [11:0] HeartbeatOffset = 12'h024;
  localparam logic [31:0] HeartbeatMask = 32'hFFFFFFFF;
  localparam logic [31:0] HeartbeatReset = 32'h00000000;
  localparam int unsigned HeartbeatCountLow = 0;
  localparam int unsigned HeartbeatCountWidth = 32;

  /// RW. What the agent has taken.
  localparam logic [11:0] FromBoardConsumedOffset = 12'h028;
  localparam logic [31:0] FromBoardConsumedMask = 32'hFFFFFFFF;
  localparam logic [31:0] FromBoardConsumedReset = 32'h00000000;
  localparam int unsigned FromBoardConsumedCountLow = 0;
  localparam int unsigned FromBoardConsumedCountWidth = 32;

  /// RW. Where the ring to the board is.
  localparam logic [11:0] ToBoardLowOffset = 12'h02C;
  localparam logic [31:0] ToBoardLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] ToBoardLowReset = 32'h00000000;
  localparam int unsigned ToBoardLowAddressLow = 0;
  localparam int unsigned ToBoardLowAddressWidth = 32;

  /// RW. Where the ring to the board is.
  localparam logic [11:0] ToBoardHighOffset = 12'h030;
  localparam logic [31:0] ToBoardHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] ToBoardHighReset = 32'h00000000;
  localparam int unsigned ToBoardHighAddressLow = 0;
  localparam int unsigned ToBoardHighAddressWidth = 32;

  /// RW. Where the ring from the board is.
  localparam logic [11:0] FromBoardLowOffset = 12'h034;
  localparam logic [31:0] FromBoardLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] FromBoardLowReset = 32'h00000000;
  localparam int unsigned FromBoardLowAddressLow = 0;
  localparam int unsigned FromBoardLowAddressWidth = 32;

  /// RW. Where the ring from the board is.
  localparam logic [11:0] FromBoardHighOffset = 12'h038;
  localparam logic [31:0] FromBoardHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] FromBoardHighReset = 32'h00000000;
  localparam int unsigned FromBoardHighAddressLow = 0;
  localparam int unsigned FromBoardHighAddressWidth = 32;

  /// RW. How the element's clock follows simulated time. Write this and all that follows while run is 0.
  localparam logic [11:0] ModeOffset = 12'h03C;
  localparam logic [31:0] ModeMask = 32'h00000003;
  localparam logic [31:0] ModeReset = 32'h00000000;
  localparam int unsigned ModeModeLow = 0;
  localparam int unsigned ModeModeWidth = 2;

  /// RW. Rate of edges of a paced or free element.
  localparam logic [11:0] PaceNumeratorOffset = 12'h040;
  localparam logic [31:0] PaceNumeratorMask = 32'hFFFFFFFF;
  localparam logic [31:0] PaceNumeratorReset = 32'h00000000;
  localparam int unsigned PaceNumeratorCountLow = 0;
  localparam int unsigned PaceNumeratorCountWidth = 32;

  /// RW. Rate of edges of a paced or free element.
  localparam logic [11:0] PaceDenominatorOffset = 12'h044;
  localparam logic [31:0] PaceDenominatorMask = 32'hFFFFFFFF;
  localparam logic [31:0] PaceDenominatorReset = 32'h00000001;
  localparam int unsigned PaceDenominatorCountLow = 0;
  localparam int unsigned PaceDenominatorCountWidth = 32;

  /// RW. Period of the element's clock in femtoseconds.
  localparam logic [11:0] PeriodLowOffset = 12'h048;
  localparam logic [31:0] PeriodLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] PeriodLowReset = 32'h00000000;
  localparam int unsigned PeriodLowWholeLow = 0;
  localparam int unsigned PeriodLowWholeWidth = 32;

  /// RW. Period of the element's clock in femtoseconds.
  localparam logic [11:0] PeriodHighOffset = 12'h04C;
  localparam logic [31:0] PeriodHighMask = 32'h003FFFFF;
  localparam logic [31:0] PeriodHighReset = 32'h00000000;
  localparam int unsigned PeriodHighWholeLow = 0;
  localparam int unsigned PeriodHighWholeWidth = 22;

  /// RW. Fraction of the period.
  localparam logic [11:0] PeriodNumeratorOffset = 12'h050;
  localparam logic [31:0] PeriodNumeratorMask = 32'hFFFFFFFF;
  localparam logic [31:0] PeriodNumeratorReset = 32'h00000000;
  localparam int unsigned PeriodNumeratorCountLow = 0;
  localparam int unsigned PeriodNumeratorCountWidth = 32;

  /// RW. Fraction of the period.
  localparam logic [11:0] PeriodDenominatorOffset = 12'h054;
  localparam logic [31:0] PeriodDenominatorMask = 32'hFFFFFFFF;
  localparam logic [31:0] PeriodDenominatorReset = 32'h00000001;
  localparam int unsigned PeriodDenominatorCountLow = 0;
  localparam int unsigned PeriodDenominatorCountWidth = 32;

  /// RW. Where the router is.
  localparam logic [11:0] CoordinatesOffset = 12'h058;
  localparam logic [31:0] CoordinatesMask = 32'h00FFFFFF;
  localparam logic [31:0] CoordinatesReset = 32'h00000000;
  localparam int unsigned CoordinatesXLow = 0;
  localparam int unsigned CoordinatesXWidth = 8;
  localparam int unsigned CoordinatesYLow = 8;
  localparam int unsigned CoordinatesYWidth = 8;
  localparam int unsigned CoordinatesZLow = 16;
  localparam int unsigned CoordinatesZWidth = 8;

  /// RW. Size of the lattice.
  localparam logic [11:0] LatticeOffset = 12'h05C;
  localparam logic [31:0] LatticeMask = 32'h00FFFFFF;
  localparam logic [31:0] LatticeReset = 32'h00000000;
  localparam int unsigned LatticeLastXLow = 0;
  localparam int unsigned LatticeLastXWidth = 8;
  localparam int unsigned LatticeLastYLow = 8;
  localparam int unsigned LatticeLastYWidth = 8;
  localparam int unsigned LatticeLastZLow = 16;
  localparam int unsigned LatticeLastZWidth = 8;

  /// RW. When outputs mark packets.
  localparam logic [11:0] MarkingOffset = 12'h060;
  localparam logic [31:0] MarkingMask = 32'hFFFFFFFF;
  localparam logic [31:0] MarkingReset = 32'h00000000;
  localparam int unsigned MarkingThresholdLow = 0;
  localparam int unsigned MarkingThresholdWidth = 16;
  localparam int unsigned MarkingRateLow = 16;
  localparam int unsigned MarkingRateWidth = 16;

  /// RW. Which packets outputs mark.
  localparam logic [11:0] MarkingPacketsOffset = 12'h064;
  localparam logic [31:0] MarkingPacketsMask = 32'h0000001F;
  localparam logic [31:0] MarkingPacketsReset = 32'h00000000;
  localparam int unsigned MarkingPacketsLeastLow = 0;
  localparam int unsigned MarkingPacketsLeastWidth = 5;

  /// RW. How packets are routed.
  localparam logic [11:0] RoutingOffset = 12'h068;
  localparam logic [31:0] RoutingMask = 32'h00000001;
  localparam logic [31:0] RoutingReset = 32'h00000000;
  localparam int unsigned RoutingByTableLow = 0;
  localparam int unsigned RoutingByTableWidth = 1;

  /// RO. Ports at which a packet waits for credits.
  localparam logic [11:0] WaitingOffset = 12'h06C;
  localparam logic [31:0] WaitingMask = 32'h0000FFFF;
  localparam logic [31:0] WaitingReset = 32'h00000000;
  localparam int unsigned WaitingPortsLow = 0;
  localparam int unsigned WaitingPortsWidth = 16;

  /// RO. How far the element has come.
  localparam logic [11:0] EndedOffset = 12'h070;
  localparam logic [31:0] EndedMask = 32'hFFFFFFFF;
  localparam logic [31:0] EndedReset = 32'h00000000;
  localparam int unsigned EndedEdgesLow = 0;
  localparam int unsigned EndedEdgesWidth = 32;

  /// RO. What links of the element carry; since minor version 1.
  localparam logic [11:0] LinkOffset = 12'h074;
  localparam logic [31:0] LinkMask = 32'hFFFFFFFF;
  localparam logic [31:0] LinkReset = 32'h00000000;
  localparam int unsigned LinkWordBitsLow = 0;
  localparam int unsigned LinkWordBitsWidth = 8;
  localparam int unsigned LinkVcsLow = 8;
  localparam int unsigned LinkVcsWidth = 8;
  localparam int unsigned LinkCreditWordsLow = 16;
  localparam int unsigned LinkCreditWordsWidth = 8;
  localparam int unsigned LinkBufferCreditsLow = 24;
  localparam int unsigned LinkBufferCreditsWidth = 8;

  /// RW. Which element this is; since minor version 1.
  localparam logic [11:0] NodeOffset = 12'h078;
  localparam logic [31:0] NodeMask = 32'hFFFFFFFF;
  localparam logic [31:0] NodeReset = 32'h00000000;
  localparam int unsigned NodeNumberLow = 0;
  localparam int unsigned NodeNumberWidth = 32;

  /// RW, for all links. Period of word clock l in femtoseconds; there are four of them.
  localparam logic [11:0] WordPeriodLowOffset = 12'h080;
  localparam logic [31:0] WordPeriodLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] WordPeriodLowReset = 32'h00000000;
  localparam int unsigned WordPeriodLowWholeLow = 0;
  localparam int unsigned WordPeriodLowWholeWidth = 32;

  /// RW, for all links. Period of word clock l in femtoseconds.
  localparam logic [11:0] WordPeriodHighOffset = 12'h0A0;
  localparam logic [31:0] WordPeriodHighMask = 32'h003FFFFF;
  localparam logic [31:0] WordPeriodHighReset = 32'h00000000;
  localparam int unsigned WordPeriodHighWholeLow = 0;
  localparam int unsigned WordPeriodHighWholeWidth = 22;

  /// RW, for all links. Fraction of the period of word clock l.
  localparam logic [11:0] WordNumeratorOffset = 12'h0C0;
  localparam logic [31:0] WordNumeratorMask = 32'hFFFFFFFF;
  localparam logic [31:0] WordNumeratorReset = 32'h00000000;
  localparam int unsigned WordNumeratorCountLow = 0;
  localparam int unsigned WordNumeratorCountWidth = 32;

  /// RW, for all links. Fraction of the period of word clock l.
  localparam logic [11:0] WordDenominatorOffset = 12'h0E0;
  localparam logic [31:0] WordDenominatorMask = 32'hFFFFFFFF;
  localparam logic [31:0] WordDenominatorReset = 32'h00000001;
  localparam int unsigned WordDenominatorCountLow = 0;
  localparam int unsigned WordDenominatorCountWidth = 32;

  /// RW, for all ports. Port p.
  localparam logic [11:0] PortOffset = 12'h100;
  localparam logic [31:0] PortMask = 32'h0000FF33;
  localparam logic [31:0] PortReset = 32'h00000000;
  localparam int unsigned PortEnableLow = 0;
  localparam int unsigned PortEnableWidth = 1;
  localparam int unsigned PortHostLow = 1;
  localparam int unsigned PortHostWidth = 1;
  localparam int unsigned PortWordClockLow = 4;
  localparam int unsigned PortWordClockWidth = 2;
  localparam int unsigned PortCreditsLow = 8;
  localparam int unsigned PortCreditsWidth = 8;

  /// RO, for all ports. Edges in this run at which a packet waited at port p for nothing but credits.
  localparam logic [11:0] StallsOffset = 12'h140;
  localparam logic [31:0] StallsMask = 32'hFFFFFFFF;
  localparam logic [31:0] StallsReset = 32'h00000000;
  localparam int unsigned StallsCountLow = 0;
  localparam int unsigned StallsCountWidth = 32;

  /* verilator lint_on UNUSEDPARAM */

endpackage
