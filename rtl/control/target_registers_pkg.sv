// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/control/registers.csv by generate_registers; change that.

/// Offsets, field positions and reset values of the Target Controller. docs/models/target-registers.md says the same.
package target_registers_pkg;

  // All constants are here, whoever uses them.
  /* verilator lint_off UNUSEDPARAM */

  /// RO. Says that this is a network IP.
  localparam logic [11:0] IdentificationOffset = 12'h000;
  localparam logic [31:0] IdentificationMask = 32'hFFFFFFFF;
  localparam logic [31:0] IdentificationReset = 32'h45584E54;
  localparam int unsigned IdentificationMagicLow = 0;
  localparam int unsigned IdentificationMagicWidth = 32;

  /// RO. Version of this register map.
  localparam logic [11:0] VersionOffset = 12'h004;
  localparam logic [31:0] VersionMask = 32'h0000FFFF;
  localparam logic [31:0] VersionReset = 32'h00000200;
  localparam int unsigned VersionMinorLow = 0;
  localparam int unsigned VersionMinorWidth = 8;
  localparam int unsigned VersionMajorLow = 8;
  localparam int unsigned VersionMajorWidth = 8;

  /// RO. Shape of this network IP.
  localparam logic [11:0] ShapeOffset = 12'h008;
  localparam logic [31:0] ShapeMask = 32'hFFFFFFFF;
  localparam logic [31:0] ShapeReset = 32'h00000000;
  localparam int unsigned ShapeIntraPortsLow = 0;
  localparam int unsigned ShapeIntraPortsWidth = 8;
  localparam int unsigned ShapeInterPortsLow = 8;
  localparam int unsigned ShapeInterPortsWidth = 8;
  localparam int unsigned ShapeCounterWidthLow = 16;
  localparam int unsigned ShapeCounterWidthWidth = 8;
  localparam int unsigned ShapeLinkCounterWidthLow = 24;
  localparam int unsigned ShapeLinkCounterWidthWidth = 8;

  /// RW. Reset of the network IP.
  localparam logic [11:0] ControlOffset = 12'h00C;
  localparam logic [31:0] ControlMask = 32'h00000003;
  localparam logic [31:0] ControlReset = 32'h00000001;
  localparam int unsigned ControlSoftResetLow = 0;
  localparam int unsigned ControlSoftResetWidth = 1;
  localparam int unsigned ControlSuperviseLow = 1;
  localparam int unsigned ControlSuperviseWidth = 1;

  /// RW. Where the node is. Write while soft_reset is 1.
  localparam logic [11:0] CoordinatesOffset = 12'h010;
  localparam logic [31:0] CoordinatesMask = 32'h00FFFFFF;
  localparam logic [31:0] CoordinatesReset = 32'h00000000;
  localparam int unsigned CoordinatesXLow = 0;
  localparam int unsigned CoordinatesXWidth = 8;
  localparam int unsigned CoordinatesYLow = 8;
  localparam int unsigned CoordinatesYWidth = 8;
  localparam int unsigned CoordinatesZLow = 16;
  localparam int unsigned CoordinatesZWidth = 8;

  /// RW. Size of the lattice. Write while soft_reset is 1.
  localparam logic [11:0] LatticeOffset = 12'h014;
  localparam logic [31:0] LatticeMask = 32'h00FFFFFF;
  localparam logic [31:0] LatticeReset = 32'h00000000;
  localparam int unsigned LatticeLastXLow = 0;
  localparam int unsigned LatticeLastXWidth = 8;
  localparam int unsigned LatticeLastYLow = 8;
  localparam int unsigned LatticeLastYWidth = 8;
  localparam int unsigned LatticeLastZLow = 16;
  localparam int unsigned LatticeLastZWidth = 8;

  /// RW. Rules of the router. Change the order of dimensions only while the network is empty.
  localparam logic [11:0] RoutingOffset = 12'h018;
  localparam logic [31:0] RoutingMask = 32'h0001013F;
  localparam logic [31:0] RoutingReset = 32'h00000006;
  localparam int unsigned RoutingFirstLow = 0;
  localparam int unsigned RoutingFirstWidth = 2;
  localparam int unsigned RoutingSecondLow = 2;
  localparam int unsigned RoutingSecondWidth = 2;
  localparam int unsigned RoutingThirdLow = 4;
  localparam int unsigned RoutingThirdWidth = 2;
  localparam int unsigned RoutingVcByDirectionLow = 8;
  localparam int unsigned RoutingVcByDirectionWidth = 1;
  localparam int unsigned RoutingFixedPriorityLow = 16;
  localparam int unsigned RoutingFixedPriorityWidth = 1;

  /// RW. Health of this node; goes to the neighbours with each credit.
  localparam logic [11:0] HealthOffset = 12'h01C;
  localparam logic [31:0] HealthMask = 32'h00000007;
  localparam logic [31:0] HealthReset = 32'h00000000;
  localparam int unsigned HealthHealthLow = 0;
  localparam int unsigned HealthHealthWidth = 3;

  /// RW. Limit of the links.
  localparam logic [11:0] TredOffset = 12'h020;
  localparam logic [31:0] TredMask = 32'h000007FF;
  localparam logic [31:0] TredReset = 32'h00000480;
  localparam int unsigned TredThresholdLow = 0;
  localparam int unsigned TredThresholdWidth = 11;

  /// RW. What is at an intra-tile port holds this for each VC. Write while soft_reset is 1.
  localparam logic [11:0] TileCreditsOffset = 12'h024;
  localparam logic [31:0] TileCreditsMask = 32'h00FF1FFF;
  localparam logic [31:0] TileCreditsReset = 32'h00400100;
  localparam int unsigned TileCreditsWordsLow = 0;
  localparam int unsigned TileCreditsWordsWidth = 13;
  localparam int unsigned TileCreditsPacketsLow = 16;
  localparam int unsigned TileCreditsPacketsWidth = 8;

  /// RO. State of the network IP.
  localparam logic [11:0] StatusOffset = 12'h028;
  localparam logic [31:0] StatusMask = 32'h0000000F;
  localparam logic [31:0] StatusReset = 32'h00000000;
  localparam int unsigned StatusIdleLow = 0;
  localparam int unsigned StatusIdleWidth = 1;
  localparam int unsigned StatusInResetLow = 1;
  localparam int unsigned StatusInResetWidth = 1;
  localparam int unsigned StatusPortEventsLow = 2;
  localparam int unsigned StatusPortEventsWidth = 1;
  localparam int unsigned StatusLinkEventsLow = 3;
  localparam int unsigned StatusLinkEventsWidth = 1;

  /// RW. Congestion marks of the router.
  localparam logic [11:0] MarkingOffset = 12'h02C;
  localparam logic [31:0] MarkingMask = 32'hFFFFFFFF;
  localparam logic [31:0] MarkingReset = 32'h00000000;
  localparam int unsigned MarkingThresholdLow = 0;
  localparam int unsigned MarkingThresholdWidth = 16;
  localparam int unsigned MarkingRateLow = 16;
  localparam int unsigned MarkingRateWidth = 16;

  /// RW. What is marked.
  localparam logic [11:0] MarkingPacketsOffset = 12'h030;
  localparam logic [31:0] MarkingPacketsMask = 32'h0000013F;
  localparam logic [31:0] MarkingPacketsReset = 32'h00000000;
  localparam int unsigned MarkingPacketsLeastLow = 0;
  localparam int unsigned MarkingPacketsLeastWidth = 6;
  localparam int unsigned MarkingPacketsHostsLow = 8;
  localparam int unsigned MarkingPacketsHostsWidth = 1;

  /// RO. Sizes of FIFOs as powers of two.
  localparam logic [11:0] FifoShapeOffset = 12'h034;
  localparam logic [31:0] FifoShapeMask = 32'hFFFFFFFF;
  localparam logic [31:0] FifoShapeReset = 32'h00000000;
  localparam int unsigned FifoShapeIntraWordsLow = 0;
  localparam int unsigned FifoShapeIntraWordsWidth = 8;
  localparam int unsigned FifoShapeInterWordsLow = 8;
  localparam int unsigned FifoShapeInterWordsWidth = 8;
  localparam int unsigned FifoShapePacketsLow = 16;
  localparam int unsigned FifoShapePacketsWidth = 8;
  localparam int unsigned FifoShapeLinkWordsLow = 24;
  localparam int unsigned FifoShapeLinkWordsWidth = 8;

  /// RW, for all ports. Use of a port.
  localparam logic [11:0] PortControlOffset = 12'h040;
  localparam logic [31:0] PortControlMask = 32'h000000F1;
  localparam logic [31:0] PortControlReset = 32'h00000001;
  localparam int unsigned PortControlEnableLow = 0;
  localparam int unsigned PortControlEnableWidth = 1;
  localparam int unsigned PortControlPriorityLow = 4;
  localparam int unsigned PortControlPriorityWidth = 4;

  /// RO, for all ports. State of a port.
  localparam logic [11:0] PortStatusOffset = 12'h080;
  localparam logic [31:0] PortStatusMask = 32'h00000073;
  localparam logic [31:0] PortStatusReset = 32'h00000000;
  localparam int unsigned PortStatusCreditStallLow = 0;
  localparam int unsigned PortStatusCreditStallWidth = 1;
  localparam int unsigned PortStatusErrorLow = 1;
  localparam int unsigned PortStatusErrorWidth = 1;
  localparam int unsigned PortStatusNeighbourHealthLow = 4;
  localparam int unsigned PortStatusNeighbourHealthWidth = 3;

  /// W1C, for all ports. What has happened at a port; stays through soft reset. An event while its bit is cleared sets
  /// it.
  localparam logic [11:0] PortEventsOffset = 12'h0C0;
  localparam logic [31:0] PortEventsMask = 32'h0000001F;
  localparam logic [31:0] PortEventsReset = 32'h00000000;
  localparam int unsigned PortEventsErrorLow = 0;
  localparam int unsigned PortEventsErrorWidth = 1;
  localparam int unsigned PortEventsRouteDropLow = 1;
  localparam int unsigned PortEventsRouteDropWidth = 1;
  localparam int unsigned PortEventsDisabledDropLow = 2;
  localparam int unsigned PortEventsDisabledDropWidth = 1;
  localparam int unsigned PortEventsMalformedLow = 3;
  localparam int unsigned PortEventsMalformedWidth = 1;
  localparam int unsigned PortEventsDiscardedLow = 4;
  localparam int unsigned PortEventsDiscardedWidth = 1;

  /// RO, for all ports. Counter; wraps and has counter_width bits.
  localparam logic [11:0] RouteDropsOffset = 12'h100;
  localparam logic [31:0] RouteDropsMask = 32'hFFFFFFFF;
  localparam logic [31:0] RouteDropsReset = 32'h00000000;
  localparam int unsigned RouteDropsCountLow = 0;
  localparam int unsigned RouteDropsCountWidth = 32;

  /// RO, for all ports. Counter; wraps and has counter_width bits.
  localparam logic [11:0] DisabledDropsOffset = 12'h140;
  localparam logic [31:0] DisabledDropsMask = 32'hFFFFFFFF;
  localparam logic [31:0] DisabledDropsReset = 32'h00000000;
  localparam int unsigned DisabledDropsCountLow = 0;
  localparam int unsigned DisabledDropsCountWidth = 32;

  /// RO, for all ports. Counter; wraps and has counter_width bits.
  localparam logic [11:0] MalformedOffset = 12'h180;
  localparam logic [31:0] MalformedMask = 32'hFFFFFFFF;
  localparam logic [31:0] MalformedReset = 32'h00000000;
  localparam int unsigned MalformedCountLow = 0;
  localparam int unsigned MalformedCountWidth = 32;

  /// RO, for all ports. Counter; wraps and has counter_width bits.
  localparam logic [11:0] SentOffset = 12'h1C0;
  localparam logic [31:0] SentMask = 32'hFFFFFFFF;
  localparam logic [31:0] SentReset = 32'h00000000;
  localparam int unsigned SentCountLow = 0;
  localparam int unsigned SentCountWidth = 32;

  /// RO, for all ports. Counter; wraps and has counter_width bits.
  localparam logic [11:0] DiscardedOffset = 12'h200;
  localparam logic [31:0] DiscardedMask = 32'hFFFFFFFF;
  localparam logic [31:0] DiscardedReset = 32'h00000000;
  localparam int unsigned DiscardedCountLow = 0;
  localparam int unsigned DiscardedCountWidth = 32;

  /// RO, for all links. State of a link.
  localparam logic [11:0] LinkStatusOffset = 12'h240;
  localparam logic [31:0] LinkStatusMask = 32'h00030000;
  localparam logic [31:0] LinkStatusReset = 32'h00000000;
  localparam int unsigned LinkStatusErrorLow = 16;
  localparam int unsigned LinkStatusErrorWidth = 1;
  localparam int unsigned LinkStatusUpLow = 17;
  localparam int unsigned LinkStatusUpWidth = 1;

  /// W1C, for all links. What has happened at a link; stays through soft reset. An event while its bit is cleared sets
  /// it.
  localparam logic [11:0] LinkEventsOffset = 12'h260;
  localparam logic [31:0] LinkEventsMask = 32'h000000FF;
  localparam logic [31:0] LinkEventsReset = 32'h00000000;
  localparam int unsigned LinkEventsErrorLow = 0;
  localparam int unsigned LinkEventsErrorWidth = 1;
  localparam int unsigned LinkEventsCorrectedLow = 1;
  localparam int unsigned LinkEventsCorrectedWidth = 1;
  localparam int unsigned LinkEventsUncorrectableLow = 2;
  localparam int unsigned LinkEventsUncorrectableWidth = 1;
  localparam int unsigned LinkEventsCrcErrorLow = 3;
  localparam int unsigned LinkEventsCrcErrorWidth = 1;
  localparam int unsigned LinkEventsDroppedLow = 4;
  localparam int unsigned LinkEventsDroppedWidth = 1;
  localparam int unsigned LinkEventsResyncLow = 5;
  localparam int unsigned LinkEventsResyncWidth = 1;
  localparam int unsigned LinkEventsDownLow = 6;
  localparam int unsigned LinkEventsDownWidth = 1;
  localparam int unsigned LinkEventsAbortedLow = 7;
  localparam int unsigned LinkEventsAbortedWidth = 1;

  /// RO, for all links. Counter; wraps and has link_counter_width bits.
  localparam logic [11:0] LinkCorrectedOffset = 12'h280;
  localparam logic [31:0] LinkCorrectedMask = 32'hFFFFFFFF;
  localparam logic [31:0] LinkCorrectedReset = 32'h00000000;
  localparam int unsigned LinkCorrectedCountLow = 0;
  localparam int unsigned LinkCorrectedCountWidth = 32;

  /// RO, for all links. Counter; wraps and has link_counter_width bits.
  localparam logic [11:0] LinkUncorrectableOffset = 12'h2A0;
  localparam logic [31:0] LinkUncorrectableMask = 32'hFFFFFFFF;
  localparam logic [31:0] LinkUncorrectableReset = 32'h00000000;
  localparam int unsigned LinkUncorrectableCountLow = 0;
  localparam int unsigned LinkUncorrectableCountWidth = 32;

  /// RO, for all links. Counter; wraps and has link_counter_width bits.
  localparam logic [11:0] LinkCrcErrorsOffset = 12'h2C0;
  localparam logic [31:0] LinkCrcErrorsMask = 32'hFFFFFFFF;
  localparam logic [31:0] LinkCrcErrorsReset = 32'h00000000;
  localparam int unsigned LinkCrcErrorsCountLow = 0;
  localparam int unsigned LinkCrcErrorsCountWidth = 32;

  /// RO, for all links. Counter; wraps and has link_counter_width bits.
  localparam logic [11:0] LinkDroppedOffset = 12'h2E0;
  localparam logic [31:0] LinkDroppedMask = 32'hFFFFFFFF;
  localparam logic [31:0] LinkDroppedReset = 32'h00000000;
  localparam int unsigned LinkDroppedCountLow = 0;
  localparam int unsigned LinkDroppedCountWidth = 32;

  /// RO, for all links. Counter; wraps and has link_counter_width bits.
  localparam logic [11:0] LinkResyncsOffset = 12'h300;
  localparam logic [31:0] LinkResyncsMask = 32'hFFFFFFFF;
  localparam logic [31:0] LinkResyncsReset = 32'h00000000;
  localparam int unsigned LinkResyncsCountLow = 0;
  localparam int unsigned LinkResyncsCountWidth = 32;

  /// RO, for all links. Counter; wraps and has link_counter_width bits.
  localparam logic [11:0] LinkDownsOffset = 12'h320;
  localparam logic [31:0] LinkDownsMask = 32'hFFFFFFFF;
  localparam logic [31:0] LinkDownsReset = 32'h00000000;
  localparam int unsigned LinkDownsCountLow = 0;
  localparam int unsigned LinkDownsCountWidth = 32;

  /// RO, for all ports. Counter; wraps and has counter_width bits.
  localparam logic [11:0] MarkedOffset = 12'h340;
  localparam logic [31:0] MarkedMask = 32'hFFFFFFFF;
  localparam logic [31:0] MarkedReset = 32'h00000000;
  localparam int unsigned MarkedCountLow = 0;
  localparam int unsigned MarkedCountWidth = 32;

  /// RO, for all links. Counter; wraps and has link_counter_width bits.
  localparam logic [11:0] LinkAbortedOffset = 12'h380;
  localparam logic [31:0] LinkAbortedMask = 32'hFFFFFFFF;
  localparam logic [31:0] LinkAbortedReset = 32'h00000000;
  localparam int unsigned LinkAbortedCountLow = 0;
  localparam int unsigned LinkAbortedCountWidth = 32;

  /// RO, for all ports. The FIFOs of VC 0 of a port's input.
  localparam logic [11:0] InputVc0Offset = 12'h3C0;
  localparam logic [31:0] InputVc0Mask = 32'h00FF1FFF;
  localparam logic [31:0] InputVc0Reset = 32'h00000000;
  localparam int unsigned InputVc0WordsLow = 0;
  localparam int unsigned InputVc0WordsWidth = 13;
  localparam int unsigned InputVc0PacketsLow = 16;
  localparam int unsigned InputVc0PacketsWidth = 8;

  /// RO, for all ports. The FIFOs of VC 1 of a port's input.
  localparam logic [11:0] InputVc1Offset = 12'h400;
  localparam logic [31:0] InputVc1Mask = 32'h00FF1FFF;
  localparam logic [31:0] InputVc1Reset = 32'h00000000;
  localparam int unsigned InputVc1WordsLow = 0;
  localparam int unsigned InputVc1WordsWidth = 13;
  localparam int unsigned InputVc1PacketsLow = 16;
  localparam int unsigned InputVc1PacketsWidth = 8;

  /// RO, for all links. Words in use in the far buffer of a link.
  localparam logic [11:0] LinkUsedOffset = 12'h440;
  localparam logic [31:0] LinkUsedMask = 32'h07FF07FF;
  localparam logic [31:0] LinkUsedReset = 32'h00000000;
  localparam int unsigned LinkUsedVc0Low = 0;
  localparam int unsigned LinkUsedVc0Width = 11;
  localparam int unsigned LinkUsedVc1Low = 16;
  localparam int unsigned LinkUsedVc1Width = 11;

  /// RO, for all links. The FIFOs for transmission on a link.
  localparam logic [11:0] LinkWaitingOffset = 12'h460;
  localparam logic [31:0] LinkWaitingMask = 32'h0FFF0FFF;
  localparam logic [31:0] LinkWaitingReset = 32'h00000000;
  localparam int unsigned LinkWaitingVc0Low = 0;
  localparam int unsigned LinkWaitingVc0Width = 12;
  localparam int unsigned LinkWaitingVc1Low = 16;
  localparam int unsigned LinkWaitingVc1Width = 12;

  /* verilator lint_on UNUSEDPARAM */

endpackage
