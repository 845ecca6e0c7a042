// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What software tells a matrix-multiply accelerator.
#pragma once

#include <cstdint>

namespace fabrictwin::rtl::accel::gemm {

/// C += A B. Addresses and strides are bytes and multiples of 16; sizes are tiles.
struct GemmCommand {
  uint64_t a = 0;
  uint64_t b = 0;
  uint64_t c = 0;
  uint32_t a_stride = 0;
  uint32_t b_stride = 0;
  uint32_t c_stride = 0;
  uint32_t rows = 1;     ///< Tiles of C from top to bottom.
  uint32_t columns = 1;  ///< Tiles of C from left to right.
  uint32_t depth = 1;    ///< Tiles along the inner dimension.
  uint64_t end = 0;      ///< Behind the last byte of the three matrices.
};

/// The command for matrices without gaps, C of rows x columns elements and `inner` columns of A, that begin at the
/// start of pages: A, B, C. Sizes are multiples of `tile`.
inline GemmCommand gemm_command(int32_t rows, int32_t columns, int32_t inner, int32_t tile) {
  const auto bytes = [](int32_t high, int32_t wide) {
    return (4 * static_cast<uint64_t>(high) * static_cast<uint64_t>(wide) + 4095) / 4096 * 4096;
  };
  GemmCommand command;
  command.b = bytes(rows, inner);
  command.c = command.b + bytes(inner, columns);
  command.end = command.c + bytes(rows, columns);
  command.a_stride = 4 * static_cast<uint32_t>(inner);
  command.b_stride = command.c_stride = 4 * static_cast<uint32_t>(columns);
  command.rows = static_cast<uint32_t>(rows / tile);
  command.columns = static_cast<uint32_t>(columns / tile);
  command.depth = static_cast<uint32_t>(inner / tile);
  return command;
}

}  // namespace fabrictwin::rtl::accel::gemm
