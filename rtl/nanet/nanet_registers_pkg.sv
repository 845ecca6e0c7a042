// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/nanet/registers.csv by generate_registers; change that.

/// Offsets, field positions and reset values of a NaNet-10. docs/models/nanet-registers.md says the same.
package nanet_registers_pkg;

  // All constants are here, whoever uses them.
  /* verilator lint_off UNUSEDPARAM */

  /// RO. Says that this is a NaNet-10.
  localparam logic [11:0] IdentificationOffset = 12'h000;
  localparam logic [31:0] IdentificationMask = 32'hFFFFFFFF;
  localparam logic [31:0] IdentificationReset = 32'h3031544E;
  localparam int unsigned IdentificationMagicLow = 0;
  localparam int unsigned IdentificationMagicWidth = 32;

  /// RO. Version of this register map.
  localparam logic [11:0] VersionOffset = 12'h004;
  localparam logic [31:0] VersionMask = 32'h0000FFFF;
  localparam logic [31:0] VersionReset = 32'h00000100;
  localparam int unsigned VersionMinorLow = 0;
  localparam int unsigned VersionMinorWidth = 8;
  localparam int unsigned VersionMajorLow = 8;
  localparam int unsigned VersionMajorWidth = 8;

  /// RO. What there is.
  localparam logic [11:0] ShapeOffset = 12'h008;
  localparam logic [31:0] ShapeMask = 32'h0000FFFF;
  localparam logic [31:0] ShapeReset = 32'h00000400;
  localparam int unsigned ShapePortsLow = 0;
  localparam int unsigned ShapePortsWidth = 8;
  localparam int unsigned ShapeStreamsLow = 8;
  localparam int unsigned ShapeStreamsWidth = 8;

  /// RW. What to forget.
  localparam logic [11:0] ControlOffset = 12'h00C;
  localparam logic [31:0] ControlMask = 32'h00000003;
  localparam logic [31:0] ControlReset = 32'h00000000;
  localparam int unsigned ControlFlushTlbLow = 0;
  localparam int unsigned ControlFlushTlbWidth = 1;
  localparam int unsigned ControlFlushArpLow = 1;
  localparam int unsigned ControlFlushArpWidth = 1;

  /// RW. When a receive buffer that is not full is handed over.
  localparam logic [11:0] TimeoutOffset = 12'h010;
  localparam logic [31:0] TimeoutMask = 32'hFFFFFFFF;
  localparam logic [31:0] TimeoutReset = 32'h00000000;
  localparam int unsigned TimeoutCyclesLow = 0;
  localparam int unsigned TimeoutCyclesWidth = 32;

  /// RW. How long the host may take to answer a miss of the TLB.
  localparam logic [11:0] TlbTimeoutOffset = 12'h014;
  localparam logic [31:0] TlbTimeoutMask = 32'hFFFFFFFF;
  localparam logic [31:0] TlbTimeoutReset = 32'h00004E20;
  localparam int unsigned TlbTimeoutCyclesLow = 0;
  localparam int unsigned TlbTimeoutCyclesWidth = 32;

  /// RW. Time between two ARP requests for an address. After three the datagram is dropped.
  localparam logic [11:0] ArpTimeoutOffset = 12'h018;
  localparam logic [31:0] ArpTimeoutMask = 32'hFFFFFFFF;
  localparam logic [31:0] ArpTimeoutReset = 32'h00030D40;
  localparam int unsigned ArpTimeoutCyclesLow = 0;
  localparam int unsigned ArpTimeoutCyclesWidth = 32;

  /// RW. Where the ring of events is in the memory of the CPU.
  localparam logic [11:0] RingLowOffset = 12'h01C;
  localparam logic [31:0] RingLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] RingLowReset = 32'h00000000;
  localparam int unsigned RingLowAddressLow = 0;
  localparam int unsigned RingLowAddressWidth = 32;

  /// RW. Where the ring of events is.
  localparam logic [11:0] RingHighOffset = 12'h020;
  localparam logic [31:0] RingHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] RingHighReset = 32'h00000000;
  localparam int unsigned RingHighAddressLow = 0;
  localparam int unsigned RingHighAddressWidth = 32;

  /// RW. Size of the ring of events.
  localparam logic [11:0] RingOffset = 12'h024;
  localparam logic [31:0] RingMask = 32'h0000000F;
  localparam logic [31:0] RingReset = 32'h00000006;
  localparam int unsigned RingRecordsLog2Low = 0;
  localparam int unsigned RingRecordsLog2Width = 4;

  /// RW. What software has taken from the ring of events.
  localparam logic [11:0] RingConsumedOffset = 12'h028;
  localparam logic [31:0] RingConsumedMask = 32'h0000FFFF;
  localparam logic [31:0] RingConsumedReset = 32'h00000000;
  localparam int unsigned RingConsumedCountLow = 0;
  localparam int unsigned RingConsumedCountWidth = 16;

  /// RO. What is in the ring of events. The interrupt is asserted while this is not ring_consumed.
  localparam logic [11:0] RingWrittenOffset = 12'h02C;
  localparam logic [31:0] RingWrittenMask = 32'h0000FFFF;
  localparam logic [31:0] RingWrittenReset = 32'h00000000;
  localparam int unsigned RingWrittenCountLow = 0;
  localparam int unsigned RingWrittenCountWidth = 16;

  /// RO. A page that the TLB does not know.
  localparam logic [11:0] MissOffset = 12'h030;
  localparam logic [31:0] MissMask = 32'h00000001;
  localparam logic [31:0] MissReset = 32'h00000000;
  localparam int unsigned MissWaitingLow = 0;
  localparam int unsigned MissWaitingWidth = 1;

  /// RO. Which page the host is asked for.
  localparam logic [11:0] MissLowOffset = 12'h034;
  localparam logic [31:0] MissLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] MissLowReset = 32'h00000000;
  localparam int unsigned MissLowAddressLow = 0;
  localparam int unsigned MissLowAddressWidth = 32;

  /// RO. Which page the host is asked for.
  localparam logic [11:0] MissHighOffset = 12'h038;
  localparam logic [31:0] MissHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] MissHighReset = 32'h00000000;
  localparam int unsigned MissHighAddressLow = 0;
  localparam int unsigned MissHighAddressWidth = 32;

  /// RW. Where this page is. Write before refill.
  localparam logic [11:0] PhysicalLowOffset = 12'h03C;
  localparam logic [31:0] PhysicalLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] PhysicalLowReset = 32'h00000000;
  localparam int unsigned PhysicalLowAddressLow = 0;
  localparam int unsigned PhysicalLowAddressWidth = 32;

  /// RW. Where this page is. Write before refill.
  localparam logic [11:0] PhysicalHighOffset = 12'h040;
  localparam logic [31:0] PhysicalHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] PhysicalHighReset = 32'h00000000;
  localparam int unsigned PhysicalHighAddressLow = 0;
  localparam int unsigned PhysicalHighAddressWidth = 32;

  /// RW. Writing this answers the miss if it is for this page.
  localparam logic [11:0] RefillOffset = 12'h044;
  localparam logic [31:0] RefillMask = 32'hFFFF0003;
  localparam logic [31:0] RefillReset = 32'h00000000;
  localparam int unsigned RefillKnownLow = 0;
  localparam int unsigned RefillKnownWidth = 1;
  localparam int unsigned RefillGpuLow = 1;
  localparam int unsigned RefillGpuWidth = 1;
  localparam int unsigned RefillPageLow = 16;
  localparam int unsigned RefillPageWidth = 16;

  /// RW. Where a datagram to send is. Write before send.
  localparam logic [11:0] SendLowOffset = 12'h048;
  localparam logic [31:0] SendLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] SendLowReset = 32'h00000000;
  localparam int unsigned SendLowAddressLow = 0;
  localparam int unsigned SendLowAddressWidth = 32;

  /// RW. Where a datagram to send is. Write before send.
  localparam logic [11:0] SendHighOffset = 12'h04C;
  localparam logic [31:0] SendHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] SendHighReset = 32'h00000000;
  localparam int unsigned SendHighAddressLow = 0;
  localparam int unsigned SendHighAddressWidth = 32;

  /// RW. Where it goes. Write before send.
  localparam logic [11:0] SendIpOffset = 12'h050;
  localparam logic [31:0] SendIpMask = 32'hFFFFFFFF;
  localparam logic [31:0] SendIpReset = 32'h00000000;
  localparam int unsigned SendIpAddressLow = 0;
  localparam int unsigned SendIpAddressWidth = 32;

  /// RW. Where it goes. Write before send.
  localparam logic [11:0] SendPortsOffset = 12'h054;
  localparam logic [31:0] SendPortsMask = 32'hFFFFFFFF;
  localparam logic [31:0] SendPortsReset = 32'h00000000;
  localparam int unsigned SendPortsDestinationLow = 0;
  localparam int unsigned SendPortsDestinationWidth = 16;
  localparam int unsigned SendPortsSourceLow = 16;
  localparam int unsigned SendPortsSourceWidth = 16;

  /// RW. Writing this sends a datagram; an error without effect if the bytes are wrong or send_free is 0.
  localparam logic [11:0] SendOffset = 12'h058;
  localparam logic [31:0] SendMask = 32'h000037FF;
  localparam logic [31:0] SendReset = 32'h00000000;
  localparam int unsigned SendBytesLow = 0;
  localparam int unsigned SendBytesWidth = 11;
  localparam int unsigned SendPortLow = 12;
  localparam int unsigned SendPortWidth = 2;

  /// RO. Datagrams that can be given at once.
  localparam logic [11:0] SendFreeOffset = 12'h05C;
  localparam logic [31:0] SendFreeMask = 32'h0000001F;
  localparam logic [31:0] SendFreeReset = 32'h00000000;
  localparam int unsigned SendFreeCountLow = 0;
  localparam int unsigned SendFreeCountWidth = 5;

  /// RW. Which counter is read.
  localparam logic [11:0] CounterSelectOffset = 12'h060;
  localparam logic [31:0] CounterSelectMask = 32'h0000031F;
  localparam logic [31:0] CounterSelectReset = 32'h00000000;
  localparam int unsigned CounterSelectKindLow = 0;
  localparam int unsigned CounterSelectKindWidth = 5;
  localparam int unsigned CounterSelectPortLow = 8;
  localparam int unsigned CounterSelectPortWidth = 2;

  /// RO. The counter that counter_select names.
  localparam logic [11:0] CounterOffset = 12'h064;
  localparam logic [31:0] CounterMask = 32'hFFFFFFFF;
  localparam logic [31:0] CounterReset = 32'h00000000;
  localparam int unsigned CounterCountLow = 0;
  localparam int unsigned CounterCountWidth = 32;

  /// RO. Translations that were there.
  localparam logic [11:0] TlbHitsOffset = 12'h068;
  localparam logic [31:0] TlbHitsMask = 32'hFFFFFFFF;
  localparam logic [31:0] TlbHitsReset = 32'h00000000;
  localparam int unsigned TlbHitsCountLow = 0;
  localparam int unsigned TlbHitsCountWidth = 32;

  /// RO. Translations that were asked of the host.
  localparam logic [11:0] TlbMissesOffset = 12'h06C;
  localparam logic [31:0] TlbMissesMask = 32'hFFFFFFFF;
  localparam logic [31:0] TlbMissesReset = 32'h00000000;
  localparam int unsigned TlbMissesCountLow = 0;
  localparam int unsigned TlbMissesCountWidth = 32;

  /// RO. Translations that the host did not know or did not tell in time.
  localparam logic [11:0] TlbFailuresOffset = 12'h070;
  localparam logic [31:0] TlbFailuresMask = 32'hFFFFFFFF;
  localparam logic [31:0] TlbFailuresReset = 32'h00000000;
  localparam int unsigned TlbFailuresCountLow = 0;
  localparam int unsigned TlbFailuresCountWidth = 32;

  /// RO. Packets that were not written because of that.
  localparam logic [11:0] PacketsSkippedOffset = 12'h074;
  localparam logic [31:0] PacketsSkippedMask = 32'hFFFFFFFF;
  localparam logic [31:0] PacketsSkippedReset = 32'h00000000;
  localparam int unsigned PacketsSkippedCountLow = 0;
  localparam int unsigned PacketsSkippedCountWidth = 32;

  /// RO. Writes that the memory answered with an error.
  localparam logic [11:0] BusErrorsOffset = 12'h078;
  localparam logic [31:0] BusErrorsMask = 32'hFFFFFFFF;
  localparam logic [31:0] BusErrorsReset = 32'h00000000;
  localparam int unsigned BusErrorsCountLow = 0;
  localparam int unsigned BusErrorsCountWidth = 32;

  /// RO. Time.
  localparam logic [11:0] CycleOffset = 12'h07C;
  localparam logic [31:0] CycleMask = 32'hFFFFFFFF;
  localparam logic [31:0] CycleReset = 32'h00000000;
  localparam int unsigned CycleCountLow = 0;
  localparam int unsigned CycleCountWidth = 32;

  /// RW, for all links. Port p.
  localparam logic [11:0] PortOffset = 12'h080;
  localparam logic [31:0] PortMask = 32'h00000003;
  localparam logic [31:0] PortReset = 32'h00000000;
  localparam int unsigned PortEnableLow = 0;
  localparam int unsigned PortEnableWidth = 1;
  localparam int unsigned PortGeneratorLow = 1;
  localparam int unsigned PortGeneratorWidth = 1;

  /// RW, for all links. MAC address of port p.
  localparam logic [11:0] MacLowOffset = 12'h0A0;
  localparam logic [31:0] MacLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] MacLowReset = 32'h00000000;
  localparam int unsigned MacLowAddressLow = 0;
  localparam int unsigned MacLowAddressWidth = 32;

  /// RW, for all links. MAC address of port p.
  localparam logic [11:0] MacHighOffset = 12'h0C0;
  localparam logic [31:0] MacHighMask = 32'h0000FFFF;
  localparam logic [31:0] MacHighReset = 32'h00000000;
  localparam int unsigned MacHighAddressLow = 0;
  localparam int unsigned MacHighAddressWidth = 16;

  /// RW, for all links. IP address of port p.
  localparam logic [11:0] IpOffset = 12'h0E0;
  localparam logic [31:0] IpMask = 32'hFFFFFFFF;
  localparam logic [31:0] IpReset = 32'h00000000;
  localparam int unsigned IpAddressLow = 0;
  localparam int unsigned IpAddressWidth = 32;

  /// RW, for all links. Network of port p.
  localparam logic [11:0] NetmaskOffset = 12'h100;
  localparam logic [31:0] NetmaskMask = 32'hFFFFFFFF;
  localparam logic [31:0] NetmaskReset = 32'hFFFFFF00;
  localparam int unsigned NetmaskMaskLow = 0;
  localparam int unsigned NetmaskMaskWidth = 32;

  /// RW, for all links. Who takes datagrams for other networks.
  localparam logic [11:0] GatewayOffset = 12'h120;
  localparam logic [31:0] GatewayMask = 32'hFFFFFFFF;
  localparam logic [31:0] GatewayReset = 32'h00000000;
  localparam int unsigned GatewayAddressLow = 0;
  localparam int unsigned GatewayAddressWidth = 32;

  /// RW, for all links. Where the generator sends datagrams.
  localparam logic [11:0] GeneratorIpOffset = 12'h140;
  localparam logic [31:0] GeneratorIpMask = 32'hFFFFFFFF;
  localparam logic [31:0] GeneratorIpReset = 32'h00000000;
  localparam int unsigned GeneratorIpAddressLow = 0;
  localparam int unsigned GeneratorIpAddressWidth = 32;

  /// RW, for all links. Where the generator sends datagrams.
  localparam logic [11:0] GeneratorPortsOffset = 12'h160;
  localparam logic [31:0] GeneratorPortsMask = 32'hFFFFFFFF;
  localparam logic [31:0] GeneratorPortsReset = 32'h00000000;
  localparam int unsigned GeneratorPortsDestinationLow = 0;
  localparam int unsigned GeneratorPortsDestinationWidth = 16;
  localparam int unsigned GeneratorPortsSourceLow = 16;
  localparam int unsigned GeneratorPortsSourceWidth = 16;

  /// RW, for all links. What the generator sends.
  localparam logic [11:0] GeneratorShapeOffset = 12'h180;
  localparam logic [31:0] GeneratorShapeMask = 32'hFFFFF7FF;
  localparam logic [31:0] GeneratorShapeReset = 32'h00000040;
  localparam int unsigned GeneratorShapeBytesLow = 0;
  localparam int unsigned GeneratorShapeBytesWidth = 11;
  localparam int unsigned GeneratorShapeIntervalLow = 12;
  localparam int unsigned GeneratorShapeIntervalWidth = 20;

  /// RW, for all links. How much the generator sends.
  localparam logic [11:0] GeneratorCountOffset = 12'h1A0;
  localparam logic [31:0] GeneratorCountMask = 32'hFFFFFFFF;
  localparam logic [31:0] GeneratorCountReset = 32'h00000000;
  localparam int unsigned GeneratorCountCountLow = 0;
  localparam int unsigned GeneratorCountCountWidth = 32;

  /// RO, for all links. Datagrams that the meter saw since the generator was turned on.
  localparam logic [11:0] MeterCountOffset = 12'h1C0;
  localparam logic [31:0] MeterCountMask = 32'hFFFFFFFF;
  localparam logic [31:0] MeterCountReset = 32'h00000000;
  localparam int unsigned MeterCountCountLow = 0;
  localparam int unsigned MeterCountCountWidth = 32;

  /// RO, for all links. Gaps in the sequence of these.
  localparam logic [11:0] MeterMissingOffset = 12'h1E0;
  localparam logic [31:0] MeterMissingMask = 32'hFFFFFFFF;
  localparam logic [31:0] MeterMissingReset = 32'h00000000;
  localparam int unsigned MeterMissingCountLow = 0;
  localparam int unsigned MeterMissingCountWidth = 32;

  /// RO, for all links. Age of the youngest of these.
  localparam logic [11:0] MeterLeastOffset = 12'h200;
  localparam logic [31:0] MeterLeastMask = 32'hFFFFFFFF;
  localparam logic [31:0] MeterLeastReset = 32'h00000000;
  localparam int unsigned MeterLeastCyclesLow = 0;
  localparam int unsigned MeterLeastCyclesWidth = 32;

  /// RO, for all links. Age of the oldest of these.
  localparam logic [11:0] MeterMostOffset = 12'h220;
  localparam logic [31:0] MeterMostMask = 32'hFFFFFFFF;
  localparam logic [31:0] MeterMostReset = 32'h00000000;
  localparam int unsigned MeterMostCyclesLow = 0;
  localparam int unsigned MeterMostCyclesWidth = 32;

  /// RO, for all links. Sum of their ages.
  localparam logic [11:0] MeterSumLowOffset = 12'h240;
  localparam logic [31:0] MeterSumLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] MeterSumLowReset = 32'h00000000;
  localparam int unsigned MeterSumLowCyclesLow = 0;
  localparam int unsigned MeterSumLowCyclesWidth = 32;

  /// RO, for all links. Sum of their ages.
  localparam logic [11:0] MeterSumHighOffset = 12'h260;
  localparam logic [31:0] MeterSumHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] MeterSumHighReset = 32'h00000000;
  localparam int unsigned MeterSumHighCyclesLow = 0;
  localparam int unsigned MeterSumHighCyclesWidth = 32;

  /// RW, for all ports. Stream s. Write the other registers of the stream before.
  localparam logic [11:0] StreamOffset = 12'h280;
  localparam logic [31:0] StreamMask = 32'h07FFFFFF;
  localparam logic [31:0] StreamReset = 32'h000C0000;
  localparam int unsigned StreamPortLow = 0;
  localparam int unsigned StreamPortWidth = 16;
  localparam int unsigned StreamSizeLog2Low = 16;
  localparam int unsigned StreamSizeLog2Width = 5;
  localparam int unsigned StreamBuffersLog2Low = 21;
  localparam int unsigned StreamBuffersLog2Width = 4;
  localparam int unsigned StreamWidenLow = 25;
  localparam int unsigned StreamWidenWidth = 1;
  localparam int unsigned StreamEnableLow = 26;
  localparam int unsigned StreamEnableWidth = 1;

  /// RW, for all ports. Receive buffers of stream s.
  localparam logic [11:0] BuffersLowOffset = 12'h2C0;
  localparam logic [31:0] BuffersLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] BuffersLowReset = 32'h00000000;
  localparam int unsigned BuffersLowAddressLow = 0;
  localparam int unsigned BuffersLowAddressWidth = 32;

  /// RW, for all ports. Receive buffers of stream s.
  localparam logic [11:0] BuffersHighOffset = 12'h300;
  localparam logic [31:0] BuffersHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] BuffersHighReset = 32'h00000000;
  localparam int unsigned BuffersHighAddressLow = 0;
  localparam int unsigned BuffersHighAddressWidth = 32;

  /// RW, for all ports. Receive buffers of stream s that may be filled again.
  localparam logic [11:0] ReleasedOffset = 12'h340;
  localparam logic [31:0] ReleasedMask = 32'h0000FFFF;
  localparam logic [31:0] ReleasedReset = 32'h00000000;
  localparam int unsigned ReleasedCountLow = 0;
  localparam int unsigned ReleasedCountWidth = 16;

  /* verilator lint_on UNUSEDPARAM */

endpackage
