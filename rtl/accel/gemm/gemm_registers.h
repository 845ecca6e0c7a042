// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/accel/gemm/registers.csv by generate_registers; change that.
//
// Offsets, field positions and reset values of the matrix-multiply accelerator; docs/models/gemm-registers.md.
#pragma once

#include <cstdint>

namespace fabrictwin::rtl::accel::gemm::registers {

/// Bytes from a register of a port or of a link to that of the next one.
inline constexpr uint32_t kStride = 4;

/// RO. Says that this is a matrix-multiply accelerator.
inline constexpr uint32_t kIdentificationOffset = 0x000;
inline constexpr uint32_t kIdentificationMask = 0xffffffff;
inline constexpr uint32_t kIdentificationReset = 0x4d4d4547;
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

/// RO. Shape of this accelerator.
inline constexpr uint32_t kShapeOffset = 0x008;
inline constexpr uint32_t kShapeMask = 0xffffffff;
inline constexpr uint32_t kShapeReset = 0x00000000;
inline constexpr int kShapeTileLow = 0;
inline constexpr int kShapeTileWidth = 8;
inline constexpr int kShapeLanesLow = 8;
inline constexpr int kShapeLanesWidth = 8;
inline constexpr int kShapeColumnsLow = 16;
inline constexpr int kShapeColumnsWidth = 8;
inline constexpr int kShapeBurstLow = 24;
inline constexpr int kShapeBurstWidth = 8;

/// RW. Begins commands.
inline constexpr uint32_t kControlOffset = 0x00c;
inline constexpr uint32_t kControlMask = 0x00000003;
inline constexpr uint32_t kControlReset = 0x00000000;
inline constexpr int kControlStartLow = 0;
inline constexpr int kControlStartWidth = 1;
inline constexpr int kControlInterruptEnableLow = 1;
inline constexpr int kControlInterruptEnableWidth = 1;

/// RO. State of the accelerator.
inline constexpr uint32_t kStatusOffset = 0x010;
inline constexpr uint32_t kStatusMask = 0x00000f01;
inline constexpr uint32_t kStatusReset = 0x00000000;
inline constexpr int kStatusBusyLow = 0;
inline constexpr int kStatusBusyWidth = 1;
inline constexpr int kStatusErrorLow = 8;
inline constexpr int kStatusErrorWidth = 4;

/// W1C. What has happened.
inline constexpr uint32_t kInterruptOffset = 0x014;
inline constexpr uint32_t kInterruptMask = 0x00000001;
inline constexpr uint32_t kInterruptReset = 0x00000000;
inline constexpr int kInterruptDoneLow = 0;
inline constexpr int kInterruptDoneWidth = 1;

/// RW. Where A is.
inline constexpr uint32_t kALowOffset = 0x020;
inline constexpr uint32_t kALowMask = 0xffffffff;
inline constexpr uint32_t kALowReset = 0x00000000;
inline constexpr int kALowAddressLow = 0;
inline constexpr int kALowAddressWidth = 32;

/// RW. Where A is.
inline constexpr uint32_t kAHighOffset = 0x024;
inline constexpr uint32_t kAHighMask = 0xffffffff;
inline constexpr uint32_t kAHighReset = 0x00000000;
inline constexpr int kAHighAddressLow = 0;
inline constexpr int kAHighAddressWidth = 32;

/// RW. Shape of A.
inline constexpr uint32_t kAStrideOffset = 0x028;
inline constexpr uint32_t kAStrideMask = 0xffffffff;
inline constexpr uint32_t kAStrideReset = 0x00000000;
inline constexpr int kAStrideBytesLow = 0;
inline constexpr int kAStrideBytesWidth = 32;

/// RW. Where B is.
inline constexpr uint32_t kBLowOffset = 0x030;
inline constexpr uint32_t kBLowMask = 0xffffffff;
inline constexpr uint32_t kBLowReset = 0x00000000;
inline constexpr int kBLowAddressLow = 0;
inline constexpr int kBLowAddressWidth = 32;

/// RW. Where B is.
inline constexpr uint32_t kBHighOffset = 0x034;
inline constexpr uint32_t kBHighMask = 0xffffffff;
inline constexpr uint32_t kBHighReset = 0x00000000;
inline constexpr int kBHighAddressLow = 0;
inline constexpr int kBHighAddressWidth = 32;

/// RW. Shape of B.
inline constexpr uint32_t kBStrideOffset = 0x038;
inline constexpr uint32_t kBStrideMask = 0xffffffff;
inline constexpr uint32_t kBStrideReset = 0x00000000;
inline constexpr int kBStrideBytesLow = 0;
inline constexpr int kBStrideBytesWidth = 32;

/// RW. Where C is.
inline constexpr uint32_t kCLowOffset = 0x040;
inline constexpr uint32_t kCLowMask = 0xffffffff;
inline constexpr uint32_t kCLowReset = 0x00000000;
inline constexpr int kCLowAddressLow = 0;
inline constexpr int kCLowAddressWidth = 32;

/// RW. Where C is.
inline constexpr uint32_t kCHighOffset = 0x044;
inline constexpr uint32_t kCHighMask = 0xffffffff;
inline constexpr uint32_t kCHighReset = 0x00000000;
inline constexpr int kCHighAddressLow = 0;
inline constexpr int kCHighAddressWidth = 32;

/// RW. Shape of C.
inline constexpr uint32_t kCStrideOffset = 0x048;
inline constexpr uint32_t kCStrideMask = 0xffffffff;
inline constexpr uint32_t kCStrideReset = 0x00000000;
inline constexpr int kCStrideBytesLow = 0;
inline constexpr int kCStrideBytesWidth = 32;

/// RW. Size of C.
inline constexpr uint32_t kRowsOffset = 0x050;
inline constexpr uint32_t kRowsMask = 0x0000ffff;
inline constexpr uint32_t kRowsReset = 0x00000000;
inline constexpr int kRowsTilesLow = 0;
inline constexpr int kRowsTilesWidth = 16;

/// RW. Size of C.
inline constexpr uint32_t kColumnsOffset = 0x054;
inline constexpr uint32_t kColumnsMask = 0x0000ffff;
inline constexpr uint32_t kColumnsReset = 0x00000000;
inline constexpr int kColumnsTilesLow = 0;
inline constexpr int kColumnsTilesWidth = 16;

/// RW. Size of the inner dimension.
inline constexpr uint32_t kDepthOffset = 0x058;
inline constexpr uint32_t kDepthMask = 0x0000ffff;
inline constexpr uint32_t kDepthReset = 0x00000000;
inline constexpr int kDepthTilesLow = 0;
inline constexpr int kDepthTilesWidth = 16;

/// RO. Cycles of the last command or of the current one.
inline constexpr uint32_t kCyclesOffset = 0x060;
inline constexpr uint32_t kCyclesMask = 0xffffffff;
inline constexpr uint32_t kCyclesReset = 0x00000000;
inline constexpr int kCyclesCountLow = 0;
inline constexpr int kCyclesCountWidth = 32;

/// RO. Cycles in which all multipliers had work.
inline constexpr uint32_t kMultiplyCyclesOffset = 0x064;
inline constexpr uint32_t kMultiplyCyclesMask = 0xffffffff;
inline constexpr uint32_t kMultiplyCyclesReset = 0x00000000;
inline constexpr int kMultiplyCyclesCountLow = 0;
inline constexpr int kMultiplyCyclesCountWidth = 32;

/// RO. Cycles without a pair of tiles.
inline constexpr uint32_t kWaitFactorCyclesOffset = 0x068;
inline constexpr uint32_t kWaitFactorCyclesMask = 0xffffffff;
inline constexpr uint32_t kWaitFactorCyclesReset = 0x00000000;
inline constexpr int kWaitFactorCyclesCountLow = 0;
inline constexpr int kWaitFactorCyclesCountWidth = 32;

/// RO. Cycles with a pair of tiles whose tile of C was not there.
inline constexpr uint32_t kWaitResultCyclesOffset = 0x06c;
inline constexpr uint32_t kWaitResultCyclesMask = 0xffffffff;
inline constexpr uint32_t kWaitResultCyclesReset = 0x00000000;
inline constexpr int kWaitResultCyclesCountLow = 0;
inline constexpr int kWaitResultCyclesCountWidth = 32;

}  // namespace fabrictwin::rtl::accel::gemm::registers
