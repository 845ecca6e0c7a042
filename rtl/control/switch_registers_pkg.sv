// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/control/switch_registers.csv by generate_registers; change that.

/// Offsets, field positions and reset values of a plain FPGA's switch controller. docs/models/switch-registers.md says the same.
package switch_registers_pkg;

  // All constants are here, whoever uses them.
  /* verilator lint_off UNUSEDPARAM */

  /// RO. Says that this is a board switch.
  localparam logic [11:0] IdentificationOffset = 12'h000;
  localparam logic [31:0] IdentificationMask = 32'hFFFFFFFF;
  localparam logic [31:0] IdentificationReset = 32'h45585357;
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

  /// RO. Shape of this FPGA.
  localparam logic [11:0] ShapeOffset = 12'h008;
  localparam logic [31:0] ShapeMask = 32'hFFFF00FF;
  localparam logic [31:0] ShapeReset = 32'h00000000;
  localparam int unsigned ShapePortsLow = 0;
  localparam int unsigned ShapePortsWidth = 8;
  localparam int unsigned ShapeCounterWidthLow = 16;
  localparam int unsigned ShapeCounterWidthWidth = 8;
  localparam int unsigned ShapeBufferWordsLow = 24;
  localparam int unsigned ShapeBufferWordsWidth = 8;

  /// RO. State of the FPGA.
  localparam logic [11:0] StatusOffset = 12'h028;
  localparam logic [31:0] StatusMask = 32'h00000007;
  localparam logic [31:0] StatusReset = 32'h00000000;
  localparam int unsigned StatusIdleLow = 0;
  localparam int unsigned StatusIdleWidth = 1;
  localparam int unsigned StatusErrorLow = 1;
  localparam int unsigned StatusErrorWidth = 1;
  localparam int unsigned StatusPortEventsLow = 2;
  localparam int unsigned StatusPortEventsWidth = 1;

  /// RO, for all ports. State of a port.
  localparam logic [11:0] PortStatusOffset = 12'h080;
  localparam logic [31:0] PortStatusMask = 32'h00000003;
  localparam logic [31:0] PortStatusReset = 32'h00000000;
  localparam int unsigned PortStatusCreditStallLow = 0;
  localparam int unsigned PortStatusCreditStallWidth = 1;
  localparam int unsigned PortStatusErrorLow = 1;
  localparam int unsigned PortStatusErrorWidth = 1;

  /// W1C, for all ports. What has happened at a port. An event while its bit is cleared sets it.
  localparam logic [11:0] PortEventsOffset = 12'h0C0;
  localparam logic [31:0] PortEventsMask = 32'h00000003;
  localparam logic [31:0] PortEventsReset = 32'h00000000;
  localparam int unsigned PortEventsErrorLow = 0;
  localparam int unsigned PortEventsErrorWidth = 1;
  localparam int unsigned PortEventsDroppedLow = 1;
  localparam int unsigned PortEventsDroppedWidth = 1;

  /// RO, for all ports. Counter; wraps and has counter_width bits.
  localparam logic [11:0] DroppedOffset = 12'h100;
  localparam logic [31:0] DroppedMask = 32'hFFFFFFFF;
  localparam logic [31:0] DroppedReset = 32'h00000000;
  localparam int unsigned DroppedCountLow = 0;
  localparam int unsigned DroppedCountWidth = 32;

  /// RO, for all ports. Counter; wraps and has counter_width bits.
  localparam logic [11:0] SentOffset = 12'h1C0;
  localparam logic [31:0] SentMask = 32'hFFFFFFFF;
  localparam logic [31:0] SentReset = 32'h00000000;
  localparam int unsigned SentCountLow = 0;
  localparam int unsigned SentCountWidth = 32;

  /// RO, for all ports. The buffers of a board link for what arrives; 0 of the network interface.
  localparam logic [11:0] InputOffset = 12'h3C0;
  localparam logic [31:0] InputMask = 32'h00FF00FF;
  localparam logic [31:0] InputReset = 32'h00000000;
  localparam int unsigned InputVc0Low = 0;
  localparam int unsigned InputVc0Width = 8;
  localparam int unsigned InputVc1Low = 16;
  localparam int unsigned InputVc1Width = 8;

  /// RO, for all ports. The buffer at the far end of a port.
  localparam logic [11:0] UsedOffset = 12'h440;
  localparam logic [31:0] UsedMask = 32'h000000FF;
  localparam logic [31:0] UsedReset = 32'h00000000;
  localparam int unsigned UsedWordsLow = 0;
  localparam int unsigned UsedWordsWidth = 8;

  /* verilator lint_on UNUSEDPARAM */

endpackage
