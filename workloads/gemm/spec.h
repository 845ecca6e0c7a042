// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A matrix multiplication, checked: plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin::gemm {

/// See Gemm in job.proto, which has the defaults.
struct GemmSpec {
  int32_t size = 0;
  int32_t rows = 0;
  int32_t columns = 0;
  int32_t panel = 0;
  int32_t tile = 0;
  int32_t tile_cycles = 0;
  Frequency clock;
  Bandwidth memory_rate;
  Time start_overhead;
  bool overlap = false;
  int32_t lanes = 0;  ///< 0: `tile_cycles` and `memory_rate` say how long a tile takes.
  int32_t memory_latency = 0;
  std::vector<int32_t> rtl_ranks;  ///< Rising.
};

}  // namespace fabrictwin::gemm
