// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated matrix-multiply accelerator with its driver and its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace fabrictwin::rtl::gemm {

/// What there is in RTL, in words: "16 with 4 lanes, ...".
std::string accelerator_shapes();
/// Whether there is an accelerator with tiles of `tile` and `lanes` multipliers along the inner dimension.
bool has_accelerator(int32_t tile, int32_t lanes);

/// rtl/accel/gemm/gemm_accelerator.sv, Verilated, with bursts of 16 beats and 8 of them in flight, before a memory that
/// moves a beat in each cycle at each port. Not thread-safe.
class Accelerator {
 public:
  /// InvalidArgument if there is none of that shape. `memory_latency` are cycles from the address of a burst to its
  /// first beat, and from its last beat to its response.
  static absl::StatusOr<std::unique_ptr<Accelerator>> create(int32_t tile, int32_t lanes, int32_t memory_latency);
  virtual ~Accelerator() = default;

  /// Adds A B to C; all are stored by rows without gaps, C has rows x columns elements and A `inner` columns, multiples
  /// of the tile. Returns the cycles that it took. Internal if the accelerator says that the command failed, or does
  /// not end.
  virtual absl::StatusOr<int64_t> multiply(std::span<const float> a, std::span<const float> b, std::span<float> c,
                                           int32_t rows, int32_t columns, int32_t inner) = 0;
};

}  // namespace fabrictwin::rtl::gemm
