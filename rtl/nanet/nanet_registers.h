// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/nanet/registers.csv by generate_registers; change that.
//
// Offsets, field positions and reset values of a NaNet-10; docs/models/nanet-registers.md.
#pragma once

#include <cstdint>

namespace fabrictwin::rtl::nanet::registers {

/// Bytes from a register of a port or of a link to that of the next one.
inline constexpr uint32_t kStride = 4;

/// RO. Says that this is a NaNet-10.
inline constexpr uint32_t kIdentificationOffset = 0x000;
inline constexpr uint32_t kIdentificationMask = 0xffffffff;
inline constexpr uint32_t kIdentificationReset = 0x3031544e;
inline constexpr int kIdentificationMagicLow = 0;
inline constexpr int kIdentificationMagicWidth = 32;

/// RO. Version of this register map.
inline constexpr uint32_t kVersionOffset = 0x004;
inline constexpr uint32_t kVersionMask = 0x0000ffff;
inline constexpr uint32_t kVersionReset = 0x00000100;
inline constexpr int kVersionMinorLow = 0;
inline constexpr int kVersionMinorWidth = 8;
inline constexpr int kVersionMajorLow = 8;
inline constexpr int kVersionMajorWidth = 8;

/// RO. What there is.
inline constexpr uint32_t kShapeOffset = 0x008;
inline constexpr uint32_t kShapeMask = 0x0000ffff;
inline constexpr uint32_t kShapeReset = 0x00000400;
inline constexpr int kShapePortsLow = 0;
inline constexpr int kShapePortsWidth = 8;
inline constexpr int kShapeStreamsLow = 8;
inline constexpr int kShapeStreamsWidth = 8;

/// RW. What to forget.
inline constexpr uint32_t kControlOffset = 0x00c;
inline constexpr uint32_t kControlMask = 0x00000003;
inline constexpr uint32_t kControlReset = 0x00000000;
inline constexpr int kControlFlushTlbLow = 0;
inline constexpr int kControlFlushTlbWidth = 1;
inline constexpr int kControlFlushArpLow = 1;
inline constexpr int kControlFlushArpWidth = 1;

/// RW. When a receive buffer that is not full is handed over.
inline constexpr uint32_t kTimeoutOffset = 0x010;
inline constexpr uint32_t kTimeoutMask = 0xffffffff;
inline constexpr uint32_t kTimeoutReset = 0x00000000;
inline constexpr int kTimeoutCyclesLow = 0;
inline constexpr int kTimeoutCyclesWidth = 32;

/// RW. How long the host may take to answer a miss of the TLB.
inline constexpr uint32_t kTlbTimeoutOffset = 0x014;
inline constexpr uint32_t kTlbTimeoutMask = 0xffffffff;
inline constexpr uint32_t kTlbTimeoutReset = 0x00004e20;
inline constexpr int kTlbTimeoutCyclesLow = 0;
inline constexpr int kTlbTimeoutCyclesWidth = 32;

/// RW. Time between two ARP requests for an address. After three the datagram is dropped.
inline constexpr uint32_t kArpTimeoutOffset = 0x018;
inline constexpr uint32_t kArpTimeoutMask = 0xffffffff;
inline constexpr uint32_t kArpTimeoutReset = 0x00030d40;
inline constexpr int kArpTimeoutCyclesLow = 0;
inline constexpr int kArpTimeoutCyclesWidth = 32;

/// RW. Where the ring of events is in the memory of the CPU.
inline constexpr uint32_t kRingLowOffset = 0x01c;
inline constexpr uint32_t kRingLowMask = 0xffffffff;
inline constexpr uint32_t kRingLowReset = 0x00000000;
inline constexpr int kRingLowAddressLow = 0;
inline constexpr int kRingLowAddressWidth = 32;

/// RW. Where the ring of events is.
inline constexpr uint32_t kRingHighOffset = 0x020;
inline constexpr uint32_t kRingHighMask = 0xffffffff;
inline constexpr uint32_t kRingHighReset = 0x00000000;
inline constexpr int kRingHighAddressLow = 0;
inline constexpr int kRingHighAddressWidth = 32;

/// RW. Size of the ring of events.
inline constexpr uint32_t kRingOffset = 0x024;
inline constexpr uint32_t kRingMask = 0x0000000f;
inline constexpr uint32_t kRingReset = 0x00000006;
inline constexpr int kRingRecordsLog2Low = 0;
inline constexpr int kRingRecordsLog2Width = 4;

/// RW. What software has taken from the ring of events.
inline constexpr uint32_t kRingConsumedOffset = 0x028;
inline constexpr uint32_t kRingConsumedMask = 0x0000ffff;
inline constexpr uint32_t kRingConsumedReset = 0x00000000;
inline constexpr int kRingConsumedCountLow = 0;
inline constexpr int kRingConsumedCountWidth = 16;

/// RO. What is in the ring of events. The interrupt is asserted while this is not ring_consumed.
inline constexpr uint32_t kRingWrittenOffset = 0x02c;
inline constexpr uint32_t kRingWrittenMask = 0x0000ffff;
inline constexpr uint32_t kRingWrittenReset = 0x00000000;
inline constexpr int kRingWrittenCountLow = 0;
inline constexpr int kRingWrittenCountWidth = 16;

/// RO. A page that the TLB does not know.
inline constexpr uint32_t kMissOffset = 0x030;
inline constexpr uint32_t kMissMask = 0x00000001;
inline constexpr uint32_t kMissReset = 0x00000000;
inline constexpr int kMissWaitingLow = 0;
inline constexpr int kMissWaitingWidth = 1;

/// RO. Which page the host is asked for.
inline constexpr uint32_t kMissLowOffset = 0x034;
inline constexpr uint32_t kMissLowMask = 0xffffffff;
inline constexpr uint32_t kMissLowReset = 0x00000000;
inline constexpr int kMissLowAddressLow = 0;
inline constexpr int kMissLowAddressWidth = 32;

/// RO. Which page the host is asked for.
inline constexpr uint32_t kMissHighOffset = 0x038;
inline constexpr uint32_t kMissHighMask = 0xffffffff;
inline constexpr uint32_t kMissHighReset = 0x00000000;
inline constexpr int kMissHighAddressLow = 0;
inline constexpr int kMissHighAddressWidth = 32;

/// RW. Where this page is. Write before refill.
inline constexpr uint32_t kPhysicalLowOffset = 0x03c;
inline constexpr uint32_t kPhysicalLowMask = 0xffffffff;
inline constexpr uint32_t kPhysicalLowReset = 0x00000000;
inline constexpr int kPhysicalLowAddressLow = 0;
inline constexpr int kPhysicalLowAddressWidth = 32;

/// RW. Where this page is. Write before refill.
inline constexpr uint32_t kPhysicalHighOffset = 0x040;
inline constexpr uint32_t kPhysicalHighMask = 0xffffffff;
inline constexpr uint32_t kPhysicalHighReset = 0x00000000;
inline constexpr int kPhysicalHighAddressLow = 0;
inline constexpr int kPhysicalHighAddressWidth = 32;

/// RW. Writing this answers the miss if it is for this page.
inline constexpr uint32_t kRefillOffset = 0x044;
inline constexpr uint32_t kRefillMask = 0xffff0003;
inline constexpr uint32_t kRefillReset = 0x00000000;
inline constexpr int kRefillKnownLow = 0;
inline constexpr int kRefillKnownWidth = 1;
inline constexpr int kRefillGpuLow = 1;
inline constexpr int kRefillGpuWidth = 1;
inline constexpr int kRefillPageLow = 16;
inline constexpr int kRefillPageWidth = 16;

/// RW. Where a datagram to send is. Write before send.
inline constexpr uint32_t kSendLowOffset = 0x048;
inline constexpr uint32_t kSendLowMask = 0xffffffff;
inline constexpr uint32_t kSendLowReset = 0x00000000;
inline constexpr int kSendLowAddressLow = 0;
inline constexpr int kSendLowAddressWidth = 32;

/// RW. Where a datagram to send is. Write before send.
inline constexpr uint32_t kSendHighOffset = 0x04c;
inline constexpr uint32_t kSendHighMask = 0xffffffff;
inline constexpr uint32_t kSendHighReset = 0x00000000;
inline constexpr int kSendHighAddressLow = 0;
inline constexpr int kSendHighAddressWidth = 32;

/// RW. Where it goes. Write before send.
inline constexpr uint32_t kSendIpOffset = 0x050;
inline constexpr uint32_t kSendIpMask = 0xffffffff;
inline constexpr uint32_t kSendIpReset = 0x00000000;
inline constexpr int kSendIpAddressLow = 0;
inline constexpr int kSendIpAddressWidth = 32;

/// RW. Where it goes. Write before send.
inline constexpr uint32_t kSendPortsOffset = 0x054;
inline constexpr uint32_t kSendPortsMask = 0xffffffff;
inline constexpr uint32_t kSendPortsReset = 0x00000000;
inline constexpr int kSendPortsDestinationLow = 0;
inline constexpr int kSendPortsDestinationWidth = 16;
inline constexpr int kSendPortsSourceLow = 16;
inline constexpr int kSendPortsSourceWidth = 16;

/// RW. Writing this sends a datagram; an error without effect if the bytes are wrong or send_free is 0.
inline constexpr uint32_t kSendOffset = 0x058;
inline constexpr uint32_t kSendMask = 0x000037ff;
inline constexpr uint32_t kSendReset = 0x00000000;
inline constexpr int kSendBytesLow = 0;
inline constexpr int kSendBytesWidth = 11;
inline constexpr int kSendPortLow = 12;
inline constexpr int kSendPortWidth = 2;

/// RO. Datagrams that can be given at once.
inline constexpr uint32_t kSendFreeOffset = 0x05c;
inline constexpr uint32_t kSendFreeMask = 0x0000001f;
inline constexpr uint32_t kSendFreeReset = 0x00000000;
inline constexpr int kSendFreeCountLow = 0;
inline constexpr int kSendFreeCountWidth = 5;

/// RW. Which counter is read.
inline constexpr uint32_t kCounterSelectOffset = 0x060;
inline constexpr uint32_t kCounterSelectMask = 0x0000031f;
inline constexpr uint32_t kCounterSelectReset = 0x00000000;
inline constexpr int kCounterSelectKindLow = 0;
inline constexpr int kCounterSelectKindWidth = 5;
inline constexpr int kCounterSelectPortLow = 8;
inline constexpr int kCounterSelectPortWidth = 2;

/// RO. The counter that counter_select names.
inline constexpr uint32_t kCounterOffset = 0x064;
inline constexpr uint32_t kCounterMask = 0xffffffff;
inline constexpr uint32_t kCounterReset = 0x00000000;
inline constexpr int kCounterCountLow = 0;
inline constexpr int kCounterCountWidth = 32;

/// RO. Translations that were there.
inline constexpr uint32_t kTlbHitsOffset = 0x068;
inline constexpr uint32_t kTlbHitsMask = 0xffffffff;
inline constexpr uint32_t kTlbHitsReset = 0x00000000;
inline constexpr int kTlbHitsCountLow = 0;
inline constexpr int kTlbHitsCountWidth = 32;

/// RO. Translations that were asked of the host.
inline constexpr uint32_t kTlbMissesOffset = 0x06c;
inline constexpr uint32_t kTlbMissesMask = 0xffffffff;
inline constexpr uint32_t kTlbMissesReset = 0x00000000;
inline constexpr int kTlbMissesCountLow = 0;
inline constexpr int kTlbMissesCountWidth = 32;

/// RO. Translations that the host did not know or did not tell in time.
inline constexpr uint32_t kTlbFailuresOffset = 0x070;
inline constexpr uint32_t kTlbFailuresMask = 0xffffffff;
inline constexpr uint32_t kTlbFailuresReset = 0x00000000;
inline constexpr int kTlbFailuresCountLow = 0;
inline constexpr int kTlbFailuresCountWidth = 32;

/// RO. Packets that were not written because of that.
inline constexpr uint32_t kPacketsSkippedOffset = 0x074;
inline constexpr uint32_t kPacketsSkippedMask = 0xffffffff;
inline constexpr uint32_t kPacketsSkippedReset = 0x00000000;
inline constexpr int kPacketsSkippedCountLow = 0;
inline constexpr int kPacketsSkippedCountWidth = 32;

/// RO. Writes that the memory answered with an error.
inline constexpr uint32_t kBusErrorsOffset = 0x078;
inline constexpr uint32_t kBusErrorsMask = 0xffffffff;
inline constexpr uint32_t kBusErrorsReset = 0x00000000;
inline constexpr int kBusErrorsCountLow = 0;
inline constexpr int kBusErrorsCountWidth = 32;

/// RO. Time.
inline constexpr uint32_t kCycleOffset = 0x07c;
inline constexpr uint32_t kCycleMask = 0xffffffff;
inline constexpr uint32_t kCycleReset = 0x00000000;
inline constexpr int kCycleCountLow = 0;
inline constexpr int kCycleCountWidth = 32;

/// RW, for all links. Port p.
inline constexpr uint32_t kPortOffset = 0x080;
inline constexpr uint32_t kPortMask = 0x00000003;
inline constexpr uint32_t kPortReset = 0x00000000;
inline constexpr int kPortEnableLow = 0;
inline constexpr int kPortEnableWidth = 1;
inline constexpr int kPortGeneratorLow = 1;
inline constexpr int kPortGeneratorWidth = 1;

/// RW, for all links. MAC address of port p.
inline constexpr uint32_t kMacLowOffset = 0x0a0;
inline constexpr uint32_t kMacLowMask = 0xffffffff;
inline constexpr uint32_t kMacLowReset = 0x00000000;
inline constexpr int kMacLowAddressLow = 0;
inline constexpr int kMacLowAddressWidth = 32;

/// RW, for all links. MAC address of port p.
inline constexpr uint32_t kMacHighOffset = 0x0c0;
inline constexpr uint32_t kMacHighMask = 0x0000ffff;
inline constexpr uint32_t kMacHighReset = 0x00000000;
inline constexpr int kMacHighAddressLow = 0;
inline constexpr int kMacHighAddressWidth = 16;

/// RW, for all links. IP address of port p.
inline constexpr uint32_t kIpOffset = 0x0e0;
inline constexpr uint32_t kIpMask = 0xffffffff;
inline constexpr uint32_t kIpReset = 0x00000000;
inline constexpr int kIpAddressLow = 0;
inline constexpr int kIpAddressWidth = 32;

/// RW, for all links. Network of port p.
inline constexpr uint32_t kNetmaskOffset = 0x100;
inline constexpr uint32_t kNetmaskMask = 0xffffffff;
inline constexpr uint32_t kNetmaskReset = 0xffffff00;
inline constexpr int kNetmaskMaskLow = 0;
inline constexpr int kNetmaskMaskWidth = 32;

/// RW, for all links. Who takes datagrams for other networks.
inline constexpr uint32_t kGatewayOffset = 0x120;
inline constexpr uint32_t kGatewayMask = 0xffffffff;
inline constexpr uint32_t kGatewayReset = 0x00000000;
inline constexpr int kGatewayAddressLow = 0;
inline constexpr int kGatewayAddressWidth = 32;

/// RW, for all links. Where the generator sends datagrams.
inline constexpr uint32_t kGeneratorIpOffset = 0x140;
inline constexpr uint32_t kGeneratorIpMask = 0xffffffff;
inline constexpr uint32_t kGeneratorIpReset = 0x00000000;
inline constexpr int kGeneratorIpAddressLow = 0;
inline constexpr int kGeneratorIpAddressWidth = 32;

/// RW, for all links. Where the generator sends datagrams.
inline constexpr uint32_t kGeneratorPortsOffset = 0x160;
inline constexpr uint32_t kGeneratorPortsMask = 0xffffffff;
inline constexpr uint32_t kGeneratorPortsReset = 0x00000000;
inline constexpr int kGeneratorPortsDestinationLow = 0;
inline constexpr int kGeneratorPortsDestinationWidth = 16;
inline constexpr int kGeneratorPortsSourceLow = 16;
inline constexpr int kGeneratorPortsSourceWidth = 16;

/// RW, for all links. What the generator sends.
inline constexpr uint32_t kGeneratorShapeOffset = 0x180;
inline constexpr uint32_t kGeneratorShapeMask = 0xfffff7ff;
inline constexpr uint32_t kGeneratorShapeReset = 0x00000040;
inline constexpr int kGeneratorShapeBytesLow = 0;
inline constexpr int kGeneratorShapeBytesWidth = 11;
inline constexpr int kGeneratorShapeIntervalLow = 12;
inline constexpr int kGeneratorShapeIntervalWidth = 20;

/// RW, for all links. How much the generator sends.
inline constexpr uint32_t kGeneratorCountOffset = 0x1a0;
inline constexpr uint32_t kGeneratorCountMask = 0xffffffff;
inline constexpr uint32_t kGeneratorCountReset = 0x00000000;
inline constexpr int kGeneratorCountCountLow = 0;
inline constexpr int kGeneratorCountCountWidth = 32;

/// RO, for all links. Datagrams that the meter saw since the generator was turned on.
inline constexpr uint32_t kMeterCountOffset = 0x1c0;
inline constexpr uint32_t kMeterCountMask = 0xffffffff;
inline constexpr uint32_t kMeterCountReset = 0x00000000;
inline constexpr int kMeterCountCountLow = 0;
inline constexpr int kMeterCountCountWidth = 32;

/// RO, for all links. Gaps in the sequence of these.
inline constexpr uint32_t kMeterMissingOffset = 0x1e0;
inline constexpr uint32_t kMeterMissingMask = 0xffffffff;
inline constexpr uint32_t kMeterMissingReset = 0x00000000;
inline constexpr int kMeterMissingCountLow = 0;
inline constexpr int kMeterMissingCountWidth = 32;

/// RO, for all links. Age of the youngest of these.
inline constexpr uint32_t kMeterLeastOffset = 0x200;
inline constexpr uint32_t kMeterLeastMask = 0xffffffff;
inline constexpr uint32_t kMeterLeastReset = 0x00000000;
inline constexpr int kMeterLeastCyclesLow = 0;
inline constexpr int kMeterLeastCyclesWidth = 32;

/// RO, for all links. Age of the oldest of these.
inline constexpr uint32_t kMeterMostOffset = 0x220;
inline constexpr uint32_t kMeterMostMask = 0xffffffff;
inline constexpr uint32_t kMeterMostReset = 0x00000000;
inline constexpr int kMeterMostCyclesLow = 0;
inline constexpr int kMeterMostCyclesWidth = 32;

/// RO, for all links. Sum of their ages.
inline constexpr uint32_t kMeterSumLowOffset = 0x240;
inline constexpr uint32_t kMeterSumLowMask = 0xffffffff;
inline constexpr uint32_t kMeterSumLowReset = 0x00000000;
inline constexpr int kMeterSumLowCyclesLow = 0;
inline constexpr int kMeterSumLowCyclesWidth = 32;

/// RO, for all links. Sum of their ages.
inline constexpr uint32_t kMeterSumHighOffset = 0x260;
inline constexpr uint32_t kMeterSumHighMask = 0xffffffff;
inline constexpr uint32_t kMeterSumHighReset = 0x00000000;
inline constexpr int kMeterSumHighCyclesLow = 0;
inline constexpr int kMeterSumHighCyclesWidth = 32;

/// RW, for all ports. Stream s. Write the other registers of the stream before.
inline constexpr uint32_t kStreamOffset = 0x280;
inline constexpr uint32_t kStreamMask = 0x07ffffff;
inline constexpr uint32_t kStreamReset = 0x000c0000;
inline constexpr int kStreamPortLow = 0;
inline constexpr int kStreamPortWidth = 16;
inline constexpr int kStreamSizeLog2Low = 16;
inline constexpr int kStreamSizeLog2Width = 5;
inline constexpr int kStreamBuffersLog2Low = 21;
inline constexpr int kStreamBuffersLog2Width = 4;
inline constexpr int kStreamWidenLow = 25;
inline constexpr int kStreamWidenWidth = 1;
inline constexpr int kStreamEnableLow = 26;
inline constexpr int kStreamEnableWidth = 1;

/// RW, for all ports. Receive buffers of stream s.
inline constexpr uint32_t kBuffersLowOffset = 0x2c0;
inline constexpr uint32_t kBuffersLowMask = 0xffffffff;
inline constexpr uint32_t kBuffersLowReset = 0x00000000;
inline constexpr int kBuffersLowAddressLow = 0;
inline constexpr int kBuffersLowAddressWidth = 32;

/// RW, for all ports. Receive buffers of stream s.
inline constexpr uint32_t kBuffersHighOffset = 0x300;
inline constexpr uint32_t kBuffersHighMask = 0xffffffff;
inline constexpr uint32_t kBuffersHighReset = 0x00000000;
inline constexpr int kBuffersHighAddressLow = 0;
inline constexpr int kBuffersHighAddressWidth = 32;

/// RW, for all ports. Receive buffers of stream s that may be filled again.
inline constexpr uint32_t kReleasedOffset = 0x340;
inline constexpr uint32_t kReleasedMask = 0x0000ffff;
inline constexpr uint32_t kReleasedReset = 0x00000000;
inline constexpr int kReleasedCountLow = 0;
inline constexpr int kReleasedCountWidth = 16;

}  // namespace fabrictwin::rtl::nanet::registers
