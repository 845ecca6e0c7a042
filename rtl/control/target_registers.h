// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/control/registers.csv by generate_registers; change that.
//
// Offsets, field positions and reset values of the Target Controller; docs/models/target-registers.md.
#pragma once

#include <cstdint>

namespace fabrictwin::rtl::control::target_registers {

/// Bytes from a register of a port or of a link to that of the next one.
inline constexpr uint32_t kStride = 4;

/// RO. Says that this is a network IP.
inline constexpr uint32_t kIdentificationOffset = 0x000;
inline constexpr uint32_t kIdentificationMask = 0xffffffff;
inline constexpr uint32_t kIdentificationReset = 0x45584e54;
inline constexpr int kIdentificationMagicLow = 0;
inline constexpr int kIdentificationMagicWidth = 32;

/// RO. Version of this register map.
inline constexpr uint32_t kVersionOffset = 0x004;
inline constexpr uint32_t kVersionMask = 0x0000ffff;
inline constexpr uint32_t kVersionReset = 0x00000200;
inline constexpr int kVersionMinorLow = 0;
inline constexpr int kVersionMinorWidth = 8;
inline constexpr int kVersionMajorLow = 8;
inline constexpr int kVersionMajorWidth = 8;

/// RO. Shape of this network IP.
inline constexpr uint32_t kShapeOffset = 0x008;
inline constexpr uint32_t kShapeMask = 0xffffffff;
inline constexpr uint32_t kShapeReset = 0x00000000;
inline constexpr int kShapeIntraPortsLow = 0;
inline constexpr int kShapeIntraPortsWidth = 8;
inline constexpr int kShapeInterPortsLow = 8;
inline constexpr int kShapeInterPortsWidth = 8;
inline constexpr int kShapeCounterWidthLow = 16;
inline constexpr int kShapeCounterWidthWidth = 8;
inline constexpr int kShapeLinkCounterWidthLow = 24;
inline constexpr int kShapeLinkCounterWidthWidth = 8;

/// RW. Reset of the network IP.
inline constexpr uint32_t kControlOffset = 0x00c;
inline constexpr uint32_t kControlMask = 0x00000003;
inline constexpr uint32_t kControlReset = 0x00000001;
inline constexpr int kControlSoftResetLow = 0;
inline constexpr int kControlSoftResetWidth = 1;
inline constexpr int kControlSuperviseLow = 1;
inline constexpr int kControlSuperviseWidth = 1;

/// RW. Where the node is. Write while soft_reset is 1.
inline constexpr uint32_t kCoordinatesOffset = 0x010;
inline constexpr uint32_t kCoordinatesMask = 0x00ffffff;
inline constexpr uint32_t kCoordinatesReset = 0x00000000;
inline constexpr int kCoordinatesXLow = 0;
inline constexpr int kCoordinatesXWidth = 8;
inline constexpr int kCoordinatesYLow = 8;
inline constexpr int kCoordinatesYWidth = 8;
inline constexpr int kCoordinatesZLow = 16;
inline constexpr int kCoordinatesZWidth = 8;

/// RW. Size of the lattice. Write while soft_reset is 1.
inline constexpr uint32_t kLatticeOffset = 0x014;
inline constexpr uint32_t kLatticeMask = 0x00ffffff;
inline constexpr uint32_t kLatticeReset = 0x00000000;
inline constexpr int kLatticeLastXLow = 0;
inline constexpr int kLatticeLastXWidth = 8;
inline constexpr int kLatticeLastYLow = 8;
inline constexpr int kLatticeLastYWidth = 8;
inline constexpr int kLatticeLastZLow = 16;
inline constexpr int kLatticeLastZWidth = 8;

/// RW. Rules of the router. Change the order of dimensions only while the network is empty.
inline constexpr uint32_t kRoutingOffset = 0x018;
inline constexpr uint32_t kRoutingMask = 0x0001013f;
inline constexpr uint32_t kRoutingReset = 0x00000006;
inline constexpr int kRoutingFirstLow = 0;
inline constexpr int kRoutingFirstWidth = 2;
inline constexpr int kRoutingSecondLow = 2;
inline constexpr int kRoutingSecondWidth = 2;
inline constexpr int kRoutingThirdLow = 4;
inline constexpr int kRoutingThirdWidth = 2;
inline constexpr int kRoutingVcByDirectionLow = 8;
inline constexpr int kRoutingVcByDirectionWidth = 1;
inline constexpr int kRoutingFixedPriorityLow = 16;
inline constexpr int kRoutingFixedPriorityWidth = 1;

/// RW. Health of this node; goes to the neighbours with each credit.
inline constexpr uint32_t kHealthOffset = 0x01c;
inline constexpr uint32_t kHealthMask = 0x00000007;
inline constexpr uint32_t kHealthReset = 0x00000000;
inline constexpr int kHealthHealthLow = 0;
inline constexpr int kHealthHealthWidth = 3;

/// RW. Limit of the links.
inline constexpr uint32_t kTredOffset = 0x020;
inline constexpr uint32_t kTredMask = 0x000007ff;
inline constexpr uint32_t kTredReset = 0x00000480;
inline constexpr int kTredThresholdLow = 0;
inline constexpr int kTredThresholdWidth = 11;

/// RW. What is at an intra-tile port holds this for each VC. Write while soft_reset is 1.
inline constexpr uint32_t kTileCreditsOffset = 0x024;
inline constexpr uint32_t kTileCreditsMask = 0x00ff1fff;
inline constexpr uint32_t kTileCreditsReset = 0x00400100;
inline constexpr int kTileCreditsWordsLow = 0;
inline constexpr int kTileCreditsWordsWidth = 13;
inline constexpr int kTileCreditsPacketsLow = 16;
inline constexpr int kTileCreditsPacketsWidth = 8;

/// RO. State of the network IP.
inline constexpr uint32_t kStatusOffset = 0x028;
inline constexpr uint32_t kStatusMask = 0x0000000f;
inline constexpr uint32_t kStatusReset = 0x00000000;
inline constexpr int kStatusIdleLow = 0;
inline constexpr int kStatusIdleWidth = 1;
inline constexpr int kStatusInResetLow = 1;
inline constexpr int kStatusInResetWidth = 1;
inline constexpr int kStatusPortEventsLow = 2;
inline constexpr int kStatusPortEventsWidth = 1;
inline constexpr int kStatusLinkEventsLow = 3;
inline constexpr int kStatusLinkEventsWidth = 1;

/// RW. Congestion marks of the router.
inline constexpr uint32_t kMarkingOffset = 0x02c;
inline constexpr uint32_t kMarkingMask = 0xffffffff;
inline constexpr uint32_t kMarkingReset = 0x00000000;
inline constexpr int kMarkingThresholdLow = 0;
inline constexpr int kMarkingThresholdWidth = 16;
inline constexpr int kMarkingRateLow = 16;
inline constexpr int kMarkingRateWidth = 16;

/// RW. What is marked.
inline constexpr uint32_t kMarkingPacketsOffset = 0x030;
inline constexpr uint32_t kMarkingPacketsMask = 0x0000013f;
inline constexpr uint32_t kMarkingPacketsReset = 0x00000000;
inline constexpr int kMarkingPacketsLeastLow = 0;
inline constexpr int kMarkingPacketsLeastWidth = 6;
inline constexpr int kMarkingPacketsHostsLow = 8;
inline constexpr int kMarkingPacketsHostsWidth = 1;

/// RO. Sizes of FIFOs as powers of two.
inline constexpr uint32_t kFifoShapeOffset = 0x034;
inline constexpr uint32_t kFifoShapeMask = 0xffffffff;
inline constexpr uint32_t kFifoShapeReset = 0x00000000;
inline constexpr int kFifoShapeIntraWordsLow = 0;
inline constexpr int kFifoShapeIntraWordsWidth = 8;
inline constexpr int kFifoShapeInterWordsLow = 8;
inline constexpr int kFifoShapeInterWordsWidth = 8;
inline constexpr int kFifoShapePacketsLow = 16;
inline constexpr int kFifoShapePacketsWidth = 8;
inline constexpr int kFifoShapeLinkWordsLow = 24;
inline constexpr int kFifoShapeLinkWordsWidth = 8;

/// RW, for all ports. Use of a port.
inline constexpr uint32_t kPortControlOffset = 0x040;
inline constexpr uint32_t kPortControlMask = 0x000000f1;
inline constexpr uint32_t kPortControlReset = 0x00000001;
inline constexpr int kPortControlEnableLow = 0;
inline constexpr int kPortControlEnableWidth = 1;
inline constexpr int kPortControlPriorityLow = 4;
inline constexpr int kPortControlPriorityWidth = 4;

/// RO, for all ports. State of a port.
inline constexpr uint32_t kPortStatusOffset = 0x080;
inline constexpr uint32_t kPortStatusMask = 0x00000073;
inline constexpr uint32_t kPortStatusReset = 0x00000000;
inline constexpr int kPortStatusCreditStallLow = 0;
inline constexpr int kPortStatusCreditStallWidth = 1;
inline constexpr int kPortStatusErrorLow = 1;
inline constexpr int kPortStatusErrorWidth = 1;
inline constexpr int kPortStatusNeighbourHealthLow = 4;
inline constexpr int kPortStatusNeighbourHealthWidth = 3;

/// W1C, for all ports. What has happened at a port; stays through soft reset. An event while its bit is cleared sets
/// it.
inline constexpr uint32_t kPortEventsOffset = 0x0c0;
inline constexpr uint32_t kPortEventsMask = 0x0000001f;
inline constexpr uint32_t kPortEventsReset = 0x00000000;
inline constexpr int kPortEventsErrorLow = 0;
inline constexpr int kPortEventsErrorWidth = 1;
inline constexpr int kPortEventsRouteDropLow = 1;
inline constexpr int kPortEventsRouteDropWidth = 1;
inline constexpr int kPortEventsDisabledDropLow = 2;
inline constexpr int kPortEventsDisabledDropWidth = 1;
inline constexpr int kPortEventsMalformedLow = 3;
inline constexpr int kPortEventsMalformedWidth = 1;
inline constexpr int kPortEventsDiscardedLow = 4;
inline constexpr int kPortEventsDiscardedWidth = 1;

/// RO, for all ports. Counter; wraps and has counter_width bits.
inline constexpr uint32_t kRouteDropsOffset = 0x100;
inline constexpr uint32_t kRouteDropsMask = 0xffffffff;
inline constexpr uint32_t kRouteDropsReset = 0x00000000;
inline constexpr int kRouteDropsCountLow = 0;
inline constexpr int kRouteDropsCountWidth = 32;

/// RO, for all ports. Counter; wraps and has counter_width bits.
inline constexpr uint32_t kDisabledDropsOffset = 0x140;
inline constexpr uint32_t kDisabledDropsMask = 0xffffffff;
inline constexpr uint32_t kDisabledDropsReset = 0x00000000;
inline constexpr int kDisabledDropsCountLow = 0;
inline constexpr int kDisabledDropsCountWidth = 32;

/// RO, for all ports. Counter; wraps and has counter_width bits.
inline constexpr uint32_t kMalformedOffset = 0x180;
inline constexpr uint32_t kMalformedMask = 0xffffffff;
inline constexpr uint32_t kMalformedReset = 0x00000000;
inline constexpr int kMalformedCountLow = 0;
inline constexpr int kMalformedCountWidth = 32;

/// RO, for all ports. Counter; wraps and has counter_width bits.
inline constexpr uint32_t kSentOffset = 0x1c0;
inline constexpr uint32_t kSentMask = 0xffffffff;
inline constexpr uint32_t kSentReset = 0x00000000;
inline constexpr int kSentCountLow = 0;
inline constexpr int kSentCountWidth = 32;

/// RO, for all ports. Counter; wraps and has counter_width bits.
inline constexpr uint32_t kDiscardedOffset = 0x200;
inline constexpr uint32_t kDiscardedMask = 0xffffffff;
inline constexpr uint32_t kDiscardedReset = 0x00000000;
inline constexpr int kDiscardedCountLow = 0;
inline constexpr int kDiscardedCountWidth = 32;

/// RO, for all links. State of a link.
inline constexpr uint32_t kLinkStatusOffset = 0x240;
inline constexpr uint32_t kLinkStatusMask = 0x00030000;
inline constexpr uint32_t kLinkStatusReset = 0x00000000;
inline constexpr int kLinkStatusErrorLow = 16;
inline constexpr int kLinkStatusErrorWidth = 1;
inline constexpr int kLinkStatusUpLow = 17;
inline constexpr int kLinkStatusUpWidth = 1;

/// W1C, for all links. What has happened at a link; stays through soft reset. An event while its bit is cleared sets
/// it.
inline constexpr uint32_t kLinkEventsOffset = 0x260;
inline constexpr uint32_t kLinkEventsMask = 0x000000ff;
inline constexpr uint32_t kLinkEventsReset = 0x00000000;
inline constexpr int kLinkEventsErrorLow = 0;
inline constexpr int kLinkEventsErrorWidth = 1;
inline constexpr int kLinkEventsCorrectedLow = 1;
inline constexpr int kLinkEventsCorrectedWidth = 1;
inline constexpr int kLinkEventsUncorrectableLow = 2;
inline constexpr int kLinkEventsUncorrectableWidth = 1;
inline constexpr int kLinkEventsCrcErrorLow = 3;
inline constexpr int kLinkEventsCrcErrorWidth = 1;
inline constexpr int kLinkEventsDroppedLow = 4;
inline constexpr int kLinkEventsDroppedWidth = 1;
inline constexpr int kLinkEventsResyncLow = 5;
inline constexpr int kLinkEventsResyncWidth = 1;
inline constexpr int kLinkEventsDownLow = 6;
inline constexpr int kLinkEventsDownWidth = 1;
inline constexpr int kLinkEventsAbortedLow = 7;
inline constexpr int kLinkEventsAbortedWidth = 1;

/// RO, for all links. Counter; wraps and has link_counter_width bits.
inline constexpr uint32_t kLinkCorrectedOffset = 0x280;
inline constexpr uint32_t kLinkCorrectedMask = 0xffffffff;
inline constexpr uint32_t kLinkCorrectedReset = 0x00000000;
inline constexpr int kLinkCorrectedCountLow = 0;
inline constexpr int kLinkCorrectedCountWidth = 32;

/// RO, for all links. Counter; wraps and has link_counter_width bits.
inline constexpr uint32_t kLinkUncorrectableOffset = 0x2a0;
inline constexpr uint32_t kLinkUncorrectableMask = 0xffffffff;
inline constexpr uint32_t kLinkUncorrectableReset = 0x00000000;
inline constexpr int kLinkUncorrectableCountLow = 0;
inline constexpr int kLinkUncorrectableCountWidth = 32;

/// RO, for all links. Counter; wraps and has link_counter_width bits.
inline constexpr uint32_t kLinkCrcErrorsOffset = 0x2c0;
inline constexpr uint32_t kLinkCrcErrorsMask = 0xffffffff;
inline constexpr uint32_t kLinkCrcErrorsReset = 0x00000000;
inline constexpr int kLinkCrcErrorsCountLow = 0;
inline constexpr int kLinkCrcErrorsCountWidth = 32;

/// RO, for all links. Counter; wraps and has link_counter_width bits.
inline constexpr uint32_t kLinkDroppedOffset = 0x2e0;
inline constexpr uint32_t kLinkDroppedMask = 0xffffffff;
inline constexpr uint32_t kLinkDroppedReset = 0x00000000;
inline constexpr int kLinkDroppedCountLow = 0;
inline constexpr int kLinkDroppedCountWidth = 32;

/// RO, for all links. Counter; wraps and has link_counter_width bits.
inline constexpr uint32_t kLinkResyncsOffset = 0x300;
inline constexpr uint32_t kLinkResyncsMask = 0xffffffff;
inline constexpr uint32_t kLinkResyncsReset = 0x00000000;
inline constexpr int kLinkResyncsCountLow = 0;
inline constexpr int kLinkResyncsCountWidth = 32;

/// RO, for all links. Counter; wraps and has link_counter_width bits.
inline constexpr uint32_t kLinkDownsOffset = 0x320;
inline constexpr uint32_t kLinkDownsMask = 0xffffffff;
inline constexpr uint32_t kLinkDownsReset = 0x00000000;
inline constexpr int kLinkDownsCountLow = 0;
inline constexpr int kLinkDownsCountWidth = 32;

/// RO, for all ports. Counter; wraps and has counter_width bits.
inline constexpr uint32_t kMarkedOffset = 0x340;
inline constexpr uint32_t kMarkedMask = 0xffffffff;
inline constexpr uint32_t kMarkedReset = 0x00000000;
inline constexpr int kMarkedCountLow = 0;
inline constexpr int kMarkedCountWidth = 32;

/// RO, for all links. Counter; wraps and has link_counter_width bits.
inline constexpr uint32_t kLinkAbortedOffset = 0x380;
inline constexpr uint32_t kLinkAbortedMask = 0xffffffff;
inline constexpr uint32_t kLinkAbortedReset = 0x00000000;
inline constexpr int kLinkAbortedCountLow = 0;
inline constexpr int kLinkAbortedCountWidth = 32;

/// RO, for all ports. The FIFOs of VC 0 of a port's input.
inline constexpr uint32_t kInputVc0Offset = 0x3c0;
inline constexpr uint32_t kInputVc0Mask = 0x00ff1fff;
inline constexpr uint32_t kInputVc0Reset = 0x00000000;
inline constexpr int kInputVc0WordsLow = 0;
inline constexpr int kInputVc0WordsWidth = 13;
inline constexpr int kInputVc0PacketsLow = 16;
inline constexpr int kInputVc0PacketsWidth = 8;

/// RO, for all ports. The FIFOs of VC 1 of a port's input.
inline constexpr uint32_t kInputVc1Offset = 0x400;
inline constexpr uint32_t kInputVc1Mask = 0x00ff1fff;
inline constexpr uint32_t kInputVc1Reset = 0x00000000;
inline constexpr int kInputVc1WordsLow = 0;
inline constexpr int kInputVc1WordsWidth = 13;
inline constexpr int kInputVc1PacketsLow = 16;
inline constexpr int kInputVc1PacketsWidth = 8;

/// RO, for all links. Words in use in the far buffer of a link.
inline constexpr uint32_t kLinkUsedOffset = 0x440;
inline constexpr uint32_t kLinkUsedMask = 0x07ff07ff;
inline constexpr uint32_t kLinkUsedReset = 0x00000000;
inline constexpr int kLinkUsedVc0Low = 0;
inline constexpr int kLinkUsedVc0Width = 11;
inline constexpr int kLinkUsedVc1Low = 16;
inline constexpr int kLinkUsedVc1Width = 11;

/// RO, for all links. The FIFOs for transmission on a link.
inline constexpr uint32_t kLinkWaitingOffset = 0x460;
inline constexpr uint32_t kLinkWaitingMask = 0x0fff0fff;
inline constexpr uint32_t kLinkWaitingReset = 0x00000000;
inline constexpr int kLinkWaitingVc0Low = 0;
inline constexpr int kLinkWaitingVc0Width = 12;
inline constexpr int kLinkWaitingVc1Low = 16;
inline constexpr int kLinkWaitingVc1Width = 12;

}  // namespace fabrictwin::rtl::control::target_registers
