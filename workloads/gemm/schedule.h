// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When a matrix-multiply accelerator does what.
#pragma once

#include <cstdint>

#include "rtl/accel/gemm/gemm_command.h"

namespace fabrictwin::gemm {

/// Parameters of rtl/accel/gemm/gemm_accelerator.sv, and of its memory.
struct AcceleratorShape {
  int32_t tile = 16;
  int32_t lanes = 4;
  int32_t burst_beats = 16;
  int32_t max_bursts = 8;
  /// Cycles from the address of a burst to its first beat, and from its last beat to its response. After that, each
  /// port and direction moves a beat in each cycle.
  int32_t memory_latency = 30;
};

/// Cycles of a command: the `cycles` register of the RTL at its end. All that decides about time is simulated cycle by
/// cycle, the numbers are not.
int64_t accelerator_cycles(const AcceleratorShape& shape, const rtl::accel::gemm::GemmCommand& command);

}  // namespace fabrictwin::gemm
