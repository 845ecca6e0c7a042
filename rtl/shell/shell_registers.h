// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/shell/registers.csv by generate_registers; change that.
//
// Offsets, field positions and reset values of a board's shell; docs/models/shell-registers.md.
#pragma once

#include <cstdint>

namespace fabrictwin::rtl::shell::registers {

/// Bytes from a register of a port or of a link to that of the next one.
inline constexpr uint32_t kStride = 4;

/// RO. Says that this is a shell.
inline constexpr uint32_t kIdentificationOffset = 0x000;
inline constexpr uint32_t kIdentificationMask = 0xffffffff;
inline constexpr uint32_t kIdentificationReset = 0x4c485446;
inline constexpr int kIdentificationMagicLow = 0;
inline constexpr int kIdentificationMagicWidth = 32;

/// RO. Version of this register map and of the rings.
inline constexpr uint32_t kVersionOffset = 0x004;
inline constexpr uint32_t kVersionMask = 0x0000ffff;
inline constexpr uint32_t kVersionReset = 0x00000101;
inline constexpr int kVersionMinorLow = 0;
inline constexpr int kVersionMinorWidth = 8;
inline constexpr int kVersionMajorLow = 8;
inline constexpr int kVersionMajorWidth = 8;

/// RO. Shape of the element and of the rings.
inline constexpr uint32_t kShapeOffset = 0x008;
inline constexpr uint32_t kShapeMask = 0xffffffff;
inline constexpr uint32_t kShapeReset = 0x00000000;
inline constexpr int kShapeElementLow = 0;
inline constexpr int kShapeElementWidth = 8;
inline constexpr int kShapePortsLow = 8;
inline constexpr int kShapePortsWidth = 8;
inline constexpr int kShapeSlotsLow = 16;
inline constexpr int kShapeSlotsWidth = 8;
inline constexpr int kShapeRouteDestinationsLow = 24;
inline constexpr int kShapeRouteDestinationsWidth = 8;

/// RO. Where the board's own memory for the rings is.
inline constexpr uint32_t kRingOffsetOffset = 0x00c;
inline constexpr uint32_t kRingOffsetMask = 0xffffffff;
inline constexpr uint32_t kRingOffsetReset = 0x00000000;
inline constexpr int kRingOffsetOffsetLow = 0;
inline constexpr int kRingOffsetOffsetWidth = 32;

/// RO. Clock of the shell.
inline constexpr uint32_t kClockOffset = 0x010;
inline constexpr uint32_t kClockMask = 0xffffffff;
inline constexpr uint32_t kClockReset = 0x00000000;
inline constexpr int kClockHertzLow = 0;
inline constexpr int kClockHertzWidth = 32;

/// RW. Run that is asked for.
inline constexpr uint32_t kRunOffset = 0x014;
inline constexpr uint32_t kRunMask = 0xffffffff;
inline constexpr uint32_t kRunReset = 0x00000000;
inline constexpr int kRunNumberLow = 0;
inline constexpr int kRunNumberWidth = 32;

/// RO. Run that goes on.
inline constexpr uint32_t kStatusRunOffset = 0x018;
inline constexpr uint32_t kStatusRunMask = 0xffffffff;
inline constexpr uint32_t kStatusRunReset = 0x00000000;
inline constexpr int kStatusRunNumberLow = 0;
inline constexpr int kStatusRunNumberWidth = 32;

/// RO. State of the shell.
inline constexpr uint32_t kStatusOffset = 0x01c;
inline constexpr uint32_t kStatusMask = 0x00000703;
inline constexpr uint32_t kStatusReset = 0x00000000;
inline constexpr int kStatusStateLow = 0;
inline constexpr int kStatusStateWidth = 2;
inline constexpr int kStatusRecordErrorLow = 8;
inline constexpr int kStatusRecordErrorWidth = 1;
inline constexpr int kStatusBusErrorLow = 9;
inline constexpr int kStatusBusErrorWidth = 1;
inline constexpr int kStatusElementErrorLow = 10;
inline constexpr int kStatusElementErrorWidth = 1;

/// RO. Ports at which something is broken.
inline constexpr uint32_t kErrorPortsOffset = 0x020;
inline constexpr uint32_t kErrorPortsMask = 0x0000ffff;
inline constexpr uint32_t kErrorPortsReset = 0x00000000;
inline constexpr int kErrorPortsPortsLow = 0;
inline constexpr int kErrorPortsPortsWidth = 16;

/// RO. Shows that the shell lives.
inline constexpr uint32_t kHeartbeatOffset = 0x024;
inline constexpr uint32_t kHeartbeatMask = 0xffffffff;
inline constexpr uint32_t kHeartbeatReset = 0x00000000;
inline constexpr int kHeartbeatCountLow = 0;
inline constexpr int kHeartbeatCountWidth = 32;

/// RW. What the agent has taken.
inline constexpr uint32_t kFromBoardConsumedOffset = 0x028;
inline constexpr uint32_t kFromBoardConsumedMask = 0xffffffff;
inline constexpr uint32_t kFromBoardConsumedReset = 0x00000000;
inline constexpr int kFromBoardConsumedCountLow = 0;
inline constexpr int kFromBoardConsumedCountWidth = 32;

/// RW. Where the ring to the board is.
inline constexpr uint32_t kToBoardLowOffset = 0x02c;
inline constexpr uint32_t kToBoardLowMask = 0xffffffff;
inline constexpr uint32_t kToBoardLowReset = 0x00000000;
inline constexpr int kToBoardLowAddressLow = 0;
inline constexpr int kToBoardLowAddressWidth = 32;

/// RW. Where the ring to the board is.
inline constexpr uint32_t kToBoardHighOffset = 0x030;
inline constexpr uint32_t kToBoardHighMask = 0xffffffff;
inline constexpr uint32_t kToBoardHighReset = 0x00000000;
inline constexpr int kToBoardHighAddressLow = 0;
inline constexpr int kToBoardHighAddressWidth = 32;

/// RW. Where the ring from the board is.
inline constexpr uint32_t kFromBoardLowOffset = 0x034;
inline constexpr uint32_t kFromBoardLowMask = 0xffffffff;
inline constexpr uint32_t kFromBoardLowReset = 0x00000000;
inline constexpr int kFromBoardLowAddressLow = 0;
inline constexpr int kFromBoardLowAddressWidth = 32;

/// RW. Where the ring from the board is.
inline constexpr uint32_t kFromBoardHighOffset = 0x038;
inline constexpr uint32_t kFromBoardHighMask = 0xffffffff;
inline constexpr uint32_t kFromBoardHighReset = 0x00000000;
inline constexpr int kFromBoardHighAddressLow = 0;
inline constexpr int kFromBoardHighAddressWidth = 32;

/// RW. How the element's clock follows simulated time. Write this and all that follows while run is 0.
inline constexpr uint32_t kModeOffset = 0x03c;
inline constexpr uint32_t kModeMask = 0x00000003;
inline constexpr uint32_t kModeReset = 0x00000000;
inline constexpr int kModeModeLow = 0;
inline constexpr int kModeModeWidth = 2;

/// RW. Rate of edges of a paced or free element.
inline constexpr uint32_t kPaceNumeratorOffset = 0x040;
inline constexpr uint32_t kPaceNumeratorMask = 0xffffffff;
inline constexpr uint32_t kPaceNumeratorReset = 0x00000000;
inline constexpr int kPaceNumeratorCountLow = 0;
inline constexpr int kPaceNumeratorCountWidth = 32;

/// RW. Rate of edges of a paced or free element.
inline constexpr uint32_t kPaceDenominatorOffset = 0x044;
inline constexpr uint32_t kPaceDenominatorMask = 0xffffffff;
inline constexpr uint32_t kPaceDenominatorReset = 0x00000001;
inline constexpr int kPaceDenominatorCountLow = 0;
inline constexpr int kPaceDenominatorCountWidth = 32;

/// RW. Period of the element's clock in femtoseconds.
inline constexpr uint32_t kPeriodLowOffset = 0x048;
inline constexpr uint32_t kPeriodLowMask = 0xffffffff;
inline constexpr uint32_t kPeriodLowReset = 0x00000000;
inline constexpr int kPeriodLowWholeLow = 0;
inline constexpr int kPeriodLowWholeWidth = 32;

/// RW. Period of the element's clock in femtoseconds.
inline constexpr uint32_t kPeriodHighOffset = 0x04c;
inline constexpr uint32_t kPeriodHighMask = 0x003fffff;
inline constexpr uint32_t kPeriodHighReset = 0x00000000;
inline constexpr int kPeriodHighWholeLow = 0;
inline constexpr int kPeriodHighWholeWidth = 22;

/// RW. Fraction of the period.
inline constexpr uint32_t kPeriodNumeratorOffset = 0x050;
inline constexpr uint32_t kPeriodNumeratorMask = 0xffffffff;
inline constexpr uint32_t kPeriodNumeratorReset = 0x00000000;
inline constexpr int kPeriodNumeratorCountLow = 0;
inline constexpr int kPeriodNumeratorCountWidth = 32;

/// RW. Fraction of the period.
inline constexpr uint32_t kPeriodDenominatorOffset = 0x054;
inline constexpr uint32_t kPeriodDenominatorMask = 0xffffffff;
inline constexpr uint32_t kPeriodDenominatorReset = 0x00000001;
inline constexpr int kPeriodDenominatorCountLow = 0;
inline constexpr int kPeriodDenominatorCountWidth = 32;

/// RW. Where the router is.
inline constexpr uint32_t kCoordinatesOffset = 0x058;
inline constexpr uint32_t kCoordinatesMask = 0x00ffffff;
inline constexpr uint32_t kCoordinatesReset = 0x00000000;
inline constexpr int kCoordinatesXLow = 0;
inline constexpr int kCoordinatesXWidth = 8;
inline constexpr int kCoordinatesYLow = 8;
inline constexpr int kCoordinatesYWidth = 8;
inline constexpr int kCoordinatesZLow = 16;
inline constexpr int kCoordinatesZWidth = 8;

/// RW. Size of the lattice.
inline constexpr uint32_t kLatticeOffset = 0x05c;
inline constexpr uint32_t kLatticeMask = 0x00ffffff;
inline constexpr uint32_t kLatticeReset = 0x00000000;
inline constexpr int kLatticeLastXLow = 0;
inline constexpr int kLatticeLastXWidth = 8;
inline constexpr int kLatticeLastYLow = 8;
inline constexpr int kLatticeLastYWidth = 8;
inline constexpr int kLatticeLastZLow = 16;
inline constexpr int kLatticeLastZWidth = 8;

/// RW. When outputs mark packets.
inline constexpr uint32_t kMarkingOffset = 0x060;
inline constexpr uint32_t kMarkingMask = 0xffffffff;
inline constexpr uint32_t kMarkingReset = 0x00000000;
inline constexpr int kMarkingThresholdLow = 0;
inline constexpr int kMarkingThresholdWidth = 16;
inline constexpr int kMarkingRateLow = 16;
inline constexpr int kMarkingRateWidth = 16;

/// RW. Which packets outputs mark.
inline constexpr uint32_t kMarkingPacketsOffset = 0x064;
inline constexpr uint32_t kMarkingPacketsMask = 0x0000001f;
inline constexpr uint32_t kMarkingPacketsReset = 0x00000000;
inline constexpr int kMarkingPacketsLeastLow = 0;
inline constexpr int kMarkingPacketsLeastWidth = 5;

/// RW. How packets are routed.
inline constexpr uint32_t kRoutingOffset = 0x068;
inline constexpr uint32_t kRoutingMask = 0x00000001;
inline constexpr uint32_t kRoutingReset = 0x00000000;
inline constexpr int kRoutingByTableLow = 0;
inline constexpr int kRoutingByTableWidth = 1;

/// RO. Ports at which a packet waits for credits.
inline constexpr uint32_t kWaitingOffset = 0x06c;
inline constexpr uint32_t kWaitingMask = 0x0000ffff;
inline constexpr uint32_t kWaitingReset = 0x00000000;
inline constexpr int kWaitingPortsLow = 0;
inline constexpr int kWaitingPortsWidth = 16;

/// RO. How far the element has come.
inline constexpr uint32_t kEndedOffset = 0x070;
inline constexpr uint32_t kEndedMask = 0xffffffff;
inline constexpr uint32_t kEndedReset = 0x00000000;
inline constexpr int kEndedEdgesLow = 0;
inline constexpr int kEndedEdgesWidth = 32;

/// RO. What links of the element carry; since minor version 1.
inline constexpr uint32_t kLinkOffset = 0x074;
inline constexpr uint32_t kLinkMask = 0xffffffff;
inline constexpr uint32_t kLinkReset = 0x00000000;
inline constexpr int kLinkWordBitsLow = 0;
inline constexpr int kLinkWordBitsWidth = 8;
inline constexpr int kLinkVcsLow = 8;
inline constexpr int kLinkVcsWidth = 8;
inline constexpr int kLinkCreditWordsLow = 16;
inline constexpr int kLinkCreditWordsWidth = 8;
inline constexpr int kLinkBufferCreditsLow = 24;
inline constexpr int kLinkBufferCreditsWidth = 8;

/// RW. Which element this is; since minor version 1.
inline constexpr uint32_t kNodeOffset = 0x078;
inline constexpr uint32_t kNodeMask = 0xffffffff;
inline constexpr uint32_t kNodeReset = 0x00000000;
inline constexpr int kNodeNumberLow = 0;
inline constexpr int kNodeNumberWidth = 32;

/// RW, for all links. Period of word clock l in femtoseconds; there are four of them.
inline constexpr uint32_t kWordPeriodLowOffset = 0x080;
inline constexpr uint32_t kWordPeriodLowMask = 0xffffffff;
inline constexpr uint32_t kWordPeriodLowReset = 0x00000000;
inline constexpr int kWordPeriodLowWholeLow = 0;
inline constexpr int kWordPeriodLowWholeWidth = 32;

/// RW, for all links. Period of word clock l in femtoseconds.
inline constexpr uint32_t kWordPeriodHighOffset = 0x0a0;
inline constexpr uint32_t kWordPeriodHighMask = 0x003fffff;
inline constexpr uint32_t kWordPeriodHighReset = 0x00000000;
inline constexpr int kWordPeriodHighWholeLow = 0;
inline constexpr int kWordPeriodHighWholeWidth = 22;

/// RW, for all links. Fraction of the period of word clock l.
inline constexpr uint32_t kWordNumeratorOffset = 0x0c0;
inline constexpr uint32_t kWordNumeratorMask = 0xffffffff;
inline constexpr uint32_t kWordNumeratorReset = 0x00000000;
inline constexpr int kWordNumeratorCountLow = 0;
inline constexpr int kWordNumeratorCountWidth = 32;

/// RW, for all links. Fraction of the period of word clock l.
inline constexpr uint32_t kWordDenominatorOffset = 0x0e0;
inline constexpr uint32_t kWordDenominatorMask = 0xffffffff;
inline constexpr uint32_t kWordDenominatorReset = 0x00000001;
inline constexpr int kWordDenominatorCountLow = 0;
inline constexpr int kWordDenominatorCountWidth = 32;

/// RW, for all ports. Port p.
inline constexpr uint32_t kPortOffset = 0x100;
inline constexpr uint32_t kPortMask = 0x0000ff33;
inline constexpr uint32_t kPortReset = 0x00000000;
inline constexpr int kPortEnableLow = 0;
inline constexpr int kPortEnableWidth = 1;
inline constexpr int kPortHostLow = 1;
inline constexpr int kPortHostWidth = 1;
inline constexpr int kPortWordClockLow = 4;
inline constexpr int kPortWordClockWidth = 2;
inline constexpr int kPortCreditsLow = 8;
inline constexpr int kPortCreditsWidth = 8;

/// RO, for all ports. Edges in this run at which a packet waited at port p for nothing but credits.
inline constexpr uint32_t kStallsOffset = 0x140;
inline constexpr uint32_t kStallsMask = 0xffffffff;
inline constexpr uint32_t kStallsReset = 0x00000000;
inline constexpr int kStallsCountLow = 0;
inline constexpr int kStallsCountWidth = 32;

}  // namespace fabrictwin::rtl::shell::registers
