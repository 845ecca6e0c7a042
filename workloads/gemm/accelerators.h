// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Engines of ranks that are hardware.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace fabrictwin::gemm {

/// Adds A B to C; all are stored by rows without gaps, C has rows x columns elements and A `inner` columns, multiples
/// of the tile. Returns the cycles that it took. Internal if the command failed, or does not end. One accelerator, one
/// thread at a time.
using Multiply =
    std::function<absl::StatusOr<int64_t>(std::span<const float> a, std::span<const float> b, std::span<float> c,
                                          int32_t rows, int32_t columns, int32_t inner)>;

/// What makes accelerators in hardware. This folder does not know any: whoever puts the parts of a program together
/// does. By default there are none. Its functions are thread-safe.
struct Accelerators {
  /// What there is, in words: "tiles of 16 with 4 lanes, ...".
  std::string shapes;
  /// Whether there is one with tiles of `tile` and `lanes` multipliers along the inner dimension.
  std::function<bool(int32_t tile, int32_t lanes)> has;
  /// A new one. `memory_latency` are cycles from the address of a burst to its first beat, and from its last beat to
  /// its response. InvalidArgument if there is none of that shape.
  std::function<absl::StatusOr<Multiply>(int32_t tile, int32_t lanes, int32_t memory_latency)> make;
};

}  // namespace fabrictwin::gemm
