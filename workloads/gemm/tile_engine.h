// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The timing of a matrix-multiply accelerator.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"
#include "workloads/gemm/spec.h"

namespace fabrictwin::gemm {

/// Multiplies tile by tile: tiles of the factors are read while the previous ones are multiplied, and a tile of the
/// result is read once, kept while a panel's tiles are added to it, and written once. So each tile of the result takes
/// as long as arithmetic or memory, whichever is longer: docs/models/gemm.md. Immutable; thread-safe.
class TileEngine {
 public:
  explicit TileEngine(const GemmSpec& spec) : spec_(spec) {}

  /// Time for a result of rows x columns elements with inner dimension `inner`, all multiples of the tile, without the
  /// start-up overhead.
  Time work(int32_t rows, int32_t columns, int32_t inner) const;
  /// Cycles of the same in an engine with lanes, from its start to its interrupt.
  int64_t cycles(int32_t rows, int32_t columns, int32_t inner) const;
  Time time_of(int64_t cycles) const;

 private:
  GemmSpec spec_;
};

}  // namespace fabrictwin::gemm
