// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/accel/gemm/registers.csv by generate_registers; change that.

/// Offsets, field positions and reset values of the matrix-multiply accelerator. docs/models/gemm-registers.md says the same.
package gemm_registers_pkg;

  // All constants are here, whoever uses them.
  /* verilator lint_off UNUSEDPARAM */

  /// RO. Says that this is a matrix-multiply accelerator.
  localparam logic [11:0] IdentificationOffset = 12'h000;
  localparam logic [31:0] IdentificationMask = 32'hFFFFFFFF;
  localparam logic [31:0] IdentificationReset = 32'h4D4D4547;
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

  /// RO. Shape of this accelerator.
  localparam logic [11:0] ShapeOffset = 12'h008;
  localparam logic [31:0] ShapeMask = 32'hFFFFFFFF;
  localparam logic [31:0] ShapeReset = 32'h00000000;
  localparam int unsigned ShapeTileLow = 0;
  localparam int unsigned ShapeTileWidth = 8;
  localparam int unsigned ShapeLanesLow = 8;
  localparam int unsigned ShapeLanesWidth = 8;
  localparam int unsigned ShapeColumnsLow = 16;
  localparam int unsigned ShapeColumnsWidth = 8;
  localparam int unsigned ShapeBurstLow = 24;
  localparam int unsigned ShapeBurstWidth = 8;

  /// RW. Begins commands.
  localparam logic [11:0] ControlOffset = 12'h00C;
  localparam logic [31:0] ControlMask = 32'h00000003;
  localparam logic [31:0] ControlReset = 32'h00000000;
  localparam int unsigned ControlStartLow = 0;
  localparam int unsigned ControlStartWidth = 1;
  localparam int unsigned ControlInterruptEnableLow = 1;
  localparam int unsigned ControlInterruptEnableWidth = 1;

  /// RO. State of the accelerator.
  localparam logic [11:0] StatusOffset = 12'h010;
  localparam logic [31:0] StatusMask = 32'h00000F01;
  localparam logic [31:0] StatusReset = 32'h00000000;
  localparam int unsigned StatusBusyLow = 0;
  localparam int unsigned StatusBusyWidth = 1;
  localparam int unsigned StatusErrorLow = 8;
  localparam int unsigned StatusErrorWidth = 4;

  /// W1C. What has happened.
  localparam logic [11:0] InterruptOffset = 12'h014;
  localparam logic [31:0] InterruptMask = 32'h00000001;
  localparam logic [31:0] InterruptReset = 32'h00000000;
  localparam int unsigned InterruptDoneLow = 0;
  localparam int unsigned InterruptDoneWidth = 1;

  /// RW. Where A is.
  localparam logic [11:0] ALowOffset = 12'h020;
  localparam logic [31:0] ALowMask = 32'hFFFFFFFF;
  localparam logic [31:0] ALowReset = 32'h00000000;
  localparam int unsigned ALowAddressLow = 0;
  localparam int unsigned ALowAddressWidth = 32;

  /// RW. Where A is.
  localparam logic [11:0] AHighOffset = 12'h024;
  localparam logic [31:0] AHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] AHighReset = 32'h00000000;
  localparam int unsigned AHighAddressLow = 0;
  localparam int unsigned AHighAddressWidth = 32;

  /// RW. Shape of A.
  localparam logic [11:0] AStrideOffset = 12'h028;
  localparam logic [31:0] AStrideMask = 32'hFFFFFFFF;
  localparam logic [31:0] AStrideReset = 32'h00000000;
  localparam int unsigned AStrideBytesLow = 0;
  localparam int unsigned AStrideBytesWidth = 32;

  /// RW. Where B is.
  localparam logic [11:0] BLowOffset = 12'h030;
  localparam logic [31:0] BLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] BLowReset = 32'h00000000;
  localparam int unsigned BLowAddressLow = 0;
  localparam int unsigned BLowAddressWidth = 32;

  /// RW. Where B is.
  localparam logic [11:0] BHighOffset = 12'h034;
  localparam logic [31:0] BHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] BHighReset = 32'h00000000;
  localparam int unsigned BHighAddressLow = 0;
  localparam int unsigned BHighAddressWidth = 32;

  /// RW. Shape of B.
  localparam logic [11:0] BStrideOffset = 12'h038;
  localparam logic [31:0] BStrideMask = 32'hFFFFFFFF;
  localparam logic [31:0] BStrideReset = 32'h00000000;
  localparam int unsigned BStrideBytesLow = 0;
  localparam int unsigned BStrideBytesWidth = 32;

  /// RW. Where C is.
  localparam logic [11:0] CLowOffset = 12'h040;
  localparam logic [31:0] CLowMask = 32'hFFFFFFFF;
  localparam logic [31:0] CLowReset = 32'h00000000;
  localparam int unsigned CLowAddressLow = 0;
  localparam int unsigned CLowAddressWidth = 32;

  /// RW. Where C is.
  localparam logic [11:0] CHighOffset = 12'h044;
  localparam logic [31:0] CHighMask = 32'hFFFFFFFF;
  localparam logic [31:0] CHighReset = 32'h00000000;
  localparam int unsigned CHighAddressLow = 0;
  localparam int unsigned CHighAddressWidth = 32;

  /// RW. Shape of C.
  localparam logic [11:0] CStrideOffset = 12'h048;
  localparam logic [31:0] CStrideMask = 32'hFFFFFFFF;
  localparam logic [31:0] CStrideReset = 32'h00000000;
  localparam int unsigned CStrideBytesLow = 0;
  localparam int unsigned CStrideBytesWidth = 32;

  /// RW. Size of C.
  localparam logic [11:0] RowsOffset = 12'h050;
  localparam logic [31:0] RowsMask = 32'h0000FFFF;
  localparam logic [31:0] RowsReset = 32'h00000000;
  localparam int unsigned RowsTilesLow = 0;
  localparam int unsigned RowsTilesWidth = 16;

  /// RW. Size of C.
  localparam logic [11:0] ColumnsOffset = 12'h054;
  localparam logic [31:0] ColumnsMask = 32'h0000FFFF;
  localparam logic [31:0] ColumnsReset = 32'h00000000;
  localparam int unsigned ColumnsTilesLow = 0;
  localparam int unsigned ColumnsTilesWidth = 16;

  /// RW. Size of the inner dimension.
  localparam logic [11:0] DepthOffset = 12'h058;
  localparam logic [31:0] DepthMask = 32'h0000FFFF;
  localparam logic [31:0] DepthReset = 32'h00000000;
  localparam int unsigned DepthTilesLow = 0;
  localparam int unsigned DepthTilesWidth = 16;

  /// RO. Cycles of the last command or of the current one.
  localparam logic [11:0] CyclesOffset = 12'h060;
  localparam logic [31:0] CyclesMask = 32'hFFFFFFFF;
  localparam logic [31:0] CyclesReset = 32'h00000000;
  localparam int unsigned CyclesCountLow = 0;
  localparam int unsigned CyclesCountWidth = 32;

  /// RO. Cycles in which all multipliers had work.
  localparam logic [11:0] MultiplyCyclesOffset = 12'h064;
  localparam logic [31:0] MultiplyCyclesMask = 32'hFFFFFFFF;
  localparam logic [31:0] MultiplyCyclesReset = 32'h00000000;
  localparam int unsigned MultiplyCyclesCountLow = 0;
  localparam int unsigned MultiplyCyclesCountWidth = 32;

  /// RO. Cycles without a pair of tiles.
  localparam logic [11:0] WaitFactorCyclesOffset = 12'h068;
  localparam logic [31:0] WaitFactorCyclesMask = 32'hFFFFFFFF;
  localparam logic [31:0] WaitFactorCyclesReset = 32'h00000000;
  localparam int unsigned WaitFactorCyclesCountLow = 0;
  localparam int unsigned WaitFactorCyclesCountWidth = 32;

  /// RO. Cycles with a pair of tiles whose tile of C was not there.
  localparam logic [11:0] WaitResultCyclesOffset = 12'h06C;
  localparam logic [31:0] WaitResultCyclesMask = 32'hFFFFFFFF;
  localparam logic [31:0] WaitResultCyclesReset = 32'h00000000;
  localparam int unsigned WaitResultCyclesCountLow = 0;
  localparam int unsigned WaitResultCyclesCountWidth = 32;

  /* verilator lint_on UNUSEDPARAM */

endpackage
