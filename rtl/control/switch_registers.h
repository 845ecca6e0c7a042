// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/control/switch_registers.csv by generate_registers; change that.
//
// Offsets, field positions and reset values of a plain FPGA's switch controller; docs/models/switch-registers.md.
#pragma once

#include <cstdint>

namespace fabrictwin::rtl::control::switch_registers {

/// Bytes from a register of a port or of a link to that of the next one.
inline constexpr uint32_t kStride = 4;

/// RO. Says that this is a board switch.
inline constexpr uint32_t kIdentificationOffset = 0x000;
inline constexpr uint32_t kIdentificationMask = 0xffffffff;
inline constexpr uint32_t kIdentificationReset = 0x45585357;
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

/// RO. Shape of this FPGA.
inline constexpr uint32_t kShapeOffset = 0x008;
inline constexpr uint32_t kShapeMask = 0xffff00ff;
inline constexpr uint32_t kShapeReset = 0x00000000;
inline constexpr int kShapePortsLow = 0;
inline constexpr int kShapePortsWidth = 8;
inline constexpr int kShapeCounterWidthLow = 16;
inline constexpr int kShapeCounterWidthWidth = 8;
inline constexpr int kShapeBufferWordsLow = 24;
inline constexpr int kShapeBufferWordsWidth = 8;

/// RO. State of the FPGA.
inline constexpr uint32_t kStatusOffset = 0x028;
inline constexpr uint32_t kStatusMask = 0x00000007;
inline constexpr uint32_t kStatusReset = 0x00000000;
inline constexpr int kStatusIdleLow = 0;
inline constexpr int kStatusIdleWidth = 1;
inline constexpr int kStatusErrorLow = 1;
inline constexpr int kStatusErrorWidth = 1;
inline constexpr int kStatusPortEventsLow = 2;
inline constexpr int kStatusPortEventsWidth = 1;

/// RO, for all ports. State of a port.
inline constexpr uint32_t kPortStatusOffset = 0x080;
inline constexpr uint32_t kPortStatusMask = 0x00000003;
inline constexpr uint32_t kPortStatusReset = 0x00000000;
inline constexpr int kPortStatusCreditStallLow = 0;
inline constexpr int kPortStatusCreditStallWidth = 1;
inline constexpr int kPortStatusErrorLow = 1;
inline constexpr int kPortStatusErrorWidth = 1;

/// W1C, for all ports. What has happened at a port. An event while its bit is cleared sets it.
inline constexpr uint32_t kPortEventsOffset = 0x0c0;
inline constexpr uint32_t kPortEventsMask = 0x00000003;
inline constexpr uint32_t kPortEventsReset = 0x00000000;
inline constexpr int kPortEventsErrorLow = 0;
inline constexpr int kPortEventsErrorWidth = 1;
inline constexpr int kPortEventsDroppedLow = 1;
inline constexpr int kPortEventsDroppedWidth = 1;

/// RO, for all ports. Counter; wraps and has counter_width bits.
inline constexpr uint32_t kDroppedOffset = 0x100;
inline constexpr uint32_t kDroppedMask = 0xffffffff;
inline constexpr uint32_t kDroppedReset = 0x00000000;
inline constexpr int kDroppedCountLow = 0;
inline constexpr int kDroppedCountWidth = 32;

/// RO, for all ports. Counter; wraps and has counter_width bits.
inline constexpr uint32_t kSentOffset = 0x1c0;
inline constexpr uint32_t kSentMask = 0xffffffff;
inline constexpr uint32_t kSentReset = 0x00000000;
inline constexpr int kSentCountLow = 0;
inline constexpr int kSentCountWidth = 32;

/// RO, for all ports. The buffers of a board link for what arrives; 0 of the network interface.
inline constexpr uint32_t kInputOffset = 0x3c0;
inline constexpr uint32_t kInputMask = 0x00ff00ff;
inline constexpr uint32_t kInputReset = 0x00000000;
inline constexpr int kInputVc0Low = 0;
inline constexpr int kInputVc0Width = 8;
inline constexpr int kInputVc1Low = 16;
inline constexpr int kInputVc1Width = 8;

/// RO, for all ports. The buffer at the far end of a port.
inline constexpr uint32_t kUsedOffset = 0x440;
inline constexpr uint32_t kUsedMask = 0x000000ff;
inline constexpr uint32_t kUsedReset = 0x00000000;
inline constexpr int kUsedWordsLow = 0;
inline constexpr int kUsedWordsWidth = 8;

}  // namespace fabrictwin::rtl::control::switch_registers
