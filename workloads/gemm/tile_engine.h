// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A matrix-multiply accelerator: how long it takes.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"
#include "cosim/run/job_spec.h"

namespace fabrictwin {

/// Multiplies tile by tile: tiles of the factors are read while those before them are multiplied, and a tile of the
/// result is read once, kept while a panel's tiles are added to it, and written once. So it takes for each tile of the
/// result as long as arithmetic or memory need, whichever is longer: docs/models/gemm.md. Immutable; thread-safe.
class TileEngine {
 public:
  explicit TileEngine(const GemmSpec& spec) : spec_(spec) {}

  /// The result has rows x columns elements, the factors `inner` in between; all multiples of the tile. Without the
  /// overhead of its start.
  Time work(int32_t rows, int32_t columns, int32_t inner) const;

 private:
  GemmSpec spec_;
};

}  // namespace fabrictwin
